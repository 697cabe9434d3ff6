import { bitsParts } from "../../tools/session/bits-text.ts";
import type { NodeState } from "../api/node-state.ts";
import { h } from "./dom.ts";
import { numberText, percentText } from "./wording.ts";

/** A part of a whole as a bar. */
function bar(part: number, of: number, text: string): HTMLElement {
  return h("meter", { min: 0, max: Math.max(of, 1), value: part, "aria-label": text });
}

/** A node's counters, as a list of terms. */
export function figuresOf(state: NodeState): HTMLElement[] {
  const { prequential, statistics, learning, link, issued, bits, dropped } = state;
  const figures: HTMLElement[] = [];
  const say = (term: string, text: string, ...more: HTMLElement[]) =>
    figures.push(h("div", {}, h("dt", {}, term), h("dd", {}, text, ...more)));
  if (prequential) {
    const { kind, all, recent } = prequential;
    const value = (figure: typeof all) =>
      kind === "accuracy" ? percentText(figure?.value) : numberText(figure?.value);
    say(kind === "accuracy" ? "Accuracy" : "Mean error", `${value(recent ?? all)}, just before it learned`);
    if (all) say("of all labels", `${value(all)} of ${all.labels}`);
  }
  if (statistics) {
    const { size, capacity, lag, waiting } = statistics;
    if (capacity)
      say("Dictionary", `${size} of ${capacity} vectors`, bar(size, capacity, "dictionary's fill"));
    say("Label delay", `${lag} samples`);
    say("Samples waiting", String(waiting));
    const { expired, session, unknown, refused, range, forged } = statistics;
    const lost = expired + session + unknown + refused + range + forged;
    say("Labels lost", lost === 0 ? "none" : lostText({ expired, session, unknown, refused, range, forged }));
  }
  say(
    "Labels",
    `${state.labelled ?? 0}: ${state.durable ?? 0} in a checkpoint; ${state.waiting} on their way`,
  );
  if (state.asking > 0) say("Asks for", `${state.asking} labels`);
  if (issued) say("Sets", issuedText(issued));
  if (learning && learning.drifts + learning.shifts > 0)
    say("Drift alarms", `${learning.drifts} by labels, ${learning.shifts} by margins`);
  if (link)
    say(
      "Line",
      `${link.open ? "open" : "closed"}, lost ${link.losses} times, ${link.damaged} frames damaged`,
    );
  if (dropped) say("Dropped by the node", `${dropped} frames`);
  if (bits) say("Arithmetic", bitsParts(bits).join(", "));
  return figures;
}

function lostText(counts: { readonly [reason: string]: number }): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
}

function issuedText({ predictions, both, none, half }: NonNullable<NodeState["issued"]>): string {
  if (half !== undefined) return `± ${numberText(half)}`;
  const part = (count: number) => percentText(count / predictions);
  return `${part(both)} with both classes, ${part(none)} with none`;
}
