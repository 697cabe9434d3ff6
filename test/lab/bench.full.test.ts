import { test } from "uvu";
import * as assert from "uvu/assert";
import { benchmarkNetwork, NETWORK_CASES } from "../../lab/bench/network.ts";
import { refusesHere, runJsonHere } from "../cli/program.ts";

test("bench times predict and learn at both sizes", async () => {
  const { learners } = await runJsonHere("motelearn.bench/1", "bench", "--only", "pa");
  assert.is(learners.length, 1);
  assert.is(learners[0].name, "pa");
  assert.equal(
    learners[0].sizes.map(({ dimension, budget }: { dimension: number; budget: number }) => [
      dimension,
      budget,
    ]),
    [
      [8, 64],
      [64, 256],
    ],
  );
  for (const { predictNs, learnNs } of learners[0].sizes) assert.ok(predictNs > 0 && learnNs > 0);
  await refusesHere(["bench", "--only", "pa2"], "pa2", "pa");
});

test("bench --network measures each of its cases: a node does more than its learners", async () => {
  const extent = { samples: 2000, rounds: 3, warmUpRounds: 1 };
  for (const options of NETWORK_CASES) {
    const { learner, framing, learnersUs, nodeUs, ratio } = await benchmarkNetwork(options, extent);
    assert.equal([learner, framing], [options.learner, options.framing]);
    assert.ok(learnersUs > 0 && nodeUs > 0 && ratio > 1, `${learner} ${framing}: ${ratio}`);
  }
});

test.run();
