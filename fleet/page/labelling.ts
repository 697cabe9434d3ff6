import type { Labeller, Neighbour, Question } from "../api/api.ts";
import type { NodeState } from "../api/node-state.ts";
import { Answers, type Given, UNDO_MS } from "./answers.ts";
import type { App, View } from "./app.ts";
import { agoText } from "./condition.ts";
import { h, setChildren, setText } from "./dom.ts";
import { channelsOf } from "./node-page.ts";
import { dateText, decisionText, labelText, numberText, percentText } from "./wording.ts";

const REFRESH_MS = 4000;
const CLASSES_MAX = 10;
const SET_BOTH = 2 + 4 + 8;
const SET_NONE = 2;

interface Item {
  readonly node: string;
  readonly question: Question;
}

const keyOf = ({ node, question }: Item) => `${node} ${question.row[1]} ${question.row[2]}`;

/**
 * Samples for which nodes ask labels, one after the other, with the most similar labelled ones; keys answer.
 */
export class Labelling implements View {
  readonly title = "Label";
  readonly element: HTMLElement;
  readonly keys = [
    ["1, 2", "−1, +1; of several classes 0 to 9 are the class"],
    ["S", "skip"],
    ["U", "take the last answer back"],
  ] as const;
  private items: Item[] = [];
  private readonly dealtWith = new Set<string>();
  private current: Item | undefined;
  private readonly answers: Answers;
  private readonly card = h("section", {
    class: "card",
    "aria-live": "polite",
    "aria-label": "sample to label",
  });
  private readonly given = h("ul", { class: "given" });
  private readonly labellers = h("tbody");
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly flush = () => this.answers.flush();
  private refreshing = false;
  /** The node has forgotten the shown sample. */
  private late = false;

  /** @param only the node whose samples are shown; default: of all that ask. */
  constructor(
    private readonly app: App,
    private readonly only?: string,
  ) {
    this.answers = new Answers(app.source, () => this.showGiven());
    const name = this.nameField();
    const undo = h("button", { type: "button", onclick: () => this.undo() }, "Undo ", h("kbd", {}, "U"));
    const head = ["Who", "Labels", "As the node predicted"].map((text) => h("th", { scope: "col" }, text));
    const who = h("table", {}, h("thead", {}, h("tr", {}, ...head)), this.labellers);
    const title = only ? `Label samples of ${only}` : "Samples to label";
    this.element = h(
      "div",
      { class: "labelling" },
      h(
        "div",
        { class: "overview-tools" },
        h("h1", { class: "summary" }, title),
        h("label", {}, "You are ", name),
      ),
      this.card,
      h("aside", {}, h("h2", {}, "Your answers"), undo, this.given, h("h2", {}, "Who answered"), who),
    );
    app.source.watch([]);
    addEventListener("pagehide", this.flush);
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS);
    void this.refresh();
  }

  /** Who answers. A key that answers the shown sample does so from here, too, and isn't typed; with it, Enter or Escape the field loses the focus. */
  private nameField(): HTMLInputElement {
    const { app } = this;
    const field = h("input", {
      maxlength: 64,
      placeholder: "your name",
      "aria-label": "your name",
      autocomplete: "off",
    });
    field.value = app.name;
    field.addEventListener("input", () => {
      app.name = field.value.trim();
    });
    field.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const answers = !(ctrlKey || metaKey || altKey) && this.answerByKey(key);
      if (answers) event.preventDefault();
      if (answers || key === "Enter" || key === "Escape") field.blur();
    });
    return field;
  }

  key({ key }: KeyboardEvent): boolean {
    if (key === "u") this.undo();
    else if (key === "s") this.skip();
    else return this.answerByKey(key);
    return true;
  }

  close(): void {
    clearInterval(this.timer);
    removeEventListener("pagehide", this.flush);
    this.answers.flush();
  }

  states(): void {
    if (this.current && this.isForgotten(this.current)) this.tooLate(this.current);
    else if (!this.current && !this.late) void this.refresh();
  }

  private stateOf(node: string): NodeState | undefined {
    return this.app.source.states?.find(({ name }) => name === node);
  }

  /** The node no longer keeps the sample, so a label would have no effect. */
  private isForgotten({ node, question }: Item): boolean {
    const state = this.stateOf(node);
    const [, sid, seq] = question.row;
    return Boolean(state?.node && (state.node.sid !== sid || seq <= (state.seq ?? 0) - state.node.pending));
  }

  /** Asks for questions: of nodes that ask, or, if none does, of all. */
  private async refresh(): Promise<void> {
    const { source } = this.app;
    const states = source.states?.filter(({ name, connected }) =>
      this.only ? name === this.only : connected,
    );
    if (!states || this.refreshing) return;
    this.refreshing = true;
    try {
      const asking = states.filter(({ asking }) => asking > 0);
      const asked = (asking.length > 0 ? asking : states).slice(0, 20);
      const lists = await Promise.all(
        asked.map(async ({ name }) =>
          (await source.questions(name)).map((question) => ({ node: name, question })),
        ),
      );
      const all = lists.flat().filter((item) => !this.dealtWith.has(keyOf(item)));
      this.items = [
        ...all.filter(({ question }) => question.asked),
        ...all.filter(({ question }) => !question.asked),
      ];
      if (!this.current && !this.late) this.next();
      this.showLabellers(await source.labellers());
    } catch {
      // the head of the page says that the source is lost; this asks again
    } finally {
      this.refreshing = false;
    }
  }

  /** Doesn't replace it by itself: a key press under way would answer another sample. */
  private tooLate({ node, question }: Item): void {
    this.current = undefined;
    this.late = true;
    const text = `Too late: ${node} has discarded sample ${question.row[2]}.`;
    const next = h("button", { type: "button", onclick: () => this.next() }, "Next ", h("kbd", {}, "S"));
    setChildren(this.card, [h("p", {}, text), next]);
  }

  private next(): void {
    this.late = false;
    const waiting = this.items.filter((item) => !this.dealtWith.has(keyOf(item)) && !this.isForgotten(item));
    this.current = waiting[0];
    void this.showCard();
  }

  private choose(label: number): void {
    const { current } = this;
    if (!current || !Number.isFinite(label)) return;
    this.dealtWith.add(keyOf(current));
    this.answers.give(current.node, current.question, label, this.app.name);
    this.next();
  }

  private answerByKey(key: string): boolean {
    const task = this.current && this.stateOf(this.current.node)?.task;
    if (!task || task === "regression" || !/^\d$/.test(key)) return false;
    if (task === "multiclass") this.choose(Number(key));
    else if (key === "1" || key === "2") this.choose(key === "1" ? -1 : 1);
    else return false;
    return true;
  }

  private skip(): void {
    if (this.current) this.dealtWith.add(keyOf(this.current));
    this.next();
  }

  private undo(): void {
    const options = this.answers.undo();
    if (!options) return;
    this.dealtWith.delete(keyOf(options));
    this.current = { node: options.node, question: options.question };
    void this.showCard();
  }

  private async showCard(): Promise<void> {
    const { current, card } = this;
    if (!current) {
      const some = this.app.source.states !== undefined;
      const text = some
        ? "Nothing to label: no node asks, and every stored sample has its label."
        : "Waiting…";
      setChildren(card, [h("p", { class: "empty" }, text)]);
      return;
    }
    const [, sid, seq] = current.question.row;
    const near = h("div", { class: "wide" });
    setChildren(card, [this.heading(current), this.buttons(current), near]);
    this.compare(near, current, []);
    const neighbours = await this.app.source.near(current.node, sid, seq).catch(() => []);
    if (this.current === current) this.compare(near, current, neighbours);
  }

  private heading({ node, question }: Item): HTMLElement {
    const [time, , seq, decision, remarks] = question.row;
    const both = (remarks & SET_BOTH) === SET_BOTH;
    const none = (remarks & SET_BOTH) === SET_NONE;
    const unsure = both ? ", and holds both for possible" : none ? ", and holds neither for possible" : "";
    const link = h("a", { href: `#/node/${encodeURIComponent(node)}` }, node);
    return h(
      "div",
      {},
      h("h2", {}, link, `: sample ${seq}`),
      h("p", { class: "about" }, `${dateText(time)}, ${agoText(this.app.source.now() - time)} ago`),
      h("p", {}, question.asked ? "The node asks for this label. " : "The node isn't sure of this one. "),
      h("p", {}, `It predicts ${decisionText(decision, this.stateOf(node))}${unsure}.`),
    );
  }

  private buttons({ node }: Item): HTMLElement {
    const state = this.stateOf(node);
    const task = state?.task;
    const skip = h("button", { type: "button", onclick: () => this.skip() }, "Skip ", h("kbd", {}, "S"));
    if (task === "regression") return h("div", { class: "choices" }, this.valueField(), skip);
    const classes =
      task === "multiclass"
        ? Array.from({ length: state?.classes?.length ?? CLASSES_MAX }, (_, i) => i)
        : [-1, 1];
    const choices = classes.map((label, i) => {
      const key = task === "multiclass" ? String(label) : String(i + 1);
      const onclick = () => this.choose(label);
      return h(
        "button",
        { type: "button", class: "choice", onclick },
        `${labelText(label, state)} `,
        h("kbd", {}, key),
      );
    });
    return h("div", { class: "choices" }, ...choices, skip);
  }

  private valueField(): HTMLElement {
    const field = h("input", { type: "number", step: "any", "aria-label": "the true value" });
    const take = () => field.value !== "" && this.choose(field.valueAsNumber);
    field.addEventListener("keydown", ({ key }) => key === "Enter" && take());
    return h("span", {}, field, h("button", { type: "button", onclick: take }, "Answer"));
  }

  /** The sample's readings, and the readings of the labelled samples most like it. */
  private compare(place: HTMLElement, { node, question }: Item, near: readonly Neighbour[]): void {
    const state = this.stateOf(node);
    const x = question.row[5] ?? [];
    const head = [
      h("th", { scope: "col" }, "Reading"),
      h("th", { scope: "col" }, "This one"),
      ...near.map(({ y, by, distance }) => {
        const title = `${by || "nobody said who"}, distance ${numberText(distance)}`;
        return h("th", { scope: "col", title }, h("b", {}, labelText(y, state)), by ? ` ${by}` : "");
      }),
    ];
    const rows = channelsOf(state, x.length).map(({ name, unit = "" }, k) => {
      const all = [x[k], ...near.map((each) => each.x[k])];
      const [low, high] = [Math.min(...all), Math.max(...all)];
      const cells = all.map((value) => h("td", {}, numberText(value), place_(value, low, high)));
      return h("tr", {}, h("th", { scope: "row" }, unit ? `${name} (${unit})` : name), ...cells);
    });
    const caption = h(
      "caption",
      {},
      near.length > 0 ? "Beside the labelled samples that are most like it" : "",
    );
    setChildren(place, [
      h("table", { class: "near" }, caption, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
    ]);
  }

  private showGiven(): void {
    const entries = this.answers.given.map((options) => {
      const [, , seq] = options.question.row;
      return h(
        "li",
        { class: options.state },
        h("b", {}, labelText(options.label, this.stateOf(options.node))),
        ` ${options.node}, sample ${seq}: `,
        h("span", {}, stateText(options)),
      );
    });
    setChildren(this.given, entries.length > 0 ? entries : [h("li", {}, "nothing yet")]);
  }

  private showLabellers(labellers: readonly Labeller[]): void {
    setChildren(
      this.labellers,
      labellers.map(({ by, labels, agreed }) =>
        h(
          "tr",
          {},
          ...[by || "–", String(labels), percentText(agreed / labels)].map((text) => h("td", {}, text)),
        ),
      ),
    );
    if (labellers.length === 0) setText(this.labellers, "");
  }
}

function stateText({ state, why }: Given): string {
  const texts = {
    waits: `goes out within ${UNDO_MS / 1000} s`,
    sent: "on its way",
    taken: "taken",
    undone: "taken back",
    failed: `not taken: ${why}`,
  };
  return texts[state];
}

/** Where a value lies between two, as a mark on a line. */
function place_(value: number, low: number, high: number): HTMLElement {
  return h("meter", {
    min: 0,
    max: 1,
    value: high > low ? (value - low) / (high - low) : 0.5,
    "aria-hidden": "true",
  });
}
