import type { Label } from "../../src/node/ports.ts";
import type { LabelSource } from "../../src/peer/labels.ts";

/** Labels of this page, by number, until a checkpoint holds them. */
export class LabelQueue implements LabelSource {
  private labels: Label[] = [];
  private next = 1;
  /** The last label that the node's checkpoint holds. */
  private kept = 0;

  get waiting(): number {
    return this.labels.length;
  }

  give(label: Omit<Label, "number">): void {
    this.labels.push({ ...label, number: this.next++ });
  }

  at(number: number): Label | undefined {
    return this.labels.find((label) => label.number === number);
  }

  durable(number: number): void {
    this.kept = number;
    this.labels = this.labels.filter((label) => label.number > number);
  }

  /** The node resumes after label `labelled`, the last in its checkpoint. If it lost its checkpoint, it gets the missing labels under new numbers. */
  restart(labelled: number): void {
    const lost = labelled < this.kept;
    this.durable(labelled);
    if (lost) this.labels = this.labels.map((label, i) => ({ ...label, number: labelled + 1 + i }));
    this.next = (this.labels.at(-1)?.number ?? labelled) + 1;
  }
}
