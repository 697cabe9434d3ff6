import { rmSync } from "node:fs";
import * as assert from "uvu/assert";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { start } from "../cli/program.ts";
import { replays, SCENARIO } from "../lab/short-network.ts";
import { test } from "./contained.ts";
import { SMALL, stream } from "./small-node.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

test("a node that answered more labels than the file has is refused in one line", async () => {
  const options = {
    ...{ listen: inFolder("ahead"), node: nameLearner(SMALL), fed: true, checkpoint: inFolder("ahead.ck") },
  };
  const station = await startStation(options);
  const args = ["labels", "--port", `unix:${options.listen}`, "--from"];
  assert.is((await start(...args, stream("all.ndjson")).ended).code, 0);
  const few = stream("few.ndjson", 10);
  const { code, stderr } = await start(...args, few).ended;
  assert.is(code, 2);
  assert.match(stderr, /^motelearn: unix:\S+: the node answered 48 labels, and the source has 8: give .*\n$/);
  assert.is(
    (await start(...args, stream("again.ndjson")).ended).code,
    0,
    "the same once more is nothing new",
  );
  await killStation(station);
});

test("a node that keeps no checkpoint, or computes otherwise, ends it with a code of its own", async () => {
  const port = `unix:${inFolder("other")}`;
  const given = { listen: inFolder("other"), node: nameLearner(SMALL), fed: true };
  let station = await startStation(given);
  const kept = await start("labels", "--port", port, "--from", stream("kept.ndjson")).ended;
  assert.is(kept.code, 4);
  assert.match(
    kept.stderr,
    /answered labels up to 48, and has a checkpoint up to 0; it writes no checkpoints\n$/,
  );
  await killStation(station);
  rmSync(given.listen);
  const { options } = replays[0];
  const smaller = nameLearner({ ...options, options: { ...options.options, budget: 8 } });
  station = await startStation({ ...given, node: smaller, checkpoint: inFolder("other.ck") });
  const args = ["labels", "--port", port, "--from", `fusion:${SCENARIO}`, "--seed", "5"];
  const { code, stdout, stderr } = await start(...args).ended;
  assert.is(code, 5);
  assert.match(stderr, /: the node's option learner\.budget is 8, not \d+, which the source's node has\n$/);
  assert.ok(stdout.includes(`${replays[0].stateHash}: not the same`));
  await killStation(station);
});

test.run();
