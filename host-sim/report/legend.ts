import { escapeHtml } from "./html.ts";

/** Colours in the style sheet, `--c0` and so on; after the last they repeat with a dash. */
const COLOURS = 7;
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3]];

/** How a learner is drawn, in every plot of the page. */
export interface Look {
  /** CSS variable of the colour. */
  readonly colour: string;
  readonly dash: readonly number[];
}

/** The look of the learner that comes at this place in the result. */
export function lookOf(place: number): Look {
  return { colour: `--c${place % COLOURS}`, dash: DASHES[Math.floor(place / COLOURS) % DASHES.length] };
}

/** A short line as the plots draw this learner. */
export function swatch({ colour, dash }: Look): string {
  const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  return `<svg class="swatch" width="22" height="10" aria-hidden="true"><line x1="1" y1="5" x2="21" y2="5" style="stroke:var(${colour})"${dashes}/></svg>`;
}

/** The legend: one entry a learner. `names` are all learners of the result, `shown` the task's learners. */
export function legend(names: readonly string[], shown: readonly string[]): string {
  const entries = shown.map(
    (name) => `<span>${swatch(lookOf(names.indexOf(name)))}${escapeHtml(name)}</span>`,
  );
  return `<p class="legend">${entries.join("")}</p>`;
}
