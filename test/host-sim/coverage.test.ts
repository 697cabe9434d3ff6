import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderReport } from "../../host-sim/report/page.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import type { SimulateResult } from "../../host-sim/result.ts";
import { parseScenario } from "../../host-sim/scenario.ts";
import { assemble } from "../../host-sim/sweep/results.ts";
import { perform, runsOf } from "../../host-sim/sweep/runs.ts";

const FAULTY = { delayMean: 10, noise: { symmetric: { rate: 0.2 } } };
const CLASSES = { name: "scene", task: "classification", learners: [{ learner: "arow" }] };
const SCENARIO = {
  schema: "motelearn.scenario/1",
  stream: { type: "scene", nodes: 3, samples: 2000, channels: 2, separation: 2.5 },
  labels: FAULTY,
  node: { coverage: 0.9, labelFlips: [0.2, 0.2] },
  tasks: [CLASSES],
};
const VALUES = {
  ...SCENARIO,
  labels: { delayMean: 10 },
  node: { coverage: 0.9 },
  tasks: [{ name: "value", task: "regression", learners: [{ learner: "qklms", options: { budget: 16 } }] }],
};

async function run(given: object): Promise<SimulateResult> {
  const scenario = parseScenario(JSON.stringify({ ...SCENARIO, ...given }), "test.json");
  const outcomes = [];
  for (const run of runsOf(scenario, "test.json")) outcomes.push(await perform(run));
  return assemble(scenario, outcomes, "");
}

const setsOf = ({ nodes }: SimulateResult) => nodes.map(({ learners: [{ sets }] }) => sets!);
const meanOf = (values: readonly unknown[]) =>
  values.reduce((sum: number, value) => sum + (value as number), 0) / values.length;

test("a scenario's nodes issue sets that hold the true class as promised, from labels late and wrong at the rates told", async () => {
  const result = await run({});
  const sets = setsOf(result);
  assert.equal(sets[0].promised, 0.9);
  const reached = meanOf(sets.map((each) => each.reached));
  assert.ok(Math.abs(reached - 0.9) <= 0.025, `${reached}`);
  for (const { size, abstentions, empty } of sets)
    assert.is(Math.round(2000 * (size as number)), 2000 + abstentions - empty);
  const table = renderTable(result, { columns: 200 });
  assert.match(table, /sets/);
  assert.match(table, /hold truth +size +of both/);
  assert.match(renderReport(result), /sets of both classes: abstentions/);
  assert.not.match(renderTable(await run({ node: {} }), { columns: 200 }), /hold truth/);
});

test("intervals of a regression are scored by the truth, and their size is their mean width", async () => {
  const result = await run(VALUES);
  const sets = setsOf(result);
  const reached = meanOf(sets.map((each) => each.reached));
  assert.ok(Math.abs(reached - 0.9) <= 0.025, `${reached}`);
  // A guess of 0 is 1 off each truth, -1 or +1.
  for (const { size } of sets) assert.ok((size as number) > 0.5 && (size as number) < 4, `${size}`);
  assert.match(renderTable(result, { columns: 200 }), /hold truth +size/);
});

test("sets are the same on a line of bytes, and of nodes that are fed", async () => {
  for (const scenario of [SCENARIO, VALUES]) {
    const stream = { ...SCENARIO.stream, samples: 300 };
    const records = await run({ ...scenario, stream });
    const bytes = await run({ ...scenario, stream, link: { framing: "bytes" } });
    assert.equal(setsOf(bytes), setsOf(records));
    const fed = await run({ ...scenario, stream, node: { ...scenario.node, fed: true } });
    const [sets] = setsOf(fed);
    assert.ok((sets.reached as number) > 0.8, `${sets.reached}`);
  }
});

test("nodes that watch for drift tell at which samples; a scene that stays as it is raises none", async () => {
  const drift = async (given: object) => {
    const result = await run({
      stream: { ...SCENARIO.stream, nodes: 1 },
      labels: {},
      node: { drift: "watch" },
      ...given,
    });
    return { result, drift: result.nodes[0].learners[0].drift! };
  };
  const still = await drift({});
  assert.equal(still.drift, { labels: [], margins: [] });
  assert.match(
    renderTable(still.result, { columns: 100 }),
    /drift +node 1, arow: by labels none; by margins none/,
  );
  // From the 1,000th sample on the classes have changed places.
  const path = "dist/test/drift-coverage.csv";
  const rows = Array.from({ length: 2000 }, (_, t) => {
    const y = t % 10 < 5 ? 1 : -1;
    return [2 * y + ((t * 7919) % 13) / 13, ((t * 31) % 17) / 17, t < 1000 ? y : -y].join();
  });
  writeFileSync(path, `a,b,label\n${rows.join("\n")}\n`);
  const stream = { type: "files", files: [{ node: "bed", path: resolve(path) }] };
  const turned = await drift({ stream });
  assert.ok(turned.drift.labels[0] > 1000 && turned.drift.labels[0] < 1100, `${turned.drift.labels}`);
  assert.match(renderTable(turned.result, { columns: 100 }), /by labels at sample/);
  assert.match(renderReport(turned.result), /drift alarms by labels/);
  const bytes = await drift({ stream, link: { framing: "bytes" } });
  assert.equal(bytes.drift, turned.drift);
});

test("coverage where nothing can be covered is refused by name", async () => {
  const tasks = [{ ...CLASSES, task: "novelty", learners: [{ learner: "olk-n" }] }];
  let refused = "";
  await run({ tasks }).catch(({ message }) => {
    refused = message;
  });
  assert.match(refused, /coverage.*0 with olk-n/);
});

test.run();
