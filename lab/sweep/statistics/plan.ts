import { total } from "../../../host/statistics.ts";
import { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import { namesInTask, TAKES } from "../../../host-sim/network/learner.ts";
import {
  type LabelOptions,
  type LearnerChoice,
  parseScenario,
  type Scenario,
  ScenarioError,
  type TaskOptions,
} from "../../../host-sim/scenario/scenario.ts";
import { type Axis, checkKey, setKey, setsOption } from "./axes.ts";
import { gridPoints, type Method, randomPoints, sobolPoints } from "./points.ts";

/** The plan of a sweep: a scenario at points, with learners, each with the same seeds. */
export interface SweepPlan {
  readonly name: string;
  readonly scenario: Scenario;
  readonly axes: readonly Axis[];
  readonly method: Method;
  /** Points to draw, and the draw's seed; a grid has all of its own. */
  readonly points: number;
  readonly drawSeed: number;
  readonly seeds: readonly number[];
  /** True if each run is repeated with causes of loss taken away, every set of them. */
  readonly decompose: boolean;
}

/** Scenarios that are kept, of the points last asked for. */
const SCENARIOS_KEPT = 1000;

/** The causes that make labels worse than complete, right and immediate ones. */
export const CAUSES = ["delay", "loss", "flips", "budget"] as const;
export type Cause = (typeof CAUSES)[number];

/** Runs of a sweep at most. The plan and the figures of each stay in memory; their rows lie on disk, 2.3 KB for a run of one node. */
const RUNS_MAX = 500_000;

/** A scenario at a point. It is made on request, so a sweep of a million points holds only their values. */
export class Point {
  /** @param values in the order of the axes. */
  constructor(
    readonly index: number,
    readonly values: readonly unknown[],
    private readonly scenarios: Scenarios,
  ) {}

  get scenario(): Scenario {
    return this.scenarios.at(this.values);
  }
}

/** A learner of a task at a point. */
interface Entry {
  readonly task: string;
  readonly kind: TaskOptions["task"];
  /** Names it within its task. */
  readonly learner: string;
  readonly choice: LearnerChoice;
  /** Places in the scenario. */
  readonly taskAt: number;
  readonly learnerAt: number;
}

/** One network of a sweep. */
export class SweepRun {
  readonly task: string;
  readonly kind: Entry["kind"];
  readonly learner: string;

  /**
   * @param index place in tables.
   * @param without the removed causes.
   */
  constructor(
    readonly index: number,
    readonly point: Point,
    readonly entry: Entry,
    readonly seed: number,
    readonly without: readonly Cause[],
  ) {
    ({ task: this.task, kind: this.kind, learner: this.learner } = entry);
  }

  /** With one task of one learner; made when it is asked for. */
  get scenario(): Scenario {
    const { point, entry, seed, without } = this;
    return single(point.scenario, entry.taskAt, entry.learnerAt, seed, without);
  }
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
    throw new ScenarioError(`learner ${idle.learner} is for no task of the scenario: all are ${kinds}`);
  }
  const tasks = scenario.tasks
    .map((task) => ({ ...task, learners: learners.filter((choice) => suits(choice, task)) }))
    .filter((task) => task.learners.length > 0);
  return { ...scenario, tasks };
}

/** Scenarios at points. It caches the most recent ones. */
class Scenarios {
  private readonly kept = new Map<readonly unknown[], Scenario>();

  constructor(
    private readonly plan: SweepPlan,
    private readonly catalogue: Catalogue,
  ) {}

  /** Throws a ScenarioError that names the key and its value. */
  at(values: readonly unknown[]): Scenario {
    const known = this.kept.get(values);
    if (known) return known;
    const made = this.makeScenario(values);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size < SCENARIOS_KEPT) break;
      this.kept.delete(oldest);
    }
    this.kept.set(values, made);
    return made;
  }

  private makeScenario(values: readonly unknown[]): Scenario {
    const { scenario, axes } = this.plan;
    const changed = structuredClone(scenario);
    const keys = axes.map(({ key }, i) => ({ key, value: values[i] }));
    const isTasks = ({ key }: (typeof keys)[number]) => Number(key.startsWith("tasks."));
    keys.sort((a, b) => isTasks(a) - isTasks(b)); // a task's own begin with the scenario's
    for (const { key, value } of keys) setKey(changed, key, value, this.catalogue);
    const at = values.map((value, i) => `${axes[i].key}=${JSON.stringify(value)}`).join(" ");
    return parseScenario(JSON.stringify(changed), `vary ${at}`, this.catalogue);
  }
}

/** The scenario at every point, checked. Throws a ScenarioError that names the key and its value. */
export function crossPoints(plan: SweepPlan, catalogue = Catalogue.shipped): Point[] {
  const { scenario, axes, method, points, drawSeed } = plan;
  for (const { key } of axes) checkKey(key, scenario, catalogue);
  const draw = { points, seed: drawSeed };
  const values =
    method === "grid"
      ? gridPoints(axes)
      : method === "random"
        ? randomPoints(axes, draw)
        : sobolPoints(axes, draw);
  const scenarios = new Scenarios(plan, catalogue);
  return values.map((point, index) => new Point(index, point, scenarios));
}

/** The points, learners and seeds of a plan, known before any of its runs is made. */
export interface Extent {
  readonly points: number;
  /** In all tasks. */
  readonly learners: number;
  readonly seeds: number;
  readonly runs: number;
}

/** Without the repetitions of `decompose`, which follow from each point's labels. Throws a ScenarioError for too many runs. */
export function measureExtent(plan: SweepPlan): Extent {
  const { scenario, axes, method } = plan;
  const { length: seeds } = plan.seeds;
  const sizes = axes.map((axis) => ("values" in axis ? axis.values.length : 1));
  const points = method === "grid" ? sizes.reduce((product, size) => product * size, 1) : plan.points;
  const learners = total(scenario.tasks.map((task) => task.learners.length));
  const runs = points * learners * seeds;
  const extent = { points, learners, seeds, runs };
  if (runs > RUNS_MAX) throw new ScenarioError(tooMany(productText(extent)));
  return extent;
}

/** "1 point" or "1,200 points" */
export function countText(n: number, one: string): string {
  return `${n.toLocaleString("en-US")} ${n === 1 ? one : `${one}s`}`;
}

/** "6 points x 1 learner x 100 seeds" */
export function productText({ points, learners, seeds }: Extent): string {
  return [countText(points, "point"), countText(learners, "learner"), countText(seeds, "seed")].join(" x ");
}

function tooMany(what: string): string {
  return `the sweep has ${what}; takes at most ${RUNS_MAX.toLocaleString("en-US")} runs: give fewer --points, values or --seeds`;
}

/**
 * The learners' names within their task: with its options where two have one name, but for those that are varied: a learner has one name
 * at all points. Throws a ScenarioError where two names are equal.
 */
function learnerNames(task: number, { scenario }: Point, axes: readonly Axis[]): string[] {
  const { name: own, learners } = scenario.tasks[task];
  const names = namesInTask(learners, (option, place) =>
    axes.some(({ key }) => setsOption(key, option, task, place, scenario)),
  );
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new ScenarioError(
      `tasks ${own}: learner ${twice} is there twice; give each once, or with options that aren't varied`,
    );
  return names;
}

export function listCauses(labels: LabelOptions): Cause[] {
  const { delayMean, delaySpread, round = 1, until, loss, noise, nodeRates, budget } = labels;
  const has: Record<Cause, boolean> = {
    delay: delayMean > 0 || delaySpread > 0 || round > 1,
    loss: loss > 0 || until !== undefined,
    flips: Object.values(noise).some(Boolean) || nodeRates.some((rate) => rate > 0),
    budget: budget < 1,
  };
  return CAUSES.filter((cause) => has[cause]);
}

const NONE: { readonly [cause in Cause]: Partial<LabelOptions> } = {
  delay: { delayMean: 0, delaySpread: 0, round: 1 },
  loss: { loss: 0, until: undefined },
  flips: { noise: {}, nodeRates: [] },
  budget: { budget: 1 },
};

/** Every set of the causes, the empty one first. */
function subsets(causes: readonly Cause[]): Cause[][] {
  return Array.from({ length: 1 << causes.length }, (_, mask) => causes.filter((_, i) => (mask >> i) & 1));
}

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

/**
 * Every run, in the order of tables: by point, task, learner, causes taken away, seed. All have the same seeds. Throws a ScenarioError for
 * too many runs, and for a learner that is there twice.
 */
export function sweepRuns({ axes, seeds, decompose }: SweepPlan, points: readonly Point[]): SweepRun[] {
  const runs: SweepRun[] = [];
  for (const point of points) {
    const { scenario } = point;
    if (runs.length > RUNS_MAX)
      throw new ScenarioError(tooMany(`over ${runs.length - 1} runs with --decompose`));
    scenario.tasks.forEach(({ name, task: kind, learners, labels = scenario.labels }, task) => {
      const names = learnerNames(task, point, axes);
      const sets = decompose ? subsets(listCauses(labels)) : [[]];
      learners.forEach((choice, learnerAt) => {
        const entry = { task: name, kind, learner: names[learnerAt], choice, taskAt: task, learnerAt };
        for (const without of sets) {
          for (const seed of seeds) {
            runs.push(new SweepRun(runs.length, point, entry, seed, without));
          }
        }
      });
    });
  }
  return runs;
}
