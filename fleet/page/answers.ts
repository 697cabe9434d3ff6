import type { Question } from "../api/api.ts";
import type { Source } from "./source.ts";

/** Time in which an answer can be withdrawn: a node can't unlearn. */
export const UNDO_MS = 4000;
const KEPT = 12;

export interface GivenAnswer {
  readonly node: string;
  readonly question: Question;
  readonly label: number;
  readonly by: string;
  readonly at: number;
  state: "waits" | "sent" | "taken" | "undone" | "failed";
  why?: string;
}

/** Answers under way: each waits briefly before it goes to the node, so that it can be withdrawn. */
export class Answers {
  /** The last ones, newest first. */
  given: GivenAnswer[] = [];
  private readonly timers = new Map<GivenAnswer, ReturnType<typeof setTimeout>>();

  constructor(
    private readonly source: Pick<Source, "label">,
    private readonly changed: () => void,
    private readonly undoMs = UNDO_MS,
  ) {}

  give(node: string, question: Question, label: number, by: string): void {
    const given: GivenAnswer = { node, question, label, by, at: Date.now(), state: "waits" };
    this.given = [given, ...this.given].slice(0, Math.max(KEPT, this.timers.size + 1));
    this.timers.set(
      given,
      setTimeout(() => this.send(given), this.undoMs),
    );
    this.changed();
  }

  /** Withdraws the last answer that wasn't sent yet; undefined: there is none. */
  undo(): GivenAnswer | undefined {
    const last = this.given.find(({ state }) => state === "waits");
    if (!last) return undefined;
    clearTimeout(this.timers.get(last));
    this.timers.delete(last);
    last.state = "undone";
    this.changed();
    return last;
  }

  /** Sends waiting answers at once, because the page is closing. */
  flush(): void {
    for (const [given, timer] of [...this.timers]) {
      clearTimeout(timer);
      this.send(given);
    }
  }

  private async send(given: GivenAnswer): Promise<void> {
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
