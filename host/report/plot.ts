import { type Axis, coordinate, makeAxis } from "./axis.ts";
import { type Html, html, type Part, shorten } from "./html.ts";
import type { PlotStyle } from "./look.ts";
import { cloud, polyline } from "./shapes.ts";

/** A value, with the ends of its interval, what a pointer on its dot shows, and a letter beside it. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly low?: number | null;
  readonly high?: number | null;
  readonly title?: string;
  readonly mark?: string;
}

/** Points of one look; without `line` and `dots` only their range is drawn. */
export interface Series {
  readonly name: string;
  readonly look: PlotStyle;
  readonly points: readonly Point[];
  readonly line?: "joined" | "steps";
  /** A cloud has no titles: its points are many. */
  readonly dots?: "full" | "open" | "cloud";
  readonly range?: "band" | "bars";
  /** True if its name stands beside its first point. */
  readonly isNamed?: boolean;
}

/** A time, or a span of times, in which something happened. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly title: string;
}

/** What a plot's axes are. */
export interface PlotForm {
  /** Units. */
  readonly x: string;
  readonly y: string;
  /** What it shows, for those who don't see it; default: its units. */
  readonly title?: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** Names of the places 0, 1, ... of x in place of numbers. */
  readonly names?: readonly string[];
  /** Axes that several plots share. */
  readonly axes?: { readonly x: Axis; readonly y: Axis };
  readonly tickX?: (tick: number) => string;
  readonly tickY?: (tick: number) => string;
  /** Values with a dashed line across. */
  readonly rules?: readonly number[];
  /** Shaded from top to bottom. */
  readonly spans?: readonly Span[];
  /** One of many, for a narrow column. */
  readonly isSmall?: boolean;
}

const LARGE = { width: 460, height: 300, left: 58, right: 14, top: 10, bottom: 44 };
const SMALL = { width: 320, height: 190, left: 50, right: 16, top: 8, bottom: 38 };
/** Room between a named place and the plot's edge. */
const INSET = 30;
const NAME_MAX = 24;
/** Approximate width of a name. */
const NAME_WIDTH = 90;
const NAME_HEIGHT = 13;
/** Pixels that a span has at least. */
const SPAN_MIN = 1.5;

/** A plot's box and axes, and where a value lies in it. */
interface Frame {
  readonly box: typeof LARGE;
  readonly x: Axis;
  readonly y: Axis;
  across(x: number): number;
  down(y: number): number;
}

function fitFrame(series: readonly Series[], form: PlotForm): Frame {
  const box = form.isSmall ? SMALL : LARGE;
  const points = series.flatMap((each) => each.points);
  const xs = form.names ? [0, form.names.length - 1 || 1] : points.map(({ x }) => x);
  const ys = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const x = form.axes?.x ?? makeAxis(xs, form.logX && xs.every((value) => value > 0));
  const y = form.axes?.y ?? makeAxis(ys, form.logY && ys.every((value) => value > 0));
  const inset = form.names ? INSET : 0;
  const last = Math.max(1, (form.names?.length ?? 1) - 1);
  const place = (value: number) => (form.names ? value / last : x.place(value));
  return {
    box,
    x,
    y,
    across: (value) => box.left + inset + place(value) * (box.width - box.left - box.right - 2 * inset),
    down: (value) => box.height - box.bottom - y.place(value) * (box.height - box.top - box.bottom),
  };
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact" });

/** "5000", "20K", "1M", "1e-7": longer numbers would cover their neighbours. */
function tickText(tick: number): string {
  if (tick !== 0 && Math.abs(tick) < 1e-4) return tick.toExponential();
  return Math.abs(tick) >= 10_000 ? SHORT.format(tick) : String(tick);
}

function axes({ box, x, y, across, down }: Frame, form: PlotForm): Html {
  const { names, tickX = tickText, tickY = tickText } = form;
  const floor = box.height - box.bottom;
  const ticks = names ? names.map((_, i) => i) : x.ticks;
  const below = ticks.map(
    (tick) =>
      html`<text class="tick" x="${coordinate(across(tick))}" y="${floor + 15}" text-anchor="middle">${names?.[tick] ?? tickX(tick)}</text>`,
  );
  const beside = y.ticks.map((tick) => {
    const at = coordinate(down(tick));
    return html`<line class="rule" x1="${box.left}" y1="${at}" x2="${box.width - box.right}" y2="${at}"/><text class="tick" x="${box.left - 6}" y="${at}" dy="4" text-anchor="end">${tickY(tick)}</text>`;
  });
  const middle = coordinate((box.left + box.width - box.right) / 2);
  const half = coordinate((box.top + floor) / 2);
  return html`${beside}${below}<text class="unit" x="${middle}" y="${box.height - 6}" text-anchor="middle">${form.x}</text><text class="unit" x="12" y="${half}" text-anchor="middle" transform="rotate(-90 12 ${half})">${form.y}</text>`;
}

/** Lines across at values, and shades of times. */
function grounds({ box, across, down }: Frame, { rules = [], spans = [] }: PlotForm): Part {
  const floor = box.height - box.bottom;
  const shades = spans.map(({ from, to, title }) => {
    const width = Math.max(SPAN_MIN, across(to) - across(from));
    return html`<rect class="span" x="${coordinate(across(from))}" y="${box.top}" width="${coordinate(width)}" height="${floor - box.top}"><title>${title}</title></rect>`;
  });
  const lines = rules.map((value) => {
    const at = coordinate(down(value));
    return html`<line class="limit" x1="${box.left}" y1="${at}" x2="${box.width - box.right}" y2="${at}"/>`;
  });
  return [shades, lines];
}

function range({ points, look, range: form }: Series, { across, down }: Frame): Part {
  const known = points.flatMap(({ x, low, high }) =>
    typeof low === "number" && typeof high === "number"
      ? [{ x: coordinate(across(x)), from: coordinate(down(low)), to: coordinate(down(high)) }]
      : [],
  );
  if (form === "bars")
    return known.map(
      ({ x, from, to }) =>
        html`<line class="interval" x1="${x}" y1="${from}" x2="${x}" y2="${to}" stroke="${look.colour}"/>`,
    );
  if (form !== "band" || known.length < 2) return "";
  const upper = known.map(({ x, to }) => `${x},${to}`);
  const lower = known.map(({ x, from }) => `${x},${from}`).reverse();
  return html`<polygon class="band" points="${[...upper, ...lower].join(" ")}" fill="${look.colour}"/>`;
}

function dots(
  { name, points, look, dots: form }: Series,
  { across, down }: Frame,
  names?: PlotForm["names"],
): Part {
  if (form === undefined) return "";
  const places = points.map(({ x, y }): [number, number] => [across(x), down(y)]);
  if (form === "cloud") return cloud(places, look, 5);
  return points.map(({ x, y, title, mark }) => {
    const [cx, cy] = [coordinate(across(x)), coordinate(down(y))];
    const at = names?.[Math.round(x)] ?? Number(x.toPrecision(6));
    const letter =
      mark &&
      html`<text class="chosen" x="${coordinate(across(x) + 6)}" y="${coordinate(down(y) - 5)}">${mark}</text>`;
    return html`<circle class="${form}" cx="${cx}" cy="${cy}" r="4" fill="${look.colour}" stroke="${look.colour}"><title>${title ?? `${name}: ${at}, ${Number(y.toPrecision(4))}`}</title></circle>${letter}`;
  });
}

/** A line through the points, or the steps below which none lies. */
function line({ name, points, look, line: form }: Series, { across, down }: Frame): Part {
  if (form === undefined) return "";
  const through = points.flatMap(({ x, y }, i): [number, number][] => {
    const corner: [number, number][] = form === "steps" && i > 0 ? [[across(x), down(points[i - 1].y)]] : [];
    return [...corner, [across(x), down(y)]];
  });
  return polyline(through, look, name);
}

/** Names beside the first points of the series that show theirs, on the side with more room, each below those that it would cover. */
function namesBeside(series: readonly Series[], { box, across, down }: Frame): Part {
  const placed: { readonly x: number; readonly y: number }[] = [];
  const named = series.flatMap(({ name, isNamed, points: [first] }) =>
    isNamed ? [{ name, x: across(first.x), y: down(first.y) }] : [],
  );
  return named
    .sort((a, b) => a.y - b.y)
    .map(({ name, x, y: own }) => {
      const covered = placed.filter((each) => Math.abs(each.x - x) < NAME_WIDTH);
      const y = Math.max(own, ...covered.map((each) => each.y + NAME_HEIGHT));
      placed.push({ x, y });
      const isLeft = x > box.width / 2;
      return html`<text class="beside" x="${coordinate(x + (isLeft ? -8 : 8))}" y="${coordinate(y + 4)}" text-anchor="${isLeft ? "end" : "start"}">${shorten(name, NAME_MAX)}</text>`;
    });
}

/** What the page's script needs to show values under the pointer: of each axis its ends, and their places. */
function axesData({ box, x, y }: Frame): string {
  return JSON.stringify([
    [x.low, x.high, x.logarithmic, box.left, box.width - box.right],
    [y.low, y.high, y.logarithmic, box.height - box.bottom, box.top],
  ]);
}

/** Lines, bands and points with their intervals over two axes; without any points, nothing. */
export function plot(all: readonly Series[], form: PlotForm): Part {
  const series = all.filter(({ points }) => points.length > 0);
  if (series.length === 0) return "";
  const frame = fitFrame(series, form);
  const { width, height } = frame.box;
  const drawn = series.map((each) => [range(each, frame), line(each, frame), dots(each, frame, form.names)]);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${form.title ?? `${form.y} over ${form.x}`}"${!form.names && html` data-axes="${axesData(frame)}"`}>${grounds(frame, form)}${axes(frame, form)}${drawn}${namesBeside(series, frame)}</svg>`;
}

/** A chart under its title, where there is something to draw. */
export function panel(title: Part, chart: Part, ...below: readonly Part[]): Part {
  return (
    chart &&
    html`<div class="panel"><div class="over"><h5>${title}</h5><output></output></div>${chart}${below}</div>`
  );
}
