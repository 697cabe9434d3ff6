import { Catalogue } from "../catalogue/catalogue.ts";
import { TAKES } from "../network/learner.ts";
import {
  type LabelOptions,
  type LearnerChoice,
  parseScenario,
  type Scenario,
  ScenarioError,
  type TaskOptions,
} from "../scenario.ts";
import { type Axis, checkKey, setKey } from "./axes.ts";
import { gridPoints, type Method, randomPoints, sobolPoints } from "./points.ts";

/** What a sweep runs: a scenario at points, with learners, each with the same seeds. */
export interface SweepPlan {
  readonly name: string;
  readonly scenario: Scenario;
  readonly axes: readonly Axis[];
  readonly method: Method;
  /** Points to draw, and the draw's seed; a grid has all of its own. */
  readonly points: number;
  readonly drawSeed: number;
  readonly seeds: readonly number[];
  /** Whether each run is repeated with causes of loss taken away, every set of them. */
  readonly decompose: boolean;
}

/** What makes labels worse than all, right and at once. */
export const CAUSES = ["delay", "loss", "flips", "budget"] as const;
export type Cause = (typeof CAUSES)[number];

/** A scenario at a point. */
export interface Point {
  readonly index: number;
  /** In the order of the axes. */
  readonly values: readonly unknown[];
  readonly scenario: Scenario;
}

/** One network of a sweep. */
export interface SweepRun {
  /** Place in tables. */
  readonly index: number;
  readonly point: Point;
  readonly task: string;
  readonly kind: TaskOptions["task"];
  /** Names it within its task. */
  readonly learner: string;
  readonly choice: LearnerChoice;
  readonly seed: number;
  /** Causes that were taken away. */
  readonly without: readonly Cause[];
  /** With one task of one learner. */
  readonly scenario: Scenario;
}

/** The scenario with these learners in each task that takes them. Throws a ScenarioError for one that no task takes. */
export function withLearners(
  scenario: Scenario,
  learners: readonly LearnerChoice[],
  catalogue = Catalogue.shipped,
): Scenario {
  if (learners.length === 0) return scenario;
  const suits = (choice: LearnerChoice, { task }: TaskOptions) =>
    (TAKES[task] as readonly string[]).includes(catalogue.learner(choice.learner)?.task ?? "");
  const idle = learners.find((choice) => !scenario.tasks.some((task) => suits(choice, task)));
  if (idle) {
    const kinds = [...new Set(scenario.tasks.map(({ task }) => task))].join(" or ");
    throw new ScenarioError(`learner ${idle.learner} is for no task of the scenario, which are ${kinds}`);
  }
  const tasks = scenario.tasks
    .map((task) => ({ ...task, learners: learners.filter((choice) => suits(choice, task)) }))
    .filter((task) => task.learners.length > 0);
  return { ...scenario, tasks };
}

/** The scenario at every point, checked. Throws a ScenarioError that names the key and its value. */
export function pointsOf(plan: SweepPlan, catalogue = Catalogue.shipped): Point[] {
  const { scenario, axes, method, points, drawSeed } = plan;
  for (const { key } of axes) checkKey(key, scenario, catalogue);
  const draw = { points, seed: drawSeed };
  const values =
    method === "grid"
      ? gridPoints(axes)
      : method === "random"
        ? randomPoints(axes, draw)
        : sobolPoints(axes, draw);
  return values.map((point, index) => {
    const changed = structuredClone(scenario);
    point.forEach((value, i) => {
      setKey(changed, axes[i].key, value, catalogue);
    });
    const at = point.map((value, i) => `${axes[i].key}=${JSON.stringify(value)}`).join(" ");
    return {
      index,
      values: point,
      scenario: parseScenario(JSON.stringify(changed), `vary ${at}`, catalogue),
    };
  });
}

/** The learners' names within their task: with its options where two have one name. */
function namesOf(learners: readonly LearnerChoice[]): string[] {
  return learners.map(({ learner, options }) => {
    const isAlone = learners.filter((each) => each.learner === learner).length === 1;
    const given = Object.entries(options).map(([name, value]) => {
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      return `:${name}=${text}`;
    });
    return isAlone ? learner : `${learner}${given.join("")}`;
  });
}

/** The causes that these labels have. */
export function causesOf({ delayMean, delaySpread, loss, noise, nodeRates, budget }: LabelOptions): Cause[] {
  const has: Record<Cause, boolean> = {
    delay: delayMean > 0 || delaySpread > 0,
    loss: loss > 0,
    flips: Object.values(noise).some(Boolean) || nodeRates.some((rate) => rate > 0),
    budget: budget < 1,
  };
  return CAUSES.filter((cause) => has[cause]);
}

const NONE: { readonly [cause in Cause]: Partial<LabelOptions> } = {
  delay: { delayMean: 0, delaySpread: 0 },
  loss: { loss: 0 },
  flips: { noise: {}, nodeRates: [] },
  budget: { budget: 1 },
};

/** Every set of the causes, the empty one first. */
function subsets(causes: readonly Cause[]): Cause[][] {
  return Array.from({ length: 1 << causes.length }, (_, mask) => causes.filter((_, i) => (mask >> i) & 1));
}

/** A scenario of one task and one learner of it. */
function single(
  scenario: Scenario,
  task: number,
  learner: number,
  seed: number,
  without: readonly Cause[],
): Scenario {
  const { labels: own, ...named } = scenario.tasks[task];
  const changed = Object.assign({}, ...without.map((cause) => NONE[cause])) as Partial<LabelOptions>;
  const labels = { ...(own ?? scenario.labels), ...changed };
  return {
    ...scenario,
    seed,
    labels,
    tasks: [{ ...named, learners: [scenario.tasks[task].learners[learner]] }],
  };
}

/** Every run, in the order of tables: by point, task, learner, causes taken away, seed. All have the same seeds. */
export function sweepRuns({ seeds, decompose }: SweepPlan, points: readonly Point[]): SweepRun[] {
  const runs: SweepRun[] = [];
  for (const point of points) {
    const { scenario } = point;
    scenario.tasks.forEach(({ name, task: kind, learners, labels = scenario.labels }, task) => {
      const names = namesOf(learners);
      const sets = decompose ? subsets(causesOf(labels)) : [[]];
      learners.forEach((choice, learner) => {
        for (const without of sets) {
          for (const seed of seeds) {
            const own = single(scenario, task, learner, seed, without);
            const named = { point, task: name, kind, learner: names[learner], choice, seed, without };
            runs.push({ index: runs.length, ...named, scenario: own });
          }
        }
      });
    });
  }
  return runs;
}
