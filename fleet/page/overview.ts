import { countText } from "../../host/count-text.ts";
import { groupBy } from "../../host/group-by.ts";
import type { NodeState } from "../api/node-state.ts";
import type { App, View } from "./app.ts";
import {
  agoText,
  type Condition,
  findConditions,
  hasAlarm,
  isStale,
  recentAccuracy,
  worstFirst,
} from "./condition.ts";
import { chip, columnHead, h, nodeLink, renew, setChildren, setText, sparkline, table } from "./dom.ts";
import { alarmChips, machineState } from "./machine-state.ts";
import { numberText, percentText } from "./wording.ts";

const SORT_MS = 2000;
const CURVE_MAX = 60;
const FILTER_FROM = 10;
const ICONS: { readonly [kind in Condition["kind"]]: string } = {
  trouble: "✕",
  silent: "✕",
  unmet: "…",
  losing: "▼",
  differs: "≠",
  drifting: "≈",
  restarted: "↻",
  asking: "?",
  apart: "⊘",
  learning: "✓",
};

/** A node's condition in words and signs. */
export function chips(conditions: readonly Condition[]): HTMLElement[] {
  return conditions.map(({ kind, text }) => chip(kind, ICONS[kind], text, text));
}

const HEAD = [
  ["", "several machines in one plot"],
  ["Machine", ""],
  ["State", "what the machine does, as its node decides from the readings"],
  ["Alarm", ""],
  ["Learning", "how the node that watches the machine is doing"],
  [
    "Right",
    "share of the last 100 answers that the node had given itself before it learned them; for a number, the mean error",
  ],
  ["Trend", "of the share that is right, since this page was opened"],
  ["Answers", "that the node has learned; in parentheses those that it hasn't saved yet"],
  ["Samples", "readings that the node took"],
  ["Heard", "when the last message came"],
] as const;

/** A node's row, which stays as its figures change. */
class Row {
  readonly compare = h("input", { type: "checkbox" });
  readonly element: HTMLTableRowElement;
  private readonly cells: HTMLElement[];
  private readonly curve: number[] = [];
  private drawn = "";

  constructor(name: string, compared: () => void) {
    this.compare.setAttribute("aria-label", `compare ${name}`);
    this.compare.addEventListener("change", compared);
    this.cells = HEAD.slice(2).map(([label]) => h("td", { "data-label": label }));
    const link = nodeLink(name, { title: name });
    this.element = h("tr", h("td.pick", this.compare), h("th", { scope: "row" }, link), ...this.cells);
  }

  show(state: NodeState, now: number): void {
    const [machine, alarm, condition, accuracy, trend, labels, samples, heard] = this.cells;
    const conditions = findConditions(state, now);
    renew(machine, machineState(state, now, isStale(conditions)));
    renew(alarm, ...alarmChips(state, now));
    renew(condition, ...chips(conditions));
    this.element.className = hasAlarm(state) ? "alarm" : conditions[0].kind;
    const recent = state.prequential?.recent?.value;
    setText(
      accuracy,
      state.prequential?.kind === "error" ? numberText(recent) : percentText(recentAccuracy(state)),
    );
    this.showTrend(trend, recentAccuracy(state));
    setText(samples, state.seq === undefined ? "–" : String(state.seq));
    // A node numbers the models of its group with the answers.
    setText(
      labels,
      `${state.together?.labels ?? state.labelled ?? 0}${state.waiting > 0 ? ` (${state.waiting} not saved)` : ""}`,
    );
    setText(heard, state.when.heard === undefined ? "never" : `${agoText(now - state.when.heard)} ago`);
  }

  private showTrend(cell: HTMLElement, value: number | undefined): void {
    if (value === undefined) return;
    this.curve.push(value);
    if (this.curve.length > CURVE_MAX) this.curve.shift();
    const key = this.curve.join();
    if (key !== this.drawn) setChildren(cell, sparkline(this.curve));
    this.drawn = key;
  }
}

/** All nodes, the one that needs attention most first. */
export class Overview implements View {
  readonly title = "Overview";
  readonly element: HTMLElement;
  private readonly shown = new Map<string, Row>();
  private readonly body = h("tbody");
  private readonly summary = h("p.summary");
  private readonly filter = h("input", {
    type: "search",
    placeholder: "name",
    "aria-label": "machines whose name contains",
  });
  private readonly compare = h("a.button", { href: "#/" }, "In one plot");
  private readonly empty = h("p.empty", "Waiting for the gateway…");
  private readonly table: HTMLElement;
  private order: string[] = [];
  private sortedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly app: App) {
    app.source.watch([]);
    this.filter.addEventListener("input", () => this.arrange(true));
    const head = HEAD.map(([text, title]) => columnHead(text || "Plot", title));
    this.table = h("div.wide", table(head, this.body, { class: "nodes" }));
    const tools = h("div.overview-tools", this.summary, this.filter, this.compare);
    this.element = h("div", h("h1.hidden", "All machines"), tools, this.empty, this.table);
  }

  states(): void {
    const { states } = this.app.source;
    this.empty.hidden = states !== undefined;
    this.table.hidden = states === undefined;
    if (!states) return;
    const now = this.app.source.now();
    for (const state of states) this.nodeRow(state.name).show(state, now);
    this.filter.hidden = states.length < FILTER_FROM;
    setText(this.summary, summarise(worstFirst(states, now), now));
    this.showCompare();
    this.arrange(false);
  }

  private nodeRow(name: string): Row {
    let row = this.shown.get(name);
    if (!row) {
      row = new Row(name, () => this.showCompare());
      this.shown.set(name, row);
      this.sortedAt = Number.NEGATIVE_INFINITY;
    }
    return row;
  }

  /** Sorts now and then; never while somebody points into the table, whose row would slip away. */
  private arrange(atOnce: boolean): void {
    const { states } = this.app.source;
    const busy = this.body.matches(":hover, :focus-within");
    const due = performance.now() - this.sortedAt > SORT_MS && (!busy || this.order.length === 0);
    if (!states || !(due || atOnce || this.order.length !== states.length)) return;
    if (due || this.order.length !== states.length) {
      this.order = worstFirst(states, this.app.source.now()).map(({ name }) => name);
      this.sortedAt = performance.now();
    }
    const wanted = this.filter.value.toLowerCase();
    const names = this.order.filter((name) => name.toLowerCase().includes(wanted));
    setChildren(this.body, ...names.map((name) => this.nodeRow(name).element));
  }

  private showCompare(): void {
    const chosen = [...this.shown].filter(([, { compare }]) => compare.checked).map(([name]) => name);
    const query = chosen.map((name) => `node=${encodeURIComponent(name)}`).join("&");
    this.compare.hidden = chosen.length === 0;
    this.compare.setAttribute("href", `#/compare?${query}`);
    setText(this.compare, `${chosen.length} in one plot`);
  }
}

const COUNTED: { readonly [kind: string]: string } = {
  alarm: "in alarm",
  trouble: "out of reach",
  silent: "silent",
  losing: "losing answers",
  differs: "with arithmetic that differs",
  drifting: "with changed readings",
  asking: "asking",
  apart: "apart from their group",
  learning: "fine",
  unmet: "not heard from yet",
};

function summarise(states: readonly NodeState[], now: number): string {
  const kinds = groupBy(states, (state) => (hasAlarm(state) ? "alarm" : findConditions(state, now)[0].kind));
  const parts = [...kinds].map(([kind, { length }]) => `${length} ${COUNTED[kind] ?? kind}`);
  return `${countText(states.length, "machine")}: ${parts.join(", ")}`;
}
