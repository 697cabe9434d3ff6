import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { checkpointBytes } from "../../src/store/checkpoint-store.ts";
import { planBattery } from "../../targets/battery.ts";
import { BOARDS, type Board, type Target } from "../../targets/boards.ts";
import { footprint } from "../../targets/footprint.ts";
import { milliseconds } from "../../targets/instructions.ts";
import { isOneVsAll, NO_ONE_VS_ALL, plannedNode } from "../../targets/planned-node.ts";
import { misfitText, unmeasuredText } from "../../tools/toolchain/footprint-text.ts";
import type { Scale } from "../evaluation/scaling.ts";

/** What a board and its user allow. */
export interface BoardLimits {
  readonly target: Target;
  /** Milliseconds between two samples; default: any. */
  readonly periodMs?: number;
  /** A battery, and the days that it must last; takes `periodMs`. */
  readonly battery?: { readonly mAh: number; readonly days: number };
}

export interface OnBoard {
  /** The name under which its costs are measured. */
  readonly costed: string;
  /** Of a sample and its label, with the wire's part; null where they weren't measured. */
  readonly instructions: number | null;
  /**
   * What doesn't fit, and what the firmware lacks, one text each. A node whose instructions weren't measured counts as one that doesn't fit,
   * as `flash` refuses it.
   */
  readonly misfits: readonly string[];
  /** Sizes beyond the measured ones. */
  readonly beyond: readonly string[];
}

/** Why the battery is empty too soon; none where it lasts. */
function batteryMisfits(node: NodeOptions, sampleMs: number, limits: BoardLimits): string[] {
  const { target, periodMs, battery } = limits;
  const { power }: Board = BOARDS[target];
  if (!battery || !power || periodMs === undefined) return [];
  const checkpoint = checkpointBytes(nodeLayout(node));
  const { awake, asleep } = planBattery(power, checkpoint, sampleMs, { mAh: battery.mAh, periodMs });
  const { days } = asleep ?? awake;
  if (days >= battery.days) return [];
  return [`a battery of ${battery.mAh} mAh lasts ${days.toFixed(1)} days, ${battery.days} are wanted`];
}

export function onBoard(node: NodeOptions, limits: BoardLimits): OnBoard {
  const planned = plannedNode(node);
  const { time, misfits, beyond } = footprint(limits.target, planned, limits.periodMs);
  const refusals = isOneVsAll(node.learner.name) ? [NO_ONE_VS_ALL] : [];
  const empty = time
    ? batteryMisfits(node, milliseconds(time, time.sample), limits)
    : [unmeasuredText(planned.costed, [])];
  return {
    costed: planned.costed,
    instructions: time?.sample ?? null,
    misfits: [...refusals, ...misfits.map(misfitText), ...empty],
    beyond,
  };
}

/** The node's figures in `plan`. */
export interface PlannedCosts {
  readonly target: Target;
  /** Of the whole node: learner, pending ring, features, cursors, counters. */
  readonly bytes: number;
  /** Of a sample and its label, with the wire's part; null where they weren't measured. */
  readonly instructions: number | null;
  readonly milliseconds: number | null;
}

/** True if the node standardises as the file was scaled. */
export const standardises = (scale: Scale) => scale === "node" || scale === "standard";

export function planCosts(node: NodeOptions, target: Target): PlannedCosts {
  const planned = plannedNode(node);
  const { time } = footprint(target, planned);
  return {
    target,
    bytes: planned.layout.bytes,
    instructions: time?.sample ?? null,
    milliseconds: time ? milliseconds(time, time.sample) : null,
  };
}
