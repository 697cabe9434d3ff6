import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkKeyed, checkRecords, HARM, POWER, SCENE } from "./framings.ts";
import { network } from "./lines.ts";

test("messages as records fare as their bytes do, in peace, under harm, slow, and where nodes are fed", () =>
  checkRecords(
    [
      [{}, {}, false],
      [HARM, POWER, false],
      [HARM, POWER, true],
      [{ ...HARM, baud: 2400 }, {}, false],
    ],
    400,
  ));

test("a keyed line under no harm ends with the states of one without a key, fed, asleep or awake", () =>
  checkKeyed([{}, { fed: true }, { periodMs: 60_000, sleep: { talkEvery: 3 } }]));

test("nodes that sleep between 400 samples end with the hashes of nodes that don't, labels lost and late", async () => {
  const run = (sleep?: object) =>
    network({
      ...SCENE,
      stream: { ...SCENE.stream, nodes: 3 },
      labels: { delayMean: 8, loss: 0.1 },
      node: { periodMs: 60_000, checkpointEvery: 50, ...(sleep && { sleep }) },
    });
  const awake = await run();
  for (const sleep of [{}, { talkEvery: 7 }]) {
    const asleep = await run(sleep);
    asleep.nodes.forEach(({ result }, i) => {
      const other = awake.nodes[i].result;
      assert.equal([result.labels.applied, result.labels.died], [other.labels.applied, 0]);
      assert.equal([result.stateHash, result.nodeHash], [other.stateHash, other.nodeHash]);
    });
  }
});

test.run();
