import { LABEL_STATUS, type LabelStatus } from "./ports.ts";

/** Labels whose answers a station remembers, and so the bytes of `Answers`. */
export const ANSWERS = 32;

/** The station's answers to the last labels of this start, for a peer that missed some of them. A ring of fixed size. */
export class Answers {
  /** By number mod their count: a status + 1; 0: no label of this start. */
  private readonly statuses = new Uint8Array(ANSWERS);
  /** The next number to repeat, and the one behind the last. */
  private next = 0;
  private end = 0;

  /** The node started: it remembers no answer. */
  clear(): void {
    this.statuses.fill(0);
    this.next = this.end = 0;
  }

  /** An answer was given. Remembers it if it is the last label's own: that label is processed. */
  keep(number: number, status: LabelStatus, labelled: number): void {
    if (number !== labelled || status === LABEL_STATUS.duplicate || status === LABEL_STATUS.forged) return;
    this.statuses[number % ANSWERS] = status + 1;
  }

  /** Queues all remembered answers to be sent again. */
  ask(labelled: number): void {
    this.next = labelled < ANSWERS ? 1 : labelled - ANSWERS + 1;
    this.end = labelled + 1;
  }

  /** True if any is left to be repeated. */
  get due(): boolean {
    return this.next < this.end;
  }

  /** Takes the number of the next answer to repeat; 0: no answer is left. */
  take(labelled: number): number {
    while (this.next < this.end) {
      const number = this.next++;
      if (this.statuses[number % ANSWERS] !== 0 && number + ANSWERS > labelled) return number;
    }
    return 0;
  }

  /** The answer to a label that `take` returned. */
  of(number: number): LabelStatus {
    return (this.statuses[number % ANSWERS] - 1) as LabelStatus;
  }
}
