import { OptionError } from "../../src/memory/option-error.ts";
/** The distinct labels of a data set, in sorted order: numbers by size, words by code unit. */
export class Classes<T extends string | number> {
  private readonly index: ReadonlyMap<T, number>;

  /** @param values the distinct labels, sorted. */
  constructor(readonly values: readonly T[]) {
    this.index = new Map(values.map((value, index) => [value, index]));
  }

  /** How many there are. */
  get count(): number {
    return this.values.length;
  }

  /** The label's class, 0..count-1, or -1 for one that isn't among them. */
  indexOf(label: T): number {
    return this.index.get(label) ?? -1;
  }

  /**
   * The learner's target: for two classes -1 or +1 (the larger label is +1); for more, the class 0..count-1;
   * for a lone class +1 if its label is a number above 0, else -1. Throws an OptionError for an unknown
   * label.
   */
  targetOf(label: T): number {
    const index = this.indexOf(label);
    if (index < 0) throw new OptionError("classes", "label", label, `one of ${this.values.join(", ")}`);
    if (this.count === 1) return typeof label === "number" && label > 0 ? 1 : -1;
    return this.count === 2 ? 2 * index - 1 : index;
  }

  /** `targetOf` each label; a missing one (NaN) stays NaN. */
  targetsOf(labels: ArrayLike<T>): Float64Array {
    return Float64Array.from({ length: labels.length }, (_, i) =>
      Number.isNaN(labels[i]) ? NaN : this.targetOf(labels[i]),
    );
  }
}

/** The classes of these labels; missing ones (NaN) don't count. */
export function classes<T extends string | number>(labels: ArrayLike<T>): Classes<T> {
  const distinct = new Set<T>();
  for (let i = 0; i < labels.length; i++) if (!Number.isNaN(labels[i])) distinct.add(labels[i]);
  return new Classes([...distinct].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
}
