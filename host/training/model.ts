import { Arow } from "../../src/learn/arow.ts";
import { encodeModel } from "../../src/learn/model-bytes.ts";
import { OlkC } from "../../src/learn/olk.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { Layout, MemoryRange } from "../../src/memory/layout.ts";
import type { Random } from "../random.ts";

/** A labelled sample as its node used it. */
export interface Lesson {
  /** The features, as float32 and in the node's own scale. */
  readonly x: Float32Array;
  /** -1 or +1. */
  readonly y: number;
}

/** The form of a group's models. */
export interface ModelForm {
  /** Features of a sample. */
  readonly dimension: number;
  /** Vectors of a kernel expansion; 0: a plane. */
  readonly vectors: number;
}

/** A model while the gateway trains it: AROW where it is a plane, otherwise OLK-C. */
export type ModelLearner = Arow | OlkC;

/** How much a training may cost. */
export interface Effort {
  /** Passes over the lessons at most. */
  readonly passes: number;
  /** Lessons learned in all, about; the first pass is always whole. A plane, which costs less, takes four times as many. */
  readonly steps: number;
}

/** The effort for a model that is installed. */
export const FULL: Effort = { passes: 10, steps: 3000 };
const PLANE_STEPS = 4;

/** The gamma of Gaussians over standardised features is 1 / (dimension - NARROWER). */
const NARROWER = 0.6;

function modelGamma({ dimension }: ModelForm): number {
  return 1 / (dimension - NARROWER);
}

function learnerOptions(form: ModelForm) {
  const { dimension, vectors } = form;
  return { dimension, budget: vectors, kernel: { type: "gaussian", gamma: modelGamma(form) } as const };
}

/** The memory that a model of that form takes while it is trained. */
export function modelLayout(form: ModelForm): Layout {
  const { dimension, vectors } = form;
  const options = vectors === 0 ? { dimension } : { ...learnerOptions(form) };
  return familyNamed(vectors === 0 ? "arow" : "olk-c")?.layout(options) as Layout;
}

/** A model that has learned nothing. @param variance of each weight of a plane, as long as no lesson says more. */
export function makeModel(form: ModelForm, memory: MemoryRange, variance = 1): ModelLearner {
  const { dimension, vectors } = form;
  if (vectors === 0) return new Arow({ dimension, initialVariance: variance, memory });
  return new OlkC({ ...learnerOptions(form), memory });
}

/** Learns the lessons once, in their order. */
export function learnAll(learner: ModelLearner, lessons: readonly Lesson[]): void {
  for (const { x, y } of lessons) learner.learn(x, y);
}

function shuffled(lessons: readonly Lesson[], random: Random): Lesson[] {
  const list = lessons.slice();
  random.shuffle(list);
  return list;
}

/** Passes for so many lessons: at least one. */
function passesFor(lessons: number, passes: number, steps: number): number {
  return Math.max(1, Math.min(passes, Math.round(steps / Math.max(1, lessons))));
}

/**
 * A model that learned the lessons, each pass in another order. A kernel expansion learns one pass after the other. A plane is the mean of the
 * weights after single passes: its confidence falls with each lesson, so a second pass would change little.
 */
export function trainModel(
  form: ModelForm,
  memory: MemoryRange,
  lessons: readonly Lesson[],
  random: Random,
  { passes, steps }: Effort = FULL,
): ModelLearner {
  if (form.vectors === 0)
    return meanPlane(form, memory, lessons, random, passesFor(lessons.length, passes, PLANE_STEPS * steps));
  const learner = makeModel(form, memory);
  const times = passesFor(lessons.length, passes, steps);
  for (let pass = 0; pass < times; pass++) learnAll(learner, shuffled(lessons, random));
  return learner;
}

/** The mean of planes that learned the lessons in different orders, with the confidence of the last. */
function meanPlane(
  form: ModelForm,
  memory: MemoryRange,
  lessons: readonly Lesson[],
  random: Random,
  runs: number,
): ModelLearner {
  let learner = makeModel(form, memory);
  const weights = modelWeights(learner);
  const sum = new Float64Array(weights.length);
  for (let run = 0; run < runs; run++) {
    if (run > 0) learner = makeModel(form, memory);
    learnAll(learner, shuffled(lessons, random));
    for (let j = 0; j < sum.length; j++) sum[j] += weights[j] / runs;
  }
  weights.set(sum);
  return learner;
}

/** A plane's weights in its memory, the offset last. */
function modelWeights({ layout, range }: ModelLearner): Float32Array {
  const at = layout.at("w", range);
  return range.f32.words.subarray(at, at + layout.regionWords("w"));
}

/** The model in the form in which nodes take it: the bytes of an `InstalledModel`. */
export function installable(form: ModelForm, learner: ModelLearner): Uint8Array {
  const { dimension } = form;
  if (!(learner instanceof OlkC)) {
    const weights = modelWeights(learner);
    const plane = { weights: weights.subarray(0, dimension), bias: weights[dimension] };
    return encodeModel({ ...plane, gamma: 0, coefficients: [], vectors: [] });
  }
  const { dictionary, range, layout } = learner;
  const places = Array.from({ length: dictionary.size }, (_, i) => i);
  const spare = layout.at("spare", range);
  const vectors = places.map((i) => {
    range.f32.fetchRow(spare, dictionary.rows, i, dimension);
    return range.f32.words.slice(spare, spare + dimension);
  });
  return encodeModel({
    weights: new Float32Array(dimension),
    bias: 0,
    gamma: vectors.length > 0 ? modelGamma(form) : 0,
    coefficients: places.map((i) => dictionary.coefficient(i)),
    vectors,
  });
}

/** True if the model predicts another class than the lesson's. */
export function errsOn(learner: ModelLearner, { x, y }: Lesson): boolean {
  return learner.predict(x) > 0 !== y > 0;
}

/** Copies a trained model into other memory. The copy begins with its weights and the given variance, see `untrained`. */
export function continueModel(
  form: ModelForm,
  memory: MemoryRange,
  from: ModelLearner,
  variance: number,
): ModelLearner {
  const copy = makeModel(form, memory, variance);
  const { state, f32 } = from.range;
  copy.range.f32.bits.set(f32.bits.subarray(state, state + from.layout.state), copy.range.state);
  copy.restartConfidence();
  return copy;
}
