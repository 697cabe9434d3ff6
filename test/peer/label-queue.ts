import type { Label, LabelSource } from "../../src/peer/labels.ts";

/** Labels as they come, kept until the node has them in a checkpoint. */
export class LabelQueue implements LabelSource {
  /** Labels that the node told were durable, and then no longer had. */
  lost = 0;
  private labels: Label[] = [];
  /** Number of the first label that is kept. */
  private first = 1;

  /** Adds a label; returns its number. */
  add(label: Label): number {
    return this.first + this.labels.push(label) - 1;
  }

  /** Labels that are kept. */
  get kept(): number {
    return this.labels.length;
  }

  at(number: number): Label | undefined {
    return this.labels[number - this.first];
  }

  durable(number: number): void {
    const count = Math.min(number - this.first + 1, this.labels.length);
    if (count <= 0) return;
    this.labels.splice(0, count);
    this.first += count;
  }

  restart(labelled: number): void {
    this.durable(labelled);
    if (this.first > labelled + 1) this.lost += this.first - labelled - 1;
    this.first = labelled + 1;
  }
}
