import uPlot from "uplot";
import { h, resolvedColour, setText } from "./dom.ts";
import type { Grid, GridLine } from "./grid.ts";
import type { Timeline } from "./timeline.ts";
import { clockText, numberText } from "./words.ts";

/** A line's name and look: its place gives colour and dash. */
export interface LineSpec {
  readonly label: string;
  readonly unit: string;
}

/** Something that happened, drawn as an upright line with a word. */
export interface Upright {
  readonly time: number;
  readonly text: string;
  readonly colour: string;
}

/** A label, drawn as a point at its sample. */
export interface Spot {
  readonly time: number;
  readonly value: number;
  readonly colour: string;
  readonly hollow: boolean;
  /** Its point up, for a label above 0. */
  readonly up: boolean;
}

export interface Drawn {
  readonly grid: Grid;
  readonly lines: readonly GridLine[];
  readonly uprights: readonly Upright[];
  readonly spots: readonly Spot[];
  /** Sizes of prediction sets: a strip shows where a set held both classes, or none. */
  readonly sets?: GridLine;
  readonly now: number;
}

const COLOURS = 7;
const DASHES: readonly (number[] | undefined)[] = [undefined, [7, 4], [2, 3]];
/** Of more labels than that each is drawn smaller. */
const SPOTS_LARGE = 60;
const STRIP_PIXELS = 6;
const CLICK_PIXELS = 4;
const FONT = "11px system-ui, sans-serif";

export function colourOf(line: number): string {
  return `--c${line % COLOURS}`;
}

/** A plot over time with its legend, which has the values at the cursor, and their differences to those at the reference. */
export class Plot {
  readonly element: HTMLElement;
  readonly canvasHost = h("div", { class: "canvas" });
  private readonly plot: uPlot;
  private readonly hidden = new Set<number>();
  private readonly values: HTMLElement[] = [];
  private readonly differences: HTMLElement[] = [];
  private readonly yRange: YRange;
  private drawn: Drawn | undefined;
  private height: number;

  constructor(
    readonly title: string,
    readonly specs: readonly LineSpec[],
    private readonly timeline: Timeline,
    given: {
      readonly group: string;
      readonly height: number;
      readonly pointed: (time: number | undefined) => void;
    },
  ) {
    this.height = given.height;
    this.yRange = new YRange(title, () => this.redraw());
    const legend = h("div", { class: "legend" }, ...specs.map((spec, i) => this.entry(spec, i)));
    const head = h("div", { class: "plot-head" }, h("h3", {}, title), this.yRange.element);
    this.element = h("section", { class: "plot", "aria-label": title }, head, legend, this.canvasHost);
    this.plot = new uPlot(
      this.options(given.group, given.pointed),
      [[], ...specs.map(() => [])],
      this.canvasHost,
    );
    this.canvasHost.setAttribute("role", "img");
    this.canvasHost.setAttribute("aria-label", `${title} over time; the values at the cursor stand above`);
    this.listen();
  }

  get canvas(): HTMLCanvasElement {
    return this.plot.ctx.canvas;
  }

  /** The legend's values: at the cursor, or the last ones. */
  get readings(): readonly string[] {
    return this.values.map((value) => value.textContent ?? "");
  }

  update(drawn: Drawn): void {
    this.drawn = drawn;
    const width = this.canvasHost.clientWidth;
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.height });
    this.plot.setData([drawn.grid.times, ...drawn.lines] as uPlot.AlignedData, true);
    this.read();
  }

  /** Colours may have changed. */
  redraw(): void {
    if (this.drawn) this.plot.redraw(true, true);
  }

  /** The place of the cursor is moved to that time. */
  point(time: number | undefined): void {
    const left = time === undefined ? -10 : this.plot.valToPos(time, "x");
    this.plot.setCursor({ left, top: time === undefined ? -10 : this.height / 3 });
  }

  destroy(): void {
    this.plot.destroy();
  }

  private entry({ label, unit }: LineSpec, i: number): HTMLElement {
    const value = h("b", {});
    const difference = h("i", {});
    this.values.push(value);
    this.differences.push(difference);
    const toggle = (event: Event) => {
      const shown = this.hidden.delete(i);
      if (!shown) this.hidden.add(i);
      (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(shown));
      this.plot.setSeries(i + 1, { show: shown });
    };
    const swatch = h("span", { class: `swatch s${i % COLOURS} d${Math.floor(i / COLOURS) % DASHES.length}` });
    const name = unit ? `${label} (${unit})` : label;
    return h(
      "button",
      {
        type: "button",
        class: "line",
        "aria-pressed": "true",
        title: `show or hide ${name}`,
        onclick: toggle,
      },
      ...[swatch, h("span", { class: "name" }, name), value, difference],
    );
  }

  private options(group: string, pointed: (time: number | undefined) => void): uPlot.Options {
    const axis = (): uPlot.Axis => ({
      font: FONT,
      stroke: () => resolvedColour("--muted"),
      grid: { stroke: () => resolvedColour("--rule"), width: 1 },
      ticks: { stroke: () => resolvedColour("--rule"), width: 1, size: 4 },
    });
    const times = (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
      splits.map((time) => clockText(time, step));
    return {
      width: 300,
      height: this.height,
      ms: 1,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: group }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: {
        x: { time: true, range: () => this.xRange() },
        y: { range: (_, least, most) => this.yRange.of(least, most) },
      },
      axes: [
        { ...axis(), values: times, space: 80, size: 26 },
        { ...axis(), size: 52, values: (_, splits) => splits.map(numberText) },
      ],
      series: [{}, ...this.specs.map((_, i) => seriesOf(i))],
      hooks: {
        drawAxes: [() => this.drawUprights(), () => this.drawSets()],
        draw: [() => this.drawSpots()],
        setCursor: [
          ({ cursor, posToVal }) => {
            const at = cursor.left !== undefined && cursor.left >= 0 ? posToVal(cursor.left, "x") : undefined;
            pointed(at);
            this.read();
          },
        ],
        setSelect: [(plot) => this.zoomTo(plot)],
      },
    };
  }

  private xRange(): [number, number] {
    const { from, to } = this.drawn?.grid ?? { from: 0, to: 1 };
    return [from, to];
  }

  private zoomTo(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < CLICK_PIXELS) return;
    this.timeline.zoom(plot.posToVal(left, "x"), plot.posToVal(left + width, "x"));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private listen(): void {
    const { over } = this.plot;
    let downAt = 0;
    over.addEventListener("pointerdown", ({ clientX }) => {
      downAt = clientX;
    });
    over.addEventListener("click", (event) => {
      const { clientX } = event as MouseEvent;
      if (Math.abs(clientX - downAt) >= CLICK_PIXELS) return;
      this.timeline.refer(this.plot.posToVal(clientX - over.getBoundingClientRect().left, "x"));
    });
    over.addEventListener("dblclick", () => this.timeline.follow());
    over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const about = this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
        const turn = event.deltaY || event.deltaX;
        this.timeline.zoomBy(turn > 0 ? 1.25 : 0.8, this.drawn?.now ?? about, about);
      },
      { passive: false },
    );
  }

  /** Writes the values at the cursor, or the last ones, and their differences to those at the reference. */
  private read(): void {
    const { drawn, timeline, plot } = this;
    if (!drawn) return;
    const { left, idx } = plot.cursor;
    const at = left !== undefined && left >= 0 && idx !== null && idx !== undefined ? idx : undefined;
    const { reference } = timeline;
    const stretch = drawn.grid.indexOf(reference);
    drawn.lines.forEach((line, i) => {
      const value = at === undefined ? lastOf(line) : valueAt(line, at);
      setText(this.values[i], numberText(value));
      const before = stretch === undefined ? undefined : valueAt(line, stretch);
      const known = value !== undefined && before !== undefined;
      setText(
        this.differences[i],
        reference === undefined ? "" : `Δ ${known ? numberText(value - before) : "–"}`,
      );
    });
  }

  private drawUprights(): void {
    const { plot, drawn, timeline } = this;
    if (!drawn) return;
    const { from, to } = drawn.grid;
    const { reference } = timeline;
    const all = reference === undefined ? [] : [{ time: reference, text: "A", colour: "--ink" }];
    let free = Number.NEGATIVE_INFINITY;
    for (const { time, text, colour } of [...drawn.uprights, ...all]) {
      if (time < from || time > to) continue;
      const x = Math.round(plot.valToPos(time, "x", true)) + 0.5;
      this.upright(x, resolvedColour(colour));
      // Words that would lie on the one before are left out.
      if (x >= free) free = this.word(x, text, resolvedColour(colour));
    }
  }

  private upright(x: number, colour: string): void {
    const { ctx, bbox } = this.plot;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  private word(x: number, text: string, colour: string): number {
    const { ctx, bbox } = this.plot;
    ctx.save();
    ctx.fillStyle = colour;
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    ctx.fillText(text, x + 3 * devicePixelRatio, bbox.top + devicePixelRatio);
    const end = x + ctx.measureText(text).width + 8 * devicePixelRatio;
    ctx.restore();
    return end;
  }

  private drawSets(): void {
    const { plot, drawn } = this;
    if (!drawn?.sets) return;
    const { ctx, bbox } = plot;
    const { times } = drawn.grid;
    const height = STRIP_PIXELS * devicePixelRatio;
    const width = (2 * bbox.width) / times.length;
    ctx.save();
    drawn.sets.forEach((size, i) => {
      if (size !== 0 && size !== 2) return;
      const x = plot.valToPos(times[i], "x", true);
      if (x < bbox.left) return;
      ctx.fillStyle = resolvedColour(size === 2 ? "--c4" : "--bad");
      ctx.fillRect(x, bbox.top + bbox.height - height, width, height);
    });
    ctx.restore();
  }

  private drawSpots(): void {
    const { plot, drawn } = this;
    if (!drawn) return;
    const { ctx } = plot;
    const { from, to } = drawn.grid;
    ctx.save();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    const seen = drawn.spots.filter(({ time }) => time >= from && time <= to);
    const size = (seen.length > SPOTS_LARGE ? 3 : 5) * devicePixelRatio;
    for (const { time, value, colour, hollow, up } of seen) {
      const [x, y] = [plot.valToPos(time, "x", true), plot.valToPos(value, "y", true)];
      triangle(ctx, x, y, up ? size : -size);
      ctx.strokeStyle = resolvedColour(colour);
      ctx.fillStyle = hollow ? resolvedColour("--paper") : resolvedColour(colour);
      ctx.fill();
      ctx.stroke();
    }
    ctx.restore();
  }
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - size);
  ctx.lineTo(x + size, y + 0.8 * size);
  ctx.lineTo(x - size, y + 0.8 * size);
  ctx.closePath();
}

function seriesOf(i: number): uPlot.Series {
  const dash = DASHES[Math.floor(i / COLOURS) % DASHES.length];
  return {
    stroke: () => resolvedColour(colourOf(i)),
    width: 1.5,
    dash,
    points: { show: false },
  };
}

/** The value at a place of the grid: the last one before it, or else the next; undefined in an interruption. */
function valueAt(line: GridLine, at: number): number | undefined {
  for (const step of [-1, 1]) {
    for (let i = Math.min(at, line.length - 1); i >= 0 && i < line.length; i += step) {
      const value = line[i];
      if (value === null) return undefined;
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function lastOf(line: GridLine): number | undefined {
  for (let i = line.length - 1; i >= 0; i--) {
    const value = line[i];
    if (value !== null && value !== undefined) return value;
  }
  return undefined;
}

/** The range of a Y axis: fitted to the view, or the user's own. */
class YRange {
  readonly element: HTMLElement;
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private own = false;

  constructor(title: string, changed: () => void) {
    const field = (name: string) => {
      const oninput = () => {
        this.own = true;
        button.setAttribute("aria-pressed", "false");
        changed();
      };
      return h("input", { type: "number", step: "any", "aria-label": `${name} of ${title}`, oninput });
    };
    this.low = field("least Y");
    this.high = field("largest Y");
    const auto = () => {
      this.own = !this.own;
      button.setAttribute("aria-pressed", String(!this.own));
      changed();
    };
    const button = h(
      "button",
      { type: "button", "aria-pressed": "true", title: "fit Y to what is seen", onclick: auto },
      "Y fits",
    );
    this.element = h("span", { class: "y-range" }, button, this.low, "to", this.high);
  }

  of(least: number | null, most: number | null): [number, number] {
    const [low, high] = [this.low.valueAsNumber, this.high.valueAsNumber];
    if (this.own && low < high) return [low, high];
    if (least === null || most === null || !Number.isFinite(least) || !Number.isFinite(most)) return [0, 1];
    const margin = 0.06 * (most - least) || Math.abs(most) * 0.1 || 1;
    const fit: [number, number] = [least - margin, most + margin];
    if (!this.own && document.activeElement !== this.low && document.activeElement !== this.high) {
      this.low.placeholder = numberText(fit[0]);
      this.high.placeholder = numberText(fit[1]);
    }
    return fit;
  }
}
