import type { Channel, NodeState } from "../api/node-state.ts";
import { accuracyLine, agrees, RECENT_LABELS } from "./accuracy.ts";
import type { Spot } from "./annotations.ts";
import type { App } from "./app.ts";
import { classColour } from "./class-look.ts";
import { DECISION, LOWER, SET_SIZE, UPPER } from "./columns.ts";
import { findConditions, isStale } from "./condition.ts";
import { details, h, setChildren, setText, table } from "./dom.ts";
import { ExplainedView } from "./explained.ts";
import { renderFigures } from "./figures.ts";
import { alarmChips, machineState } from "./machine-state.ts";
import { chips } from "./overview.ts";
import type { Plot } from "./plot.ts";
import { type SharedContent, TimeView } from "./time-view.ts";
import type { PlacedLabel, Trace } from "./trace.ts";
import { className, clockText, type Decisions, eventName, labelText, withUnit } from "./wording.ts";

const HEIGHT = 220;
const ROWS_SHOWN = 40;
/** What became of an answer, by the node's status. */
const STATUS = [
  "learned",
  "again",
  "waits for the one before",
  "too late",
  "from before a restart",
  "of an unknown sample",
  "refused",
  "too early",
  "out of range",
  "with a wrong key",
];

/** Some of a node's readings, which have one unit. */
interface Group {
  readonly plot: Plot;
  readonly channels: readonly number[];
}

/** Names for so many readings. */
export function listChannels(state: NodeState | undefined, count: number): Channel[] {
  return Array.from({ length: count }, (_, i) => state?.channelNames?.[i] ?? { name: `x${i + 1}` });
}

/** One node: readings, decisions, accuracy over time, and its other data. */
export class NodePage extends TimeView {
  readonly element: HTMLElement;
  readonly keys = [
    ["Space", "pause, or resume"],
    ["← →", "move the cursor; with shift: earlier, later"],
    ["+ −", "zoom"],
    ["Home", "live"],
    ["R", "compare with the time at the cursor"],
    ["M", "mark"],
    ["E, P", "save as a table, as a picture"],
    ["X", "explain the decision at the cursor"],
  ] as const;
  private readonly trace: Trace;
  private decision: Plot;
  private readonly accuracy: Plot;
  private groups: Group[] = [];
  private named = "";
  private readonly machine = h("p.machine");
  private readonly condition = h("span.chips");
  private readonly about = h("p.about");
  private readonly figures = h("dl.figures");
  private readonly plots_ = h("div.plots");
  private readonly noted = h("p.key");
  private readonly labels = h("tbody");
  private readonly events = h("ul.events");
  private listed = "";
  /** Undefined: the source can't explain. */
  private readonly explained: ExplainedView | undefined;

  constructor(
    app: App,
    private readonly name: string,
    commands: readonly HTMLElement[],
  ) {
    super(app, name, [name]);
    this.trace = (this.loaders.get(name) as { trace: Trace }).trace;
    this.decision = this.decisionPlot(undefined);
    const share = { label: `last ${RECENT_LABELS} answers`, unit: "%" };
    this.accuracy = this.plot("Share that is right", [share], 120);
    this.plots_.append(this.decision.element, this.accuracy.element);
    const history = table(["Sample", "Answer", "The node thought", "By", "Outcome"], this.labels);
    const find = (seq: number | undefined) => this.findSample(seq);
    this.explained = app.source.explain && new ExplainedView(app, name, find, () => this.state);
    const answers = details("Answers", { open: true }, h("div.wide.list", history));
    const events = details("Events", { open: true }, h("div.list", this.events));
    this.element = h(
      "div.node",
      h("div.node-head", h("h1", name), this.machine, this.condition),
      ...[this.about, this.toolbar, this.marks.element],
      h(
        "div.columns",
        h("div", this.plots_, this.noted, this.explained?.element),
        h("aside", this.figures, ...commands, answers, events),
      ),
    );
  }

  protected override plots(): readonly Plot[] {
    return [...this.groups.map(({ plot }) => plot), this.decision, this.accuracy];
  }

  protected override channelNames(): readonly string[] {
    return listChannels(this.state, this.trace.channels).map(withUnit);
  }

  override key(event: KeyboardEvent): boolean {
    if (event.key !== "x" || !this.explained) return super.key(event);
    this.explained.show();
    return true;
  }

  states(): void {
    const { state } = this;
    if (!state) {
      const { states } = this.app.source;
      setText(this.about, states ? `The gateway has no node ${this.name}.` : "Waiting for the gateway…");
      return;
    }
    const now = this.app.source.now();
    const conditions = findConditions(state, now);
    setChildren(this.machine, machineState(state, now, isStale(conditions)), ...alarmChips(state, now));
    setChildren(this.condition, ...chips(conditions));
    setText(this.about, aboutText(state));
    setText(this.noted, notedText(state));
    setChildren(this.figures, ...renderFigures(state));
  }

  protected override draw(common: SharedContent): void {
    this.arrange();
    this.explained?.rowsCame();
    const { trace, decision, accuracy, groups } = this;
    const { grid } = common;
    const parts = trace.parts;
    for (const { plot, channels } of groups)
      plot.update({ ...common, lines: channels.map((k) => grid.line(parts, k)), spots: [] });
    const spots = trace.labels.flatMap((label) => labelSpots(label, this.state?.task));
    const lines = [DECISION, UPPER, LOWER]
      .slice(0, this.decision.specs.length)
      .map((k) => grid.line(parts, k));
    decision.update({ ...common, lines, spots, sets: grid.line(parts, SET_SIZE) });
    accuracy.update({
      ...common,
      lines: [accuracyLine(trace.labels, grid.times, this.state?.task)],
      spots: [],
    });
    this.list();
  }

  /** The sample of that number, in whatever session it came last; undefined: the one at the cursor, or the newest. */
  private findSample(seq: number | undefined) {
    const { trace, cursor, state } = this;
    if (seq === undefined) return trace.sampleAt(cursor);
    const sid = trace.findSession(seq) ?? state?.node?.sid;
    return sid === undefined ? undefined : { sid, seq };
  }

  private get state(): NodeState | undefined {
    return this.app.findState(this.name);
  }

  private decisionPlot(task: string | undefined): Plot {
    const ends = task === "regression" ? ["interval to", "interval from"] : [];
    const specs = ["decision", ...ends].map((label) => ({ label, unit: "" }));
    return this.plot(task === "regression" ? "Estimate" : "Decision", specs, 150);
  }

  /** A plot for each unit, once it is known how many readings there are. */
  private arrange(): void {
    const { trace, groups } = this;
    const task = this.state?.task;
    const channels = listChannels(this.state, trace.channels);
    const named = JSON.stringify([channels, task]);
    if (named === this.named) return;
    this.named = named;
    for (const plot of [this.decision, ...groups.map(({ plot }) => plot)]) {
      plot.element.remove();
      plot.destroy();
    }
    this.decision = this.decisionPlot(task);
    const units = [...new Set(channels.map(({ unit = "" }) => unit))];
    this.groups = units.map((unit) => {
      const its = channels.flatMap((channel, k) => ((channel.unit ?? "") === unit ? [k] : []));
      const specs = its.map((k) => ({ label: channels[k].name, unit }));
      const height = Math.max(120, HEIGHT / Math.sqrt(units.length));
      return { channels: its, plot: this.plot(unit ? `Readings in ${unit}` : "Readings", specs, height) };
    });
    this.plots_.prepend(...this.groups.map(({ plot }) => plot.element), this.decision.element);
  }

  /** Lists labels and events again when they changed. */
  private list(): void {
    const { labels, events, version } = this.trace;
    const resolved = labels.filter(({ status }) => typeof status === "number").length;
    const known = `${labels.length} ${resolved} ${labels.at(-1)?.seq} ${events.length} ${version === 0}`;
    if (known === this.listed) return;
    this.listed = known;
    const newest = <T>(all: readonly T[]) => all.slice(-ROWS_SHOWN).reverse();
    const rows = newest(labels).map((label) => labelRow(label, this.state, this.explained));
    const none = h("tr", h("td", { colspan: 5 }, "none in this time"));
    this.labels.replaceChildren(...(rows.length > 0 ? rows : [none]));
    const items = newest(events).map(({ time, kind, text }) =>
      h("li", h("time", clockText(time)), h("b", eventName(kind)), ` ${text}`),
    );
    this.events.replaceChildren(...(items.length > 0 ? items : [h("li", "nothing in this time")]));
  }
}

function aboutText({ node, port, seq, trouble }: NodeState): string {
  if (!node) return trouble ?? `waiting for the node at ${port}`;
  const { learner, firmware, channels, dimension, sid } = node;
  return `${learner} on ${firmware} at ${port}: ${channels} readings, ${dimension} features, session ${sid}, sample ${seq}`;
}

/** What the signs in the plots mean. */
function notedText(state: NodeState): string {
  if (state.task === "regression") return "Triangles are answers, at the values that they gave.";
  const two = state.task !== "multiclass";
  const signs = two
    ? `▲ answer ${className(1, state)}, ▼ answer ${className(-1, state)}`
    : "Triangles are answers";
  const line = two
    ? ` A decision above 0 means ${className(1, state)}, below 0 ${className(-1, state)}, and near 0 that the node is unsure. The strip below it: it may be either.`
    : "";
  return `${signs}; hollow: the node had thought otherwise.${line} The share that is right judges what the node thought when it took the sample.`;
}

function labelSpots(label: PlacedLabel, task: string | undefined): Spot[] {
  const { sampled, decision, y } = label;
  if (decision === null && task !== "regression") return [];
  const value = task === "regression" || task === "multiclass" ? y : (decision as number);
  const colour = task === "regression" ? "--c1" : classColour(y, { task });
  return [{ time: sampled, value, colour, up: y > 0, hollow: agrees(label, task) === false }];
}

function labelRow(
  label: PlacedLabel,
  decisions: Decisions | undefined,
  explained: ExplainedView | undefined,
): HTMLElement {
  const { seq, y, by, decision, status } = label;
  const said = decision === null ? "–" : labelText(decision, decisions);
  const answer = status === null || status === undefined ? "on its way" : (STATUS[status] ?? "answered");
  const cells = [labelText(y, decisions), said, by || "–", answer];
  const onclick = () => explained?.show(label);
  const title = `explain the decision on sample ${seq}`;
  return h(
    "tr",
    { class: agrees(label, decisions?.task) === false ? "otherwise" : "" },
    h("td", explained ? h("button", { class: "link", title, onclick }, `${seq}`) : `${seq}`),
    ...cells.map((text) => h("td", text)),
  );
}
