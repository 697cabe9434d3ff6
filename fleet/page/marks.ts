import type { EventMark } from "./annotations.ts";
import { h } from "./dom.ts";
import { clockText } from "./wording.ts";

interface Mark {
  readonly time: number;
  text: string;
}

const MARKS_MAX = 200;
const TEXT_MAX = 60;

/** Times that somebody marked, with a word for each; this browser keeps them. */
export class Marks {
  readonly element = h("div.marks");
  private marks: Mark[];
  private readonly key: string;

  constructor(
    name: string,
    private readonly changed: () => void,
  ) {
    this.key = `motelearn.marks ${name}`;
    this.marks = read(this.key);
    this.show();
  }

  get uprights(): EventMark[] {
    return this.marks.map(({ time, text }) => ({ time, text, colour: "--c3" }));
  }

  textAt(from: number, to: number): string {
    return this.marks
      .filter(({ time }) => time > from && time <= to)
      .map(({ text }) => text)
      .join("; ");
  }

  add(time: number): void {
    this.marks = [...this.marks, { time, text: `mark ${this.marks.length + 1}` }].slice(-MARKS_MAX);
    this.keep();
    this.show();
    this.element.querySelector<HTMLInputElement>("span:last-child input")?.select();
  }

  private remove(mark: Mark): void {
    this.marks = this.marks.filter((each) => each !== mark);
    this.keep();
    this.show();
  }

  private keep(): void {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.marks));
    } catch {} // a browser that keeps nothing has them as long as the page is open
    this.changed();
  }

  private show(): void {
    this.element.hidden = this.marks.length === 0;
    this.element.replaceChildren(h("b", "Marks"), ...this.marks.map((mark) => this.entry(mark)));
  }

  private entry(mark: Mark): HTMLElement {
    const oninput = (event: Event) => {
      mark.text = (event.target as HTMLInputElement).value;
      this.keep();
    };
    const at = clockText(mark.time);
    const field = h("input", { "aria-label": `mark at ${at}`, maxlength: TEXT_MAX, oninput });
    field.value = mark.text;
    const remove = () => this.remove(mark);
    return h("span", at, field, h("button", { "aria-label": `remove mark at ${at}`, onclick: remove }, "×"));
  }
}

function read(key: string): Mark[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "[]") as Mark[];
    return kept
      .filter(({ time, text }) => Number.isFinite(time) && typeof text === "string")
      .slice(-MARKS_MAX);
  } catch {
    return [];
  }
}
