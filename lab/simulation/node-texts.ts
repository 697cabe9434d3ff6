import { dirname, join } from "node:path";
import { describedOptions } from "../../host/streams/description.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chosenFamily } from "../../host-sim/network/learner.ts";
import { nodeOptions } from "../../host-sim/network/node-run.ts";
import { channelCount, flashFlags, type NodeText } from "../../host-sim/scenario/node-file.ts";
import { NODE_VERSION } from "../../host-sim/scenario/node-schema.ts";
import { type NodeSettings, type Scenario, taskScenario } from "../../host-sim/scenario/scenario.ts";
import { PERIOD_MS } from "../../host-sim/scenario/scenario-schema.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";
import { learnerClasses } from "../../host-sim/scoring/scorer.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { HORIZON, STEP_AFTER } from "../../src/signal/standardiser.ts";
import type { Target } from "../../targets/boards.ts";
import { analogPins } from "../../tools/toolchain/own-node.ts";

/** One of the board's analog pins for each reading, its usual one first; undefined where it has too few. */
function sensorsFor(target: Target, channels: number): readonly object[] | undefined {
  const used = analogPins(target).slice(0, channels);
  return used.length < channels ? undefined : used.map((analog) => ({ analog }));
}

/** Most characters of a channel's name, and of its unit. */
const NAME_LENGTH_MAX = 32;
const UNIT_LENGTH_MAX = 16;

/** Where a node runs, and how often it samples there. */
interface Place extends Pick<NodeSettings, "periodMs" | "sleep" | "state"> {
  readonly target: Target;
  /** Names of its readings, and the unit of each, where they are known. */
  readonly columns?: readonly string[];
  readonly units?: readonly (string | undefined)[];
}

/** The node's readings: their number, or what is known of each. */
function nodeChannels(
  { channels, ranges }: NodeOptions,
  { columns, units }: Pick<Place, "columns" | "units">,
): NodeText["channels"] {
  if (!ranges && !columns) return channels;
  return Array.from({ length: channels }, (_, i) => ({
    ...(columns?.[i] && { name: columns[i].slice(0, NAME_LENGTH_MAX) }),
    ...(units?.[i] && { unit: units[i].slice(0, UNIT_LENGTH_MAX) }),
    ...(ranges?.[i] && { range: ranges[i] }),
  }));
}

/** Options of features that aren't the defaults: how a window is cut into bands, and how the standardiser forgets. */
function unusualFeatures({ wavelet, horizon, stepAfter }: FeaturesOption): Partial<NodeText> {
  return {
    ...(wavelet && wavelet !== "none" && { wavelet }),
    ...(horizon !== HORIZON && { horizon }),
    ...(stepAfter !== STEP_AFTER && { stepAfter }),
  };
}

/** The file of a node of those options. */
export function nodeText(learner: string, node: NodeOptions, place: Partial<Place> = {}): NodeText {
  const { target, periodMs, sleep, state } = place;
  const { pending, checkpointEvery, features = {}, options, classes: named, channels } = node;
  const { classes, dimension: _, ...own } = options;
  const { window, bands, lines = [], burst, standardise = false } = features;
  const { labelBudget, coverage, coverageBy, labelFlips, grossLabels, drift, labelRange, labelWindow } = node;
  const { fleetBudget } = node;
  return {
    schema: NODE_VERSION,
    learner,
    ...(Object.keys(own).length > 0 && { options: own }),
    channels: nodeChannels(node, place),
    classes: named ?? (classes as number | undefined),
    pending,
    ...(window && { window }),
    ...(bands && { bands }),
    ...(lines.length > 0 && { lines }),
    ...(bands && burst && { burst }),
    standardise,
    ...unusualFeatures(features),
    ...{ labelBudget, coverage, coverageBy, labelFlips, grossLabels, drift, fleetBudget },
    ...{ labelRange, labelWindow, checkpointEvery },
    ...{ periodMs, sleep, state },
    board: target,
    sensors: target && channels > 1 ? sensorsFor(target, channels) : undefined,
  };
}

export function flashCommand(node: NodeText): string {
  const flags = flashFlags(node).map(([, flag, value]) => [flag, value] as const);
  const lacksSensors = channelCount(node) > 1 && !node.sensors;
  return commandText("flash", lacksSensors ? [...flags, ["--sensors", "JSON"]] : flags);
}

export function flashNamed(file: string): string {
  return commandText("flash", [["--node", file]]);
}

/** The node's period; by default the recording's, where its description says it. */
function nodePeriod({ stream, node: { periodMs } }: Scenario): number {
  const [first] = stream.type === "files" ? stream.files : [];
  return (periodMs === PERIOD_MS && first && describedOptions(first.path).period) || periodMs;
}

/** A learner of a task, and the file of its node. */
export interface Flashable {
  readonly task: string;
  readonly learner: string;
  readonly node: NodeText;
}

/** The files of the nodes that were simulated, one for each learner of each task that a firmware can have. */
export function flashable(
  scenario: Scenario,
  { nodes: [first] }: SimulateResult,
  source: string,
  catalogue: Catalogue,
  target: Target,
): Flashable[] {
  return scenario.tasks.flatMap((task) => {
    const own = taskScenario(scenario, task);
    const simulated = first.learners.filter((one) => one.task === task.name);
    return task.learners.flatMap(({ learner }, at) => {
      const { name, channels, classes, classNames, columns } = (simulated[at] ??
        {}) as Partial<LearnerResult>;
      const chosen = chosenFamily(catalogue, task, at, classes ?? 2);
      if (channels === undefined || !Catalogue.shipped.learner(chosen.family.name)) return [];
      const names = classNames && { classes: learnerClasses(chosen.family.task, classNames) };
      const node = { ...nodeOptions(own, chosen, channels, 0), ...names };
      const { sleep } = own.node;
      const periodMs = nodePeriod(own);
      const state = own.node.state && join(dirname(source), own.node.state);
      const text = nodeText(learner, node, {
        ...{ periodMs, sleep, state, target },
        columns: columns?.features,
      });
      return [{ task: task.name, learner: name ?? learner, node: text }];
    });
  });
}
