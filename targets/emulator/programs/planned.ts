import { BOARDS, TARGETS } from "../../boards.ts";
import { footprint } from "../../footprint.ts";
import type { Time } from "../../instructions.ts";
import { plannedNode } from "../../planned-node.ts";
import { KEY } from "./line.ts";
import { nodeOptions } from "./loops.ts";
import type { ProgramArgument } from "./program.ts";

/**
 * Plan's figures for a program's node on a board of that chip; undefined where no board has it, or its
 * learner wasn't measured.
 */
export function planFigures(
  chip: string,
  { node = {}, line = {}, budget }: ProgramArgument,
): Time | undefined {
  const target = TARGETS.find((name) => BOARDS[name].chip === chip);
  if (!target) return undefined;
  const keys = { ...(line.keyed && { key: KEY }), ...(line.keyedLabels && { labelKey: KEY }) };
  const reached = { usb: !line.uart, ...keys };
  return footprint(target, plannedNode(nodeOptions(node, budget), reached)).time;
}
