import { type Aggressiveness, ERRORS } from "../../src/learn/aggressiveness.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { OneVsAll } from "../../src/learn/one-vs-all.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { rangeText } from "./widths.ts";

/** A learner may have scratch of that name, too. */
function followsErrors({ layout }: Learner): boolean {
  return layout.regions.some(({ name, kind }) => name === ERRORS.name && kind === ERRORS.kind);
}

/** The bound of the next step, if the learner decides that label right. The learner stays as it is. */
function nextBound({ layout, range }: Learner): number {
  const at = layout.at(ERRORS.name, range);
  const copy = new PortableF32(new ArrayBuffer(4 * ERRORS.words));
  copy.bits.set(range.f32.bits.subarray(at, at + ERRORS.words));
  return copy.aggressiveness(0, 1, 1, 1);
}

/** The bounds of steps that a learner found from its errors: one, or one a class; none if they don't follow from these. */
export function foundBounds(learner: Learner): number[] {
  if (learner instanceof OneVsAll) return learner.learners.flatMap(foundBounds);
  return followsErrors(learner) ? [nextBound(learner)] : [];
}

/** The bounds of steps that a learner found, as the option that would set them. */
interface FoundBounds {
  readonly option: string;
  readonly values: readonly number[];
  /** What the values are divided by: "d", components; "D", features of FOGD; "": nothing. */
  readonly per: string;
}

/** Null: the learner found none, or has no option that sets one, as a plugin's may. */
export function namedBounds({ options }: Family, values: readonly number[]): FoundBounds | null {
  const found = Object.entries(options).find(([, each]) => "per" in each);
  if (values.length === 0 || !found) return null;
  const [option, { per }] = found as [string, Aggressiveness];
  return { option, values, per };
}

export function boundText({ values, per }: FoundBounds): string {
  return per === "" ? rangeText(values) : `${rangeText(values)} / ${per}`;
}
