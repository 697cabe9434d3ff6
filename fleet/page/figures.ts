import { bitsParts } from "../../tools/session/bits-text.ts";
import type { NodeState } from "../api/node-state.ts";
import { h } from "./dom.ts";
import { judgeHelp, judgeText, modelText } from "./group-words.ts";
import { dealtText, numberText, percentText } from "./wording.ts";

function bar(part: number, of: number, text: string): HTMLElement {
  return h("meter", { min: 0, max: Math.max(of, 1), value: part, "aria-label": text });
}

/** A node's counters, as a list of terms. */
export function renderFigures(state: NodeState): HTMLElement[] {
  const { prequential, statistics, learning, link, issued, bits, dropped, together } = state;
  const figures: HTMLElement[] = [];
  const say = (term: string, text: string, ...more: HTMLElement[]) =>
    figures.push(h("div", h("dt", term), h("dd", text, ...more)));
  if (prequential) {
    const { kind, all, recent } = prequential;
    const value = (figure: typeof all) =>
      kind === "accuracy" ? percentText(figure?.value) : numberText(figure?.value);
    const of = recent ?? all;
    say(
      kind === "accuracy" ? "Right" : "Mean error",
      of ? `${value(of)} of the last ${of.labels} answers` : "–",
    );
    if (all) say("of all answers", `${value(all)} of ${all.labels}`);
  }
  say(together ? "Answers and models" : "Answers dealt with", dealtText(state));
  if (together) {
    const { text, why } = judgeHelp(together);
    say("In its group", why ? `${text}: ${why}` : text);
    say("Its model", modelText(together));
    say("Judges now", judgeText(together));
  }
  if (state.asking > 0) say("Asks", `${state.asking} questions`);
  if (issued) say(issued.half === undefined ? "Unsure" : "Usual error", issuedText(issued));
  if (learning && learning.drifts + learning.shifts > 0)
    say("Readings changed", `${learning.drifts} times by answers, ${learning.shifts} by decisions`);
  if (statistics) {
    const { size, capacity, lag, waiting: kept } = statistics;
    const { expired, session, unknown, refused, range, forged } = statistics;
    const lost = { expired, session, unknown, refused, range, forged };
    say("Answers not used", lostText(lost) || "none");
    say("Answers come after", `${lag} samples`);
    say("Kept for answers", `${kept} samples`);
    if (capacity) say("Examples kept", `${size} of ${capacity}`, bar(size, capacity, "room that is used"));
  }
  if (link)
    say(
      "Connection",
      `${link.open ? "open" : "closed"}, lost ${link.losses} times, ${link.damaged} messages damaged`,
    );
  if (dropped) say("Dropped by the node", `${dropped} messages`);
  if (bits) say("Arithmetic", bitsParts(bits).join(", "));
  return figures;
}

/** Why answers weren't used. */
const LOST_TEXTS: { readonly [reason: string]: string } = {
  expired: "too late",
  session: "from before a restart",
  unknown: "of unknown samples",
  refused: "refused",
  range: "out of range",
  forged: "with a wrong key",
};

function lostText(counts: { readonly [reason: string]: number }): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${LOST_TEXTS[reason]}`)
    .join(", ");
}

function issuedText({ predictions, both, none, half }: NonNullable<NodeState["issued"]>): string {
  if (half !== undefined) return `± ${numberText(half)}`;
  const part = (count: number) => percentText(count / predictions);
  return `${part(both)} may be either, ${part(none)} fit neither`;
}
