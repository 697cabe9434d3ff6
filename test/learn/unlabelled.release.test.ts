// What samples without a label could teach a learner of two classes: its own decisions (self-training), or those of its neighbours among the
// samples that wait (a manifold term over the pending ring). MOTELEARN_FIGURES=1 prints the errors.
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";

interface Sample {
  readonly x: readonly number[];
  readonly y: number;
}

const SAMPLES = 3000;
const UNSCORED = 500;
const SEEDS = [1, 2, 3, 4, 5];
/** Samples of a node that wait. */
const RING = 64;
const NEIGHBOURS = 5;
/** Shares of samples that get a label at all. */
const LABELLED = [0.02, 0.1, 0.3];

type Scene = (random: Random, y: number) => number[];

/** Sets whose classes lie on curves or in clusters, as a manifold term supposes, and one whose classes overlap. */
const SCENES: { readonly [name: string]: Scene } = {
  moons(random, y) {
    const turn = Math.PI * random.uniform();
    const at = [1.4 * (Math.cos(turn) - 0.5), 1.6 * (Math.sin(turn) - 0.25)];
    return at.map((value) => y * value + 0.15 * random.normal());
  },
  rings(random, y) {
    const turn = 2 * Math.PI * random.uniform();
    const radius = (y > 0 ? 1.5 : 0.7) + 0.15 * random.normal();
    return [radius * Math.cos(turn), radius * Math.sin(turn)];
  },
  spirals(random, y) {
    const along = 0.5 + 2.5 * random.uniform();
    const at = [Math.cos(2 * along), Math.sin(2 * along)];
    return at.map((value) => 0.6 * y * along * value + 0.06 * random.normal());
  },
  blobs(random, y) {
    const side = random.uniform() < 0.5 ? 1 : -1;
    return [side + 0.35 * random.normal(), side * y + 0.35 * random.normal(), 0.5 * random.normal()];
  },
  clouds: (random, y) => [0.6 * y, 0.6 * y, 0, 0].map((centre) => centre + 0.8 * random.normal()),
};

/** What a learner does with a sample that gets no label; `ring`: the latest before it. */
type Treatment = (learner: Learner, x: readonly number[], f: number, ring: readonly Sample[]) => void;

/** It learns the class that it decided for, where |f| is 1 or more. */
const selfTraining: Treatment = (learner, x, f) => {
  if (Math.abs(f) >= 1) learner.learn(x, f > 0 ? 1 : -1);
};

/** The weighted mean of f at the nearest samples. The weight is exp(-q / q_k): q is the squared distance, q_k that of the k-th nearest. */
function meanAround(learner: Learner, x: readonly number[], ring: readonly Sample[]): number {
  const distance = (other: readonly number[]) =>
    other.reduce((sum, value, j) => sum + (value - x[j]) ** 2, 0);
  const near = ring
    .map((sample) => ({ x: sample.x, q: distance(sample.x) }))
    .sort((a, b) => a.q - b.q)
    .slice(0, NEIGHBOURS);
  const last = near[near.length - 1].q;
  let [sum, weights] = [0, 0];
  for (const { x: other, q } of near) {
    const weight = Math.exp(-q / last);
    sum += weight * learner.predict(other);
    weights += weight;
  }
  return sum / weights;
}

/** A step down sum_j w_j (f(x) - f(x_j))^2 at x: f(x) moves that share of the way to its neighbours' mean. */
const manifold =
  (share: number): Treatment =>
  (learner, x, f, ring) => {
    if (ring.length < NEIGHBOURS) return;
    const target = f + share * (meanAround(learner, x, ring) - f);
    learner.learn(x, target);
  };

/** A classifier takes no such step: it learns the neighbours' class where their mean is 1 or more. */
const neighboursClass: Treatment = (learner, x, _, ring) => {
  if (ring.length < NEIGHBOURS) return;
  const mean = meanAround(learner, x, ring);
  if (Math.abs(mean) >= 1) learner.learn(x, mean > 0 ? 1 : -1);
};

/** Percent of samples that the learner decides wrongly, each before its label comes, if one does. */
function measureError(
  name: string,
  scene: string,
  labelled: number,
  seed: number,
  treatment?: Treatment,
): number {
  const stream = new Random(seed, scene);
  const labels = new Random(seed, "labels");
  const family = familyNamed(name)!;
  const ring: Sample[] = [];
  let learner: Learner | undefined;
  let wrong = 0;
  for (let t = 0; t < SAMPLES; t++) {
    const y = stream.uniform() < 0.5 ? 1 : -1;
    const x = SCENES[scene](stream, y);
    learner ??= family.create({ dimension: x.length });
    const f = learner.predict(x);
    if (t >= UNSCORED && f > 0 !== y > 0) wrong++;
    if (labels.uniform() < labelled) learner.learn(x, y);
    else treatment?.(learner, x, f, ring);
    ring.push({ x, y });
    if (ring.length > RING) ring.shift();
  }
  return (100 * wrong) / (SAMPLES - UNSCORED);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Regressions on labels of +-1, and a classifier. */
const LEARNERS: readonly (readonly [string, { readonly [how: string]: Treatment }])[] = [
  ["rff-klms", { "self-training": selfTraining, "manifold .1": manifold(0.1), "manifold .3": manifold(0.3) }],
  ["qklms", { "self-training": selfTraining, "manifold .1": manifold(0.1), "manifold .3": manifold(0.3) }],
  ["olk-c", { "self-training": selfTraining, "neighbours' class": neighboursClass }],
];

for (const [name, treatments] of LEARNERS) {
  test(`${name}: what a manifold term over the pending ring gains with clusters it loses elsewhere`, () => {
    const gains: { readonly how: string; readonly gain: number }[] = [];
    for (const labelled of LABELLED) {
      for (const scene of Object.keys(SCENES)) {
        const error = (treatment?: Treatment) =>
          mean(SEEDS.map((seed) => measureError(name, scene, labelled, seed, treatment)));
        const ignored = error();
        const others = Object.entries(treatments).map(([how, treatment]) => [how, error(treatment)] as const);
        for (const [how, treated] of others) gains.push({ how, gain: ignored - treated });
        if (process.env.MOTELEARN_FIGURES)
          console.log(
            `${name}, ${100 * labelled} % labelled, ${scene}: ignored ${ignored.toFixed(1)}, ${others
              .map(([how, treated]) => `${how} ${treated.toFixed(1)}`)
              .join(", ")}`,
          );
      }
    }
    for (const how of Object.keys(treatments)) {
      const own = gains.filter((one) => one.how === how).map(({ gain }) => gain);
      const text = `${how}: in the mean ${mean(own).toFixed(2)} points, ${Math.min(...own).toFixed(1)} to ${Math.max(...own).toFixed(1)}`;
      if (process.env.MOTELEARN_FIGURES) console.log(`${name}, ${text}`);
      if (how === "self-training") continue;
      assert.ok(mean(own) < 0.5, text);
      assert.ok(Math.min(...own) < -1, text);
    }
  });
}

test.run();
