import { coordinate } from "./axis.ts";
import { type Html, html } from "./html.ts";
import type { PlotStyle } from "./look.ts";

type Place = readonly [x: number, y: number];

const placeText = ([x, y]: Place) => `${coordinate(x)} ${coordinate(y)}`;

/** Many dots as one path, of lines without a length. */
export function cloud(places: readonly Place[], { colour }: PlotStyle, size: number): Html {
  const path = places.map((place) => `M${placeText(place)}h0`).join("");
  return html`<path d="${path}" stroke="${colour}" stroke-width="${size}" stroke-linecap="round"/>`;
}

/** A line; with a name, the page's script shows its value under the pointer. */
export function polyline(places: readonly Place[], { colour, dash = [] }: PlotStyle, name?: string): Html {
  const dashes = dash.length > 0 && html` stroke-dasharray="${dash.join(" ")}"`;
  const named = name !== undefined && html` data-name="${name}"`;
  return html`<polyline points="${places.map(placeText).join(" ")}" fill="none" stroke="${colour}" stroke-width="1.8"${dashes}${named}/>`;
}
