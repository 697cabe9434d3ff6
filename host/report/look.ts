import { type Html, html } from "./html.ts";

/** Colours in the style sheet, `--c0` and so on; after the last they repeat with a dash. */
const COLOURS = 7;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/** How a learner is drawn, in every chart of a page. */
export interface PlotStyle {
  readonly colour: string;
  readonly dash?: readonly number[];
}

/** The look of what isn't compared: a budget, an ideal, the other learners. */
export const MUTED: PlotStyle = { colour: "var(--muted)" };

/** The look of the learner that comes at this place in the result. */
export function plotStyle(place: number): PlotStyle {
  return { colour: `var(--c${place % COLOURS})`, dash: DASHES[Math.floor(place / COLOURS) % DASHES.length] };
}

/** A short line as the charts draw this learner. */
export function swatch({ colour, dash = [] }: PlotStyle): Html {
  return html`<svg class="swatch" width="22" height="10" aria-hidden="true"><line x1="1" y1="5" x2="21" y2="5" stroke="${colour}" stroke-dasharray="${dash.join(" ")}"/></svg>`;
}

/** The legend: one entry a learner. `names` are all learners of the result, `shown` the task's learners. */
export function legend(names: readonly string[], shown: readonly string[]): Html {
  const entries = shown.map((name) => html`<span>${swatch(plotStyle(names.indexOf(name)))}${name}</span>`);
  return html`<p class="legend">${entries}</p>`;
}
