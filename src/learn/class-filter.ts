import type { Primitives } from "../math/primitives.ts";
import { largestScore } from "./classes.ts";

/** The probability that a class ends with a sample; any class follows. */
const CHANGE = 1 / 32;

/**
 * One step of the forward algorithm of a hidden Markov model, whose states are K classes that last 32 samples on average. The belief, K
 * probabilities at word `belief`, meets a vote for class `voted`, which is so many times as likely where that is the class:
 *
 *     b_c <- (31/32 b_c + 1/32 1/K) l_c;   l_c = ratio for the voted class, else 1;   b <- b / sum b
 *
 * Returns the class of the largest belief, the lowest on ties.
 * @see Rabiner: A tutorial on hidden Markov models. Proceedings of the IEEE 77(2), 1989
 */
export function filterClass(
  f32: Primitives,
  belief: number,
  K: number,
  voted: number,
  ratio: number,
): number {
  const { words } = f32;
  let sum = 0;
  for (let c = 0; c < K; c++) {
    words[belief + c] = ((1 - CHANGE) * words[belief + c] + CHANGE / K) * (c === voted ? ratio : 1);
    sum += words[belief + c];
  }
  f32.scale(belief, 1 / sum, K);
  return largestScore(words, belief, K);
}

/** The same step for classes -1 and +1: the belief in +1 that follows from one and a vote. */
export function filterSign(belief: number, isPlus: boolean, ratio: number): number {
  const p = (1 - CHANGE) * belief + CHANGE / 2;
  return isPlus ? (p * ratio) / (p * ratio + 1 - p) : p / (p + (1 - p) * ratio);
}
