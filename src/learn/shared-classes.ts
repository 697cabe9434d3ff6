import { chooseEviction } from "../dictionary/eviction.ts";
import type { Bound } from "../math/bound.ts";
import { ceil4, DECISION } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, Layout, type MemoryRange } from "../memory/layout.ts";
import { ownMethod } from "../memory/own-method.ts";
import { bsgdDecision } from "./bsgd.ts";
import { KernelExpansion } from "./expansion.ts";
import { type DecisionRule, type ExpansionOptions, expansionLayout } from "./expansion-layout.ts";

/** The binary learner's options, checked by its family's table, and the number of classes. */
export type SharedOptions = ExpansionOptions & {
  readonly classes: number;
  readonly memory?: MemoryRange;
  readonly [name: string]: unknown;
};

/**
 * One step of a binary learner for y = -1 or +1: f <- keep f + a k(x, .). With gap = level - y f(x), a = 0 unless gap > 0, or gap = 0 and
 * `ties`. Otherwise a = y size, times min(gap / k(x, x), most) unless `most` is 0.
 */
interface BinaryStep {
  readonly keep: number;
  readonly level: number;
  readonly ties: boolean;
  readonly most: number;
  readonly size: number;
  /** Vectors whose coefficients' norm is less are forgotten. */
  readonly threshold: number;
}

const PLAIN: BinaryStep = frozen({ keep: 1, level: 0, ties: false, most: 0, size: 1, threshold: 0 });

function olkStep({ C, regularization, forgetThreshold }: SharedOptions): BinaryStep {
  const level = 1 + (regularization as number);
  const threshold = forgetThreshold as number;
  return { ...PLAIN, keep: 1 / level, level, most: C as number, size: 1 / level, threshold };
}

function perceptronStep({ eta }: SharedOptions): BinaryStep {
  return { ...PLAIN, ties: true, size: eta as number };
}

function bsgdStep(): BinaryStep {
  return { ...PLAIN, level: 1 };
}

/** Binary learners whose classes can share a dictionary: f is one sum over the vectors, without an offset for each class. */
const STEPS: { readonly [family: string]: (options: SharedOptions) => BinaryStep } = frozen({
  "olk-c": olkStep,
  "kernel-perceptron": perceptronStep,
  bsgd: bsgdStep,
});

/** True if the binary learner of that name has the option `shared`. */
export function canShare(family: string): boolean {
  return Object.hasOwn(STEPS, family);
}

/** BSGD has another name for its rule, and only OLK has an aggressiveness. */
function expansionOptions(options: SharedOptions): ExpansionOptions {
  if (options.evict === undefined) return { ...options, evict: chooseEviction(options.maintenance) };
  return options.C === undefined ? options : { ...options, aggressiveness: options.C as number };
}

/** BSGD divides f by lambda t; others don't. */
function decisionRule({ lambda }: SharedOptions): DecisionRule {
  if (lambda === undefined) return { rule: DECISION.sum, region: "steps" };
  return bsgdDecision(lambda as number);
}

/** The memory of one dictionary and K coefficients a vector: a shared set, as the primitives know it, and their scratch. */
export function sharedLayout(options: SharedOptions): Layout {
  const { budget, classes, dimension } = options;
  const { regions } = expansionLayout(expansionOptions(options), [
    { name: "classes", kind: "state", words: ceil4(classes) * budget },
    { name: "labels", kind: "state", words: budget, holds: [classes - 1] },
    { name: "steps", kind: "state", words: 1, holds: [ANY] },
    { name: "shrunk", kind: "state", words: 1 },
  ]);
  return new Layout([
    ...regions,
    { name: "scores", kind: "scratch", words: ceil4(classes) },
    { name: "changes", kind: "scratch", words: ceil4(classes) },
    { name: "leaving", kind: "scratch", words: ceil4(classes) },
    { name: "norms", kind: "scratch", words: ceil4(budget) },
    { name: "merged", kind: "scratch", words: 2 * dimension },
  ]);
}

/**
 * One-vs-all with one dictionary: a vector has a coefficient a_ic for each class c, and one kernel row serves all,
 *
 *     f_c(x) = sum_i a_ic k(c_i, x);   predict(x) = argmax_c f_c(x)   (the lowest c on ties)
 *
 * Class c takes the binary learner's step for +1 where the label is c, and for -1 elsewhere, on these f_c. x is stored if it gets a
 * coefficient from any class. While there is room, these are the functions that separate dictionaries hold.
 *
 * |a_i|, the norm of a vector's coefficients, replaces the magnitude of a binary learner's single coefficient. The vector of least norm
 * leaves, or merges, since that loses least (Wang, Crammer and Vucetic, section 4). It merges with the nearest vector stored for the same
 * label, at z = h c_i + (1-h) c_j, with the h that `mergeNearest` finds for the norms; each class's coefficient there is the projection
 * a_zc = a_ic k(c_i, z) + a_jc k(c_j, z).
 *
 * The region `classes` holds the coefficients, `dictionary.coefficients` their norms, both divided by the factor `shrunk` (0 stands for
 * 1), so that a step needn't shrink each of them.
 *
 * @see Crammer, Singer: Ultraconservative online algorithms for multiclass problems. JMLR 3, 2003
 * @see Wang, Crammer, Vucetic: Breaking the curse of kernelization. JMLR 13, 2012
 */
export class SharedClasses extends KernelExpansion {
  private readonly step: BinaryStep;
  private readonly classes: number;
  private readonly scores: number;

  constructor(family: string, options: SharedOptions) {
    const layout = sharedLayout(options);
    super("multiclass", expansionOptions(options), layout, options.memory, decisionRule(options));
    this.step = STEPS[family](options);
    this.classes = options.classes;
    this.scores = layout.at("scores", this.range);
    const { keep, level, ties, most, size, threshold } = this.step;
    const own = { keep, a: size, b: level, c: most, flags: ties ? 1 : 0, threshold, more: this.classes };
    this.bindCalls(own);
  }

  /** Where the engine binds calls, one predicts, and one learns. */
  private bindCalls(own: Bound): void {
    const { f32, probe } = this;
    if (!f32.bindClasses || !(this.givenGamma > 0 || probe)) return;
    const options = this.boundTo(own, SharedClasses.prototype);
    ownMethod(this, "predict", f32.bindClasses(options));
    ownMethod(this, "learn", f32.bindClassStep?.(options) as KernelExpansion["learn"]);
  }

  protected override takesLabel(y: number): boolean {
    return Number.isInteger(y) && y >= 0 && y < this.classes;
  }

  override predict(x: ArrayLike<number>): number {
    const { f32, input, classes } = this;
    if (!f32.load(input, x, this.dimension)) return Number.NaN;
    if (this.width === 0) {
      const label = this.guess();
      for (let c = 0; c < classes; c++) f32.words[this.scores + c] = c === label ? 1 : 0;
      return label;
    }
    const { rows, capacity, form, size } = this.dictionary;
    this.kernel.row(this.row, rows, input, size);
    return f32.classScores(input, rows, capacity, form, classes, this.decide(1));
  }

  protected update(y: number, decision: number): void {
    const { f32, input, classes, leaving, errorsAt } = this;
    const { rows, capacity, form } = this.dictionary;
    const { keep, level, ties, most, size, threshold } = this.step;
    const bound = errorsAt ? f32.aggressiveness(errorsAt, y, decision, classes) : most;
    const self = this.kernel.self(input);
    f32.classStep(
      input,
      rows,
      capacity,
      form,
      classes,
      y,
      this.gamma(),
      self,
      keep,
      size,
      level,
      bound,
      ties ? 1 : 0,
      leaving,
      threshold,
      this.outcomes,
    );
  }
}
