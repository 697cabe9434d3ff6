import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseScenario } from "../../host-sim/scenario.ts";
import { pointsOf, type SweepPlan, sweepRuns } from "../../host-sim/sweep/plan.ts";
import { type Done, summarise } from "../../host-sim/sweep/summary.ts";
import { sweepPage } from "../../tools/sweep/page.ts";
import { resultOf } from "../../tools/sweep/result.ts";
import { sweepText } from "../../tools/sweep/text.ts";
import { TINY } from "./sweeps.ts";

const NAME = "<b>tiny</b>\u001b[2J";

function planOf(more: Partial<SweepPlan> = {}): SweepPlan {
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
function doneOf(plan: SweepPlan, errorOf: (run: Done["run"]) => number | null): Done[] {
  return sweepRuns(plan, pointsOf(plan)).map((run) => {
    const error = errorOf(run);
    const nodes = [{ node: "n", error, bytes: 100, instructions: 1000, "majority.error": 0.5 }];
    return { run, rows: { nodes, error: { at: [10, 20], value: [error ?? 0, error ?? 0] } } };
  });
}

/** Each seed's streams are as hard for all learners: that is what pairing takes off. */
const HARD = [0, 0.2, -0.1, 0.15, -0.05, 0.1];
const OWN: Record<string, number> = { pa: 0.3, "olk-c": 0.32, arow: 0.3 };

test("a constant difference is shown on paired seeds, however much seeds differ; noise about 0 isn't", () => {
  const plan = planOf();
  const errorOf = ({ learner, seed, point }: Done["run"]) => {
    const own = learner === "arow" ? ((seed % 2) - 0.4) * 0.001 : 0;
    return OWN[learner] + HARD[seed] + 0.01 * point.index + own;
  };
  const { tasks, ranking } = summarise(plan, doneOf(plan, errorOf));
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
  const text = sweepText(resultOf(swept(plan), doneOf(plan, errorOf) as never));
  assert.match(text, /no difference shown \[-?0\.000/);
  assert.match(text, /\+0\.02\d\d \[0\.0/);
});

const swept = (plan: SweepPlan) =>
  ({
    head: { schema: "motelearn.sweep-runs/1", version: "9.9.9", program: "", plan, files: {} },
    runs: sweepRuns(plan, pointsOf(plan)).map((run) => ({ ...run, id: String(run.index) })),
  }) as const;

test("one seed has no interval, and shows no difference", () => {
  const plan = planOf({ seeds: [1] });
  const done = doneOf(plan, ({ learner }) => OWN[learner]);
  const text = sweepText(resultOf(swept(plan), done as never));
  assert.not.match(text, /0\.3000 \[/);
  assert.not.match(text, /\+-0\.0000/);
  assert.not.ok(summarise(plan, done).tasks[0].learners.some(({ behind }) => behind?.shown));
});

test("a figure that no run has is left out, not counted as 0", () => {
  const plan = planOf();
  const done = doneOf(plan, ({ learner, seed }) => (learner === "pa" ? null : OWN[learner] + HARD[seed]));
  const { tasks, ranking } = summarise(plan, done);
  assert.equal(tasks[0].learners.map(({ learner }) => learner).sort(), ["arow", "olk-c"]);
  assert.is(ranking?.learners.includes("pa"), false);
});

test("what labels cost adds up to the error: each cause gets its own, and half of what two cost together", () => {
  const plan = planOf({ axes: [], decompose: true });
  const there = (without: readonly string[], cause: string) => (without.includes(cause) ? 0 : 1);
  const done = doneOf(plan, ({ without, seed }) => {
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

test("the text is a page; the report loads and runs nothing, and shows what it is named", () => {
  const loss = Array.from({ length: 20 }, (_, i) => i / 100);
  const axes = ["labels.loss", "labels.delayMean", "link.loss"].map((key) => ({
    key,
    values: loss.slice(0, 4),
  }));
  const plan = planOf({ axes, decompose: true });
  const done = doneOf(plan, ({ learner, seed }) => OWN[learner] + HARD[seed]);
  const result = resultOf(swept(plan), done as never);
  const text = sweepText(result);
  assert.ok(text.split("\n").length <= 60, `${text.split("\n").length} lines`);
  assert.ok(text.indexOf("64 points, 3 learners, 5 seeds") < 200, "totals come first");
  assert.not.ok(text.includes("\u001b"));
  const page = sweepPage(result);
  assert.not.match(page, /<script|https?:|src=|<b>tiny/);
  assert.match(page, /&lt;b&gt;tiny/);
  assert.ok(page.indexOf("64 points") < page.indexOf("<h2>"), "totals come first");
  assert.match(page, /CD \d\.\d\d/);
  assert.not.match(page, /NaN|undefined|Infinity/);
});

test.run();
