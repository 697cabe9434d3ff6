import { commandOf } from "../../host/terminal/command-line.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import type { LabelOptions } from "../../host-sim/scenario/scenario.ts";
import type { Task } from "../../src/learn/learner.ts";
import type { DataFlags } from "../evaluation/data-options.ts";
import { type LabelFlags, labelFlagList } from "../evaluation/label-options.ts";
import { type PlannedCosts, standardises } from "./on-board.ts";
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
    readonly node: { readonly standardise: boolean; readonly pending?: number };
    /** How labels come, unless right and at once. */
    readonly labels?: LabelOptions;
  };
  readonly plan: PlannedCosts & { readonly command: string };
  /** Repeats its error and its state. */
  readonly evaluate: string;
  /** Flashes the node; undefined for a plugin's learner, which no firmware has. */
  readonly flash?: string;
}

function dataFlags(flags: DataFlags & LabelFlags): [string, string | undefined][] {
  const { train, format, columns, label, header, missing, scale, shuffle, repeat, novel, classes } = flags;
  return [
    ["--train", train],
    ["--format", format],
    ["--columns", columns?.join(",")],
    ["--label", label],
    [header === false ? "--no-header" : "--header", header === undefined ? undefined : ""],
    ["--missing", missing === "refuse" ? undefined : missing],
    ["--scale", scale === "node" ? undefined : scale],
    ["--shuffle", shuffle?.toString()],
    ["--repeat", repeat > 1 ? `${repeat}` : undefined],
    ["--novel", novel],
    ["--classes", classes?.join(",")],
    ...labelFlagList(flags),
  ];
}

/** The options that don't follow from the data. */
function ownOptions({ options }: Choice): { readonly [name: string]: unknown } {
  const { dimension: _, classes: __, ...own } = options;
  return own;
}

/** The labels of a path as a scenario has them. */
function labelsFrom({ labels, horizon }: LabelPath): LabelOptions {
  const later = (delay: number) => Math.max(delay, horizon);
  return { ...labels, delayMean: later(labels.delayMean), delayMax: later(labels.delayMax) };
}

/** The use of a choice; `learner` is an id of `motelearn learners`. */
export function usable(
  learner: string,
  choice: Choice,
  { flags, path, task, plugins }: ChoiceSetup,
  costs: PlannedCosts,
  flash: string | undefined,
): Usable {
  const options = ownOptions(choice);
  const { budget, ...others } = options;
  const settings: [string, string | undefined][] = [
    ["--learner", learner],
    ["--budget", budget?.toString()],
    ["--options", Object.keys(others).length > 0 ? JSON.stringify(others) : undefined],
    ...plugins.map((file): [string, string] => ["--plugin", file]),
  ];
  const { dimension, classes } = choice.options as { dimension: number; classes?: number };
  const standardise = standardises(flags.scale);
  const plan = commandOf("plan", [
    ...settings,
    ["--dimension", `${dimension}`],
    ["--classes", classes?.toString()],
    ["--pending", path?.pending.toString()],
    ["--no-standardise", standardise ? undefined : ""],
    ["--target", costs.target],
  ]);
  return {
    task: {
      name: learner,
      task,
      learners: [{ learner, options }],
      ...(flags.classes && { classes: flags.classes }),
      node: { standardise, ...(path && { pending: path.pending }) },
      ...(path && { labels: labelsFrom(path) }),
    },
    plan: { ...costs, command: plan },
    ...(flash !== undefined && { flash }),
    evaluate: commandOf("evaluate", [...settings, ...dataFlags(flags)]),
  };
}
