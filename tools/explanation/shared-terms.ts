import type { SharedClasses } from "../../src/learn/shared-classes.ts";
import type { DecisionTerms } from "../../src/learn/terms.ts";

/** Finds class c's coefficient of vector i in a dictionary that classes share: a vector's lie in fours, one four of classes after the other. */
export function classCoefficients({ layout, range }: SharedClasses, c: number): (i: number) => number {
  const first = layout.at("classes", range) + 4 * layout.regionWords("labels") * (c >> 2) + (c & 3);
  return (i) => range.f32.words[first + 4 * i];
}

/** The value of a class: its coefficients' sum, times a factor, see `SharedClasses`. `own`: of the binary learner. */
export function sharedTerms(own?: DecisionTerms): DecisionTerms {
  return {
    weights: [],
    inTurn: () => true,
    last(learner, _, options) {
      const { layout, range } = learner;
      const at = layout.at("shrunk", range);
      const shrunk = range.f32.bits[at] === 0 ? 1 : range.f32.words[at];
      const scale = own?.last?.(learner, 1, options)?.apply(1) ?? 1;
      const factor = Math.fround(shrunk * Math.fround(scale));
      if (factor === 1) return undefined;
      return { text: `times ${factor}`, apply: (sum) => Math.fround(sum * factor) };
    },
  };
}
