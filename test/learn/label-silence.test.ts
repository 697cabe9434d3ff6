import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Prequential } from "../../host-sim/prequential/prequential.ts";
import { LabelSilence } from "../../src/learn/label-silence.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout } from "../../src/memory/layout.ts";
import { readWords } from "./region.ts";

const DIMENSION = 3;
const LABELLED = 1200;
const ALL = 2400;

const create = (name: string, options: object) =>
  familyNamed(name)!.create({ dimension: DIMENSION, ...options });

/** Samples of classes that last 40 samples, `apart` deviations from one another in a component each. */
function stays(classes: number, seed: number): { inputs: Float32Array[]; labels: number[] } {
  const random = new Random(seed, "silence");
  let now = 0;
  const labels = Array.from({ length: ALL }, () => {
    if (random.uniform() < 1 / 40) now = (now + 1 + random.below(classes - 1)) % classes;
    return now;
  });
  const inputs = labels.map((c) =>
    Float32Array.from({ length: DIMENSION }, (_, j) => (j === c ? 2 : 0) + random.normal()),
  );
  return { inputs, labels: classes === 2 ? labels.map((c) => 2 * c - 1) : labels };
}

/** The share of wrong decisions on the last samples, to which no label comes. */
function errorInSilence(learner: Learner, classes: number, seed: number): number {
  const { inputs, labels } = stays(classes, seed);
  const run = new Prequential(learner);
  const wrong = inputs.map((x, t) => {
    const decision = run.sample(x, t < LABELLED ? labels[t] : Number.NaN);
    return classes === 2 ? decision > 0 !== labels[t] > 0 : decision !== labels[t];
  });
  return wrong.slice(LABELLED).filter(Boolean).length / (ALL - LABELLED);
}

test("once labels stop, auto decides by the samples and doesn't repeat the last label", () => {
  for (const [classes, options, most] of [
    [2, {}, 0.15],
    [2, { bytes: 2048 }, 0.2],
    [3, {}, 0.2],
    [3, { bytes: 2048 }, 0.2],
  ] as const)
    for (const seed of [1, 2]) {
      const error = errorInSilence(create("auto", { classes, ...options }), classes, seed);
      assert.ok(error < most, `${classes} classes, ${JSON.stringify(options)}, seed ${seed}: ${error}`);
    }
});

test("once the reference is gone, auto-r estimates by the samples and doesn't repeat the last label", () => {
  const random = new Random(3, "calibration");
  const learner = create("auto-r", {});
  const run = new Prequential(learner);
  let level = 0;
  let squares = 0;
  let variance = 0;
  for (let t = 0; t < ALL; t++) {
    level = 0.98 * level + 0.2 * random.normal();
    const x = Float32Array.of(level + 0.3 * random.normal(), random.normal(), random.normal());
    const estimate = run.sample(x, t < LABELLED ? 400 + 50 * level : Number.NaN);
    if (t < LABELLED) continue;
    squares += (estimate - 400 - 50 * level) ** 2;
    variance += (50 * level) ** 2;
  }
  assert.ok(squares < 0.15 * variance, `${squares / variance} of the labels' variance`);
});

test("a label ends the silence: the weights are those of all members again", () => {
  const { inputs, labels } = stays(2, 4);
  const learner = create("auto", {});
  const run = new Prequential(learner);
  const last = (wants: number) => {
    const at = learner.layout.at("vote.weights", learner.range);
    assert.is(learner.range.f32.words[at + 6] > 0, wants > 0, "weight of the last label");
  };
  inputs.slice(0, 400).forEach((x, t) => void run.sample(x, labels[t]));
  last(1);
  inputs.slice(400, 440).forEach((x) => void run.sample(x, Number.NaN));
  last(0);
  run.sample(inputs[440], labels[440]);
  last(1);
});

test("the first label ends a silence, too: auto-r weighs all members from then on", () => {
  const { inputs } = stays(2, 5);
  const learner = create("auto-r", {});
  const run = new Prequential(learner);
  const weights = () => [...readWords(learner, "weights", 6)];
  inputs.slice(0, 12).forEach((x) => void run.sample(x, Number.NaN));
  assert.is(weights()[0], 0, "the last label has no weight before there is one");
  run.sample(inputs[12], 400);
  assert.ok(
    weights().every((weight) => weight > 0),
    `${weights()}`,
  );
});

test("a silence is unusual beyond twice the longest and 8 samples; the longest decays by 1/16 with each", () => {
  const layout = new Layout([LabelSilence.region()]);
  const range = layout.ownRange();
  const silence = new LabelSilence(layout, range);
  /** The sample, from 1, at which a silence of so many becomes unusual; 0: none. Then a label comes. */
  const pass = (samples: number) => {
    let at = 0;
    for (let k = 1; k <= samples; k++) if (silence.countSample()) at = at === 0 ? k : -1;
    silence.end();
    return at;
  };
  assert.is(pass(20), 9, "no label yet");
  assert.is(pass(48), 0);
  assert.is(pass(200), 105, "48 was the longest");
  silence.end();
  assert.is(pass(408), 0, "labels that come together end one silence");
  for (let k = 0; k < 200; k++) pass(1);
  assert.is(pass(20), 11, "all silences were of one sample for long");
});

test.run();
