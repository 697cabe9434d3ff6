import type { Learner } from "../../src/learn/learner.ts";
import { easyStream, type Sample } from "./easy-streams.ts";

const STEPS = 120;

/** Ordinary samples for a learner. */
export function streamFor({ task, dimension }: Learner, seed: number, count = STEPS): Sample[] {
  return easyStream(task, dimension, count, seed);
}

/** The decisions. */
export function learnAll(learner: Learner, stream: readonly Sample[]): number[] {
  return stream.map(({ x, y }) => learner.learn(x, y));
}
