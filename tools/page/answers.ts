import type { Question } from "./api.ts";
import type { Source } from "./source.ts";

/** For so long an answer can be taken back: what a node has learned it can't unlearn. */
export const UNDO_MS = 4000;
const KEPT = 12;

/** An answer, and what became of it. */
export interface Given {
  readonly node: string;
  readonly question: Question;
  readonly label: number;
  readonly by: string;
  readonly at: number;
  state: "waits" | "sent" | "taken" | "undone" | "failed";
  why?: string;
}

/** Answers on their way: each waits a little before it goes to the node, so that it can be taken back. */
export class Answers {
  /** The last ones, newest first. */
  given: Given[] = [];
  private readonly timers = new Map<Given, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly source: Pick<Source, "label">,
    private readonly changed: () => void,
    private readonly undoMs = UNDO_MS,
  ) {}

  give(node: string, question: Question, label: number, by: string): void {
    const given: Given = { node, question, label, by, at: Date.now(), state: "waits" };
    this.given = [given, ...this.given].slice(0, Math.max(KEPT, this.timers.size + 1));
    this.timers.set(
      given,
      setTimeout(() => this.send(given), this.undoMs),
    );
    this.changed();
  }

  /** Takes the last answer back that wasn't sent yet; undefined: there is none. */
  undo(): Given | undefined {
    const last = this.given.find(({ state }) => state === "waits");
    if (!last) return undefined;
    clearTimeout(this.timers.get(last));
    this.timers.delete(last);
    last.state = "undone";
    this.changed();
    return last;
  }

  /** Sends at once what waits: the page is left. */
  flush(): void {
    for (const [given, timer] of [...this.timers]) {
      clearTimeout(timer);
      this.send(given);
    }
  }

  private async send(given: Given): Promise<void> {
    this.timers.delete(given);
    given.state = "sent";
    this.changed();
    const { node, question, label, by } = given;
    const [, sid, seq] = question.row;
    try {
      given.why = await this.source.label(node, { sid, seq, label, by });
    } catch (error) {
      given.why = (error as Error).message;
    }
    given.state = given.why === undefined ? "taken" : "failed";
    this.changed();
  }
}
