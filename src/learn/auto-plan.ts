import { byteWords } from "../dictionary/byte-rows.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, FINITE, Layout, POSITIVE, TO_ONE } from "../memory/layout.ts";
import { AROW } from "./arow.ts";
import { BayesVote } from "./bayes-vote.ts";
import { BSGD } from "./bsgd.ts";
import { classes } from "./classes.ts";
import { LabelFlips } from "./label-flips.ts";
import { LabelSilence } from "./label-silence.ts";
import { LabelWindow } from "./label-window.ts";
import { COUNTERS, commonRegions } from "./learner.ts";
import { dimension, type ResolvedOptions, resolveOptions, whole } from "./options.ts";
import { neighboursLayout } from "./recent-neighbours.ts";
import { Stack } from "./stack.ts";

const LEAST_BYTES = 1024;
const MOST_BYTES = 65536;

/** 0, or within the bounds. */
const bytes = frozen({
  ...whole(
    { default: 0, min: 0, max: MOST_BYTES },
    "bytes that it may take at most, counters and scratch included. It has the parts above, smaller where they must be, and more neighbours in what they leave; where not even the smallest fit, members that fit, see `Committee`, as always with several classes: these members take no budget, landmarks or lag; 0: the parts above, or with several classes 8192 bytes, or twice what the least members take",
  ),
  takes: `0, or a whole number >= ${LEAST_BYTES} and <= ${MOST_BYTES}`,
  accepts: (value: unknown) =>
    Number.isInteger(value) &&
    (value === 0 || ((value as number) >= LEAST_BYTES && (value as number) <= MOST_BYTES)),
});

export const AUTO_OPTIONS = frozen({
  dimension,
  budget: whole(
    { default: 32, min: 1, max: 4096 },
    "vectors of the kernel expansion. Nearest neighbours have four samples for each vector, at a byte a component",
  ),
  landmarks: whole(
    { default: 22, min: 1, max: 256 },
    "early samples, every third, whose kernel values are inputs of a linear member",
  ),
  lag: whole({ default: 12, min: 1, max: 64 }, "labels from which the class of each of them is estimated"),
  bytes,
  classes,
});

/** The options, and the samples stored for nearest neighbours. */
export type ResolvedAutoOptions = ResolvedOptions<typeof AUTO_OPTIONS> & { readonly neighbours: number };

/** Members, by their bits among the votes. */
export const STACK = 0;
export const LANDMARKS = 1;
export const KERNEL = 2;
export const TRACKING = 3;
export const CAUTIOUS = 4;
export const MAJORITY = 5;
export const LAST = 6;
/** These vote a second time, through a model of classes that last: `landmarks` and `cautious`. */
export const FILTERED = 7;
export const FILTERED_FROM = frozen([LANDMARKS, CAUTIOUS]);
/** These vote twice, too: alike, and by their age. */
export const NEIGHBOURS = FILTERED + FILTERED_FROM.length;
export const RECENT = NEIGHBOURS + 1;
export const MEMBERS = RECENT + 1;

/** Inputs of the stack: 1, the margins of two members, the last label, two running means of its own decisions, one of labels. */
export const MARGINS = 2;
export const LAST_LABEL = 3;
export const OWN = 4;
export const LABELS = 6;
export const INPUTS = 7;
export const MOST_MARGIN = 3;

/** Forgetting of `tracking`, whose memory is about 100 labels. */
export const FORGETTING = 0.99;
/** r of the members by AROW. */
export const NOISE = 10;
/** Labels whose majority is a member. */
export const MAJORITY_LABELS = 1000;

/** Regions of one number each, by their place in region `running`. */
export const MEAN_SQUARES = 0;
export const OWN_MEANS = 2;
export const LABEL_MEAN = 4;
export const MAJORITY_MEAN = 5;
export const LAST_SEEN = 6;
export const SEEN = 7;
export const SAMPLES = 8;
export const REFUTED = 9;
export const LANDMARK_COUNT = 10;
const RUNNING = 11;
/** What the first of them hold. */
const MEANS_HOLD = frozen([POSITIVE, POSITIVE, FINITE, FINITE, FINITE, FINITE, FINITE]);

const [AROW_FAMILY] = AROW;
/** Neighbours for each vector of the budget. */
const NEIGHBOURS_PER_VECTOR = 4;
/** The fewest neighbours that `bytes` leave, and the budgets and landmarks from which it takes the first that fit with them. */
const LEAST_NEIGHBOURS = 32;
const SMALLER = frozen([
  [4096, 256],
  [16, 22],
  [16, 16],
  [8, 8],
]);

/**
 * Each member has its own state. They share scratch and counters, one after the other. XS's stack is deepest here while a node starts, so
 * no function lies between this one and the members' layouts.
 */
export function autoLayout(options: ResolvedAutoOptions): Layout {
  const { budget, dimension, landmarks, lag } = options;
  const neighbours = neighboursLayout(dimension, options.neighbours);
  const tracking = AROW_FAMILY.layout({ dimension, forgetting: FORGETTING });
  const cautious = AROW_FAMILY.layout({ dimension });
  const onLandmarks = AROW_FAMILY.layout({ dimension: dimension + landmarks });
  const kernel = BSGD[0].layout({ dimension, budget });
  return new Layout([
    ...tracking.parts("tracking", ["state"]),
    ...cautious.parts("cautious", ["state"]),
    { name: "landmarks.rows", kind: "state", words: ceil4(landmarks) * dimension },
    ...onLandmarks.parts("onLandmarks", ["state"]),
    ...kernel.parts("kernel", ["state"]),
    ...neighbours.parts("neighbours", ["state"]),
    ...Stack.regions(INPUTS),
    ...BayesVote.regions(MEMBERS),
    ...LabelFlips.regions(),
    ...LabelWindow.regions(lag, dimension),
    {
      name: "running",
      kind: "state",
      words: RUNNING,
      holds: [...MEANS_HOLD, MAJORITY_LABELS, ANY, 1, landmarks],
    },
    LabelSilence.region(),
    { name: "stay", kind: "state", words: FILTERED_FROM.length, holds: [TO_ONE] },
    ...commonRegions(dimension),
    { name: "members", kind: "counters", words: COUNTERS.length },
    { name: "note", kind: "scratch", words: 2 },
    { name: "sample", kind: "scratch", words: dimension + ceil4(landmarks) },
    { name: "inputs", kind: "scratch", words: INPUTS },
    { name: "scores", kind: "scratch", words: MEMBERS },
    { name: "smoothed", kind: "scratch", words: lag },
    { name: "present", kind: "scratch", words: FILTERED_FROM.length },
    {
      name: "shared",
      kind: "scratch",
      words: Math.max(onLandmarks.scratch, kernel.scratch, neighbours.scratch),
    },
  ]);
}

/** The options, checked, with as many neighbours as `bytes` leaves room for; undefined: a committee's. Throws an OptionError. */
export function resolveAuto(options: object): ResolvedAutoOptions | undefined {
  const resolved = resolveOptions("auto", AUTO_OPTIONS, options);
  const { bytes, budget, landmarks, dimension } = resolved;
  if (resolved.classes > 2) return undefined;
  if (bytes === 0) return { ...resolved, neighbours: NEIGHBOURS_PER_VECTOR * budget };
  for (let i = 0; i < SMALLER.length; i++) {
    const [vectors, early] = SMALLER[i];
    const parts = { budget: Math.min(budget, vectors), landmarks: Math.min(landmarks, early) };
    const least = { ...resolved, ...parts, neighbours: LEAST_NEIGHBOURS };
    const free = (bytes - autoLayout(least).bytes) / 4;
    if (free < 0) continue;
    const more = 4 * Math.floor(free / (4 * byteWords(dimension) + 1));
    return { ...least, neighbours: LEAST_NEIGHBOURS + more };
  }
  return undefined;
}
