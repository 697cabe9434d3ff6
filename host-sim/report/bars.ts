import { escapeHtml, shorten } from "./html.ts";
import { coordinate, scaleTo } from "./scale.ts";

const WIDTH = 400;
const ROW = 24;
const TOP = 4;
const AXIS = 36;
const RIGHT = 48;
const NAME_LENGTH_MAX = 40;
const CHARACTER = 7.2;

/** A bar and its name; a `strong` bar stands out. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly strong: boolean;
}

/** Horizontal bars. Charts with the same `all` share an axis, so they compare side by side. */
export function barChart(bars: readonly Bar[], all: readonly Bar[], unit: string): string {
  const scale = scaleTo(Math.max(...all.map(({ value }) => value)), 4);
  const left = 12 + CHARACTER * Math.max(...all.map(({ name }) => Math.min(NAME_LENGTH_MAX, name.length)));
  const x = (value: number) => left + (value / scale.max) * (WIDTH - RIGHT - left);
  const bottom = TOP + ROW * bars.length;
  const ticks = scale.ticks.map((tick) => {
    const at = coordinate(x(tick));
    return `<line class="rule" x1="${at}" y1="${TOP}" x2="${at}" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 14}" text-anchor="middle">${tick}</text>`;
  });
  const rows = bars.map(({ name, value, strong }, i) => {
    const y = TOP + ROW * i;
    const end = coordinate(x(value));
    return `<rect class="${strong ? "strong" : "plain"}" x="${coordinate(left)}" y="${y + 5}" width="${coordinate(x(value) - left)}" height="${ROW - 10}"><title>${escapeHtml(name)}: ${value.toFixed(3)}</title></rect><text x="${coordinate(left - 8)}" y="${y + 16}" text-anchor="end"${strong ? ' class="chosen"' : ""}>${escapeHtml(shorten(name, NAME_LENGTH_MAX))}</text><text class="muted" x="${coordinate(Number(end) + 6)}" y="${y + 16}">${value.toFixed(3)}</text>`;
  });
  const middle = coordinate(x(scale.max / 2));
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${bottom + AXIS}" role="img" aria-label="${escapeHtml(unit)}">
${ticks.join("")}<text class="unit" x="${middle}" y="${bottom + 30}" text-anchor="middle">${escapeHtml(unit)}</text>
${rows.join("\n")}
</svg>`;
}
