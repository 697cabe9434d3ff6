import { test } from "uvu";
import * as assert from "uvu/assert";
import { ORIGINS, PapersData } from "../../../lab/experiments/lib/data.ts";
import type { Experiment } from "../../../lab/experiments/lib/experiment.ts";
import { renderPapersReport } from "../../../lab/experiments/lib/page.ts";
import { assembleResult, totalsText } from "../../../lab/experiments/lib/result.ts";
import { monteCarloRuns } from "../../../lab/experiments/lib/run.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { renderPapers } from "../../../lab/experiments/lib/text.ts";
import { claim, judge } from "../../../lab/experiments/lib/verdict.ts";
import { chosenExperiments, EXPERIMENTS } from "../../../lab/experiments/registry.ts";
import { checkExperiments, data } from "./one-run.ts";

checkExperiments("short");

test("ids are unique, begin with their paper, and say what is needed of data", () => {
  assert.is(new Set(EXPERIMENTS.map(({ id }) => id)).size, EXPERIMENTS.length);
  for (const { id, setup, title, runs } of EXPERIMENTS) {
    assert.match(id, /^[a-z]+(-[a-z0-9]+)+$/);
    assert.ok(setup.length > 40 && title.length > 10 && runs >= 1, id);
  }
});

test("of every file that is looked for it is known where it is to be had, and of no other", () => {
  const folders = EXPERIMENTS.flatMap(({ files = [], optional = [] }) =>
    [...files, ...optional].map((file) => file.split("/")[0]),
  );
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
  verdict: () => ({ claims: [claim(true, "it does")] }),
};

test("an experiment without its data isn't run, and says what it needs", () => {
  assert.equal(monteCarloRuns([toy], data), []);
  const result = assembleResult([{ experiment: toy, planned: 0 }], data, 1, 2);
  const [{ runs, verdict }] = result.experiments;
  assert.equal([runs, verdict.outcome], [0, "not-run"]);
  assert.is(verdict.text, `put toy/a.csv into ${data.folder}`);
  assert.match(renderPapers(result, 100), /Not run\n {2}toy-table-1: put toy\/a\.csv/);
  const nowhere = new PapersData();
  const letter = nowhere.lacking(["letter/train.libsvm", "letter/test.libsvm"]);
  assert.is(
    letter,
    `put letter/train.libsvm, letter/test.libsvm (${ORIGINS.letter}) into a folder, and name it with --data`,
  );
});

test("of what was interrupted the runs that are done count, and it is said", () => {
  const summary = new Summary([{ numbers: { a: 1 } }, { numbers: { a: 3 } }]);
  const outcomes = [
    { experiment: toy, summary, planned: 3 },
    { experiment: toy, planned: 3 },
  ];
  const result = assembleResult(outcomes, data, 1, 1);
  const [half, none] = result.experiments;
  assert.equal([half.runs, half.rows[0].ours?.mean, half.verdict.outcome], [2, 2, "unfinished"]);
  assert.match(half.verdict.text, /^Interrupted after 2 of 3 runs\. Comes out: it does\./);
  assert.equal([none.runs, none.verdict.outcome], [0, "unfinished"]);
  assert.match(renderPapers(result, 100), /Published experiments: not finished 2\n/);
  assert.match(none.verdict.text, /interrupted before its first run/);
  assert.match(renderPapers(result, 100), /runs +2 of 3\n/);
  const page = renderPapersReport(result);
  assert.match(page, /2 of 6 runs are done/);
  assert.match(page, /<td>2 of 3<\/td>/);
  assert.match(page, /Not finished: 1</);
  assert.not.match(page, /Not run:/);
});

test("this project's own experiments are counted apart from the published ones", () => {
  const own = { ...toy, id: "own-toy", ours: true };
  const summary = new Summary([1, 2, 3].map((a) => ({ numbers: { a } })));
  const outcomes = [toy, own].map((experiment) => ({ experiment, summary, planned: 3 }));
  const result = assembleResult([...outcomes, { experiment: own, planned: 0 }], data, 1, 1);
  assert.is(totalsText(result), "Published experiments: holds 1\nThis project's own: holds 1, not run 1");
  assert.match(renderPapers(result, 100), totalsText(result));
  assert.match(
    renderPapersReport(result),
    /Published experiments: holds 1\. This project&#39;s own: holds 1, not run 1\./,
  );
  const papers = new Set(EXPERIMENTS.filter(({ ours }) => !ours).map(({ paper }) => paper));
  assert.equal(papers, new Set(["OLK", "QKRLS", "LOL", "osKM", "Forgetting dual ascent"]));
});

test("one run of several gives no verdict; one that no seed changes does", () => {
  const summary = new Summary([{ numbers: { a: 1 } }]);
  assert.is(judge(toy, summary).outcome, "measured");
  assert.is(judge({ ...toy, once: true }, summary).outcome, "holds");
});

test("runs: the experiment's own number, or that given, but one where no seed matters", () => {
  const { files, ...whole } = toy;
  assert.is(files?.length, 1);
  assert.equal(
    monteCarloRuns([whole], data).map(({ seed }) => seed),
    [1, 2, 3],
  );
  assert.is(monteCarloRuns([whole], data, 7).length, 7);
  assert.is(monteCarloRuns([{ ...whole, once: true }], data, 7).length, 1);
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
  assert.match(text, /a of <x> +2\.0 ± 0\.5 +2\.0 ± 1\.0 +\[-0\.5, 4\.5\]/);
  assert.match(text, /time +fast +5 ± 0/);
  assert.match(text, /holds\. Comes out: it does\. Level with the published figure, or better: a of <x>\./);
  const page = renderPapersReport(result);
  assert.match(page, /Table 1 &lt;b&gt;/);
  assert.match(page, /a of &lt;x&gt;/);
  assert.match(page, /<svg class="chart" [^>]*: Table 1 &lt;b&gt;"|<polyline /);
});

test.run();
