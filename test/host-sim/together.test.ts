import { test } from "uvu";
import * as assert from "uvu/assert";
import { partsOf } from "../../host-sim/runs/pieces.ts";
import { runScenario } from "../../host-sim/runs/run-scenario.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { FeatureParts } from "../../src/peer/features.ts";

/** Machines that are alike: one scene, which each sees with noise of its own. */
const scenario = (changes: object = {}, together: object | undefined = {}) => ({
  schema: "motelearn.scenario/1",
  stream: { type: "bearings", nodes: 4, samples: 700, channels: 4, persistence: 20, severity: 20 },
  node: { periodMs: 200 },
  labels: { delayMean: 5, delayMax: 10, loss: 0.9 },
  tasks: [{ name: "damage", task: "classification", learners: [{ learner: "arow" }] }],
  ...(together && { together: { vectors: 0, ...together } }),
  ...changes,
});

const resultsOf = async (given: object) =>
  (await runScenario(given)).nodes.map(({ learners }) => learners[0]);

test("nodes that learn together get models, over a line that loses frames and through power cuts, and the same twice", async () => {
  const bad = {
    link: { loss: 0.1, duplicates: 0.1, reorder: 1 },
    power: { count: 2 },
    node: { periodMs: 200, checkpointEvery: 5 },
  };
  const once = await resultsOf(scenario(bad));
  for (const { together, labels, power } of once) {
    assert.ok(together && together.models > 3 && together.candidate);
    assert.is(labels.open, 0);
    assert.is(labels.issued, labels.applied + labels.late + labels.died + labels.refused);
    assert.is(power.cuts, 2);
  }
  assert.equal(await resultsOf(scenario(bad)), once);
});

test("a node's own learner keeps its bits, whatever the group sends", async () => {
  const hashes = (results: Awaited<ReturnType<typeof resultsOf>>) =>
    results.map(({ stateHash }) => stateHash);
  assert.equal(hashes(await resultsOf(scenario())), hashes(await resultsOf(scenario({}, undefined))));
});

test("a node in no group gets no model", async () => {
  const groups = [["machine 1", "machine 2", "machine 3"]];
  const results = await resultsOf(scenario({}, { groups }));
  assert.equal(
    results.map(({ together }) => together !== undefined),
    [true, true, true, false],
  );
});

test("a newcomer begins with what the group knows, or with nothing", async () => {
  const newcomers = { "machine 4": 500 };
  const [taught, untaught] = await Promise.all(
    ["group", "nothing"].map(async (start) => (await resultsOf(scenario({}, { newcomers, start })))[3]),
  );
  for (const { samples, missed } of [taught, untaught]) assert.equal([samples, missed], [201, 499]);
  assert.is(taught.power.restored, 1, "from its first checkpoint");
  assert.is(untaught.power.restored, 0);
  assert.ok(taught.counters.learned > untaught.counters.learned);
});

test("a network that learns together runs in one part", () => {
  const parse = (given: object) => parseScenario(JSON.stringify(given), "scenario");
  assert.is(partsOf(parse(scenario({ stream: { type: "bearings", nodes: 40, samples: 10 } }))), 1);
});

test("a wrong group, newcomer or task is refused in one line", async () => {
  const refusal = (given: object) =>
    runScenario(given).then(
      () => "",
      (error: Error) => error.message,
    );
  assert.match(
    await refusal(scenario({}, { groups: [["machine 9"]] })),
    /^together\.groups\.0: no node machine 9/,
  );
  assert.match(
    await refusal(scenario({}, { groups: [["machine 1"], ["machine 1"]] })),
    /machine 1 is in several groups; takes one/,
  );
  assert.match(
    await refusal(scenario({}, { newcomers: { "machine 1": 701 } })),
    /joins at sample 701; takes 1 to 700/,
  );
  assert.match(await refusal(scenario({ node: { fed: true } })), /leave out node\.fed/);
  const tasks = [{ name: "novelty", task: "novelty", learners: [{ learner: "olk-n" }] }];
  assert.match(await refusal(scenario({ tasks })), /together: .*olk-n/);
});

test("the parts of features make a vector once all came in order, from one start of the node", () => {
  const parts = new FeatureParts();
  const part = (boot: number, number: number, first: number, values: number[]) =>
    parts.take({
      ...{ boot, number, labelled: 0, sid: 1, seq: number, first },
      ...{ total: 3, x: Float32Array.from(values), length: values.length },
    });
  assert.is(part(1, 5, 0, [1, 2]), 0);
  assert.is(part(1, 5, 2, [3]), 5);
  assert.equal([...parts.x], [1, 2, 3]);
  assert.is(part(1, 6, 2, [3]), 0, "the first part is missing");
  part(1, 7, 0, [1, 2]);
  assert.is(part(2, 7, 2, [3]), 0, "of another start");
});

test.run();
