import type { Labeller } from "../api/api.ts";
import { Answers, type GivenAnswer, UNDO_MS } from "./answers.ts";
import type { App, View } from "./app.ts";
import { listChoices } from "./choices.ts";
import { h, table } from "./dom.ts";
import { answerName, QuestionCard } from "./question-card.ts";
import { type Item, inTurn, QuestionQueue } from "./question-queue.ts";
import { percentText } from "./wording.ts";

const REFRESH_MS = 4000;
/** Nodes that are asked for their questions at once; the others have their turn later. */
const NODES_ASKED = 20;

/**
 * Samples whose labels would help, one after the other: the nodes take turns, and each has its most useful question first. Keys answer.
 */
export class Labelling implements View {
  readonly title = "Questions";
  readonly element: HTMLElement;
  readonly keys = [
    ["1, 2, …", "answer: the first, the second, …"],
    ["S", "skip"],
    ["U", "take the last answer back"],
  ] as const;
  private readonly queue = new QuestionQueue();
  private current: Item | undefined;
  private readonly answers: Answers;
  private readonly card = h("section.card", {
    tabindex: -1,
    "aria-live": "polite",
    "aria-label": "question",
  });
  private readonly given = h("ul.given");
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
    const undo = h("button", { onclick: () => this.undo() }, "Undo ", h("kbd", "U"));
    const who = table(["Who", "Answers", "As the node thought"], this.labellers);
    const title = only ? `Questions about ${only}` : "Questions";
    this.element = h(
      "div.labelling",
      h("div.overview-tools", h("h1.summary", title), this.whoAnswers()),
      this.card,
      h("aside", h("h2", "Your answers"), undo, this.given, h("h2", "Who answered"), who),
    );
    app.source.watch([]);
    addEventListener("pagehide", this.flush);
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS);
    this.showCard();
    this.showGiven();
    void this.refresh();
  }

  /** Where users log in, the login says who answers. */
  private whoAnswers(): HTMLElement {
    const { source, name } = this.app;
    if (source.labellerName === "login") return h("span", "You are ", h("b", name));
    return h("label", "You are ", this.nameField());
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
      if (this.needsName) this.showCard();
    });
    field.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const answers = !(ctrlKey || metaKey || altKey || this.asksName) && this.answerByKey(key);
      if (answers) event.preventDefault();
      if (answers || key === "Enter" || key === "Escape") field.blur();
      if (key === "Enter") this.nameGiven();
    });
    return field;
  }

  /** True while the card asks for a name, until Enter or the button says that it is whole. */
  private asksName = false;

  /** True if nobody may answer without a name, and there is none. */
  private get needsName(): boolean {
    const { source, name } = this.app;
    return source.labellerName === "asked" && name === "";
  }

  private nameGiven(): void {
    if (!this.asksName || this.needsName) return;
    this.asksName = false;
    this.showCard();
    this.card.focus();
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

  /** The node no longer keeps the sample, so a label would have no effect. */
  private isForgotten({ node, question }: Item): boolean {
    const state = this.app.findState(node);
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
      const names = (asking.length > 0 ? asking : states).map(({ name }) => name);
      const lists = inTurn(names, this.queue.last)
        .slice(0, NODES_ASKED)
        .map(async (node) => (await source.questions(node)).map((question) => ({ node, question })));
      this.queue.fill(await Promise.all(lists));
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
    const next = h("button", { onclick: () => this.next() }, "Next ", h("kbd", "S"));
    this.card.replaceChildren(h("p", text), next);
  }

  private next(): void {
    this.late = false;
    this.current = this.queue.next((item) => !this.isForgotten(item));
    this.showCard();
  }

  private choose(label: number): void {
    const { current } = this;
    if (!current || this.asksName || !Number.isFinite(label)) return;
    this.queue.done(current);
    this.answers.give(current.node, current.question, label, this.app.name);
    this.next();
  }

  private answerByKey(key: string): boolean {
    const state = this.current && this.app.findState(this.current.node);
    const choice = listChoices(state).find((each) => each.key === key);
    if (choice) this.choose(choice.label);
    return choice !== undefined;
  }

  private skip(): void {
    if (this.current) this.queue.done(this.current);
    this.next();
  }

  private undo(): void {
    const given = this.answers.undo();
    if (!given) return;
    this.queue.back(given);
    this.current = { node: given.node, question: given.question };
    this.showCard();
  }

  private showCard(): void {
    const { current, card, app } = this;
    this.asksName ||= this.needsName;
    if (this.asksName) {
      this.askName();
    } else if (!current) {
      const text = app.source.states ? "No questions: every sample that is kept has its answer." : "Waiting…";
      card.replaceChildren(h("p.empty", text));
    } else {
      const acts = { choose: (label: number) => this.choose(label), skip: () => this.skip() };
      const content = new QuestionCard(current, this.app.findState(current.node), acts, app.source.now());
      card.replaceChildren(...content.children);
      void content.load(app.source);
    }
  }

  /** Nobody answers without a name where names are asked. */
  private askName(): void {
    if (this.card.querySelector(".who")) return;
    const go = h("button.main", { onclick: () => this.nameGiven() }, "Show the questions");
    const text = "Each answer is kept with the name of who gave it. Write yours above first.";
    this.card.replaceChildren(h("h2.who", "Who are you?"), h("p", text), go);
  }

  private showGiven(): void {
    const entries = this.answers.given.map((given) => {
      const [, , seq] = given.question.row;
      return h(
        "li",
        { class: given.state },
        answerName(given.label, this.app.findState(given.node)),
        ` ${given.node}, sample ${seq}: `,
        h("span.outcome", stateText(given)),
      );
    });
    this.given.replaceChildren(...(entries.length > 0 ? entries : [h("li", "nothing yet")]));
  }

  private showLabellers(labellers: readonly Labeller[]): void {
    this.labellers.replaceChildren(
      ...labellers.map(({ by, labels, agreed }) =>
        h("tr", ...[by || "–", String(labels), percentText(agreed / labels)].map((text) => h("td", text))),
      ),
    );
  }
}

function stateText({ state, why }: GivenAnswer): string {
  const texts = {
    waits: `goes out within ${UNDO_MS / 1000} s`,
    sent: "on its way",
    taken: "taken",
    undone: "taken back",
    failed: `not taken: ${why}`,
  };
  return texts[state];
}
