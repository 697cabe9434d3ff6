import { arithmetic } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import type { UserOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { normals } from "../experiments/lib/drawing.ts";
import { chosenFamily } from "../experiments/lib/learner.ts";
import { nanoseconds, POOL } from "./benchmark.ts";

const DIMENSION = 8;
const BUDGET = 64;
const CLASSES = [3, 10, 26];
/** Passes over all samples before timing starts, and rounds of each call. */
const WARM = 16;
const ROUNDS = 60;

/** Nanoseconds of a call for two classes, for several with a shared dictionary, and for several without. */
export interface Costs {
  readonly oneNs: number;
  readonly sharedNs: number;
  readonly apartNs: number;
  /** sharedNs / oneNs */
  readonly ratio: number;
}

interface ClassesCost {
  readonly learner: string;
  readonly classes: number;
  readonly predict: Costs;
  readonly learn: Costs;
}

/** Samples around a centre for each class: learnable, with some errors left. */
function samples(classes: number): { readonly x: Float32Array; readonly y: number }[] {
  const random = new Random(1, "bench/classes");
  const places = Array.from({ length: classes }, () => normals(random, DIMENSION));
  return Array.from({ length: POOL }, () => {
    const y = random.below(classes);
    return { x: Float32Array.from(places[y], (v) => v + 0.7 * random.normal()), y };
  });
}

interface TimedLearner {
  predict(i: number): void;
  learn(i: number): void;
}

function timeClasses(name: string, classes: number, options: UserOptions): TimedLearner {
  const isOne = options.classes === undefined;
  const family = chosenFamily(isOne ? name : `ova:${name}`);
  const memory = arithmetic().allocate(family.layout(options));
  const learner = family.create({ ...options, memory });
  const pool = samples(classes);
  const learn = (i: number) => void learner.learn(pool[i].x, isOne ? (pool[i].y & 1) * 2 - 1 : pool[i].y);
  const predict = (i: number) => void learner.predict(pool[i].x);
  for (let i = 0; i < WARM * POOL; i++) learn(i % POOL);
  return { predict, learn };
}

/**
 * For each call the least mean over all samples, in alternating rounds, so that other load on the machine
 * counts little.
 */
function leastNs(calls: readonly ((i: number) => void)[]): number[] {
  const least = calls.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    calls.forEach((call, k) => {
      least[k] = Math.min(least[k], nanoseconds(POOL, call));
    });
  }
  return least;
}

function toCosts([oneNs, sharedNs, apartNs]: number[]): Costs {
  return { oneNs, sharedNs, apartNs, ratio: sharedNs / oneNs };
}

function measureCost(learner: string, classes: number): ClassesCost {
  const options = { dimension: DIMENSION, budget: BUDGET };
  const all = [
    timeClasses(learner, classes, options),
    timeClasses(learner, classes, { ...options, classes, shared: true }),
    timeClasses(learner, classes, { ...options, classes }),
  ];
  const learn = toCosts(leastNs(all.map(({ learn }) => learn)));
  const predict = toCosts(leastNs(all.map(({ predict }) => predict)));
  return { learner, classes, predict, learn };
}

/** Every learner whose classes can share, with 3, 10 and 26 of them. */
export function benchmarkClasses(): ClassesCost[] {
  const able = FAMILIES.filter(
    (family) => family.task === "classification" && oneVsAllFamily(family).options.shared,
  );
  return able.flatMap(({ name }) => CLASSES.map((classes) => measureCost(name, classes)));
}
