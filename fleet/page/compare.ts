import type { App } from "./app.ts";
import { DECISION } from "./columns.ts";
import { h } from "./dom.ts";
import { listChannels } from "./node-page.ts";
import type { Plot } from "./plot.ts";
import { type SharedContent, TimeView } from "./time-view.ts";
import { withUnit } from "./wording.ts";

/** Rows of each node: of many there is room for less. */
const ROWS_OF_ALL = 1 << 18;
const ROWS_MOST = 1 << 15;

/** Several nodes in one plot: their decisions, or one of their readings. */
export class Compare extends TimeView {
  readonly element: HTMLElement;
  readonly keys = [
    ["Space", "pause, or resume"],
    ["← →", "move the cursor; with shift: earlier, later"],
    ["+ −", "zoom"],
    ["R, M", "compare with the time at the cursor, mark it"],
    ["E, P", "save as a table, as a picture"],
  ] as const;
  private readonly only: Plot;
  private readonly what = h("select", { "aria-label": "what is compared", onchange: () => this.changed() });
  private channels = -1;

  constructor(app: App, nodes: readonly string[]) {
    super(app, `${nodes.length} nodes`, nodes, Math.min(ROWS_MOST, Math.floor(ROWS_OF_ALL / nodes.length)));
    const specs = nodes.map((label) => ({ label, unit: "" }));
    this.only = this.plot("Nodes in one plot", specs, 420);
    this.what.append(h("option", { value: 0 }, "x1"), h("option", { value: DECISION }, "decision"));
    this.toolbar.prepend(this.what);
    this.element = h("div", h("h1", this.title), this.toolbar, this.marks.element, this.only.element);
  }

  protected override plots(): readonly Plot[] {
    return [this.only];
  }

  protected override channelNames(node: string): readonly string[] {
    const trace = this.loaders.get(node)?.trace;
    return listChannels(this.app.findState(node), trace?.channels ?? 0).map(({ name }) => name);
  }

  protected override draw(common: SharedContent): void {
    this.offer();
    const k = Number(this.what.value);
    const lines = [...this.loaders.values()].map(({ trace }) => common.grid.line(trace.parts, k));
    this.only.update({ ...common, lines, spots: [] });
  }

  /** Offers as many readings as the nodes have, by the first one's names. */
  private offer(): void {
    const { loaders } = this;
    const channels = Math.max(...[...loaders.values()].map(({ trace }) => trace.channels));
    if (channels === this.channels || channels === 0) return;
    this.channels = channels;
    const chosen = this.what.value;
    const names = listChannels(this.app.findState([...loaders.keys()][0]), channels);
    const options = names.map((channel, k) => h("option", { value: k }, withUnit(channel)));
    this.what.replaceChildren(...options, h("option", { value: DECISION }, "decision"));
    this.what.value = chosen;
  }
}
