import type { Aggressiveness } from "../../src/learn/aggressiveness.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { OneVsAll } from "../../src/learn/one-vs-all.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { rangeText } from "./widths.ts";

const ERRORS_WORDS = 2;

/** The bound of the next step, if the learner decides that label right. The learner stays as it is. */
function nextBound({ layout, range }: Learner): number {
  const at = layout.at("errors", range);
  const copy = new PortableF32(new ArrayBuffer(4 * ERRORS_WORDS));
  copy.bits.set(range.f32.bits.subarray(at, at + ERRORS_WORDS));
  return copy.aggressiveness(0, 1, 1, 1);
}

/** The bounds of steps that a learner found from its errors: one, or one a class; none if they don't follow from these. */
export function foundBounds(learner: Learner): number[] {
  if (learner instanceof OneVsAll) return learner.learners.flatMap(foundBounds);
  return learner.layout.wordsOf("errors") > 0 ? [nextBound(learner)] : [];
}

/** The bounds of steps that a learner found, as the option that would set them. */
export interface FoundBounds {
  readonly option: string;
  readonly values: readonly number[];
  /** What the values are divided by: "d", components; "D", features of FOGD; "": nothing. */
  readonly per: string;
}

/** Null: the learner found none. */
export function namedBounds({ options }: Family, values: readonly number[]): FoundBounds | null {
  if (values.length === 0) return null;
  const [option, { per }] = Object.entries(options).find(([, each]) => "per" in each) as [
    string,
    Aggressiveness,
  ];
  return { option, values, per };
}

/** The bounds in words. */
export function boundText({ values, per }: FoundBounds): string {
  return per === "" ? rangeText(values) : `${rangeText(values)} / ${per}`;
}
