import { frozen } from "../memory/frozen.ts";
import type { Family, UserOptions } from "./family.ts";
import type { DecisionTerms } from "./terms.ts";

/** An option that `choose` searches, and its values. They include the learner's default unless they have a unit. */
export interface SearchedOption {
  readonly option: string;
  readonly values: readonly unknown[];
  /** Values are multiples of it: of the median distance between inputs, or of the labels' standard deviation. */
  readonly unit?: "distance" | "labels";
}

/** The work of one of the labels over which a learner spreads an eigenproblem. */
export interface SpreadLabel {
  /** Rows of inverse iteration. */
  readonly rows: number;
  /** Multiplications besides. */
  readonly besides: number;
}

/** A learner's costs beside the usual: polynomials in its vectors and their components, see `cost-model.ts` of targets. */
export interface CostTraits {
  /** The member that finds its kernel's width, where that isn't the learner itself. */
  readonly finder?: string;
  /** Options with which it costs more: these costs are measured apart, under its name and the option's. */
  readonly dearer?: readonly string[];
  /** The terms of a call's cost where an option gives it its bytes, for so many classes; the coefficients are fitted. */
  termsOfBytes?(bytes: number, dimension: number, classes: number): readonly number[];
  /** The labels over which it spreads the eigenproblem of B vectors. */
  spread?(B: number, rank: number, dimension: number): readonly SpreadLabel[];
  /** True if the label that finds the width costs by the budget; any other learner has few vectors then. */
  readonly findsByBudget?: boolean;
  /** Rows of kernel values that a label computes at most after the width changed, beside the input's. Default: none. */
  renewedRows?(size: number, dimension: number): number;
  /** True if it leaves `LEFT_WAITING` of the first inputs to the labels after the one that gives the width. */
  readonly leavesWaiting?: boolean;
}

/** Facts about a learner for tools, beside its options. A firmware carries none of it: its bundler omits `traits`. */
export interface Traits {
  /** Options that `choose` searches beside a Gaussian kernel's width, one or two that matter. Default: none. */
  readonly searched?: readonly SearchedOption[];
  /** An option that sizes the learner in place of a budget: `choose` tries its values beside the budgets. Default: none. */
  readonly sizes?: SearchedOption & {
    /** Its value for several classes, where it isn't given. */ readonly severally?: number;
  };
  /**
   * How `explain` takes a decision apart. Default: a `KernelExpansion`'s into its vectors, a `LinearClassifier`'s into its weights; any
   * other learner is refused.
   */
  readonly decision?: DecisionTerms;
  /** Its costs beside the usual. */
  readonly costs?: CostTraits;
  /** The stream of its picture in the guide. Default: classes inside and outside a circle, in random order. */
  readonly picture?: {
    /** Classes on both sides of a line, though it stores vectors. */
    readonly line?: boolean;
    /** Classes that last, since it uses the order of samples. */
    readonly lasting?: boolean;
  };
  /** True if it learns nothing any more from a sample that a full dictionary has no room for. */
  readonly freezes?: boolean;
  /** The members of a committee, in the order of their votes. */
  readonly members?: readonly string[];
}

/** The bytes that a learner's option `sizes` gives it, with its default for several classes; undefined: none, its budget sizes it. */
export function sizedBytes(
  { traits, layout }: Pick<Family, "traits" | "layout">,
  options: UserOptions,
): number | undefined {
  const { option, severally } = traits?.sizes ?? {};
  if (option === undefined) return undefined;
  if (options[option] > 0) return options[option];
  return options.classes > 2 && severally ? Math.max(severally, layout(options).bytes) : undefined;
}

/** Options that several families search. */
export const SEARCHED = frozen({
  bias: { option: "bias", values: [true, false] },
  covariance: { option: "covariance", values: ["full", "diagonal"] },
  tube: { option: "epsilon", values: [0.02, 0.2], unit: "labels" },
  quantization: { option: "epsilon", values: [0.05, 0.2], unit: "distance" },
  /** How fast a learner forgets: it shrinks old coefficients at each sample. */
  shrinking: { option: "regularization", values: [3e-5, 3e-3] },
  forget: { option: "forget", values: [false, true] },
  ridge: { option: "regularization", values: [0.01, 0.1, 1] },
  residual: { option: "residual", values: ["none", "label"] },
  labelSteps: { option: "eta", values: [0.03, 0.1, 0.3], unit: "labels" },
} as const);
