import { type Command, Option } from "commander";
import { parseClasses, wholeNumber } from "../../host/terminal/arguments.ts";
import { PENDING_MAX } from "../../host-sim/labels/late-labels.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import type { Target } from "../../targets/boards.ts";
import type { Wire } from "../../tools/toolchain/firmware.ts";
import { NODE_NAMES } from "../../tools/toolchain/node-names.ts";
import { nodeParser } from "./node-file.ts";
import { addSpectrumOptions, type SpectrumFlags } from "./spectrum-options.ts";

/** The parsed options of a node, on a board or not. */
export interface PlanFlags extends SpectrumFlags {
  readonly learner: string;
  readonly dimension?: number;
  readonly budget?: number;
  readonly classes?: number | readonly string[];
  readonly options: string;
  /** Further options of the node, as JSON; default none. */
  readonly node?: string;
  /** Default: what holds the samples of labels that come after `labelDelay` samples, or the node's default. */
  readonly pending?: number;
  readonly labelDelay?: number;
  readonly window: number;
  /** Default: a node does. */
  readonly standardise?: boolean;
  readonly plugin?: readonly string[];
  readonly target?: Target;
  readonly period?: number;
  readonly wire?: Wire;
  readonly keyed?: boolean;
  readonly keyedLabels?: boolean;
  /** If set, the wire is an MQTT broker's over Wi-Fi. */
  readonly wifi?: true | object;
  /** True if that wire is encrypted. */
  readonly tls?: boolean;
  readonly creation?: boolean;
  readonly battery?: number;
  readonly wakeMs?: number;
  readonly talkEvery?: number;
  readonly talkMs?: number;
  readonly json?: boolean;
}

/** How late labels come. */
export function labelDelayOption(which = ""): Option {
  return new Option(
    "--label-delay <samples>",
    `${which}the most samples that the node takes between a sample and its label: the default of pending holds them`,
  ).argParser(wholeNumber(0, PENDING_MAX - 2));
}

export function addNodeOptions(command: Command): Command {
  command
    .requiredOption("--learner <name>", "learner, see `motelearn learners`")
    .option(
      "--dimension <d>",
      "readings in a sample, which without --window are its features",
      wholeNumber(1),
    )
    .option("--budget <b>", "the most vectors that a learner stores (default: the learner's)", wholeNumber(1))
    .option(
      "--classes <list>",
      "classes: their names, which the node tells, in the order of its labels, or their number: ok,fault are -1 and +1; of three and more 0, 1, 2. For more than two, a learner without classes of its own runs one-vs-all",
      parseClasses,
    )
    .option("--options <json>", "further options of the learner, one JSON object", "{}")
    .option(
      "--pending <n>",
      `samples that may wait for a label; 0: the learner without a node around it (default: ${NODE_OPTIONS.pending.default}, or what --label-delay needs)`,
      wholeNumber(0, PENDING_MAX),
    )
    .addOption(labelDelayOption())
    .addOption(
      new Option("--window <n>", "features of each reading over the last n samples; 0: the reading alone")
        .argParser(wholeNumber(0, 65536))
        .default(0),
    )
    .option("--standardise", "standardise the features to mean 0, variance 1, sample by sample (default)")
    .option("--no-standardise", "take the features as they are")
    .option(
      "--node <file>",
      `a node's file, from which the other options follow unless they are given; or further options of the node, one JSON object: ${NODE_NAMES.join(", ")}, as a scenario's \`node\` has them`,
      nodeParser(command),
    );
  return addSpectrumOptions(command);
}
