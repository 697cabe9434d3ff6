import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { ORIGINS, PapersData } from "../../experiments/lib/data.ts";
import type { Experiment } from "../../experiments/lib/experiment.ts";
import { renderPapersReport } from "../../experiments/lib/report/page.ts";
import { assembleResult } from "../../experiments/lib/result.ts";
import { jobsOf } from "../../experiments/lib/run.ts";
import { Summary } from "../../experiments/lib/summary.ts";
import { renderPapers } from "../../experiments/lib/text.ts";
import { chosenExperiments, EXPERIMENTS } from "../../experiments/registry.ts";
import { Random } from "../../host-sim/random.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-papers-"));
test.after(() => rmSync(folder, { recursive: true }));

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

const data = new PapersData(folder);
const here = EXPERIMENTS.filter(({ files = [] }) => files.every((file) => data.has(file)));

/** A run, its summary, and that they have all that the tables and figures name. */
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

for (const experiment of here) {
  test(`${experiment.id}: one run measures what its table and figures show, and gets a verdict in words`, async () => {
    const summary = await checkedRun(experiment);
    const shown = experiment.rows.filter(({ name }) => summary.has(name) || summary.timings[name]);
    assert.ok(shown.length > 0.9 * experiment.rows.length || experiment.rows.length === 0);
    assert.ok(experiment.verdict(summary).text.length > 20);
  });
}

test("ids are unique, begin with their paper, and say what is needed of data", () => {
  assert.is(new Set(EXPERIMENTS.map(({ id }) => id)).size, EXPERIMENTS.length);
  for (const { id, setup, title, runs } of EXPERIMENTS) {
    assert.match(id, /^[a-z]+(-[a-z0-9]+)+$/);
    assert.ok(setup.length > 40 && title.length > 10 && runs >= 1, id);
  }
});

test("of every file that is looked for it is known where it is to be had, and of no other", () => {
  const folders = EXPERIMENTS.flatMap(({ files = [] }) => files.map((file) => file.split("/")[0]));
  assert.equal(new Set(Object.keys(ORIGINS)), new Set(folders));
});

test("--only takes an id, or a paper and with it all of its experiments, in their order", () => {
  const ids = (only?: string) => chosenExperiments(only).map(({ id }) => id);
  assert.equal(ids("qkrls-table-5"), ["qkrls-table-5"]);
  assert.equal(
    ids("lol"),
    ids().filter((id) => id.startsWith("lol-")),
  );
  assert.throws(() => ids("qk"), /--only qk: no such experiment; did you mean qkrls/);
});

test("two runs of one seed measure the same; another seed something else", async () => {
  const experiment = EXPERIMENTS.find(({ id }) => id === "qkrls-table-5") as Experiment;
  const [first, again, other] = [
    await experiment.run(3, data),
    await experiment.run(3, data),
    await experiment.run(4, data),
  ];
  assert.equal(again.numbers, first.numbers);
  assert.equal(again.curves, first.curves);
  assert.not.equal(other.numbers, first.numbers);
});

test("Table V in ten runs: sizes within two published standard deviations", async () => {
  const experiment = EXPERIMENTS.find(({ id }) => id === "qkrls-table-5") as Experiment;
  const runs = await Promise.all(Array.from({ length: 10 }, (_, i) => experiment.run(i + 1, data)));
  const summary = new Summary(runs);
  for (const { name, published } of experiment.rows) {
    if (typeof published !== "object") continue;
    assert.ok(Math.abs(summary.mean(name) - published.mean) < 2 * published.deviation, name);
  }
});

test("LOL's methods learn clouds that are far apart", async () => {
  const experiment = EXPERIMENTS.find(({ id }) => id === "lol-table-4-letter") as Experiment;
  const { numbers } = await experiment.run(1, data);
  for (const name of ["pa", "arow", "scw-1", "bsgd", "lol"])
    assert.ok(numbers[name] < 10, `${name} ${numbers[name]}`);
});

const toy: Experiment = {
  id: "toy-table-1",
  paper: "Toy",
  title: "Table 1 <b>",
  setup: "None.",
  runs: 3,
  files: ["toy/a.csv"],
  run: () => ({ numbers: {} }),
  rows: [
    { name: "a", label: "a of <x>", published: { mean: 2, deviation: 0.5 }, digits: 1 },
    { name: "seconds", label: "time", published: "fast", digits: 0 },
  ],
  figures: [{ title: "F", x: "n", y: "error", lines: [{ curve: "c", label: "line" }] }],
  verdict: () => ({ outcome: "holds", text: "It does." }),
};

test("an experiment without its data isn't run, and says what it needs", () => {
  assert.equal(jobsOf([toy], data), []);
  const result = assembleResult([{ experiment: toy, planned: 0 }], data, 1, 2);
  const [{ runs, verdict }] = result.experiments;
  assert.equal([runs, verdict.outcome], [0, "not-run"]);
  assert.match(verdict.text, /toy\/a\.csv/);
  assert.match(renderPapers(result, 100), /Not run\n {2}toy-table-1: needs toy\/a\.csv/);
});

test("of what was interrupted the runs that are done count, and it is said", () => {
  const summary = new Summary([{ numbers: { a: 1 } }, { numbers: { a: 3 } }]);
  const outcomes = [
    { experiment: toy, summary, planned: 3 },
    { experiment: toy, planned: 3 },
  ];
  const [half, none] = assembleResult(outcomes, data, 1, 1).experiments;
  assert.equal([half.runs, half.rows[0].ours?.mean, half.verdict.outcome], [2, 2, "holds"]);
  assert.match(half.verdict.text, /^Interrupted after 2 of 3 runs\. It does\./);
  assert.equal([none.runs, none.verdict.outcome], [0, "not-run"]);
  assert.match(none.verdict.text, /interrupted before its first run/);
});

test("runs: the experiment's own number, or that given, but one where no seed matters", () => {
  const { files, ...whole } = toy;
  assert.is(files?.length, 1);
  assert.equal(
    jobsOf([whole], data).map(({ seed }) => seed),
    [1, 2, 3],
  );
  assert.is(jobsOf([whole], data, 7).length, 7);
  assert.is(jobsOf([{ ...whole, once: true }], data, 7).length, 1);
});

test("text and page give published, ours, set-up and verdict, and escape what they are given", () => {
  const measured = [1, 2, 3].map((a) => ({
    numbers: { a },
    timings: { seconds: 5 },
    curves: { c: { at: [1, 2], value: [a, 0] } },
  }));
  const result = assembleResult(
    [{ experiment: toy, summary: new Summary(measured), planned: 3 }],
    data,
    1,
    1,
  );
  assert.equal(result.experiments[0].curves.c, { at: [1, 2], value: [2, 0] });
  assert.is(result.timing.experiments["toy-table-1"].seconds.mean, 5);
  const text = renderPapers(result, 100);
  assert.match(text, /a of <x> +2\.0 ± 0\.5 +2\.0 ± 1\.0/);
  assert.match(text, /time +fast +5 ± 0/);
  assert.match(text, /holds\. It does\./);
  const page = renderPapersReport(result);
  assert.match(page, /Table 1 &lt;b&gt;/);
  assert.match(page, /a of &lt;x&gt;/);
  assert.match(page, /data-plot="0"/);
});

test.run();
