import type { Decisions } from "./wording.ts";

/** The colours of classes in their order: distinct for any colour vision, and the second, of a fault mostly, is the warm one. */
const COLOURS = ["--c2", "--c1", "--c0", "--c4", "--c3", "--c5", "--c6"];
/** Shapes say the same without colour; as many classes as colours times shapes look different. */
const SHAPES = ["●", "▲", "■", "◆", "▼", "★"];

/** A class's place among its node's classes. What is unusual looks like a fault. */
function classPlace(target: number, { task }: Decisions): number {
  if (task === "multiclass") return target;
  return target > 0 === (task === "novelty") ? 0 : 1;
}

/** The colour of a class, a custom property of the style sheet. */
export function classColour(target: number, decisions: Decisions): string {
  return COLOURS[classPlace(target, decisions) % COLOURS.length];
}

export function classShape(target: number, decisions: Decisions): string {
  return SHAPES[classPlace(target, decisions) % SHAPES.length];
}
