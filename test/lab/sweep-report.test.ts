import { createHash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { bundleLines } from "../../lab/sweep/bundle.ts";
import { sweepPage } from "../../lab/sweep/page.ts";
import { makeResult } from "../../lab/sweep/result.ts";
import { crossPoints, type SweepPlan, sweepRuns } from "../../lab/sweep/statistics/plan.ts";
import { summarise } from "../../lab/sweep/statistics/summary.ts";
import type { StoredRun } from "../../lab/sweep/statistics/task-runs.ts";
import { curveTable, type DoneRun, resultTable } from "../../lab/sweep/table.ts";
import { sweepText } from "../../lab/sweep/text.ts";
import { judgeTask } from "../../lab/sweep/verdict.ts";
import { TINY } from "./sweeps.ts";

const NAME = "<b>tiny</b>\u001b[2J";

function makePlan(more: Partial<SweepPlan> = {}): SweepPlan {
  const learners = [{ learner: "pa" }, { learner: "olk-c" }, { learner: "arow" }];
  const tasks = [{ name: "presence", task: "classification", learners }];
  const scenario = parseScenario(JSON.stringify({ ...TINY, title: NAME, tasks }), "test");
  const axes = [{ key: "labels.loss", values: [0, 0.1, 0.2, 0.3] }];
  const base = {
    name: "t",
    scenario,
    axes,
    method: "grid",
    points: 0,
    drawSeed: 0,
    decompose: false,
  } as const;
  return { ...base, seeds: [1, 2, 3, 4, 5], ...more };
}

/** Runs whose errors are these, in place of a simulation's. */
function makeRuns(plan: SweepPlan, errorAt: (run: StoredRun["run"]) => number | null): StoredRun[] {
  return sweepRuns(plan, crossPoints(plan)).map((run) => {
    const error = errorAt(run);
    const nodes = [{ node: "n", error, bytes: 100, instructions: 1000, "majority.error": 0.5 }];
    return { run, rows: { nodes, error: { at: [10, 20], value: [error ?? 0, error ?? 0] } } };
  });
}

/** Each seed's streams are as hard for all learners: that is what pairing takes off. */
const HARD = [0, 0.2, -0.1, 0.15, -0.05, 0.1];
const OWN: Record<string, number> = { pa: 0.3, "olk-c": 0.32, arow: 0.3 };

test("a constant difference is shown on paired seeds, however much seeds differ; noise about 0 isn't", () => {
  const plan = makePlan();
  const errorAt = ({ learner, seed, point }: StoredRun["run"]) => {
    const own = learner === "arow" ? ((seed % 2) - 0.4) * 0.001 : 0;
    return OWN[learner] + HARD[seed] + 0.01 * point.index + own;
  };
  const { tasks, ranking } = summarise(plan, makeRuns(plan, errorAt));
  const [{ learners, effects, points, trivial, curves }] = tasks;
  const find = (name: string) => learners.find(({ learner }) => learner === name);
  assert.is(learners[0].behind, null);
  assert.ok(find("olk-c")?.behind?.shown);
  const [second] = learners.slice(1);
  assert.not.ok(second.behind?.shown, "pa and arow aren't told apart");
  const spread = find("olk-c")?.error;
  assert.ok((spread?.high as number) - (spread?.low as number) > 0.1, "seeds differ by far more");
  assert.is(effects[0].values.length, 4);
  const means = effects[0].values.map(({ errors }) => errors[0]?.mean as number);
  assert.ok(Math.abs(means[3] - means[0] - 0.03) < 1e-12);
  assert.is(points.length, 4);
  assert.is(trivial.majority?.mean, 0.5);
  assert.equal(curves[0].at, [10, 20]);
  assert.is(ranking?.blocks, 4);
  const text = sweepText(makeResult(swept(plan), makeRuns(plan, errorAt) as never));
  assert.match(
    text,
    /^presence \(classification\): Take (pa|arow): error \d\d\.\d % \[\d\d\.\d, \d\d\.\d\]\. 1 of 2 others are shown to err more\.$/m,
  );
  assert.match(text, /^No difference shown, paired by seed: (pa|arow) \[-?0\.\d+, 0\.\d+\]\.$/m);
  assert.match(text, /^Errs more: olk-c by 2\.\d points \[\d\.\d, 2\.\d\]\.$/m);
  assert.match(text, /no difference shown \[-?0\.\d, 0\.\d\] /);
  assert.match(text, /\+2\.\d \[\d\.\d, 2\.\d\]/);
});

const swept = (plan: SweepPlan) =>
  ({
    head: { schema: "motelearn.sweep-runs/1", version: "9.9.9", program: "", plan, files: {} },
    runs: sweepRuns(plan, crossPoints(plan)).map((run) => Object.assign(run, { id: String(run.index) })),
  }) as const;

/** Runs that a caller may read only until the next one comes: after that, their rows throw. */
function* passing(all: readonly StoredRun[]): Generator<StoredRun> {
  for (const { run, rows } of all) {
    const { proxy, revoke } = Proxy.revocable(rows, {});
    yield { run, rows: proxy };
    revoke();
  }
}

test("no run's rows are kept for tables, statistics or the bundle: each is looked at when its turn comes", () => {
  const plan = makePlan({ decompose: true });
  const errorAt = ({ learner, seed, without }: StoredRun["run"]) =>
    OWN[learner] + HARD[seed] - 0.01 * without.length;
  const all = makeRuns(plan, errorAt).map(({ run, rows }, i) => ({
    run: Object.assign(run, { id: String(i) }),
    rows,
  }));
  const once = { [Symbol.iterator]: () => passing(all) as Iterator<DoneRun> };
  assert.equal(summarise(plan, once), summarise(plan, all));
  const result = makeResult(swept(plan), once);
  for (const table of [resultTable, curveTable])
    assert.equal([...table(plan, once).rows()].length, [...table(plan, all).rows()].length);
  const table = { name: "t.csv", format: "csv", sha256: "" } as const;
  const lines = [...bundleLines(swept(plan), once, result, table)];
  assert.is(JSON.parse(lines.join("\n")).runs.length, all.length);
});

test("a best that isn't shown to beat a trivial predictor is said to be none", () => {
  const plan = makePlan({ axes: [] });
  const done = makeRuns(plan, ({ learner, seed }) => 0.2 + OWN[learner] + HARD[seed]);
  const [task] = summarise(plan, done).tasks;
  assert.is(task.trivial.majority?.mean, 0.5);
  const { headline, sentences } = judgeTask(task);
  assert.match(headline, /^Take (pa|arow): error 5\d\.\d %/);
  const bad = makeRuns(plan, ({ learner, seed }) => 0.6 + OWN[learner] + HARD[seed] / 10);
  const none = judgeTask(summarise(plan, bad).tasks[0]);
  assert.match(none.headline, /^No learner pays here\. Of them, take (pa|arow): error 9\d\.\d/);
  assert.match(none.sentences[0], /^Better: the majority of the labels received, by 4\d\.\d+ points \[/);
  assert.match(
    sentences.join(" "),
    /(pa|arow) isn't shown to err less than the majority of the labels received: the difference is [+-]\d/,
  );
});

test("a part of a range that has one value is that value", () => {
  const axes = [{ key: "labels.loss", min: 0, max: 0.4, log: false, integer: false }];
  const plan = makePlan({ axes, method: "random", points: 5 });
  const [{ effects }] = summarise(
    plan,
    makeRuns(plan, () => 0.2),
  ).tasks;
  const values = effects[0].values.map(({ value }) => value);
  assert.is(values.filter((value) => typeof value === "number").length, 3);
  assert.match(`${values.find((value) => typeof value === "string")}`, /^0\.\d+\.\.0\.\d+$/);
});

test("of one point the seeds are the blocks of the ranks, and the worst nodes come first", () => {
  const plan = makePlan({ axes: [] });
  const harder = ["a", "b", "c"];
  const done = makeRuns(plan, ({ learner, seed }) => OWN[learner] + HARD[seed]).map(({ run, rows }) => {
    const [node] = rows.nodes;
    const nodes = harder.map((name, i) => ({
      ...node,
      node: name,
      error: Number(node.error) + i * i * 0.01,
    }));
    return { run, rows: { ...rows, nodes } };
  });
  const { tasks, ranking } = summarise(plan, done);
  assert.is(ranking?.over, "seeds");
  assert.is(ranking?.blocks, 5);
  const [{ nodes, learners }] = tasks;
  assert.is(nodes.count, 3);
  assert.equal(
    nodes.worst.map(({ node }) => node),
    ["c", "b", "a"],
  );
  const means = nodes.worst.map(({ errors }) => errors[0]?.mean as number);
  assert.ok(Math.abs(means[0] - means[2] - 0.04) < 1e-12);
  assert.is(nodes.worst[0].errors[0]?.count, 5);
  const mean = means.reduce((sum, each) => sum + each, 0) / 3;
  assert.ok(Math.abs(mean - learners[0].error.mean) < 1e-12);
});

test("where no difference is shown the headline names what costs least", () => {
  const plan = makePlan();
  const reportHeadline = (costs: Record<string, readonly [number, number]>) => {
    const done = makeRuns(
      plan,
      ({ seed, learner }) => HARD[seed] + 0.3 + (learner === "pa" ? 0 : ((seed % 3) - 0.9) * 0.01),
    );
    const priced = done.map(({ run, rows }) => {
      const [bytes, instructions] = costs[run.learner];
      return { run, rows: { ...rows, nodes: rows.nodes.map((node) => ({ ...node, bytes, instructions })) } };
    });
    const [task] = summarise(plan, priced).tasks;
    assert.is(task.learners[0].learner, "pa");
    return judgeTask(task).headline.split(". ").at(-1);
  };
  const same = { pa: [9, 9], arow: [9, 9], "olk-c": [9, 9] } as const;
  assert.is(reportHeadline(same), "No difference to any other is shown, and none costs less.");
  assert.is(
    reportHeadline({ ...same, arow: [8, 8] }),
    "No difference to any other is shown, and arow costs least.",
  );
  assert.is(
    reportHeadline({ ...same, arow: [8, 10], "olk-c": [10, 8] }),
    "No difference to any other is shown: arow takes the fewest bytes, olk-c the fewest instructions.",
  );
});

test("none is named for its costs that errs over 1.25 times as much as the best, or more than a trivial predictor", () => {
  const plan = makePlan();
  /** `arow` costs least, and errs that much more than `pa`, on average over the seeds. */
  const verdict = (more: number) => {
    const noise = (seed: number) => (seed % 2 === 0 ? 0.9 : -0.4);
    const done = makeRuns(plan, ({ seed, learner }) => 0.3 + (learner === "arow" ? noise(seed) * more : 0));
    const priced = done.map(({ run, rows }) => {
      const bytes = run.learner === "arow" ? 8 : 900;
      return {
        run,
        rows: { ...rows, nodes: rows.nodes.map((node) => ({ ...node, bytes, instructions: bytes })) },
      };
    });
    const { headline, sentences } = judgeTask(summarise(plan, priced).tasks[0]);
    return [headline, ...sentences].join(" ");
  };
  assert.match(verdict(0.1), /arow costs least/);
  assert.match(verdict(0.1), /arow, without a shown difference from it, takes 8 bytes/);
  assert.not.match(verdict(0.8), /costs least|takes 8 bytes/);
});

test("of sweeps whose learners err alike, at most one in 20 shows a difference, of any to the luckiest or to a baseline", () => {
  const random = new Random(1, "alike");
  const learners = ["pa", "olk-c", "arow", "cw", "lol", "knn"].map((learner) => ({ learner }));
  const { scenario } = makePlan();
  const plan = makePlan({
    axes: [],
    scenario: { ...scenario, tasks: [{ ...scenario.tasks[0], learners: learners as never }] },
  });
  const sweeps = 400;
  let differ = 0;
  let beyond = 0;
  for (let i = 0; i < sweeps; i++) {
    const [task] = summarise(
      plan,
      makeRuns(plan, () => 0.5 + 0.01 * random.normal()),
    ).tasks;
    if (task.learners.some(({ behind }) => behind?.shown)) differ++;
    if (task.overTrivial.majority?.shown) beyond++;
  }
  assert.ok(differ <= 0.06 * sweeps, `${differ} of ${sweeps}`);
  assert.ok(beyond <= 0.06 * sweeps, `${beyond} of ${sweeps}`);
});

test("on a terminal of 80 columns no line is wider", () => {
  const plan = makePlan();
  const done = makeRuns(
    plan,
    ({ seed, learner }) => OWN[learner] + HARD[seed] + (learner === "arow" ? (seed % 2) / 100 : 0),
  );
  const result = makeResult(swept(plan), done as never);
  const lines = sweepText(result, 80).split("\n");
  assert.equal(
    lines.filter((line) => line.length > 80),
    [],
  );
  assert.ok(lines.some((line) => /no difference shown \[/.test(line)));
  assert.ok(sweepText(result).split("\n").length < lines.length);
});

test("learners' intervals at one value stand beside one another", () => {
  const plan = makePlan();
  const page = sweepPage(
    makeResult(swept(plan), makeRuns(plan, ({ learner }) => OWN[learner]) as never),
    "m",
  );
  const [, panel] = /by labels\.loss<\/h5>(.*?)<\/svg>/s.exec(page) as RegExpExecArray;
  const places = [...panel.matchAll(/<circle class="full" cx="([\d.]+)"/g)]
    .map(([, x]) => Number(x))
    .sort((a, b) => a - b);
  assert.is(places.length, 12);
  for (let i = 1; i < places.length; i++) assert.ok(places[i] - places[i - 1] > 3, String(places));
  assert.match(panel, /<title>olk-c: 0\.1, 32<\/title>/);
});

test("seeds draw if errors differ, even where no node's state does", () => {
  const plan = makePlan({ axes: [] });
  const sameState = (errorAt: (seed: number) => number) =>
    makeRuns(plan, ({ seed }) => errorAt(seed)).map(({ run, rows }) => ({
      run,
      rows: { ...rows, nodes: rows.nodes.map((row) => ({ ...row, nodeHash: "same" })) },
    }));
  assert.not.ok(
    summarise(
      plan,
      sameState((seed) => seed / 10),
    ).tasks[0].repeated,
  );
  assert.ok(
    summarise(
      plan,
      sameState(() => 0.1),
    ).tasks[0].repeated,
  );
});

test("one seed has no interval, and shows no difference", () => {
  const plan = makePlan({ seeds: [1] });
  const done = makeRuns(plan, ({ learner }) => OWN[learner]);
  const text = sweepText(makeResult(swept(plan), done as never));
  assert.match(text, /(pa|arow) has the least error 30\.0 %, but one seed doesn't say how sure that is\./);
  assert.match(text, /such as --seeds 20/);
  assert.not.match(text, /\+-|\d \[\d/);
  assert.not.ok(summarise(plan, done).tasks[0].learners.some(({ behind }) => behind?.shown));
});

test("of numbers the first baseline is the mean of the labels received, in text and page", () => {
  const plan = makePlan();
  const done = makeRuns(plan, ({ learner, seed }) => OWN[learner] + HARD[seed]);
  const result = makeResult(swept(plan), done as never);
  const tasks = result.tasks.map((task) => ({ ...task, kind: "regression" }));
  assert.match(sweepText({ ...result, tasks }), /^\(mean\) /m);
  assert.match(sweepPage({ ...result, tasks }, "mine"), />mean received</);
  assert.match(sweepText(result), /^\(majority\) /m);
});

test("where all seeds give the same figure, no half of an interval is printed", () => {
  const plan = makePlan();
  const done = makeRuns(plan, ({ learner, seed, point }) =>
    point.index === 0 ? OWN[learner] : OWN[learner] + HARD[seed],
  );
  const text = sweepText(makeResult(swept(plan), done as never));
  assert.match(text, /^0 +30\.0 +30\.0 +32\.0$/m);
  assert.match(text, /^0\.1 +\d\d\.\d \+-\d/m);
});

test("a figure that no run has is left out, not counted as 0", () => {
  const plan = makePlan();
  const done = makeRuns(plan, ({ learner, seed }) => (learner === "pa" ? null : OWN[learner] + HARD[seed]));
  const { tasks, ranking } = summarise(plan, done);
  assert.equal(tasks[0].learners.map(({ learner }) => learner).sort(), ["arow", "olk-c"]);
  assert.is(ranking?.learners.includes("pa"), false);
});

test("what labels cost adds up to the error: each cause gets its own, and half of what two cost together", () => {
  const plan = makePlan({ axes: [], decompose: true });
  const there = (without: readonly string[], cause: string) => (without.includes(cause) ? 0 : 1);
  const done = makeRuns(plan, ({ without, seed }) => {
    const [delay, loss, flips] = ["delay", "loss", "flips"].map((cause) => there(without, cause));
    return 0.1 + HARD[seed] / 10 + 0.04 * delay + 0.01 * loss + 0.02 * delay * flips;
  });
  const [{ decomposition }] = summarise(plan, done).tasks;
  const [{ error, clean, causes }] = decomposition;
  const near = (got: number | undefined, wanted: number) =>
    assert.ok(Math.abs((got ?? Number.NaN) - wanted) < 1e-12, `${got}, not ${wanted}`);
  near(causes.delay?.mean, 0.05);
  near(causes.loss?.mean, 0.01);
  near(causes.flips?.mean, 0.01);
  near(error.mean, clean.mean + 0.07);
  assert.is(causes.budget, undefined);
});

test("the text is a page; the report loads and runs nothing, and shows its name", () => {
  const loss = Array.from({ length: 20 }, (_, i) => i / 100);
  const axes = ["labels.loss", "labels.delayMean", "link.loss"].map((key) => ({
    key,
    values: loss.slice(0, 4),
  }));
  const plan = makePlan({ axes, decompose: true });
  const done = makeRuns(plan, ({ learner, seed }) => OWN[learner] + HARD[seed]);
  const result = makeResult(swept(plan), done as never);
  const text = sweepText(result);
  assert.ok(text.split("\n").length <= 60, `${text.split("\n").length} lines`);
  assert.ok(text.indexOf("64 points, 3 learners, 5 seeds") < 200, "totals come first");
  assert.not.ok(text.includes("\u001b"));
  const page = sweepPage(result, "mine");
  assert.not.match(page, /https?:|src=|<b>tiny| on\w+=/);
  const [, script] = /<script>(.*?)<\/script>/s.exec(page) as RegExpExecArray;
  const hash = createHash("sha256").update(script).digest("base64");
  assert.ok(page.includes(`script-src 'sha256-${hash}'"`), "only its own script runs");
  assert.is(page.split("<script").length, 2);
  assert.ok(page.indexOf("Take ") < page.indexOf('class="tracks'), "the verdict comes first");
  assert.match(page, /&lt;b&gt;tiny/);
  assert.ok(page.indexOf("64 points") < page.indexOf("<h2>"), "totals come first");
  assert.match(page, /CD \d\.\d\d/);
  assert.not.match(page.replace(script, ""), /NaN|undefined|Infinity/);
});

test.run();
