import type { Around, Neighbour, Question } from "../api/api.ts";
import type { NodeState } from "../api/node-state.ts";
import { listChoices } from "./choices.ts";
import { agoText } from "./condition.ts";
import { curve } from "./curve.ts";
import { details, h, nodeLink, table } from "./dom.ts";
import { classChip } from "./machine-state.ts";
import { listChannels } from "./node-page.ts";
import type { Item } from "./question-queue.ts";
import type { Source } from "./source.ts";
import { shownReadings } from "./usual.ts";
import { className, dateText, labelText, numberText, withUnit } from "./wording.ts";

/** A question names so many classes. */
const NAMED_MAX = 3;
const SET_BOTH = 2 + 4 + 8;
const SET_NONE = 2;

interface CardActs {
  choose(label: number): void;
  skip(): void;
}

/** A question: what the node thinks, how the readings went, and the answers to choose from. */
export class QuestionCard {
  readonly children: readonly HTMLElement[];
  private readonly curves = h("div.curves");
  private readonly near = h("div.wide");

  constructor(
    private readonly item: Item,
    private readonly state: NodeState | undefined,
    private readonly acts: CardActs,
    private readonly now: number,
  ) {
    const compared = details("Compare with answered samples", this.near);
    this.children = [this.heading(), this.curves, this.buttons(), compared];
    this.compare([]);
  }

  /** Loads the curves, and the labelled samples that are most like this one. */
  async load(source: Source): Promise<void> {
    const { node, question } = this.item;
    const [, sid, seq] = question.row;
    const nothing: Around = { rows: [], usual: [] };
    await Promise.all([
      source.around(node, sid, seq).then(
        (around) => this.draw(around),
        () => this.draw(nothing),
      ),
      source.near(node, sid, seq).then(
        (near) => this.compare(near),
        () => {}, // the head of the page says that the source is lost
      ),
    ]);
  }

  private heading(): HTMLElement {
    const { state, now } = this;
    const { node, question } = this.item;
    const [time, , seq, decision] = question.row;
    const why = whyText(question);
    const isKnown = decision !== null && Number.isFinite(decision);
    const thought = isKnown
      ? [h("span", "It thinks: "), this.decisionElement(decision), h("span", this.unsureText())]
      : [];
    return h(
      "div",
      h("h2", nodeLink(node), `: ${questionText(state)}`),
      h("p.about", `${agoText(now - time)} ago, ${dateText(time)}, sample ${seq}`),
      h("p", why, ...thought),
    );
  }

  private decisionElement(decision: number): HTMLElement {
    const { state } = this;
    if (state?.task === "regression") return h("b", numberText(decision));
    return classChip(state?.task === "multiclass" ? decision : decision < 0 ? -1 : 1, state ?? {});
  }

  private unsureText(): string {
    const remarks = this.item.question.row[4] & SET_BOTH;
    if (remarks === SET_BOTH) return ", but it may be either";
    return remarks === SET_NONE ? ", though it fits neither well" : "";
  }

  private buttons(): HTMLElement {
    const { state, acts } = this;
    const skip = h("button", { onclick: () => acts.skip() }, "Skip ", h("kbd", "S"));
    if (state?.task === "regression") return h("div.choices", this.valueField(), skip);
    const choices = listChoices(state).map(({ label, key }) =>
      h(
        "button.choice",
        { onclick: () => acts.choose(label) },
        ...[classChip(label, state ?? {}), key !== undefined && h("kbd", key)],
      ),
    );
    return h("div.choices", ...choices, skip);
  }

  private valueField(): HTMLElement {
    const field = h("input", { type: "number", step: "any", "aria-label": "the true value" });
    const take = () => field.value !== "" && this.acts.choose(field.valueAsNumber);
    field.addEventListener("keydown", ({ key }) => key === "Enter" && take());
    return h("span", field, h("button", { onclick: take }, "Answer"));
  }

  private draw({ rows, usual }: Around): void {
    const [, , seq, , , x] = this.item.question.row;
    const channels = listChannels(this.state, x?.length ?? 0);
    const shown = shownReadings(x ?? [], usual);
    const figures = shown.map((k) => curve(channels[k], k, seq, rows, usual[k]));
    const none = h("p.muted", "There are no readings around it.");
    this.curves.replaceChildren(...(figures.length > 0 ? figures : [none]));
  }

  /** The sample's readings, and the readings of the labelled samples most like it. */
  private compare(near: readonly Neighbour[]): void {
    const { state } = this;
    const x = this.item.question.row[5] ?? [];
    const head = [
      "Reading",
      "This one",
      ...near.map(({ y, by }) =>
        h("th", { scope: "col", title: by || "nobody said who" }, answerName(y, state), by ? ` ${by}` : ""),
      ),
    ];
    const rows = listChannels(state, x.length).map((channel, k) => {
      const all = [x[k], ...near.map((each) => each.x[k])];
      const [low, high] = [Math.min(...all), Math.max(...all)];
      const cells = all.map((value) => h("td", numberText(value), placeMark(value, low, high)));
      return h("tr", h("th", { scope: "row" }, withUnit(channel)), ...cells);
    });
    this.near.replaceChildren(table(head, h("tbody", ...rows), { class: "near" }));
  }
}

function whyText({ asked, sure, unlike }: Question): string {
  if (sure) return "Its group's model is sure: so you show whether the node is like its group. ";
  if (asked) return "The node asks you. ";
  return unlike ? "It is unlike all samples that have an answer. " : "The node isn't sure. ";
}

function questionText(state: NodeState | undefined): string {
  if (state?.task === "regression") return "what was the true value?";
  const names = listChoices(state).map(({ label }) => className(label, state ?? {}));
  return names.length > 0 && names.length <= NAMED_MAX ? `${names.join(" or ")}?` : "what was it?";
}

/** An answer as a class's chip, or a number. */
export function answerName(y: number, state: NodeState | undefined): HTMLElement {
  return state?.task === "regression" ? h("b", labelText(y, state)) : classChip(y, state ?? {});
}

/** Where a value lies between two, as a mark on a line. */
function placeMark(value: number, low: number, high: number): HTMLElement {
  return h("meter", {
    min: 0,
    max: 1,
    value: high > low ? (value - low) / (high - low) : 0.5,
    "aria-hidden": "true",
  });
}
