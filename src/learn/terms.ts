import { frozen } from "../memory/frozen.ts";
import type { UserOptions } from "./family.ts";
import type { Learner } from "./learner.ts";
import { WidthProbe } from "./width-probe.ts";

/** A weight times its factor: a term of a decision. */
export interface Term {
  /** "weight 2", "offset", "member kernel". */
  readonly of: string;
  readonly weight: number;
  readonly by: number;
  /** Place of the weight among the words of `DecisionTerms.weights`. */
  readonly place: number;
  /** The input that it is for, counted from 0; absent for any other weight. */
  readonly input?: number;
}

/** A step after the sum of the terms, in doubles as in the learner. */
export interface Step {
  readonly text: string;
  /** The value after the step. */
  apply(sum: number): number;
}

/** A number that is added to a sum: `times` the first word of a region; without a region `times` itself. */
export interface Addend {
  readonly text: string;
  readonly region?: string;
  readonly times: number;
}

/** How a decision is made of its terms. Each function reads the memory that the last `predict` left. */
export interface DecisionTerms {
  /** Regions of state whose words are weights. */
  readonly weights: readonly string[];
  /**
   * The terms, of several classes those of class c's value, in sums: `dot` adds each sum, and doubles add the sums. Default, and where
   * undefined: the stored vectors.
   */
  terms?(learner: Learner, c: number): readonly (readonly Term[])[] | undefined;
  /** True if a sum's terms are added one after the other, not as `dot` adds them. */
  inTurn?(learner: Learner): boolean;
  /** True if the sum of the sums is rounded to float32. */
  readonly rounds?: boolean;
  /** Numbers added once the kernel has a width. */
  readonly addends?: readonly Addend[];
  /** A last step of the learner with these options. */
  last?(learner: Learner, sum: number, options: UserOptions): Step | undefined;
  /** Regions where inputs and labels wait for a width, if they don't wait in a dictionary. */
  readonly waiting?: { readonly inputs: string; readonly labels: string };
}

/** The words of a learner's region. */
export function regionValues({ layout, range }: Learner, region: string): Float32Array {
  const at = layout.at(region, range);
  return range.f32.words.subarray(at, at + layout.regionWords(region));
}

/** The name of an offset's term. */
const OFFSET = "offset";

/** Of several classes, class c's part of a region that holds so many words for each. */
function classPart(learner: Learner, region: string, words: number, c: number): Float32Array {
  const all = regionValues(learner, region);
  return learner.task === "multiclass" ? all.subarray(c * words, (c + 1) * words) : all;
}

/** The terms w_j x_j, of several classes with the w of class c, and the offset where w has a component more than x. */
export function linearTerms(learner: Learner, c = 0, weights = "w", first = 0): Term[] {
  const { layout, range, dimension } = learner;
  const input = layout.at("input", range);
  const w = classPart(learner, weights, layout.regionWords("input"), c);
  return Array.from(w, (weight, j) => {
    const place = first + c * w.length + j;
    if (j >= dimension) return { of: OFFSET, weight, by: 1, place };
    return { of: `weight ${j + 1}`, weight, by: range.f32.words[input + j], place, input: j };
  });
}

/** The terms w_j z_j of features z, of several classes with the w of class c. */
export function featureTerms(learner: Learner, named: (j: number) => string, c = 0): Term[] {
  const z = regionValues(learner, "z");
  const w = classPart(learner, "w", z.length, c);
  return Array.from(w, (weight, j) => ({ of: named(j), weight, by: z[j], place: c * w.length + j }));
}

/** The terms of a decision w.x. */
export const LINEAR_TERMS: DecisionTerms = frozen({
  weights: ["w"],
  terms: (learner, c) => [linearTerms(learner, c)],
});

/** The terms of a decision w.x + b, b in region `bias`. */
export const OFFSET_TERMS: DecisionTerms = frozen({
  weights: ["w", "bias"],
  terms(learner) {
    const place = learner.layout.regionWords("w");
    return [linearTerms(learner), [{ of: OFFSET, weight: regionValues(learner, "bias")[0], by: 1, place }]];
  },
});

/** The search for the learner's kernel width; undefined for a learner without one. */
export function findProbe(learner: Learner): WidthProbe | undefined {
  const { probe } = learner as { readonly probe?: unknown };
  return probe instanceof WidthProbe ? probe : undefined;
}
