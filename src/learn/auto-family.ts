import { frozen } from "../memory/frozen.ts";
import { OptionError } from "../memory/option-error.ts";
import { Auto } from "./auto.ts";
import { AUTO_OPTIONS, autoLayout, resolveAuto, STACK } from "./auto-plan.ts";
import {
  Committee,
  type CommitteeOptions,
  committeeLayout,
  committeeSizes,
  USUAL_BYTES,
} from "./committee.ts";
import type { Family, UserOptions } from "./family.ts";
import type { Learner } from "./learner.ts";
import type { AutoOptions } from "./learner-options.ts";
import { MOST_LOGIT } from "./stack.ts";
import { type DecisionTerms, regionValues, type Step } from "./terms.ts";

/** Options of the parts that a committee doesn't have. */
const OF_PARTS = frozen(["budget", "landmarks", "lag"]);

/** Of several classes, or of two where the parts don't fit. Throws an OptionError for an option of the parts. */
function committeeOptions(options: UserOptions): CommitteeOptions {
  const { dimension, bytes = 0, classes = 2, memory } = options;
  for (let i = 0; i < OF_PARTS.length; i++) {
    const value = options[OF_PARTS[i]];
    if (value === undefined) continue;
    const where =
      classes > 2
        ? "for several classes, whose members share option bytes: leave it out"
        : "where bytes has no room for all parts: give more bytes, or leave it out";
    throw new OptionError("auto", OF_PARTS[i], value, `no value ${where}`);
  }
  return { dimension, bytes, classes, memory };
}

/** The terms of a call's cost of several classes: of all, of the vectors, of the neighbours, and of the planes. */
function termsOfClasses(bytes: number, dimension: number, classes: number): number[] {
  const { vectors, neighbours, planes, isFull } = committeeSizes({ dimension, classes, bytes });
  return [
    ...[1, classes, dimension, vectors, vectors * dimension, vectors * classes],
    ...[neighbours > 0 ? 1 : 0, neighbours, neighbours * dimension],
    ...[planes * classes, planes * classes * dimension, isFull ? planes * dimension * dimension : 0],
  ];
}

/** Of the neighbours, which are of a committee, too. */
function termsOfNeighbours(neighbours: number, dimension: number): number[] {
  return neighbours > 0 ? [1, dimension, neighbours, neighbours * dimension] : [0, 0, 0, 0];
}

/** The terms of a call's cost with so many bytes: of a committee, of its planes, of the neighbours, and of the parts where these fit. */
function termsOfBytes(bytes: number, dimension: number, classes: number): number[] {
  if (classes > 2) return termsOfClasses(bytes, dimension, classes);
  const whole = resolveAuto({ dimension, bytes });
  if (whole) {
    const { budget, landmarks, neighbours } = whole;
    const rows = budget + landmarks;
    const inputs = dimension + landmarks;
    return [
      ...[0, 0, 0, 0, 0, 0, ...termsOfNeighbours(neighbours, dimension)],
      ...[1, rows, dimension, rows * dimension, inputs * inputs],
    ];
  }
  const { vectors, neighbours, isFull } = committeeSizes({ dimension, classes: 2, bytes });
  return [
    ...[1, dimension, vectors, vectors * dimension],
    ...(isFull ? [dimension, dimension * dimension] : [0, 0]),
    ...[...termsOfNeighbours(neighbours, dimension), 0, 0, 0, 0, 0],
  ];
}

/** Names of the members, by their places. */
const NAMES = frozen([
  "stack",
  "landmarks",
  "kernel",
  "tracking",
  "cautious",
  "majority",
  "last label",
  "filtered landmarks",
  "filtered cautious",
  "neighbours",
  "recent neighbours",
]);

/** See `graded`: the vote counts the less, the less the stack agrees. */
function agreement(learner: Learner, vote: number): Step | undefined {
  if (learner instanceof Committee) return undefined;
  const score = Math.max(-MOST_LOGIT, Math.min(MOST_LOGIT, regionValues(learner, "scores")[STACK]));
  const own = 2 * (1 / (1 + learner.range.f32.exp(-score))) - 1;
  const agreed = vote < 0 ? -own : own;
  const text = `times (2 + ${agreed}) / 3, as the stack's own decision is ${own}`;
  return { text, apply: (sum) => (sum * (2 + agreed)) / 3 };
}

const VOTE_TERMS: DecisionTerms = frozen({
  weights: ["vote.weights"],
  terms(learner, c) {
    if (learner instanceof Committee) return [learner.terms(c)];
    const scores = regionValues(learner, "scores");
    return Array.from(regionValues(learner, "vote.weights"), (weight, i) => [
      { of: `member ${NAMES[i]}`, weight, by: scores[i] > 0 ? 1 : -1, place: i },
    ]);
  },
  inTurn: (learner) => learner instanceof Committee,
  last: agreement,
});

export const AUTO: readonly Family[] = frozen([
  /**
   * Eight members vote. Hidden Markov models estimate from the labels alone how long classes persist and how often
   * labels are wrong; the vote follows the members that erred least. Where classes may persist, two members vote a
   * second time, through a model of classes that last.
   *
   *     decision = sum_i exp(-eta (L_i - min L)) vote_i / sum_i exp(-eta (L_i - min L))
   *     L_i: the discounted loss of member i on labels, late and wrong ones included
   *
   * When to use it: You know little of your classes and labels, and don't want to choose options. It takes more
   * instructions than any of its members.
   */
  {
    name: "auto",
    task: "classification",
    title: "Committee for late, lost and wrong labels",
    paper: "This project's own: a Bayes vote over members, on labels cleaned by small hidden Markov models",
    options: AUTO_OPTIONS,
    manyClasses: true,
    traits: {
      sizes: {
        option: "bytes",
        values: [1024, 2048, 4096, 8192, 16384, 32768, 65536],
        severally: USUAL_BYTES,
      },
      members: NAMES,
      decision: VOTE_TERMS,
      costs: { finder: "bsgd", dearer: ["bytes", "classes"], termsOfBytes },
      picture: { lasting: true },
    },
    layout(options) {
      const resolved = resolveAuto(options);
      return resolved ? autoLayout(resolved) : committeeLayout(committeeOptions(options));
    },
    create: (options) =>
      resolveAuto(options) ? new Auto(options as AutoOptions) : new Committee(committeeOptions(options)),
  },
]);
