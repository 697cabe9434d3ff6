import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { countParts } from "../../host-sim/runs/pieces.ts";
import { nodeRow } from "../../host-sim/runs/rows.ts";
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

const runLearners = async (given: object) =>
  (await runScenario(given)).nodes.map(({ learners }) => learners[0]);

test("nodes that learn together get models, over a line that loses frames and through power cuts, and the same twice", async () => {
  const bad = {
    link: { loss: 0.1, duplicates: 0.1, reorder: 1 },
    power: { count: 2 },
    node: { periodMs: 200, checkpointEvery: 5 },
  };
  const once = await runLearners(scenario(bad));
  for (const { together, labels, power } of once) {
    assert.ok(together && together.models > 3 && together.candidate);
    assert.is(labels.open, 0);
    assert.is(labels.issued, labels.applied + labels.late + labels.died + labels.refused);
    assert.is(power.cuts, 2);
  }
  assert.equal(await runLearners(scenario(bad)), once);
});

test("a node's own learner keeps its bits, whatever the group sends", async () => {
  const hashes = (results: Awaited<ReturnType<typeof runLearners>>) =>
    results.map(({ stateHash }) => stateHash);
  assert.equal(hashes(await runLearners(scenario())), hashes(await runLearners(scenario({}, undefined))));
});

test("a node in no group gets no model", async () => {
  const groups = [["machine 1", "machine 2", "machine 3"]];
  const results = await runLearners(scenario({}, { groups }));
  assert.equal(
    results.map(({ together }) => together !== undefined),
    [true, true, true, false],
  );
});

test("a newcomer begins with what the group knows, or with nothing", async () => {
  const newcomers = { "machine 4": 500 };
  const [taught, untaught] = await Promise.all(
    ["group", "nothing"].map(async (start) => (await runLearners(scenario({}, { newcomers, start })))[3]),
  );
  for (const { samples, missed } of [taught, untaught]) assert.equal([samples, missed], [201, 499]);
  assert.is(taught.power.restored, 1, "from its first checkpoint");
  assert.is(untaught.power.restored, 0);
  assert.ok(taught.counters.learned > untaught.counters.learned);
});

test("table, report and rows say of each node which model it has, who judges, and why it is apart", async () => {
  const runUnnamed = async (given: object) => ({ ...(await runScenario(given)), repeat: "" });
  const result = await runUnnamed(scenario());
  const apart = { isTrusted: false, isAlike: false, error: 0.4, limit: 0.2, judged: 0.25 };
  result.nodes.forEach(({ learners: [learner] }, i) => {
    const { judged, models } = learner.together!;
    assert.ok(models > 3 && judged > 0.01 && judged < 1);
    if (i === 3) Object.assign(learner.together!, apart);
  });
  const said = [
    /machine 1, arow: \d+ labels; has model \d+, "\w+", (which|but its own learner) judges; models judged \d+ % of its samples/,
    /machine 4, arow: \d+ labels; left out: errs on 40 % of them by the others' model, limit 20 %; unlike its group: .*; models judged 25 %/,
  ];
  for (const text of said) assert.match(renderTable(result, { columns: 300 }), text);
  const page = renderReport(result);
  const [, section = ""] = /<h3>Learning together<\/h3>(.*?)<\/table>/s.exec(page) ?? [];
  assert.is(section.match(/<tr>/g)?.length, 5, "a head and four nodes");
  assert.match(section, /<td>25 %<\/td><td>left out: errs on 40 %/);
  const rows = result.nodes.map(({ node, learners }) => nodeRow(node, learners[0]));
  assert.equal(
    rows.map((row) => [row["together.isTrusted"], row["together.isAlike"]]),
    result.nodes.map(({ learners: [{ together }] }) => [together!.isTrusted, together!.isAlike].map(Number)),
  );
  const alone = await runUnnamed({ ...scenario(), together: undefined });
  assert.not.match(renderReport(alone), /Learning together/);
});

test("a network that learns together runs in one part", () => {
  const parse = (given: object) => parseScenario(JSON.stringify(given), "scenario");
  assert.is(countParts(parse(scenario({ stream: { type: "bearings", nodes: 40, samples: 10 } }))), 1);
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
