import { average, total } from "../../host/statistics.ts";
import type { Figure } from "./result.ts";

/** A class's samples, and the share of them that was predicted so, 0..1; null where it has none. */
export interface ClassRecall {
  readonly samples: number;
  readonly recall: number | null;
}

/** A confusion matrix, from which the figures of a classification follow. */
export class Confusion {
  samples = 0;
  /** Row: the true class. Column: the predicted class; the last column: none of them. */
  private readonly counts: Float64Array;
  private readonly columns: number;

  /** @param labels of the classes. */
  constructor(private readonly labels: readonly number[]) {
    this.columns = labels.length + 1;
    this.counts = new Float64Array(labels.length * this.columns);
  }

  /**
   * Counts a sample. Throws a RangeError for a truth that isn't one of the labels; a prediction that isn't
   * one is wrong.
   */
  add(truth: number, prediction: number): void {
    const { labels, columns } = this;
    const row = this.place(truth);
    if (row < 0) throw new RangeError(`truth: got ${truth}, takes one of ${labels.join(", ")}`);
    const column = prediction === truth ? row : this.place(prediction);
    this.counts[row * columns + (column < 0 ? columns - 1 : column)]++;
    this.samples++;
  }

  /** By a loop: `indexOf` takes longer for so few. */
  private place(label: number): number {
    const { labels } = this;
    for (let i = 0; i < labels.length; i++) if (labels[i] === label) return i;
    return -1;
  }

  private at(row: number, column: number): number {
    return this.counts[row * this.columns + column];
  }

  /** Samples of a class. */
  private of(row: number): number {
    let sum = 0;
    for (let column = 0; column < this.columns; column++) sum += this.at(row, column);
    return sum;
  }

  /** The share of samples whose class wasn't predicted, 0..1. */
  get error(): Figure {
    if (this.samples === 0) return { why: "no samples" };
    const right = total(this.labels.map((_, row) => this.at(row, row)));
    return (this.samples - right) / this.samples;
  }

  /** The mean over the classes of the share of their samples that were predicted so, 0..1. */
  get balancedAccuracy(): Figure {
    const absent = this.labels.findIndex((_, row) => this.of(row) === 0);
    if (absent >= 0) return { why: `no sample of class ${this.labels[absent]}` };
    const recalls = this.labels.map((_, row) => this.at(row, row) / this.of(row));
    return average(recalls);
  }

  /** Of each class, in the order of the labels. */
  get recalls(): ClassRecall[] {
    return this.labels.map((_, row) => {
      const samples = this.of(row);
      return { samples, recall: samples === 0 ? null : this.at(row, row) / samples };
    });
  }

  /** F1 of the second of two classes: the harmonic mean of its precision and recall, 0..1. */
  get f1(): Figure {
    if (this.of(1) === 0) return this.none(1);
    const found = this.at(1, 1);
    return (2 * found) / (found + this.falseAlarms + this.of(1));
  }

  /** Of two classes: samples of the first that were predicted as the second. */
  get falseAlarms(): number {
    return this.at(0, 1);
  }

  /** Their share of the first class's samples. */
  get falseAlarmRate(): Figure {
    return this.of(0) === 0 ? this.none(0) : this.falseAlarms / this.of(0);
  }

  /** The area under the ROC curve of two classes from predicted classes alone: ties count half. */
  get auc(): Figure {
    for (const row of [1, 0]) if (this.of(row) === 0) return this.none(row);
    const alarms = this.falseAlarms;
    const quiet = this.of(0) - alarms;
    const found = this.at(1, 1);
    const halves = found * (quiet + quiet + alarms) + (this.of(1) - found) * quiet;
    return halves / (2 * this.of(1) * this.of(0));
  }

  private none(row: number): Figure {
    return { why: `no sample of class ${this.labels[row]}` };
  }
}
