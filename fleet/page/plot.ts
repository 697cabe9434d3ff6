import uPlot from "uplot";
import { drawSets, drawSpots, drawUprights, type EventMark, type Spot } from "./annotations.ts";
import { h, resolvedColour, setText } from "./dom.ts";
import type { Grid, GridLine } from "./grid.ts";
import type { Timeline } from "./timeline.ts";
import { changeText, clockText, numberText, withUnit } from "./wording.ts";
import { YRange } from "./y-range.ts";

/** A line's name and look: its place gives colour and dash. */
export interface LineSpec {
  readonly label: string;
  readonly unit: string;
}

export interface PlotContent {
  readonly grid: Grid;
  readonly lines: readonly GridLine[];
  readonly uprights: readonly EventMark[];
  readonly spots: readonly Spot[];
  /** Sizes of prediction sets: a strip shows where a set held both classes, or none. */
  readonly sets?: GridLine;
  readonly now: number;
}

const COLOURS = 7;
const DASHES: readonly (number[] | undefined)[] = [undefined, [7, 4], [2, 3]];
const CLICK_PIXELS = 4;
const FONT = "11px system-ui, sans-serif";

export function lineColour(line: number): string {
  return `--c${line % COLOURS}`;
}

/** A plot over time with its legend, which has the values at the cursor, and their differences to those at the reference. */
export class Plot {
  readonly element: HTMLElement;
  readonly canvasHost = h("div.canvas");
  private readonly plot: uPlot;
  private readonly hidden = new Set<number>();
  private readonly values: HTMLElement[] = [];
  private readonly differences: HTMLElement[] = [];
  private readonly yRange: YRange;
  private drawn: PlotContent | undefined;
  private height: number;

  constructor(
    readonly title: string,
    readonly specs: readonly LineSpec[],
    private readonly timeline: Timeline,
    options: {
      readonly group: string;
      readonly height: number;
      readonly pointed: (time: number | undefined) => void;
    },
  ) {
    this.height = options.height;
    this.yRange = new YRange(title, () => this.redraw());
    const legend = h("div.legend", ...specs.map((spec, i) => this.entry(spec, i)));
    const head = h("div.plot-head", h("h3", title), this.yRange.element);
    this.element = h("section.plot", { "aria-label": title }, head, legend, this.canvasHost);
    this.plot = new uPlot(
      this.options(options.group, options.pointed),
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

  update(drawn: PlotContent): void {
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
    const value = h("b");
    const difference = h("i");
    this.values.push(value);
    this.differences.push(difference);
    const toggle = (event: Event) => {
      const shown = this.hidden.delete(i);
      if (!shown) this.hidden.add(i);
      (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(shown));
      this.plot.setSeries(i + 1, { show: shown });
    };
    const swatch = h("span", { class: `swatch d${Math.floor(i / COLOURS) % DASHES.length}` });
    swatch.style.borderColor = `var(${lineColour(i)})`;
    const name = withUnit({ name: label, unit });
    return h(
      "button.line",
      { "aria-pressed": "true", title: `show or hide ${name}`, onclick: toggle },
      ...[swatch, h("span.name", name), value, difference],
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
      // uPlot keeps its groups in an object, which has more names than ours.
      cursor: {
        sync: { key: `group ${group}` },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
      },
      scales: {
        x: { time: true, range: () => this.xRange() },
        y: { range: (_, least, most) => this.yRange.of(least, most) },
      },
      axes: [
        { ...axis(), values: times, space: 80, size: 26 },
        { ...axis(), size: 52, values: (_, splits) => splits.map(numberText) },
      ],
      series: [{}, ...this.specs.map((_, i) => lineSeries(i))],
      hooks: {
        drawAxes: [() => this.drawBehind()],
        draw: [() => this.drawAbove()],
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
    const stretch = drawn.grid.cellIndex(reference);
    drawn.lines.forEach((line, i) => {
      const value = at === undefined ? lastValue(line) : valueAt(line, at);
      setText(this.values[i], numberText(value));
      const before = stretch === undefined ? undefined : valueAt(line, stretch);
      const known = value !== undefined && before !== undefined;
      setText(
        this.differences[i],
        reference === undefined ? "" : known ? `${changeText(value - before)} since A` : "–",
      );
    });
  }

  private drawBehind(): void {
    const { plot, drawn, timeline } = this;
    if (!drawn) return;
    drawUprights(plot, drawn.grid, drawn.uprights, timeline.reference);
    if (drawn.sets) drawSets(plot, drawn.grid, drawn.sets);
  }

  private drawAbove(): void {
    if (this.drawn) drawSpots(this.plot, this.drawn.grid, this.drawn.spots);
  }
}

function lineSeries(i: number): uPlot.Series {
  const dash = DASHES[Math.floor(i / COLOURS) % DASHES.length];
  return { stroke: () => resolvedColour(lineColour(i)), width: 1.5, dash, points: { show: false } };
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

function lastValue(line: GridLine): number | undefined {
  for (let i = line.length - 1; i >= 0; i--) {
    const value = line[i];
    if (value !== null && value !== undefined) return value;
  }
  return undefined;
}
