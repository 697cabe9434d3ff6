import { commandText, namedFlags } from "../../host/terminal/command-line.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import type { LabelOptions } from "../../host-sim/scenario/scenario.ts";
import type { Task } from "../../src/learn/learner.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { DataFlags } from "../evaluation/data-options.ts";
import { type LabelFlags, labelFlagList } from "../evaluation/label-options.ts";
import type { PlannedCosts } from "./on-board.ts";
import type { Choice, ChoiceSetup } from "./result.ts";

/** A choice ready to use: its keys for a scenario or a manifest, and the commands that repeat it. */
export interface Usable {
  /** A task of a scenario. A manifest's `config.node` takes the same learner, options and `standardise`. */
  readonly task: {
    readonly name: string;
    readonly task: Task;
    readonly learners: readonly [
      { readonly learner: string; readonly options: { readonly [name: string]: unknown } },
    ];
    readonly classes?: readonly string[];
    readonly node: FeaturesOption & { readonly pending?: number };
    /** How labels come, unless right and at once. */
    readonly labels?: LabelOptions;
  };
  readonly plan: PlannedCosts & { readonly command: string };
  /** Repeats its error and its state. */
  readonly evaluate: string;
  /** Flashes the node; undefined for a plugin's learner and one-vs-all, which no firmware has. */
  readonly flash?: string;
  /** Makes a project of the node's file, where a sample has several readings of each sensor. */
  readonly project?: string;
}

function dataFlags(flags: DataFlags & LabelFlags): [string, string | undefined][] {
  const { header, rate, period, scale, repeat } = flags;
  return [
    ...namedFlags(flags, ["train", "format", "columns", "label"]),
    [header === false ? "--no-header" : "--header", header === undefined ? undefined : ""],
    ...namedFlags(flags, ["missing", "rate"]),
    ["--period", rate === undefined ? undefined : period?.toString()],
    ["--scale", scale === "node" ? undefined : scale],
    ...namedFlags(flags, ["shuffle"]),
    ["--repeat", repeat > 1 ? `${repeat}` : undefined],
    ...namedFlags(flags, ["novel", "classes"]),
    ...labelFlagList(flags),
  ];
}

const shapeFlags = (shape: FeaturesOption) => namedFlags(shape, ["window", "bands", "lines", "burst"]);

/** The options that don't follow from the data. */
function ownOptions({ options }: Choice): { readonly [name: string]: unknown } {
  const { dimension: _, classes: __, ...own } = options;
  return own;
}

/** The labels of a path as a scenario has them. */
function labelsFrom({ labels, horizon }: LabelPath): LabelOptions {
  const { delayMean, delayMax } = labels;
  const later = (delay: number) => Math.max(delay, horizon);
  return {
    ...labels,
    delayMean: later(delayMean),
    ...(delayMax !== undefined && { delayMax: later(delayMax) }),
  };
}

/** The use of a choice; `learner` is an id of `motelearn learners`. */
export function usable(
  learner: string,
  choice: Choice,
  { flags, path, task, plugins }: ChoiceSetup,
  { channels, features = {}, pending }: NodeOptions,
  costs: PlannedCosts,
  next: Pick<Usable, "flash" | "project">,
): Usable {
  const options = ownOptions(choice);
  const { budget, ...others } = options;
  const settings: [string, string | undefined][] = [
    ["--learner", learner],
    ["--budget", budget?.toString()],
    ["--options", Object.keys(others).length > 0 ? JSON.stringify(others) : undefined],
    ...plugins.map((file): [string, string] => ["--plugin", file]),
  ];
  const { classes } = choice.options as { classes?: number };
  const { wavelet, ...shape } = features;
  const plan = commandText("plan", [
    ...settings,
    ["--dimension", `${channels}`],
    ["--classes", classes?.toString()],
    ["--pending", path && `${pending}`],
    ...shapeFlags(shape),
    ["--no-standardise", shape.standardise ? undefined : ""],
    ["--node", wavelet && JSON.stringify({ wavelet })],
    ["--target", costs.target],
  ]);
  return {
    task: {
      name: learner,
      task,
      learners: [{ learner, options }],
      ...(flags.classes && { classes: flags.classes }),
      node: { ...features, ...(path && { pending }) },
      ...(path && { labels: labelsFrom(path) }),
    },
    plan: { ...costs, command: plan },
    ...next,
    evaluate: commandText("evaluate", [
      ...settings,
      ...shapeFlags(shape),
      ["--wavelet", wavelet],
      ...dataFlags({ ...flags, ...(path && { pending }) }),
    ]),
  };
}
