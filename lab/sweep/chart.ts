import { escapeHtml, shorten } from "../../host-sim/report/html.ts";
import { lookOf } from "../../host-sim/report/legend.ts";
import { coordinate } from "../../host-sim/report/scale.ts";
import { type Axis, axisOf } from "../choice/axis.ts";

const WIDTH = 460;
const HEIGHT = 300;
const LEFT = 58;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 44;
const NAME_MAX = 24;
/** Approximate width of a name. */
const NAME_WIDTH = 90;
const NAME_HEIGHT = 13;

/** A value with the ends of its interval. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number | null;
  readonly high?: number | null;
}

/** One learner's points, in its look; `as` says how they are drawn. */
export interface ChartLine {
  readonly name: string;
  /** Its place among the learners, for its look. */
  readonly place: number;
  readonly as: "band" | "bars";
  readonly joined: boolean;
  /** Whether its dots are hollow. */
  readonly isOpen?: boolean;
  /** Whether its name stands beside its first point. */
  readonly isNamed?: boolean;
  readonly points: readonly ChartPoint[];
}

interface ChartForm {
  readonly x: string;
  readonly y: string;
  readonly logX?: boolean;
  /** Names of the places 0, 1, ... in place of numbers. */
  readonly names?: readonly string[];
}

interface Frame {
  readonly x: Axis;
  readonly y: Axis;
  at(point: { readonly x: number; readonly y: number }): [string, string];
}

function frameOf(lines: readonly ChartLine[], { logX = false, names }: ChartForm): Frame {
  const points = lines.flatMap((line) => line.points);
  const xs = names ? [0, names.length - 1 || 1] : points.map(({ x }) => x);
  const ys = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const x = axisOf(xs, logX && xs.every((value) => value > 0));
  const y = axisOf(ys, false);
  const inset = names ? 30 : 0;
  return {
    x,
    y,
    at: (point) => [
      coordinate(LEFT + inset + placeOn(x, point.x, names) * (WIDTH - LEFT - RIGHT - 2 * inset)),
      coordinate(HEIGHT - BOTTOM - y.place(point.y) * (HEIGHT - TOP - BOTTOM)),
    ],
  };
}

function placeOn(axis: Axis, x: number, names: ChartForm["names"]): number {
  return names ? x / Math.max(1, names.length - 1) : axis.place(x);
}

const SHORT = new Intl.NumberFormat("en-US", { notation: "compact" });

/** "5000", "20K", "1M": longer numbers would cover their neighbours. */
function tickText(tick: number): string {
  return tick >= 10_000 ? SHORT.format(tick) : String(tick);
}

function axes(frame: Frame, { x, y, names }: ChartForm): string {
  const ticks = names ? names.map((_, i) => i) : frame.x.ticks;
  const below = ticks.map((tick) => {
    const [at] = frame.at({ x: tick, y: frame.y.low });
    return `<text class="tick" x="${at}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${escapeHtml(names ? names[tick] : tickText(tick))}</text>`;
  });
  const beside = frame.y.ticks.map((tick) => {
    const [, at] = frame.at({ x: frame.x.low, y: tick });
    return `<line class="rule" x1="${LEFT}" y1="${at}" x2="${WIDTH - RIGHT}" y2="${at}"/><text class="tick" x="${LEFT - 6}" y="${Number(at) + 4}" text-anchor="end">${tick}</text>`;
  });
  const middle = coordinate((LEFT + WIDTH - RIGHT) / 2);
  return `${beside.join("")}${below.join("")}<text class="unit" x="${middle}" y="${HEIGHT - 8}" text-anchor="middle">${escapeHtml(x)}</text><text class="unit" x="12" y="${coordinate((HEIGHT - BOTTOM) / 2)}" text-anchor="middle" transform="rotate(-90 12 ${coordinate((HEIGHT - BOTTOM) / 2)})">${escapeHtml(y)}</text>`;
}

function band({ points, place }: ChartLine, frame: Frame): string {
  const known = points.filter(({ low, high }) => typeof low === "number" && typeof high === "number");
  if (known.length < 2) return "";
  const upper = known.map(({ x, high }) => frame.at({ x, y: high as number }).join());
  const lower = known.map(({ x, low }) => frame.at({ x, y: low as number }).join()).reverse();
  return `<polygon points="${[...upper, ...lower].join(" ")}" style="fill:var(${lookOf(place).colour});opacity:.2"/>`;
}

function bars({ points, place }: ChartLine, frame: Frame): string {
  const { colour } = lookOf(place);
  return points
    .flatMap(({ x, low, high }) => {
      if (typeof low !== "number" || typeof high !== "number") return [];
      const [at, from] = frame.at({ x, y: low });
      const [, to] = frame.at({ x, y: high });
      return `<line x1="${at}" y1="${from}" x2="${at}" y2="${to}" style="stroke:var(${colour});stroke-width:1.5"/>`;
    })
    .join("");
}

/** Names beside the first points of the lines that show theirs, on the side with more room, each below those that it would cover. */
function namesBeside(lines: readonly ChartLine[], frame: Frame): string {
  const placed: { readonly x: number; readonly y: number }[] = [];
  const named = lines.flatMap(({ name, isNamed, points: [first] }) => {
    const [x, y] = frame.at(first).map(Number);
    return isNamed ? [{ name, x, y }] : [];
  });
  const texts = named
    .sort((a, b) => a.y - b.y)
    .map(({ name, x, y: own }) => {
      const covered = placed.filter((each) => Math.abs(each.x - x) < NAME_WIDTH);
      const y = Math.max(own, ...covered.map((each) => each.y + NAME_HEIGHT));
      placed.push({ x, y });
      const isLeft = x > WIDTH / 2;
      return `<text x="${coordinate(x + (isLeft ? -8 : 8))}" y="${coordinate(y + 4)}" text-anchor="${isLeft ? "end" : "start"}" style="paint-order:stroke;stroke:var(--paper);stroke-width:3px">${escapeHtml(shorten(name, NAME_MAX))}</text>`;
    });
  return texts.join("");
}

function line(drawn: ChartLine, frame: Frame, { names }: ChartForm): string {
  const { name, place, as, joined, points, isOpen = false } = drawn;
  const { colour, dash } = lookOf(place);
  const dashes = dash.length > 0 ? `;stroke-dasharray:${dash.join(" ")}` : "";
  const path = points.map((point) => frame.at(point).join()).join(" ");
  const joining = joined
    ? `<polyline points="${path}" style="fill:none;stroke:var(${colour});stroke-width:1.8${dashes}"/>`
    : "";
  const dots =
    as === "band"
      ? ""
      : points
          .map((point) => {
            const [x, y] = frame.at(point);
            return `<circle cx="${x}" cy="${y}" r="4" style="fill:var(${isOpen ? "--paper" : colour});stroke:var(${colour})"><title>${escapeHtml(name)}: ${escapeHtml(names?.[Math.round(point.x)] ?? String(Number(point.x.toPrecision(6))))}, ${Number(point.y.toPrecision(4))}</title></circle>`;
          })
          .join("");
  return `${as === "band" ? band(drawn, frame) : bars(drawn, frame)}${joining}${dots}`;
}

/** Lines, bands and points with their intervals as a drawing that needs no script. */
export function chart(lines: readonly ChartLine[], form: ChartForm): string {
  const drawn = lines.filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return "";
  const frame = frameOf(drawn, form);
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(`${form.y} over ${form.x}`)}">${axes(frame, form)}${drawn.map((each) => line(each, frame, form)).join("")}${namesBeside(drawn, frame)}</svg>`;
}
