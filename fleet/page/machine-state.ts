import type { NodeState } from "../api/node-state.ts";
import { classColour, classShape } from "./class-look.ts";
import { agoText } from "./condition.ts";
import { chip, h } from "./dom.ts";
import { className, type Decisions, numberText, sinceText } from "./wording.ts";

/** A class by colour, shape and name. */
export function classChip(target: number, decisions: Decisions): HTMLElement {
  const shape = h("span.shape", { "aria-hidden": "true" }, classShape(target, decisions));
  shape.style.color = `var(${classColour(target, decisions)})`;
  return h("span.class-chip", shape, className(target, decisions));
}

/** What a machine does now and since when: its class, or a regression's estimate. `isStale`: its node is silent. */
export function machineState(state: NodeState, now: number, isStale: boolean): HTMLElement {
  const { current, prediction, task } = state;
  const before = isStale ? "last known: " : "";
  if (task === "regression") return h("span.state", `${before}${numberText(prediction)}`);
  if (!current) return h("span.state.muted", "not known yet");
  // Until a node says its classes again, its class has the name from before.
  const named = state.classes ? state : { ...state, ...onlyName(current.name) };
  const since = h("span.since", `since ${sinceText(current.since, now)} (${agoText(now - current.since)})`);
  const what = h("span", before, classChip(current.class, named));
  return h("span", { class: isStale ? "state stale" : "state" }, what, since);
}

function onlyName(name: string | undefined): object {
  return name === undefined ? {} : { classes: [name, name], task: "" };
}

/** The alarms of a machine that are on. */
export function alarmChips({ alarms = [] }: NodeState, now: number): HTMLElement[] {
  return alarms
    .filter(({ on }) => on)
    .map(({ name, since }) => {
      const when = since === undefined ? "" : ` since ${sinceText(since, now)}`;
      return chip("alarm", "⚠", `${alarmText(name)}${when}`);
    });
}

/** A fleet file's name of an alarm, as people read it. */
export function alarmText(name: string): string {
  return name.replaceAll("_", " ");
}
