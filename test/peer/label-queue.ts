import type { Label } from "../../src/node/ports.ts";
import type { LabelSource } from "../../src/peer/labels.ts";

/** A label before the queue gives it its number. */
type Unnumbered = Omit<Label, "number">;

/** Labels as they come, kept until the node has them in a checkpoint. */
export class LabelQueue implements LabelSource {
  /** Labels that the node reported durable, and then lost. */
  lost = 0;
  private labels: Unnumbered[] = [];
  /** Number of the first label that is kept. */
  private first = 1;

  /** Adds a label; returns its number. */
  add(label: Unnumbered): number {
    return this.first + this.labels.push(label) - 1;
  }

  /** Labels that are kept. */
  get kept(): number {
    return this.labels.length;
  }

  at(number: number): Label | undefined {
    const label = this.labels[number - this.first];
    return label && { ...label, number };
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
