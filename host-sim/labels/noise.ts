import type { Random } from "../../host/random.ts";
import { type OptionSpec, optionFault, withDefaults } from "../disturbances/options.ts";

/** A fusion centre that errs: the label that it reports instead of the true one. */
export interface LabelNoise {
  /**
   * Call it once for each label, in order.
   * @param label the true one, `classes[classIndex]`.
   * @param classIndex its class, from 0.
   * @param classes the labels of all classes: [-1, 1], or [0, ..., K-1]; two or more.
   * @returns one of `classes`.
   */
  corrupt(label: number, classIndex: number, classes: readonly number[]): number;
}

/** Another class, each equally likely. */
function otherClass(classIndex: number, classes: readonly number[], random: Random): number {
  const drawn = random.below(classes.length - 1);
  return classes[drawn < classIndex ? drawn : drawn + 1];
}

export interface SymmetricOptions {
  rate: number;
}

export const SYMMETRIC_OPTIONS: readonly OptionSpec[] = [
  { name: "rate", type: "number", min: 0, max: 1, default: 0.1, doc: "probability that a label is wrong" },
];

/** Every label is wrong with the same probability; each wrong class is as likely as another. */
export class SymmetricNoise implements LabelNoise {
  private readonly rate: number;

  constructor(
    options: Partial<SymmetricOptions>,
    private readonly random: Random,
  ) {
    this.rate = withDefaults<SymmetricOptions>("symmetric", SYMMETRIC_OPTIONS, options).rate;
  }

  corrupt(label: number, classIndex: number, classes: readonly number[]): number {
    return this.random.uniform() < this.rate ? otherClass(classIndex, classes, this.random) : label;
  }
}

export interface ConfusionOptions {
  matrix: readonly (readonly number[])[];
}

export const CONFUSION_OPTIONS: readonly OptionSpec[] = [
  {
    name: "matrix",
    type: "matrix",
    default: [
      [0.95, 0.05],
      [0.2, 0.8],
    ],
    doc: "a row for each true class (for two, -1 first): the probabilities of each received class, in the same order",
  },
];

/**
 * The reported label depends on the true class alone. `corrupt` throws an OptionError for another number of classes.
 */
export class ConfusionNoise implements LabelNoise {
  private readonly matrix: readonly (readonly number[])[];

  constructor(
    options: Partial<ConfusionOptions>,
    private readonly random: Random,
  ) {
    this.matrix = withDefaults<ConfusionOptions>("confusion", CONFUSION_OPTIONS, options).matrix;
  }

  corrupt(label: number, classIndex: number, classes: readonly number[]): number {
    const { matrix } = this;
    if (classes.length !== matrix.length) {
      const size = `${matrix.length} x ${matrix.length}`;
      const takes = `a row for each of ${classes.length} classes`;
      throw optionFault("confusion", "matrix", matrix, takes, size);
    }
    let left = this.random.uniform();
    for (let said = 0; said < classes.length; said++) {
      left -= matrix[classIndex][said];
      if (left < 0) return classes[said];
    }
    return label; // the row sums to a little less than 1
  }
}

export interface BurstOptions {
  toBad: number;
  toGood: number;
  goodRate: number;
  badRate: number;
}

const PROBABILITY = { type: "number", min: 0, max: 1 } as const;

export const BURST_OPTIONS: readonly OptionSpec[] = [
  { ...PROBABILITY, name: "toBad", default: 0.005, doc: "probability per label that a burst begins" },
  { ...PROBABILITY, name: "toGood", default: 0.05, doc: "probability per label that a burst ends" },
  { ...PROBABILITY, name: "goodRate", default: 0, doc: "probability of a wrong label outside of bursts" },
  { ...PROBABILITY, name: "badRate", default: 0.5, doc: "probability of a wrong label in a burst" },
];

/**
 * Wrong labels in bursts: the Markov chain of Gilbert (1960) and Elliott (1963). It starts in the good state;
 * the state moves before each label, so a share toBad / (toBad + toGood) of labels falls into bursts in the
 * long run.
 */
export class BurstNoise implements LabelNoise {
  private readonly options: BurstOptions;
  private bad = false;

  constructor(
    options: Partial<BurstOptions>,
    private readonly random: Random,
  ) {
    this.options = withDefaults<BurstOptions>("burst", BURST_OPTIONS, options);
  }

  corrupt(label: number, classIndex: number, classes: readonly number[]): number {
    const { toBad, toGood, goodRate, badRate } = this.options;
    const move = this.random.uniform() < (this.bad ? toGood : toBad);
    if (move) this.bad = !this.bad;
    const wrong = this.random.uniform() < (this.bad ? badRate : goodRate);
    return wrong ? otherClass(classIndex, classes, this.random) : label;
  }
}
