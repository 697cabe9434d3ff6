import type { LiveEvent, LiveLabel, LiveRow } from "../api/api.ts";
import type { App, View } from "./app.ts";
import { DECISION } from "./columns.ts";
import { h } from "./dom.ts";
import { listChannels } from "./node-page.ts";
import { Plot, type PlotContent } from "./plot.ts";
import { type Scene, TimeView } from "./time-view.ts";

/** Rows of each node: of many there is room for less. */
const ROWS_OF_ALL = 1 << 18;
const ROWS_MOST = 1 << 15;

/** Several nodes in one plot: their decisions, or one of their readings. */
export class Compare implements View, Scene {
  readonly title: string;
  readonly element: HTMLElement;
  private readonly view: TimeView;
  private readonly plot: Plot;
  private readonly what = h("select", { "aria-label": "what is compared" });
  private channels = -1;

  constructor(
    private readonly app: App,
    nodes: readonly string[],
  ) {
    this.title = `${nodes.length} nodes`;
    this.view = new TimeView(app, nodes, this, Math.min(ROWS_MOST, Math.floor(ROWS_OF_ALL / nodes.length)));
    const specs = nodes.map((label) => ({ label, unit: "" }));
    const { timeline, pointed } = this.view;
    this.plot = new Plot("Nodes in one plot", specs, timeline, { group: "compare", height: 420, pointed });
    this.what.append(h("option", { value: 0 }, "x1"), h("option", { value: DECISION }, "decision"));
    this.what.addEventListener("change", () => this.view.changed());
    this.view.toolbar.prepend(this.what);
    const { toolbar, marks } = this.view;
    this.element = h("div", {}, h("h1", {}, this.title), toolbar, marks.element, this.plot.element);
  }

  get keys(): View["keys"] {
    return [
      ["Space", "pause, or resume"],
      ["← →", "move the cursor; with shift: earlier, later"],
      ["+ −", "zoom"],
      ["R, M", "compare with the time at the cursor, mark it"],
      ["E, P", "save as a table, as a picture"],
    ];
  }

  plots(): readonly Plot[] {
    return [this.plot];
  }

  channelNames(node: string): readonly string[] {
    const trace = this.view.loaders.get(node)?.trace;
    return listChannels(this.findState(node), trace?.channels ?? 0).map(({ name }) => name);
  }

  draw(common: Omit<PlotContent, "lines" | "spots">): void {
    this.offer();
    const k = Number(this.what.value);
    const lines = [...this.view.loaders.values()].map(({ trace }) => common.grid.line(trace.parts, k));
    this.plot.update({ ...common, lines, spots: [] });
  }

  frame(): boolean {
    return this.view.frame();
  }

  key(event: KeyboardEvent): boolean {
    return this.view.key(event);
  }

  close(): void {
    this.view.close();
  }

  recolour(): void {
    this.view.changed();
  }

  rows(node: string, rows: readonly LiveRow[]): void {
    this.view.loaders.get(node)?.trace.rows(rows);
  }

  event(event: LiveEvent): void {
    this.view.loaders.get(event.node)?.trace.event(event);
  }

  label(label: LiveLabel): void {
    this.view.loaders.get(label.node)?.trace.label(label);
  }

  private findState(node: string) {
    return this.app.source.states?.find(({ name }) => name === node);
  }

  /** Offers as many readings as the nodes have, by the first one's names. */
  private offer(): void {
    const { loaders } = this.view;
    const channels = Math.max(...[...loaders.values()].map(({ trace }) => trace.channels));
    if (channels === this.channels || channels === 0) return;
    this.channels = channels;
    const chosen = this.what.value;
    const names = listChannels(this.findState([...loaders.keys()][0]), channels);
    const options = names.map(({ name, unit }, k) =>
      h("option", { value: k }, unit ? `${name} (${unit})` : name),
    );
    this.what.replaceChildren(...options, h("option", { value: DECISION }, "decision"));
    this.what.value = chosen;
  }
}
