import type { Family } from "../../src/learn/family.ts";
import type { Target } from "../../targets/boards.ts";
import { footprint, type Misfit, plannedNode } from "../../targets/footprint.ts";

/** Samples that may wait for a label, as `plan` has it. */
const PENDING = 64;

/** What a node with the learner takes of a board. */
export interface OnBoard {
  /** Of one prediction and the learning of its label. */
  readonly instructions: number;
  readonly misfits: readonly Misfit[];
  /** Sizes that lie beyond those whose instructions were counted. */
  readonly beyond: readonly string[];
}

/** A node of as many readings as features; undefined where the learner's costs weren't measured. */
export function onBoard(
  family: Family,
  options: { readonly [name: string]: unknown },
  target: Target,
): OnBoard | undefined {
  const channels = options.dimension as number;
  const node = plannedNode({ sid: 1, channels, pending: PENDING, learner: family, options });
  const { time, misfits, beyond } = footprint(target, node);
  if (!time) return undefined;
  return { instructions: time.predict + time.learn, misfits, beyond };
}
