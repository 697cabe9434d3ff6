import { Random } from "../../../host/random.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import type { ChoiceTask } from "../../choice/candidates.ts";
import {
  between,
  dot,
  drawDirection,
  drawSamples,
  fillNormal,
  normals,
} from "../../experiments/lib/drawing.ts";

/** Components of an input. */
export const DIMENSION = 16;

/** A source of samples: one seed gives the concept to learn, another the samples. */
export interface ChoiceSet {
  readonly name: string;
  readonly doc: string;
  readonly task: ChoiceTask;
  /** Writes one sample to x and returns its label; t counts from 0. */
  concept(random: Random): (x: Float32Array, t: number, random: Random) => number;
}

const TWO_PI = 6.2831853;
const elementary = new Elementary();

const direction = (random: Random) => drawDirection(random, DIMENSION);

const toSign = (positive: boolean) => (positive ? 1 : -1);

const OFFSET: ChoiceSet = {
  name: "offset",
  doc: "a plane at 1 deviation from the mean of normal inputs; 5 % of the labels are wrong",
  task: "classification",
  concept(random) {
    const w = direction(random);
    return (x, _, draws) => {
      fillNormal(x, draws);
      return toSign(dot(x, w) > 1 === draws.uniform() >= 0.05);
    };
  },
};

const CLOUDS: ChoiceSet = {
  name: "clouds",
  doc: "eight normal clouds around random centres, four of each class, which overlap",
  task: "classification",
  concept(random) {
    const centres = Array.from({ length: 8 }, () => normals(random, DIMENSION));
    return (x, _, draws) => {
      fillNormal(x, draws);
      const cloud = draws.below(8);
      for (let j = 0; j < DIMENSION; j++) x[j] += centres[cloud][j];
      return toSign(cloud % 2 === 0);
    };
  },
};

const BOARD: ChoiceSet = {
  name: "board",
  doc: "a board of 4 x 4 fields in a random plane; noise of a tenth of a field in all 16 components",
  task: "classification",
  concept(random) {
    const [across, down] = [direction(random), direction(random)];
    return (x, _, draws) => {
      fillNormal(x, draws);
      const [a, b] = [4 * draws.uniform(), 4 * draws.uniform()];
      for (let j = 0; j < DIMENSION; j++) x[j] = 0.1 * x[j] + (a - 2) * across[j] + (b - 2) * down[j];
      return toSign((Math.floor(a) + Math.floor(b)) % 2 === 0);
    };
  },
};

const HYPERPLANE: ChoiceSet = {
  name: "hyperplane",
  doc: "a plane through the mean of normal inputs that turns once in 10,000 samples; 5 % of the labels are wrong",
  task: "classification",
  concept(random) {
    const [first, second] = [direction(random), direction(random)];
    return (x, t, draws) => {
      fillNormal(x, draws);
      const angle = Math.fround((TWO_PI * t) / 10_000);
      const side = elementary.cos(angle) * dot(x, first) + elementary.sin(angle) * dot(x, second);
      return toSign(side > 0 === draws.uniform() >= 0.05);
    };
  },
};

const SURFACE: ChoiceSet = {
  name: "surface",
  doc: "regression: a wave and a product along random directions, noise of a fifth of the deviation",
  task: "regression",
  concept(random) {
    const [a, b, c] = [direction(random), direction(random), direction(random)];
    return (x, _, draws) => {
      fillNormal(x, draws);
      const wave = elementary.sin(Math.fround(2 * dot(x, a)));
      return 3 + 2 * (wave + 0.5 * dot(x, b) * dot(x, c) + 0.5 * dot(x, b) + 0.2 * draws.normal());
    };
  },
};

/** How far apart the centres of a machine's states are, in deviations a component, and the mean lengths of its stays. */
const APART = [0.25, 0.6] as const;
const STAYS = [60, 300] as const;
/** The share of a reading's deviation that the next reading keeps. */
const KEEPS = 0.8;

const MACHINE: ChoiceSet = {
  name: "machine",
  doc: "a machine's three states in long runs, whose readings overlap and change slowly: the last label is strong, and the weaker the later it comes",
  task: "classification",
  concept(random) {
    const [apart, stay] = [between(random, ...APART), between(random, ...STAYS)];
    const centres = Array.from({ length: 3 }, () => normals(random, DIMENSION));
    const deviations = new Float64Array(DIMENSION);
    let state = random.below(3);
    return (x, _, draws) => {
      if (draws.uniform() < 1 / stay) state = (state + 1 + draws.below(2)) % 3;
      for (let j = 0; j < DIMENSION; j++) {
        deviations[j] = KEEPS * deviations[j] + Math.sqrt(1 - KEEPS * KEEPS) * draws.normal();
        x[j] = apart * centres[state][j] + deviations[j];
      }
      return state;
    };
  },
};

export const CHOICE_SETS: readonly ChoiceSet[] = [OFFSET, CLOUDS, BOARD, HYPERPLANE, SURFACE, MACHINE];

/** `count` samples; of one concept, `part` names which. */
export function drawSet(set: ChoiceSet, seed: number, part: string, count: number): DataSet {
  const draw = set.concept(new Random(seed, `choice/${set.name}`));
  const random = new Random(seed, `choice/${set.name}/${part}`);
  return drawSamples((x, t) => draw(x, t, random), DIMENSION, count, `${set.name} ${seed}`);
}
