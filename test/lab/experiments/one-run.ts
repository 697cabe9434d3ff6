import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../../host/random.ts";
import { PapersData } from "../../../lab/experiments/lib/data.ts";
import type { Experiment } from "../../../lab/experiments/lib/experiment.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { judge } from "../../../lab/experiments/lib/verdict.ts";
import { EXPERIMENTS } from "../../../lab/experiments/registry.ts";
import { makeFolder } from "../../folder.ts";

const folder = makeFolder();

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Rows of `classes` clouds in LIBSVM text. */
function clouds(classes: number, rows: number, seed: number): string {
  const random = new Random(seed, "clouds");
  const lines = Array.from({ length: rows }, (_, i) => {
    const label = i % classes;
    const features = [0, 1, 2].map((j) => `${j + 1}:${(label === j ? 2 : 0) + 0.3 * random.normal()}`);
    return `${label} ${features.join(" ")}`;
  });
  return `${lines.join("\n")}\n`;
}

for (const [name, classes] of [
  ["svmguide1", 2],
  ["letter", 3],
] as const) {
  write(`${name}/train.libsvm`, clouds(classes, 620, 1));
  write(`${name}/test.libsvm`, clouds(classes, 60, 2));
}
const years = Array.from({ length: 312 }, (_, i) => `${1700 + i},${50 + 49 * Math.sin(i / 2)}`);
write("sunspot/wolf-1700-2011.csv", `"year","ssn_v1"\n${years.join("\n")}\n`);
const random = new Random(1, "segments");
const segments = Array.from({ length: 10 }, () =>
  Array.from({ length: 557 }, (_, i) => 1 + 0.3 * Math.sin(i / 3) + 0.05 * random.normal()).join(","),
);
write("mackey-glass/ten_noisy_segments_seed1.csv", `${segments.join("\n")}\n`);

/** Small files of the form that experiments read. */
export const data = new PapersData(folder);
const here = EXPERIMENTS.filter(({ files = [] }) => files.every((file) => data.has(file)));

/** Checks that a run and its summary have everything that the tables and figures name. */
async function checkedRun(experiment: Experiment): Promise<Summary> {
  const measured = await experiment.run(1, data);
  for (const [name, value] of Object.entries(measured.numbers)) assert.ok(Number.isFinite(value), name);
  for (const [name, { at, value }] of Object.entries(measured.curves ?? {})) {
    assert.ok(at.length > 0 && at.length === value.length, name);
    assert.ok([...at, ...value].every(Number.isFinite), name);
  }
  assert.equal(JSON.parse(JSON.stringify(measured)), measured);
  const summary = new Summary([measured]);
  const drawn = { ...summary.curves, ...experiment.curves?.(summary) };
  for (const { curve } of experiment.figures.flatMap(({ lines }) => lines)) assert.ok(drawn[curve], curve);
  return summary;
}

/** Experiments with runs of more than a quarter of a second of CPU: `npm run test:release` runs them. */
const LONG = [
  "olk-example-1",
  "olk-example-2",
  "olk-example-4",
  "olk-example-5-1",
  "olk-rates",
  "qkrls-figure-1",
  "qkrls-figures-5-6",
  "qkrls-table-3",
  "lol-figures-5-7-svmguide1",
  "lol-table-3-svmguide1",
  "lol-table-4-letter",
  "oskm-agreement",
  "oskm-figure-1",
  "oskm-figure-2",
  "rls-hmm-short",
  "rls-hmm-long",
  "forgetting-two-moons",
  "forgetting-spirals",
];

function checkOneRun(experiment: Experiment): void {
  test(`${experiment.id}: one run measures what its table and figures show, and gets a verdict in words`, async () => {
    const summary = await checkedRun(experiment);
    const shown = experiment.rows.filter(({ name }) => summary.has(name) || summary.timings[name]);
    assert.ok(shown.length > 0.9 * experiment.rows.length || experiment.rows.length === 0);
    const { outcome, text } = judge(experiment, summary);
    assert.ok(text.length > 20);
    assert.is(outcome === "measured", !experiment.once || experiment.id === "oskm-agreement", outcome);
  });
}

/** A test each, of the experiments that take long, or of all others. */
export function checkExperiments(which: "long" | "short"): void {
  for (const id of LONG)
    assert.ok(
      EXPERIMENTS.some((experiment) => experiment.id === id),
      id,
    );
  for (const experiment of here) {
    if (LONG.includes(experiment.id) === (which === "long")) checkOneRun(experiment);
  }
}

export function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= tolerance,
    `${what}: ${actual} is not ${expected} +- ${tolerance}`,
  );
}
