import { resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { share, wholeNumber } from "../../host/terminal/arguments.ts";
import { namedFlags } from "../../host/terminal/command-line.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { PENDING_MAX, pendingForDelay } from "../../host-sim/labels/late-labels.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import type { LabelFates } from "../../host-sim/prequential/prequential.ts";
import { choosePending, delayWithin } from "../../host-sim/scenario/pending.ts";
import {
  type LabelOptions,
  readScenario,
  type Scenario,
  taskScenario,
} from "../../host-sim/scenario/scenario.ts";
import type { Task } from "../../src/learn/learner.ts";

/** The longest delay of a label: a node can keep a sample no longer. */
const DELAY_MAX = PENDING_MAX - 1;
/** The seed of the draws of lost and wrong labels, without a scenario. */
const SEED = 1;

/** The options that make labels late, lost and wrong: what each takes, and how its value is read. */
const OPTIONS = {
  delay: ["<samples>", "samples between a sample and its label (default: 0)", wholeNumber(0, DELAY_MAX)],
  round: [
    "<samples>",
    "samples of a round, as of a shift: labels come together at its end (default: each by itself)",
    wholeNumber(1, PENDING_MAX),
  ],
  until: ["<samples>", "samples that get a label, from the first on (default: all)", wholeNumber(1)],
  loss: ["<share>", "share of labels that never come (default: 0)", share],
  wrong: [
    "<share>",
    "share of labels of classes that are wrong, each other class as likely (default: 0)",
    share,
  ],
  horizon: [
    "<samples>",
    "samples by which a label lies ahead, as a forecast's: it comes no sooner (default: 0)",
    wholeNumber(0, DELAY_MAX),
  ],
  pending: [
    "<n>",
    "samples that the node keeps for their label (default: what holds the delay, at least the node's)",
    wholeNumber(1, PENDING_MAX),
  ],
} as const;
const NAMES = Object.keys(OPTIONS) as (keyof typeof OPTIONS)[];

/** How labels come to the learner. */
export type LabelFlags = { readonly [name in keyof typeof OPTIONS]?: number } & {
  readonly scenario?: string;
};

export function addLabelOptions(command: Command): Command {
  for (const name of NAMES) {
    const [takes, doc, read] = OPTIONS[name];
    command.option(`--${name} ${takes}`, doc, read);
  }
  return command.option(
    "--scenario <file>",
    "delay, loss and noise of labels, seed and pending as simulate has them for the scenario's first task; its line takes no time",
  );
}

/** The flags of a path, for a command that repeats it. */
export const labelFlagList = (flags: LabelFlags): [string, string | undefined][] =>
  namedFlags(flags, [...NAMES, "scenario"]);

/** How the flags have labels come; undefined: right and at once. `train` is the file of the samples. */
export function labelPath(flags: LabelFlags, train: string, catalogue: Catalogue): LabelPath | undefined {
  const { delay, round, until, loss, wrong, scenario } = flags;
  if (scenario !== undefined) return pathOfScenario(flags, scenario, train, catalogue);
  if (NAMES.every((name) => flags[name] === undefined)) return undefined;
  const labels = {
    noise: wrong ? { symmetric: { rate: wrong } } : {},
    nodeRates: [],
    ...{ delayMean: delay ?? 0, delaySpread: 0, delayMax: delay ?? 0 },
    ...(round !== undefined && { round }),
    ...(until !== undefined && { until }),
    ...{ loss: loss ?? 0, budget: 1 },
  };
  return pathWith(flags, labels, choosePending({ node: {}, labels }).samples, "labels", 0, SEED);
}

function pathWith(
  { horizon = 0, pending }: LabelFlags,
  labels: LabelOptions,
  usual: number,
  place: string,
  index: number,
  seed: number,
): LabelPath {
  const needed = horizon > 0 ? Math.max(usual, pendingForDelay(delayWithin(labels, 0, horizon))) : usual;
  return { labels, horizon, pending: pending ?? needed, place, index, seed };
}

function pathOfScenario(flags: LabelFlags, file: string, train: string, catalogue: Catalogue): LabelPath {
  for (const name of ["delay", "round", "until", "loss", "wrong"] as const)
    if (flags[name] !== undefined)
      throw new UserError(`--${name}: ${file} says how labels come; leave out --${name} or --scenario`);
  const whole = readScenario(file, catalogue);
  const [task] = whole.tasks;
  const scenario = taskScenario(whole, task);
  if (scenario.fusion.rule !== "oracle")
    throw new UserError(
      `--scenario ${file}: fusion.rule ${scenario.fusion.rule}: labels follow from the votes of all nodes, which only simulate has; take the rule oracle`,
    );
  if (scenario.labels.budget < 1)
    throw new UserError(
      `--scenario ${file}: labels.budget ${scenario.labels.budget}: the node asks for labels, which only simulate has; take 1`,
    );
  const { node, index } = scenarioNode(scenario, file, train);
  return pathWith(
    flags,
    scenario.labels,
    choosePending(scenario).samples,
    `${task.name}/${node}`,
    index,
    scenario.seed,
  );
}

/** The scenario's node that has the train file, else its first. */
function scenarioNode({ stream: { files } }: Scenario, file: string, train: string) {
  const own = files.findIndex(({ path }) => resolve(file, "..", path) === resolve(train));
  const index = Math.max(0, own);
  return { node: files[index]?.node ?? "node 1", index };
}

/** Throws a UserError where labels without classes are to be wrong. */
export function checkPath(path: LabelPath | undefined, task: Task): void {
  const isWrong = path && (Object.keys(path.labels.noise).length > 0 || path.labels.nodeRates.length > 0);
  if (isWrong && task === "regression")
    throw new UserError("--wrong: a regression's labels have no classes to confuse; leave it out");
}

export function pathText({ labels, horizon, pending }: LabelPath): string {
  const { delayMean, delaySpread, round, until, loss, noise, nodeRates } = labels;
  const spread = delaySpread > 0 ? ` +- ${delaySpread}` : "";
  const delay = Math.max(delayMean, horizon);
  const noises = nodeRates.length > 0 ? ["symmetric"] : Object.keys(noise);
  const rate = noise.symmetric?.rate;
  const wrong =
    noises.length === 1 && typeof rate === "number" && nodeRates.length === 0
      ? [`${Number((100 * rate).toPrecision(4))} % wrong`]
      : noises.map((name) => `wrong by ${name}`);
  const parts = [
    `${delay}${spread} samples late`,
    ...(round !== undefined ? [`together after each ${round} samples`] : []),
    ...(until !== undefined ? [`for the first ${until} samples only`] : []),
    ...(loss > 0 ? [`${Number((100 * loss).toPrecision(4))} % lost`] : []),
    ...wrong,
  ];
  return `labels come ${parts.join(", ")}; ${pending} samples may wait for theirs`;
}

export function fatesText({ applied, late, refused, lost }: LabelFates): string {
  const unread = refused > 0 ? `, ${refused} were of refused samples` : "";
  return `${applied} learned, ${late} came after their sample was discarded${unread}, ${lost} lost`;
}
