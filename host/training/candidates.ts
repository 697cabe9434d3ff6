import type { MemoryRange } from "../../src/memory/layout.ts";
import { arithmetic } from "../arithmetic.ts";
import { Random } from "../random.ts";
import { bestPasses } from "./folds.ts";
import {
  continueModel,
  errsOn,
  FULL,
  type Lesson,
  learnAll,
  type ModelForm,
  type ModelLearner,
  modelLayout,
  trainModel,
} from "./model.ts";

/**
 * Models among which the gateway chooses for a node: the group's; the same after the node's own labels, which it follows the more strongly from light
 * to strong; and a model of the own labels alone.
 */
export const CANDIDATES = ["group", "light", "medium", "strong", "own"] as const;

/** One of `CANDIDATES`. */
export type Candidate = (typeof CANDIDATES)[number];

/** How the group's model follows own labels: the variance of a plane's weights when it begins with them, and passes over them. */
const PLANE_STRENGTHS = [
  { variance: 0.03, passes: 1 },
  { variance: 0.3, passes: 1 },
  { variance: 1, passes: 4 },
];
const EXPANSION_STRENGTHS = [
  { variance: 1, passes: 1 },
  { variance: 1, passes: 3 },
  { variance: 1, passes: 8 },
];

/** Own labels that a candidate learns: the last ones. And those by which the passes over them are chosen. */
const OWN_LESSONS = 1000;
const COMPARED = 60;

/** Each candidate's errors at the start. */
const HANDICAPS = [0, 0.3, 0.6, 1, 1.5];
/** The share of errors and labels that remains one label later. */
const KEPT = 0.995;
/** Labels of a node as which the experience of the others counts, at most. */
const FELLOWS_COUNT = 50;

/** The experience with candidates: errors of each, and labels, all discounted by their age. */
export interface Experience {
  readonly errors: Float64Array;
  labels: number;
}

export function noExperience(): Experience {
  return { errors: new Float64Array(CANDIDATES.length), labels: 0 };
}

/**
 * The candidate, by its place, with the least of
 *
 *     handicap + own errors + k * errors on other nodes,   k = min(50, W / 2) / W,   W the others' labels
 *
 * So the others' experience counts as at most 50 labels, and own labels decide in the end.
 */
export function chooseModel(own: Experience, others: Experience): number {
  const k = others.labels > 0 ? Math.min(FELLOWS_COUNT, others.labels / 2) / others.labels : 0;
  const sums = HANDICAPS.map((handicap, c) => handicap + own.errors[c] + k * others.errors[c]);
  const least = Math.min(...sums);
  return sums.findIndex((sum) => sum < least + 1e-9);
}

/** A node's candidates, and the experience with them. */
export class NodeCandidates {
  readonly experience = noExperience();
  private models: readonly ModelLearner[] = [];
  private readonly memory: readonly MemoryRange[];

  constructor(private readonly form: ModelForm) {
    const layout = modelLayout(form);
    this.memory = CANDIDATES.slice(1).map(() => arithmetic().allocate(layout));
  }

  /** Trains them anew. @param group the group's model */
  train(group: ModelLearner, lessons: readonly Lesson[], seed: string): void {
    const { form, memory } = this;
    const own = lessons.slice(-OWN_LESSONS);
    const strengths = form.vectors === 0 ? PLANE_STRENGTHS : EXPANSION_STRENGTHS;
    const followers = strengths.map(({ variance, passes }, i) => {
      const model = continueModel(form, memory[i], group, variance);
      for (let pass = 0; pass < passes; pass++) learnAll(model, own);
      return model;
    });
    this.models = [group, ...followers, this.ownModel(own, seed)];
  }

  /** A model of own labels alone. The passes over them are chosen by cross-validation, as in `bestPasses`. */
  private ownModel(own: readonly Lesson[], seed: string): ModelLearner {
    const { form, memory } = this;
    const single = own.slice(-COMPARED).map((lesson) => [lesson]);
    const passes = bestPasses(form, single, () => true, seed, 1);
    return trainModel(form, memory[memory.length - 1], own, new Random(0, seed), { ...FULL, passes });
  }

  /** The candidate at that place; undefined before the first training. */
  at(place: number): ModelLearner | undefined {
    return this.models[place];
  }

  /** Judges the candidates by a lesson that none has learned. */
  judge(lesson: Lesson): void {
    const { experience, models } = this;
    if (models.length === 0) return;
    models.forEach((model, c) => {
      experience.errors[c] = KEPT * experience.errors[c] + (errsOn(model, lesson) ? 1 : 0);
    });
    experience.labels = KEPT * experience.labels + 1;
  }
}
