import type { Bits } from "./same-bits.ts";

/** A comparison of self-tests in a few words for each thing compared; "same bits" alone means the learner's, too. */
export function bitsParts(bits: Bits): string[] {
  if (bits.verdict === "different bits") return [`${bits.verdict}: ${bits.first}`];
  if (bits.verdict === "no self-test" || bits.learner) return [bits.verdict];
  return ["primitives: same bits", "learner: not compared"];
}
