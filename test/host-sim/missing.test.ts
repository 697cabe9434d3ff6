import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { linksTable } from "../../host-sim/report/folded.ts";
import { groupTasks } from "../../host-sim/report/tasks.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { assemble } from "../../host-sim/runs/results.ts";
import { nodeRow } from "../../host-sim/runs/rows.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";
import { makeFolder } from "../folder.ts";
import { columnStatistics } from "./column-statistics.ts";

const folder = makeFolder();

const COUNT = 400;
/** Row 0 lacks a reading, every 7th row from the 4th both and its label, every 11th one. */
const lacks = (t: number, channel: number) =>
  t % 7 === 4 || (t === 0 && channel === 1) || (t % 11 === 5 && channel === 0);
const stream = easyStream("classification", 2, COUNT, 5);
const rows = stream.map(({ x, y }) => ({ x: Array.from(x), y }));
const isWhole = (t: number) => !lacks(t, 0) && !lacks(t, 1);
const ROWS = rows.filter((_, t) => !isWhole(t)).length;
const READINGS = rows.reduce((sum, _, t) => sum + Number(lacks(t, 0)) + Number(lacks(t, 1)), 0);

function written(name: string, lines: readonly string[]): string {
  writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  return name;
}

const lacking = written(
  "lacking.csv",
  rows.map(({ x, y }, t) => `${x.map((v, c) => (lacks(t, c) ? "NA" : v)).join()},${t % 7 === 4 ? "" : y}`),
);
const labelled = written(
  "labelled.csv",
  rows.map(({ x, y }, t) => `${x.map((v, c) => (lacks(t, c) ? "" : v)).join()},${y}`),
);

async function simulated(path: string, missing: string | undefined, more = {}): Promise<SimulateResult> {
  const text = JSON.stringify({
    schema: "motelearn.scenario/1",
    stream: { type: "files", files: [{ node: "n", path }], ...(missing && { missing }) },
    tasks: [{ name: "t", task: "classification", learners: [{ learner: "olk-c", options: { budget: 12 } }] }],
    ...more,
  });
  const source = join(folder, "scenario.json");
  const scenario = parseScenario(text, source);
  const outcomes = [];
  for (const run of planRuns(scenario, source)) outcomes.push(await perform(run));
  return assemble(scenario, outcomes, "");
}

async function node(path: string, missing: string | undefined, more = {}): Promise<LearnerResult> {
  return (await simulated(path, missing, more)).nodes[0].learners[0];
}

test("a row that lacks readings is refused unless the scenario says otherwise", async () => {
  const message = await node(lacking, undefined).then(String, (error: Error) => error.message);
  assert.match(message, /lacking.csv:1: column 2 is "NA", not a number; stream\.missing skip/);
});

test("skip: the node misses the sample, and its time passes", async () => {
  const { samples, missed, missing, nodeCounters, labels, stateHash } = await node(lacking, "skip");
  assert.equal([samples, missed], [COUNT - ROWS, ROWS]);
  assert.equal(missing, { rows: ROWS, readings: READINGS, skipped: ROWS });
  assert.equal([nodeCounters.unreadable, labels.applied], [0, COUNT - ROWS]);
  const whole = written(
    "whole.csv",
    rows.flatMap(({ x, y }, t) => (isWhole(t) ? [`${x.join()},${y}`] : [])),
  );
  assert.is(stateHash, (await node(whole, undefined)).stateHash);
  // A label that comes after six periods finds its sample among the last six, as the node missed one meanwhile.
  const late = { labels: { delayMean: 6 }, node: { pending: 6 } };
  const { applied } = (await node(whole, undefined, late)).labels;
  const here = (await node(lacking, "skip", late)).labels;
  assert.ok(applied < 10, `${applied}`);
  assert.is(here.applied, COUNT - ROWS);
});

test("a skipped row is no sample without a label, nor one of all", async () => {
  const every = (t: number) => t % 5 === 2;
  const path = written(
    "some.csv",
    rows.map(({ x, y }, t) => `${x.map((v, c) => (lacks(t, c) ? "NA" : v)).join()},${every(t) ? "" : y}`),
  );
  const unlabelled = rows.filter((_, t) => every(t) && isWhole(t)).length;
  const text = renderTable(await simulated(path, "skip"), { columns: 120 });
  assert.match(text, new RegExp(`^unlabelled n ${unlabelled} of ${COUNT - ROWS} samples$`, "m"));
});

test("hold: the node samples what a file says that has the last readings in place of those missing", async () => {
  const last = [Number.NaN, Number.NaN];
  const held = rows.map(({ x, y }, t) => {
    x.forEach((value, c) => {
      if (!lacks(t, c)) last[c] = value;
    });
    return `${last.join()},${y}`;
  });
  const result = await node(labelled, "hold");
  assert.equal(result.missing, { rows: ROWS, readings: READINGS, skipped: 1 });
  assert.equal([result.samples, result.missed], [COUNT - 1, 1]);
  const twin = await node(written("held.csv", held.slice(1)), undefined);
  assert.equal([result.stateHash, result.metrics], [twin.stateHash, twin.metrics]);
});

test("nan: the node refuses the sample and counts it; what it learns of the others is what it learns with skip", async () => {
  const { samples, missed, missing, nodeCounters, labels, stateHash } = await node(labelled, "nan");
  assert.equal(
    [samples, missed, nodeCounters.sampled, nodeCounters.unreadable],
    [COUNT, 0, COUNT - ROWS, ROWS],
  );
  assert.equal(missing, { rows: ROWS, readings: READINGS, skipped: 0 });
  const { issued, applied, late, refused, remedy } = labels;
  assert.equal([issued, applied, refused], [COUNT, COUNT - ROWS, ROWS]);
  assert.equal(
    [late, remedy],
    [0, undefined],
    "no label came late: no larger pending would have held its sample",
  );
  assert.is(stateHash, (await node(labelled, "skip")).stateHash);
});

test("records, bytes and a fed node come to the same bits, with noise of labels and standardised windows", async () => {
  const labels = { delayMean: 3, loss: 0.1, noise: { symmetric: { rate: 0.1 } } };
  for (const how of ["skip", "hold", "nan"]) {
    const results: LearnerResult[] = [];
    for (const [framing, fed] of [
      ["records", false],
      ["bytes", false],
      ["bytes", true],
    ])
      results.push(
        await node(labelled, how, {
          labels,
          link: { framing, loss: 0.05 },
          node: { fed, window: 4, standardise: true },
        }),
      );
    const [records, bytes, fed] = results;
    assert.equal(bytes, records, how);
    assert.is(fed.nodeCounters.unreadable, how === "nan" ? ROWS : 0);
    assert.is(fed.stateHash, records.stateHash, how);
  }
});

test("no stage makes a reading of one that is missing, nor spreads it", async () => {
  const signal = {
    noise: {},
    drift: {},
    quantisation: { bits: 8 },
    stuckAt: { rate: 0.05 },
    offsetFault: { rate: 0.02 },
    spikeFault: { rate: 0.02 },
    dropout: { rate: 0.02, mode: "hold" },
  };
  const faults = { tasks: [{ name: "f", task: "faults", learners: [{ learner: "olk-c" }] }] };
  for (const more of [{ signal }, { signal, ...faults }]) {
    const { nodeCounters, missing } = await node(labelled, "nan", more);
    assert.equal([nodeCounters.unreadable, missing?.rows], [ROWS, ROWS]);
    const skipped = await node(labelled, "skip", more);
    assert.equal([skipped.nodeCounters.unreadable, skipped.missed], [0, ROWS]);
  }
});

test("statistics of columns leave missing readings out", () => {
  const no = Number.NaN;
  const { mean, deviation, low, high } = columnStatistics(
    Float32Array.of(no, 1, no, 2, no, 3, 5, no, no, no),
    2,
  );
  assert.equal(
    [[...mean], [...low], [...high]],
    [
      [5, 2],
      [5, 1],
      [5, 3],
    ],
  );
  assert.ok(deviation[0] === 0 && Math.abs(deviation[1] - Math.sqrt(2 / 3)) < 1e-12);
  const none = columnStatistics(Float32Array.of(no, no), 1);
  assert.equal([[...none.mean], [...none.deviation], [...none.low], [...none.high]], [[0], [0], [0], [0]]);
});

test("the page, the report and a sweep's row say what was missing", async () => {
  const result = await simulated(labelled, "hold");
  const [row] = result.nodes[0].learners;
  const words = `missing n: ${ROWS} rows lack ${READINGS} readings; 1 row skipped`;
  assert.ok(renderTable(result, { columns: 120 }).replace(/ +/g, " ").includes(words));
  const nodes = Array.from({ length: 13 }, () => result.nodes[0]);
  const large = renderTable({ ...result, nodes }, { columns: 120 }).replace(/ +/g, " ");
  const all = `missing at 13 of 13 nodes: ${13 * ROWS} rows lack ${13 * READINGS} readings; 13 rows skipped`;
  assert.ok(large.includes(all), large);
  assert.match(linksTable(groupTasks(result)[0]), /readings missing/);
  const {
    "missing.rows": some,
    "missing.readings": readings,
    "missing.skipped": skipped,
  } = nodeRow("n", row);
  assert.equal([some, readings, skipped], [ROWS, READINGS, 1]);
});

test.run();
