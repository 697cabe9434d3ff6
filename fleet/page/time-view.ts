import type { LiveAnswer, LiveEvent, LiveLabel, LiveRow } from "../api/api.ts";
import type { EventMark } from "./annotations.ts";
import type { App, View } from "./app.ts";
import { writeCsv } from "./csv.ts";
import { h, save } from "./dom.ts";
import { Grid } from "./grid.ts";
import { Loader } from "./loader.ts";
import { Marks } from "./marks.ts";
import { drawPicture } from "./picture.ts";
import { type LineSpec, Plot, type PlotContent } from "./plot.ts";
import { type Range, Timeline } from "./timeline.ts";
import { clockText, dateText } from "./wording.ts";

const WINDOWS: readonly (readonly [text: string, seconds: number])[] = [
  ["10 seconds", 10],
  ["1 minute", 60],
  ["5 minutes", 300],
  ["30 minutes", 1800],
  ["2 hours", 7200],
  ["12 hours", 43_200],
  ["1 day", 86_400],
  ["1 week", 604_800],
  ["30 days", 2_592_000],
];
/** A moving view is redrawn when it has moved by this share of a stretch. */
const MOVED = 0.25;
/** Kinds of events that are drawn, and how. */
const UPRIGHTS: { readonly [kind: string]: readonly [text: string, colour: string] } = {
  restarted: ["restart", "--bad"],
  reset: ["reset", "--bad"],
  drift: ["readings changed", "--warn"],
  lost: ["connection lost", "--muted"],
  alarm: ["alarm", "--bad"],
  rollback: ["rollback", "--bad"],
  restore: ["restored", "--bad"],
};

/** What all plots of a view share besides their lines. */
export type SharedContent = Omit<PlotContent, "lines" | "spots">;

/**
 * One or several nodes over time: a view that moves, pauses, zooms, marks, compares two times, and exports.
 */
export abstract class TimeView implements View {
  abstract readonly element: HTMLElement;
  abstract readonly keys: View["keys"];
  protected readonly loaders: ReadonlyMap<string, Loader>;
  protected readonly marks: Marks;
  protected readonly toolbar: HTMLElement;
  private readonly timeline = new Timeline();
  private readonly pauseButton: HTMLButtonElement;
  private readonly windowField: HTMLSelectElement;
  private readonly shown = h("output.shown");
  private pointedAt: number | undefined;
  private drawnVersion = -1;
  private drawnTo = 0;
  private lost = false;

  /** @param rows samples of each node that are kept. */
  constructor(
    protected readonly app: App,
    readonly title: string,
    nodes: readonly string[],
    rows?: number,
  ) {
    const { source } = app;
    const makeLoader = (node: string) =>
      new Loader((from, to, points) => source.history(node, from, to, points), rows);
    this.loaders = new Map(nodes.map((node) => [node, makeLoader(node)]));
    this.marks = new Marks(nodes.join(" "), () => this.changed());
    const options = WINDOWS.map(([text, seconds]) =>
      h("option", { value: seconds, selected: seconds === 60 }, text),
    );
    this.windowField = h(
      "select",
      { "aria-label": "time that is shown", onchange: () => this.follow() },
      ...options,
    );
    this.pauseButton = this.button("Pause", "pause or resume (space)", () => this.pause());
    this.toolbar = this.buildToolbar();
    source.watch(nodes);
  }

  /** The plots, which may change once a node's channels are known. */
  protected abstract plots(): readonly Plot[];
  protected abstract draw(common: SharedContent): void;
  protected abstract channelNames(node: string): readonly string[];

  /** A plot that moves with the others of this view. */
  protected plot(title: string, specs: readonly LineSpec[], height: number): Plot {
    const pointed = (time: number | undefined) => {
      this.pointedAt = time;
    };
    return new Plot(title, specs, this.timeline, { group: this.title, height, pointed });
  }

  /** The time at the cursor; undefined: it is nowhere. */
  protected get cursor(): number | undefined {
    return this.pointedAt;
  }

  /** The content changed, not the time. */
  protected changed(): void {
    this.drawnVersion = -1;
  }

  recolour(): void {
    this.changed();
  }

  rows(node: string, rows: readonly LiveRow[]): void {
    this.loaders.get(node)?.trace.rows(rows);
  }

  event(event: LiveEvent): void {
    this.loaders.get(event.node)?.trace.event(event);
  }

  label(label: LiveLabel): void {
    this.loaders.get(label.node)?.trace.label(label);
  }

  answer(answer: LiveAnswer): void {
    this.loaders.get(answer.node)?.trace.answer(answer);
  }

  /** Draws if anything changed; returns whether it did. */
  frame(): boolean {
    const { app, loaders, timeline } = this;
    this.renew();
    const now = app.source.now();
    const range = timeline.range(now);
    if (app.source.streaming) for (const loader of loaders.values()) loader.show(range);
    const stretches = this.stretches();
    let version = timeline.version;
    for (const { trace } of loaders.values()) version += trace.version;
    const moved = Math.abs(range.to - this.drawnTo) > (MOVED * (range.to - range.from)) / stretches;
    if (version === this.drawnVersion && !moved) return false;
    this.drawnVersion = version;
    this.drawnTo = range.to;
    this.say(range);
    this.draw({ grid: new Grid(range.from, range.to, stretches), uprights: this.uprights(range), now });
    return true;
  }

  /** Takes a key press; returns whether it had a meaning here. */
  key({ key, shiftKey }: KeyboardEvent): boolean {
    const now = this.app.source.now();
    const { timeline } = this;
    const acts: { readonly [key: string]: () => void } = {
      " ": () => this.pause(),
      ArrowLeft: () => (shiftKey ? timeline.pan(-0.25, now) : this.step(-1)),
      ArrowRight: () => (shiftKey ? timeline.pan(0.25, now) : this.step(1)),
      "+": () => timeline.zoomBy(0.5, now, this.pointedAt),
      "-": () => timeline.zoomBy(2, now, this.pointedAt),
      Home: () => timeline.follow(),
      r: () => this.refer(),
      m: () => this.mark(),
      e: () => this.saveTable(),
      p: () => void this.savePicture(),
    };
    acts[key]?.();
    return key in acts;
  }

  close(): void {
    for (const plot of this.plots()) plot.destroy();
  }

  /** After the source was lost, samples may be missing: they are asked for. */
  private renew(): void {
    const lost = this.app.source.lost !== undefined;
    if (this.lost && !lost) for (const loader of this.loaders.values()) loader.restart();
    this.lost = lost;
  }

  private stretches(): number {
    const [plot] = this.plots();
    return Math.max(50, (plot?.canvasHost.clientWidth || 600) - 60);
  }

  private uprights({ from, to }: Range): EventMark[] {
    const several = this.loaders.size > 1;
    const found: EventMark[] = this.marks.uprights;
    for (const [node, { trace }] of this.loaders)
      for (const { time, kind } of trace.events) {
        const [text, colour] = UPRIGHTS[kind] ?? [];
        if (text && colour && time >= from && time <= to)
          found.push({ time, text: several ? `${node}: ${text}` : text, colour });
      }
    return found.sort((a, b) => a.time - b.time);
  }

  private say({ from, to }: Range): void {
    const { timeline, pauseButton } = this;
    const text = timeline.paused ? `${dateText(from)} – ${clockText(to)}` : "live";
    this.shown.textContent = text;
    this.shown.classList.toggle("live", !timeline.paused);
    pauseButton.textContent = timeline.paused ? "Resume" : "Pause";
    pauseButton.setAttribute("aria-pressed", String(timeline.paused));
  }

  private buildToolbar(): HTMLElement {
    const { timeline, app } = this;
    const now = () => app.source.now();
    return h(
      "div.toolbar",
      { role: "toolbar", "aria-label": "time" },
      this.pauseButton,
      this.windowField,
      this.shown,
      h(
        "span.group",
        this.button("◀", "earlier (shift ←)", () => timeline.pan(-0.5, now())),
        this.button("▶", "later (shift →)", () => timeline.pan(0.5, now())),
        this.button("+", "zoom in (+, drag over a plot, shift and wheel)", () => timeline.zoomBy(0.5, now())),
        this.button("−", "zoom out (−)", () => timeline.zoomBy(2, now())),
      ),
      h(
        "span.group",
        this.button("Mark", "mark this time (M)", () => this.mark()),
        this.button("Compare", "compare with the time at the cursor, A (R, or click in a plot)", () =>
          this.refer(),
        ),
        this.button("CSV", "save this view as a table (E)", () => this.saveTable()),
        this.button("PNG", "save this view as a picture (P)", () => this.savePicture()),
      ),
    );
  }

  private button(text: string, title: string, onclick: () => void): HTMLButtonElement {
    return h("button", { title, onclick }, text);
  }

  private follow(): void {
    this.timeline.follow(1000 * Number(this.windowField.value));
  }

  private pause(): void {
    if (this.timeline.paused) this.timeline.follow();
    else this.timeline.pause(this.app.source.now());
  }

  /** Moves the cursor by a hundredth of the visible span. */
  private step(by: number): void {
    const { from, to } = this.timeline.range(this.app.source.now());
    const at = this.pointedAt ?? (by < 0 ? to : from);
    const next = Math.min(to, Math.max(from, at + (by * (to - from)) / 100));
    for (const plot of this.plots()) plot.point(next);
    this.pointedAt = next;
  }

  /** Compares with the cursor's time, or no longer. */
  private refer(): void {
    const { timeline, pointedAt, app } = this;
    if (timeline.reference !== undefined && pointedAt === undefined) timeline.refer(undefined);
    else timeline.refer(pointedAt ?? timeline.range(app.source.now()).to);
  }

  private mark(): void {
    this.marks.add(this.pointedAt ?? this.timeline.range(this.app.source.now()).to);
  }

  private saveTable(): void {
    const { from, to } = this.timeline.range(this.app.source.now());
    const nodes = [...this.loaders].map(([node, { trace }]) => ({
      node,
      rows: trace.between(from, to),
      labels: trace.labels,
      channels: this.channelNames(node),
    }));
    const text = writeCsv(nodes, (after, upTo) => this.marks.textAt(after, upTo));
    save(`${this.fileName(to)}.csv`, new Blob([text], { type: "text/csv" }));
  }

  private async savePicture(): Promise<void> {
    const { from, to } = this.timeline.range(this.app.source.now());
    const picture = await drawPicture(`${this.title}, ${dateText(from)} – ${clockText(to)}`, this.plots());
    if (picture) save(`${this.fileName(to)}.png`, picture);
  }

  private fileName(to: number): string {
    return `${this.title.replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")}-${dateText(to).replace(/\D+/g, "")}`;
  }
}
