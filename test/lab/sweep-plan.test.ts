import { test } from "uvu";
import * as assert from "uvu/assert";
import { canonical, identity } from "../../host/identity.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { parseScenario, ScenarioError } from "../../host-sim/scenario/scenario.ts";
import { checkKey } from "../../lab/sweep/statistics/axes.ts";
import { crossPoints, type SweepPlan, sweepRuns, withLearners } from "../../lab/sweep/statistics/plan.ts";
import { randomPoints, sobolPoints } from "../../lab/sweep/statistics/points.ts";
import { SOBOL_DIMENSIONS, Sobol } from "../../lab/sweep/statistics/sobol.ts";

const scenario = parseScenario(
  JSON.stringify({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 1, samples: 100 },
    labels: { delayMean: 5, loss: 0.1 },
    tasks: [
      { name: "own", task: "classification", labels: { loss: 0.2 }, learners: [{ learner: "pa" }] },
      {
        name: "shared",
        task: "classification",
        learners: [{ learner: "pa" }, { learner: "olk-c", options: { budget: 8 } }],
      },
    ],
  }),
  "test",
);

const plan = (more: Partial<SweepPlan>): SweepPlan => ({
  ...{ name: "test", scenario, axes: [], method: "grid", points: 0, drawSeed: 1, seeds: [1, 2] },
  ...{ decompose: false, ...more },
});

test("Sobol's points are those that Joe and Kuo publish", () => {
  const sequence = new Sobol(3);
  const points = Array.from({ length: 10 }, () => sequence.next());
  assert.equal(points, [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
    [0.75, 0.25, 0.25],
    [0.25, 0.75, 0.75],
    [0.375, 0.375, 0.625],
    [0.875, 0.875, 0.125],
    [0.625, 0.125, 0.875],
    [0.125, 0.625, 0.375],
    [0.1875, 0.3125, 0.9375],
    [0.6875, 0.8125, 0.4375],
  ]);
});

test("in all dimensions Sobol's points equal scipy 1.17.1's, scipy.stats.qmc.Sobol(21, scramble=False)", () => {
  const sequence = new Sobol(SOBOL_DIMENSIONS);
  const points = Array.from({ length: 64 }, () => sequence.next().map((x) => 64 * x));
  assert.equal(points[37], [59, 41, 37, 59, 49, 19, 11, 51, 39, 11, 1, 5, 37, 55, 7, 31, 51, 27, 3, 9, 61]);
  assert.equal(points[63], [1, 51, 23, 29, 55, 9, 37, 9, 53, 37, 27, 43, 35, 49, 21, 49, 5, 25, 61, 15, 15]);
  assert.throws(() => new Sobol(22), /at most 21/);
});

test("2^k of Sobol's points, shifted too, have one in each of 2^k intervals of every axis", () => {
  const axes = ["a", "b", "c"].map((key) => ({ key, min: 0, max: 256, log: false, integer: true }));
  for (const seed of [0, 7]) {
    const points = sobolPoints(axes, { points: 256, seed });
    const counts = axes.map((_, i) => new Set(points.map((point) => Math.min(255, point[i] as number))).size);
    // 257 whole numbers for 256 points: one of the axis's numbers at least is left out.
    for (const count of counts) assert.ok(count >= 254, `${count}`);
  }
});

test("drawn values lie in their range, whole where the key takes whole numbers, spread by their logarithm if asked", () => {
  const axes = [
    { key: "labels.loss", min: 0, max: 0.5, log: false, integer: false },
    { key: "node.pending", min: 1, max: 64, log: false, integer: true },
    { key: "options.C", min: 0.01, max: 100, log: true, integer: false },
    { key: "stream.type", values: ["scene", "bearings"] },
  ];
  const points = randomPoints(axes, { points: 2000, seed: 3 }) as [number, number, number, string][];
  for (const [loss, pending, C] of points) {
    assert.ok(loss >= 0 && loss <= 0.5);
    assert.ok(Number.isInteger(pending) && pending >= 1 && pending <= 64);
    assert.ok(C >= 0.01 && C <= 100);
  }
  assert.is(new Set(points.map(([, pending]) => pending)).size, 64);
  const below = points.filter(([, , C]) => C < 1).length;
  assert.ok(below > 900 && below < 1100, `${below} of 2000 below the middle of the logarithm`);
  const more = randomPoints(axes.slice(0, 1), { points: 2000, seed: 3 });
  assert.equal(
    more.map(([loss]) => loss),
    points.map(([loss]) => loss),
  );
});

test("a wrong key is refused in a line that names it and those near to it", () => {
  const refusal = (key: string) => {
    try {
      checkKey(key, scenario, Catalogue.shipped);
    } catch (error) {
      assert.instance(error, ScenarioError);
      return (error as Error).message;
    }
    throw new Error(`${key} was taken`);
  };
  assert.match(
    refusal("label.delayMean"),
    /^vary label\.delayMean: no such key; did you mean labels\.delayMean/,
  );
  assert.match(refusal("labels.noise.symetric.rate"), /did you mean labels\.noise\.symmetric\.rate/);
  assert.match(refusal("options.budgt"), /did you mean options\.budget/);
  assert.match(refusal("options.nu"), /no learner of the sweep has an option nu/);
  assert.match(refusal("zzzzzzzzzzzz"), /simulate --help/);
  for (const key of ["seed", "name", "schema", "tasks", "labels.__proto__", "constructor"]) refusal(key);
});

test("a key that reaches no task is refused, and the task's own is named", () => {
  const own = { ...scenario, tasks: scenario.tasks.slice(0, 1) };
  assert.throws(
    () => checkKey("labels.loss", own, Catalogue.shipped),
    /every task has labels of its own; vary tasks\.own\.labels\.loss/,
  );
  assert.is(checkKey("tasks.own.labels.delayMax", own, Catalogue.shipped).integer, false);
  assert.is(checkKey("node.pending", own, Catalogue.shipped).integer, true);
  assert.is(checkKey("options.budget", scenario, Catalogue.shipped).integer, true);
});

test("a grid has every combination; all points have the same seeds; options go to who has them", () => {
  const axes = [
    { key: "labels.delayMean", values: [0, 30] },
    { key: "options.budget", values: [4, 8, 16] },
  ];
  const made = plan({ axes });
  const points = crossPoints(made);
  assert.equal(
    points.map(({ values }) => values),
    [0, 30].flatMap((delay) => [4, 8, 16].map((budget) => [delay, budget])),
  );
  const [, shared] = points[4].scenario.tasks;
  assert.is(points[4].scenario.labels.delayMean, 30);
  assert.equal(
    shared.learners.map(({ options }) => options),
    [{}, { budget: 8 }],
  );
  const runs = sweepRuns(made, points);
  assert.is(runs.length, 6 * 3 * 2);
  assert.equal(
    runs.slice(0, 4).map(({ task, learner, seed }) => [task, learner, seed]),
    [
      ["own", "pa", 1],
      ["own", "pa", 2],
      ["shared", "pa", 1],
      ["shared", "pa", 2],
    ],
  );
  assert.is(runs[0].scenario.labels.loss, 0.2);
  assert.is(runs[2].scenario.labels.loss, 0.1);
});

test("with decompose each run is there with every set of its causes taken away, on the same seeds", () => {
  const made = plan({ decompose: true });
  const runs = sweepRuns(made, crossPoints(made)).filter(({ task, seed }) => task === "shared" && seed === 1);
  const pa = runs.filter(({ learner }) => learner === "pa");
  assert.equal(
    pa.map(({ without }) => without.join("+")),
    ["", "delay", "loss", "delay+loss"],
  );
  assert.is(pa[3].scenario.labels.loss, 0);
  assert.is(pa[3].scenario.labels.delayMean, 0);
});

/** Learners of the runs, a point after another. */
function learnersAt(made: SweepPlan): string[][] {
  const points = crossPoints(made);
  return points.map((point) =>
    sweepRuns(made, points)
      .filter((run) => run.point.index === point.index && run.seed === 1 && run.task === "shared")
      .map(({ learner }) => learner),
  );
}

test("two learners of one family have the same names at all points: a varied option isn't in them", () => {
  const two = [
    { learner: "olk-c", options: { budget: 8 } },
    { learner: "olk-c", options: { budget: 16 } },
  ];
  const names = ["olk-c:budget=8", "olk-c:budget=16"];
  for (const key of ["options.C", "tasks.shared.learners.0.options.C"]) {
    const made = plan({ scenario: withLearners(scenario, two), axes: [{ key, values: [0.1, 1] }] });
    assert.equal(learnersAt(made), [names, names], key);
  }
  const ofOne = [{ key: "tasks.shared.learners.1.options.budget", values: [32, 64] }];
  const named = plan({ scenario: withLearners(scenario, two), axes: ofOne });
  assert.equal(learnersAt(named), Array(2).fill(["olk-c:budget=8", "olk-c"]));
});

test("a learner that is there twice is refused, be it that a varied option makes it so", () => {
  const twice = withLearners(scenario, [
    { learner: "pa", options: {} },
    { learner: "pa", options: {} },
  ]);
  assert.throws(() => learnersAt(plan({ scenario: twice })), /tasks own: learner pa is there twice/);
  const alike = withLearners(scenario, [
    { learner: "pa", options: {} },
    { learner: "pa", options: { C: 1 } },
  ]);
  const axes = [{ key: "options.C", values: [0.1, 0.5] }];
  assert.throws(() => learnersAt(plan({ scenario: alike, axes })), /learner pa is there twice/);
});

test("a key of a task's labels changes it alone: the others stay the scenario's, in whatever order keys are given", () => {
  const axes = [
    { key: "tasks.shared.labels.loss", values: [0.5] },
    { key: "labels.delayMean", values: [40] },
  ];
  for (const options of [axes, [...axes].reverse()]) {
    const [{ scenario: changed }] = crossPoints(plan({ axes: options }));
    const [own, shared] = changed.tasks;
    assert.equal([shared.labels?.loss, shared.labels?.delayMean], [0.5, 40]);
    assert.is(own.labels?.loss, 0.2);
    assert.is(changed.labels.loss, 0.1);
  }
});

test("learners go to the tasks that take them; one that no task takes is refused", () => {
  const made = withLearners(scenario, [{ learner: "arow", options: {} }]);
  assert.equal(
    made.tasks.map(({ learners }) => learners[0].learner),
    ["arow", "arow"],
  );
  assert.throws(() => withLearners(scenario, [{ learner: "olk-r", options: {} }]), /is for no task/);
});

test("an identity follows from what is in it, not from the order of its keys", () => {
  assert.is(canonical({ b: [1, { d: 2, c: 3 }], a: 4 }), '{"a":4,"b":[1,{"c":3,"d":2}]}');
  assert.is(identity({ a: 1, b: 2 }), identity({ b: 2, a: 1 }));
  assert.is.not(identity({ a: 1 }), identity({ a: 2 }));
});

test.run();
