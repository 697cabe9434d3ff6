import { classColour, classShape } from "./class-look.ts";
import { h } from "./dom.ts";
import { className, type Decisions } from "./wording.ts";

/** A class by colour, shape and name. */
export function classChip(target: number, decisions: Decisions): HTMLElement {
  const colour = classColour(target, decisions).slice(2);
  const shape = h("span", { class: `shape ${colour}`, "aria-hidden": "true" }, classShape(target, decisions));
  return h("span", { class: "class-chip" }, shape, className(target, decisions));
}
