import type { LiveRow } from "../api/api.ts";
import type { Channel } from "../api/node-state.ts";
import { h, svg } from "./dom.ts";
import { excess, placeText, type Usual } from "./usual.ts";
import { numberText } from "./wording.ts";

const [WIDTH, HEIGHT] = [300, 64];
/** Room above and below the usual range, as a part of it. */
const MARGIN = 0.5;
/** One reading over the samples around one, within its usual range, which is shaded. */
export function curve(
  channel: Channel,
  k: number,
  seq: number,
  rows: readonly LiveRow[],
  usual: Usual,
): HTMLElement {
  const { name, unit = "" } = channel;
  const values = rows.flatMap(([, , at, , , x]) => (x && Number.isFinite(x[k]) ? [[at, x[k]] as const] : []));
  const value = values.find(([at]) => at === seq)?.[1] ?? Number.NaN;
  const isOdd = excess(value, usual) > 0;
  const text = h(
    "figcaption",
    h("span", name),
    h("b", ` ${numberText(value)} ${unit} `),
    h("span", { class: isOdd ? "odd" : "muted" }, placeText(value, usual)),
  );
  return h("figure.curve", text, picture(values, seq, value, usual));
}

function picture(
  values: readonly (readonly [seq: number, value: number])[],
  seq: number,
  value: number,
  [low, high]: Usual,
): SVGSVGElement {
  const room = MARGIN * (high - low) || Math.abs(high) || 1;
  const all = values.map(([, each]) => each);
  const [bottom, top] = [Math.min(low - room, ...all), Math.max(high + room, ...all)];
  const side = Math.max(1, ...values.map(([at]) => Math.abs(at - seq)));
  const x = (at: number) => ((at - seq + side) / (2 * side)) * WIDTH;
  const y = (each: number) => (1 - (each - bottom) / (top - bottom)) * HEIGHT;
  const band = { x: 0, width: WIDTH, y: y(high), height: Math.max(1, y(low) - y(high)), class: "usual" };
  const points = values.map(([at, each]) => `${x(at).toFixed(1)},${y(each).toFixed(1)}`).join(" ");
  const here = x(seq);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", band),
    svg("line", { x1: here, x2: here, y1: 0, y2: HEIGHT, class: "here" }),
    svg("polyline", { points }),
    // A line of no length with round ends is a point that the stretched picture doesn't distort.
    Number.isNaN(value) ? undefined : svg("path", { d: `M${here} ${y(value)}h0`, class: "point" }),
  );
}
