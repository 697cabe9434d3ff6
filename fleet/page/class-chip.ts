import { classColour, classShape } from "./class-look.ts";
import { h } from "./dom.ts";
import { className, type Decisions } from "./wording.ts";

/** A class by colour, shape and name. */
export function classChip(target: number, decisions: Decisions): HTMLElement {
  const shape = h("span.shape", { "aria-hidden": "true" }, classShape(target, decisions));
  shape.style.color = `var(${classColour(target, decisions)})`;
  return h("span.class-chip", shape, className(target, decisions));
}
