import type { Family } from "../../src/learn/family.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { Target } from "../../targets/boards.ts";
import { footprint, type Misfit } from "../../targets/footprint.ts";
import { learnerInstructions, milliseconds } from "../../targets/instructions.ts";
import { plannedNode } from "../../targets/planned-node.ts";
import type { Scale } from "../evaluation/scaling.ts";

/** A learner with its options, dimension and classes included. */
export interface Made {
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
}

/** The footprint of a node with the learner on a board. */
export interface OnBoard {
  /** Of one prediction and the learning of its label. */
  readonly instructions: number;
  readonly misfits: readonly Misfit[];
  /** Sizes beyond the measured ones. */
  readonly beyond: readonly string[];
}

/** A node with the learner. `pending`: samples that may wait for a label. */
export function nodeOf({ family, options }: Made, pending: number, standardise: boolean): NodeOptions {
  const channels = options.dimension as number;
  return { sid: 1, channels, pending, learner: family, options, features: { standardise } };
}

/** A node of as many readings as features; undefined where the learner's costs weren't measured. */
export function onBoard(made: Made, pending: number, target: Target): OnBoard | undefined {
  const { time, misfits, beyond } = footprint(target, plannedNode(nodeOf(made, pending, false)));
  if (!time) return undefined;
  return { instructions: learnerInstructions(time), misfits, beyond };
}

/** The node's figures in `plan`. */
export interface PlannedCosts {
  readonly target: Target;
  /** Of the whole node: learner, pending ring, cursors, counters. */
  readonly bytes: number;
  /** Of a sample and its label, with the wire's part; null where they weren't measured. */
  readonly instructions: number | null;
  readonly milliseconds: number | null;
}

/** True if the node standardises as the file was scaled. */
export const standardises = (scale: Scale) => scale === "node" || scale === "standard";

export function planned(made: Made, pending: number, target: Target, scale: Scale): PlannedCosts {
  const node = plannedNode(nodeOf(made, pending, standardises(scale)));
  const { time } = footprint(target, node);
  return {
    target,
    bytes: node.layout.bytes,
    instructions: time?.sample ?? null,
    milliseconds: time ? milliseconds(time, time.sample) : null,
  };
}
