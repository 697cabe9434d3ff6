import { arithmetic } from "../../host-sim/arithmetic.ts";
import { Random } from "../../host-sim/random.ts";
import type { GivenOptions } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { medianNanoseconds } from "./benchmark.ts";

const DIMENSION = 8;
const BUDGET = 64;
const CLASSES = [3, 10, 26];
const POOL = 512;

/** What a learn of several classes costs that share a dictionary, or don't, beside one of two classes: nanoseconds. */
export interface ClassesCost {
  readonly learner: string;
  readonly classes: number;
  readonly oneNs: number;
  readonly sharedNs: number;
  readonly apartNs: number;
  /** sharedNs / oneNs */
  readonly ratio: number;
}

/** Samples around a place for each class, so that there is something to learn, and mistakes are left. */
function samples(classes: number): { readonly x: Float32Array; readonly y: number }[] {
  const random = new Random(1, "bench/classes");
  const places = Array.from({ length: classes }, () =>
    Array.from({ length: DIMENSION }, () => random.normal()),
  );
  return Array.from({ length: POOL }, () => {
    const y = random.below(classes);
    return { x: Float32Array.from(places[y], (v) => v + 0.7 * random.normal()), y };
  });
}

/** Of three measurements, taken in turn with the others', the least. */
function learnNs(name: string, classes: number, options: GivenOptions): number {
  const binary = FAMILIES.find((family) => family.name === name);
  if (!binary) throw new RangeError(`no learner ${name}`);
  const isOne = options.classes === undefined;
  const family = isOne ? binary : oneVsAllFamily(binary);
  const memory = arithmetic().allocate(family.layout(options));
  const learner = family.create({ ...options, memory });
  const pool = samples(classes);
  const learn = (i: number) => void learner.learn(pool[i].x, isOne ? (pool[i].y & 1) * 2 - 1 : pool[i].y);
  for (let i = 0; i < 4 * POOL; i++) learn(i % POOL);
  return medianNanoseconds(learn);
}

function costOf(learner: string, classes: number): ClassesCost {
  const options = { dimension: DIMENSION, budget: BUDGET };
  const rounds = Array.from({ length: 3 }, () => [
    learnNs(learner, classes, options),
    learnNs(learner, classes, { ...options, classes, shared: true }),
    learnNs(learner, classes, { ...options, classes }),
  ]);
  const [oneNs, sharedNs, apartNs] = [0, 1, 2].map((i) => Math.min(...rounds.map((round) => round[i])));
  return { learner, classes, oneNs, sharedNs, apartNs, ratio: sharedNs / oneNs };
}

/** Every learner whose classes can share, with 3, 10 and 26 of them. */
export function benchmarkClasses(): ClassesCost[] {
  const able = FAMILIES.filter(
    (family) => family.task === "classification" && oneVsAllFamily(family).options.shared,
  );
  return able.flatMap(({ name }) => CLASSES.map((classes) => costOf(name, classes)));
}
