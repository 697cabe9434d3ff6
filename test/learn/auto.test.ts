import { loneNode } from "../../host-sim/state/lone-node.ts";
import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Arow } from "../../src/learn/arow.ts";
import { Auto } from "../../src/learn/auto.ts";
import { FILTERED } from "../../src/learn/auto-plan.ts";
import { BayesVote } from "../../src/learn/bayes-vote.ts";
import type { Family } from "../../src/learn/family.ts";
import { LabelFlips } from "../../src/learn/label-flips.ts";
import { LabelWindow } from "../../src/learn/label-window.ts";
import { noteWords } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout } from "../../src/memory/layout.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { readWords } from "./region.ts";

const D = 4;
const auto = familyNamed("auto") as Family;

/** The conditions of labels and classes. */
interface Conditions {
  /** Probability that the class is redrawn. */
  readonly anew: number;
  /** Error rates of labels of class +1, and of class -1. */
  readonly plus?: number;
  readonly minus?: number;
}

interface Labelled {
  readonly x: number[];
  readonly truth: number;
  readonly y: number;
}

/** Two classes, means 1.6 deviations apart in each of two components, on scales of their own. */
function stream(count: number, { anew, plus = 0, minus = 0 }: Conditions, seed = 1): Labelled[] {
  const random = new Random(seed, "auto");
  let truth = 1;
  return Array.from({ length: count }, () => {
    if (random.uniform() < anew) truth = random.uniform() < 0.5 ? -1 : 1;
    const x = Array.from({ length: D }, (_, j) => {
      const z = random.normal() + (j < 2 ? 0.8 * truth : 0);
      return Math.fround(20 * j + 10 ** (j - 2) * z);
    });
    const isWrong = random.uniform() < (truth > 0 ? plus : minus);
    return { x, truth, y: isWrong ? -truth : truth };
  });
}

/** Share of wrong predictions by a node whose labels come so many samples late, from sample `from` on. */
function measureError(
  learner: Family,
  samples: readonly Labelled[],
  delay: number,
  from = 300,
  options = {},
) {
  const given = {
    sid: 1,
    channels: D,
    pending: delay + 1,
    features: { standardise: true },
    learner,
    options,
  };
  const node = loneNode(given);
  let wrong = 0;
  samples.forEach(({ x, truth }, t) => {
    if (node.sample(x) * truth < 0 && t >= from) wrong++;
    const k = t - delay;
    if (k >= 0) node.label({ number: k + 1, sid: 1, seq: k + 1, y: samples[k].y });
  });
  return wrong / (samples.length - from);
}

/** Share of wrong predictions when repeating the last label received. */
function errorOfLast(samples: readonly Labelled[], delay: number, from = 300): number {
  const wrong = samples.filter(({ truth }, t) => t >= from && samples[t - delay - 1].y !== truth);
  return wrong.length / (samples.length - from);
}

function parts(lag = 6, d = 1) {
  const layout = new Layout([
    ...LabelFlips.regions(),
    ...LabelWindow.regions(lag, d),
    { name: "x", kind: "scratch", words: lag + d },
  ]);
  const range = layout.ownRange();
  const flips = new LabelFlips(layout, range);
  return { range, flips, window: new LabelWindow(layout, range, lag, d, flips), x: layout.at("x", range) };
}

test("all that it takes at dimension 8 is 9,500 bytes at most, and 8 bytes a sample that waits for its label", () => {
  assert.ok(auto.layout({ dimension: 8 }).bytes <= 9500);
  const bytes = (pending: number) =>
    nodeLayout({ sid: 1, channels: 8, pending, learner: auto, options: {} }).bytes;
  assert.is(bytes(65) - bytes(64), 8 + 4 * 8 + 8);
});

for (const [plus, minus] of [
  [0.2, 0.2],
  [0.4, 0],
  [0, 0.3],
]) {
  test(`from labels alone it learns persistence, and flips of ${plus} and ${minus}`, () => {
    const { flips } = parts();
    for (const { y } of stream(3000, { anew: 0.08, plus, minus })) flips.learn(y, 1);
    assert.ok(Math.abs(flips.kappa - 0.92) < 0.05, `kappa ${flips.kappa}`);
    assert.ok(Math.abs(flips.plus - plus) < 0.05, `p ${flips.plus}`);
    assert.ok(Math.abs(flips.minus - minus) < 0.05, `m ${flips.minus}`);
    assert.ok(flips.unrelated < 0.01);
  });
}

test("it distinguishes classes that don't persist from labels that are wrong", () => {
  const { flips } = parts();
  for (const { y } of stream(2000, { anew: 1, plus: 0.2, minus: 0.2 })) flips.learn(y, 1);
  assert.ok(flips.unrelated > 0.9, `P(kappa = 0) ${flips.unrelated}`);
});

test("a lost label is a gap: persistence is found as from all labels", () => {
  const random = new Random(3, "lost");
  const { flips } = parts();
  let gap = 1;
  for (const { y } of stream(4000, { anew: 0.08, plus: 0.1, minus: 0.1 })) {
    if (random.uniform() < 0.5) gap++;
    else {
      flips.learn(y, gap);
      gap = 1;
    }
  }
  assert.ok(Math.abs(flips.kappa - 0.92) < 0.05, `kappa ${flips.kappa}`);
});

/** P(class = +1) of each sample, by adding up every path of classes. */
function pathPosteriors(labels: readonly number[], gaps: readonly number[], flips: LabelFlips): number[] {
  const { kappa, prior, plus, minus } = flips;
  const sums = labels.map(() => 0);
  let total = 0;
  for (let path = 0; path < 2 ** labels.length; path++) {
    const isPlus = labels.map((_, t) => ((path >> t) & 1) === 1);
    const weight = labels.reduce((product, y, t) => {
      const link = t === 0 ? 0 : kappa ** gaps[t];
      const moved = (isPlus[t] === isPlus[t - 1] ? link : 0) + (1 - link) * (isPlus[t] ? prior : 1 - prior);
      const wrong = isPlus[t] ? plus : minus;
      return product * moved * (y > 0 === isPlus[t] ? 1 - wrong : wrong);
    }, 1);
    total += weight;
    isPlus.forEach((each, t) => {
      if (each) sums[t] += weight;
    });
  }
  return sums.map((sum) => sum / total);
}

test("a smoothed label is what all paths of classes through the window say", () => {
  const { range, flips, window, x } = parts();
  for (const { y } of stream(500, { anew: 0.2, plus: 0.1, minus: 0.3 })) flips.learn(y, 1);
  const labels = [1, 1, -1, 1, -1, -1];
  const gaps = [1, 1, 2, 1, 5, 1];
  labels.forEach((y, t) => {
    const number = gaps.slice(0, t + 1).reduce((sum, gap) => sum + gap, 4090) % 4096;
    window.push(x, y, number);
  });
  window.smooth(x);
  pathPosteriors(labels, gaps, flips).forEach((wanted, t) => {
    assert.ok(
      Math.abs(range.f32.words[x + t] - wanted) < 1e-5,
      `sample ${t}: ${range.f32.words[x + t]}, not ${wanted}`,
    );
  });
});

test("where classes persist and labels of one are wrong, it errs less than half as often as AROW", () => {
  const samples = stream(3000, { anew: 0.05, plus: 0.4 });
  const [own, arow] = [auto, familyNamed("arow") as Family].map((learner) =>
    measureError(learner, samples, 0),
  );
  assert.ok(own < arow / 2, `${own}, AROW ${arow}`);
});

for (const delay of [0, 30]) {
  for (const anew of [0.02, 1]) {
    test(`labels ${delay} late, classes drawn again with probability ${anew}: it is as good as the last label and as AROW`, () => {
      const samples = stream(3000, { anew, plus: 0.2, minus: 0.2 });
      const own = measureError(auto, samples, delay);
      const arow = measureError(familyNamed("arow") as Family, samples, delay, 300, { noiseVariance: 10 });
      const best = Math.min(arow, errorOfLast(samples, delay));
      assert.ok(own <= 1.05 * best + 0.005, `${own}, the better of both ${best}`);
    });
  }
}

for (const delay of [30, 200]) {
  test(`classes last 100 samples, labels ${delay} late, 30 % of them wrong: it errs a third less than AROW`, () => {
    const samples = stream(3000, { anew: 0.02, plus: 0.3, minus: 0.3 });
    const own = measureError(auto, samples, delay);
    const arow = measureError(familyNamed("arow") as Family, samples, delay, 300, { noiseVariance: 10 });
    assert.ok(own < 0.65 * arow, `${own}, AROW ${arow}`);
  });
}

test("a vote through the model of classes that last has a weight only where classes last", () => {
  const weightsAfter = (conditions: Conditions) => {
    const learner = new Auto({ dimension: D });
    for (const { x, y } of stream(3000, conditions)) learner.learn(x, y);
    const at = learner.layout.at("vote.weights", learner.range);
    return [...learner.range.f32.words.subarray(at + FILTERED, at + FILTERED + 2)];
  };
  assert.equal(weightsAfter({ anew: 1 }), [0, 0]);
  const [landmarks, cautious] = weightsAfter({ anew: 0.02, plus: 0.3, minus: 0.3 });
  assert.ok(landmarks > 0 && cautious > 0, `${landmarks}, ${cautious}`);
});

/** Classes by the sign of a product, which each `every` samples interchange their places. */
function products(flips: number, every = 3000): Labelled[] {
  const random = new Random(2, "product");
  return Array.from({ length: 3000 }, (_, t) => {
    const x = Array.from({ length: D }, () => random.normal());
    const truth = x[0] * x[1] > 0 === Math.floor(t / every) % 2 > 0 ? -1 : 1;
    return { x, truth, y: random.uniform() < flips ? -truth : truth };
  });
}

for (const delay of [30, 200]) {
  for (const [flips, every] of [
    [0.2, 3000],
    [0, 1000],
  ]) {
    const change = every < 3000 ? `, which interchange each ${every} samples` : "";
    const title = `no line tells the classes apart${change}, ${flips} of the labels are wrong, ${delay} late`;
    test(`${title}: it is as good as BSGD, whose width it finds`, () => {
      const samples = products(flips, every);
      const own = measureError(auto, samples, delay);
      const bsgd = measureError(familyNamed("bsgd") as Family, samples, delay, 300, { budget: 32 });
      assert.ok(own <= 1.05 * bsgd + 0.005, `${own}, BSGD ${bsgd}`);
    });
  }
}

/** Classes by the side of a line through 0, which turns once in so many samples. */
function turning(period: number): Labelled[] {
  const random = new Random(7, "turning");
  return Array.from({ length: 3000 }, (_, t) => {
    const x = Array.from({ length: D }, () => random.normal());
    const angle = (2 * Math.PI * t) / period;
    const truth = Math.cos(angle) * x[0] + Math.sin(angle) * x[1] > 0 ? 1 : -1;
    return { x, truth, y: random.uniform() < 0.1 ? -truth : truth };
  });
}

for (const delay of [0, 30]) {
  test(`where the line between the classes turns, labels ${delay} late, it errs a quarter less than AROW and BSGD`, () => {
    const samples = turning(1000);
    const own = measureError(auto, samples, delay);
    const others = ["arow", "bsgd"].map((name) => measureError(familyNamed(name) as Family, samples, delay));
    assert.ok(own < 0.75 * Math.min(...others), `${own}, AROW and BSGD ${others.join(", ")}`);
  });
}

test("a class that comes for good after another is found soon after its first label, 200 samples late", () => {
  const [delay, change] = [200, 1500];
  const samples = stream(3000, { anew: 1 }).sort((a, b) => a.truth - b.truth);
  const first = samples.findIndex(({ truth }) => truth > 0);
  assert.ok(Math.abs(first - change) < 100);
  const wrong = (samples.length - first) * measureError(auto, samples, delay, first);
  assert.ok(wrong < delay + 120, `${wrong} samples wrong, ${delay} of them before the first label`);
});

test("before the first label it says -1, the class of what mostly happens", () => {
  const learner = new Auto({ dimension: 2 });
  assert.is(learner.classify([1, -1]), -1);
  learner.learn([1, -1], 1);
  assert.is(learner.classify([1, -1]), 1);
});

/**
 * The decision of two members that vote -1 and +1, after both were right on 100 labels and then the second
 * wrong on 8.
 */
function decisionAfter(run: number): number {
  const layout = new Layout(BayesVote.regions(2));
  const vote = new BayesVote(layout, layout.ownRange(), [0, 0]);
  for (let t = 0; t < 108; t++) vote.learn(t < 100 ? 0b11 : 0b01, 0, 0, 1, 1, run);
  return vote.decide(0b10);
}

test("errors that come in runs count for fewer: the vote doesn't follow who was right in the last", () => {
  const [single, inRuns] = [0, 50].map(decisionAfter);
  assert.ok(single < -0.999 && inRuns > -0.95 && inRuns < -0.5, `${single}, in runs ${inRuns}`);
});

test("a member that doesn't vote has no weight until the next label, and keeps its losses", () => {
  const layout = new Layout(BayesVote.regions(2));
  const vote = new BayesVote(layout, layout.ownRange(), [0, 0]);
  vote.learn(0b10, 0, 0, 1, 1, 0, 0b01);
  assert.equal([vote.weight(0), vote.weight(1)], [1, 0]);
  vote.learn(0b10, 0, 0, 1, 1, 0);
  assert.ok(vote.weight(1) > vote.weight(0) && vote.weight(0) > 0);
});

test("a vote of now is charged as far as it counts", () => {
  const weightsAfter = (share: number) => {
    const layout = new Layout(BayesVote.regions(2));
    const range = layout.ownRange();
    new BayesVote(layout, range, [0, 0]).learn(0b01, 0b10, share, 1, 1, 0);
    return [...readWords({ layout, range }, "vote.losses", 2)];
  };
  assert.equal(weightsAfter(0), [0, 1]);
  assert.equal(weightsAfter(1), [1, 0]);
  assert.equal(weightsAfter(0.25), [0.25, 0.75]);
});

/** Share of wrong predictions of a learner with labels 30 samples late, with or without its notes. */
function errorByHand(samples: readonly Labelled[], noted: boolean): number {
  const learner = new Auto({ dimension: D });
  learner.noted = noted;
  const at = learner.layout.at("note", learner.range);
  const notes: Uint32Array[] = [];
  const { bits } = learner.range.f32;
  let wrong = 0;
  samples.forEach(({ x, truth }, t) => {
    if (learner.predict(x) * truth < 0) wrong++;
    if (noted) learner.note();
    notes.push(bits.slice(at, at + 2));
    if (t < 30) return;
    bits.set(notes[t - 30], at);
    learner.learn(samples[t - 30].x, samples[t - 30].y);
  });
  return wrong / samples.length;
}

test("votes are judged as they were cast: without notes, labels 30 late seem to be of one sample ago", () => {
  const samples = stream(3000, { anew: 0.02 }).map((sample) => ({
    ...sample,
    x: sample.x.map((value, j) => (value - 20 * j) / 10 ** (j - 2)),
  }));
  const [noted, forgotten] = [true, false].map((keeps) => errorByHand(samples, keeps));
  assert.ok(noted < 0.7 * forgotten, `${noted} with notes, ${forgotten} without`);
});

/** The stack's weights after a late label, with these bits of the sample's note flipped. */
function stackAfter(flips: readonly [number, number]): number[] {
  const learner = new Auto({ dimension: D });
  for (const { x, y } of stream(400, { anew: 0.02 })) learner.learn(x, y);
  learner.noted = true;
  const { range, layout } = learner;
  const [note, stack] = [layout.at("note", range), layout.at("stack.w", range)];
  const [sample, later] = stream(2, { anew: 1 }, 9);
  learner.predict(sample.x);
  learner.note();
  const noted = range.f32.bits.slice(note, note + 2);
  learner.predict(later.x);
  learner.note();
  range.f32.bits.set([noted[0] ^ flips[0], noted[1] ^ flips[1]], note);
  learner.learn(sample.x, sample.y);
  return [...range.f32.words.subarray(stack, stack + 7)];
}

for (const [what, word, byte] of [
  ["the first margin", 0, 3],
  ["the second margin", 1, 0],
  ["the fast mean of its own decisions", 1, 1],
  ["the slow one", 1, 2],
  ["the mean of labels", 1, 3],
] as const) {
  test(`the stack learns a late label with ${what} as it was noted`, () => {
    const bits = 0x15 << (8 * byte);
    assert.not.equal(stackAfter(word === 0 ? [bits, 0] : [0, bits]), stackAfter([0, 0]));
  });
}

test("a restart of the confidence gives each linear member, and the stack, its first covariance", () => {
  const [learned, fresh] = [new Auto({ dimension: D }), new Auto({ dimension: D })];
  for (const { x, y } of stream(400, { anew: 0.02 })) learned.learn(x, y);
  const names = ["tracking.sigma", "cautious.sigma", "onLandmarks.sigma", "stack.covariance"];
  for (const name of names) assert.not.equal(readWords(learned, name), readWords(fresh, name), name);
  assert.ok(learned.restartConfidence());
  for (const name of names) assert.equal(readWords(learned, name), readWords(fresh, name), name);
});

test("several classes, one-vs-all: each class's note is its own", () => {
  const learner = oneVsAllFamily(auto);
  const options = { dimension: D, classes: 3 };
  assert.is(noteWords(learner.layout(options)), 3 * 2);
  const node = (delay: number) => {
    const given = { sid: 1, channels: D, pending: delay + 1, learner, options: { classes: 3 } };
    const made = loneNode(given);
    const random = new Random(5, "classes");
    const classes: number[] = [];
    let right = 0;
    for (let t = 0; t < 900; t++) {
      classes.push(random.below(3));
      const x = Array.from({ length: D }, (_, j) => random.normal() + (j === classes[t] ? 3 : 0));
      if (made.sample(x) === classes[t] && t >= 300) right++;
      if (t >= delay)
        made.label({ number: t - delay + 1, sid: 1, seq: t - delay + 1, y: classes[t - delay] });
    }
    return right / 600;
  };
  for (const delay of [0, 20]) assert.ok(node(delay) > 0.85, `delay ${delay}: ${node(delay)}`);
});

test("AROW's noise may be set from label to label", () => {
  const learner = new Arow({ dimension: 1, bias: false });
  learner.noiseVariance = 3;
  learner.learn([1], 1);
  assert.is(learner.predict([1]), 0.25);
});

test("where classes interchange each 750 samples, it errs less than OLK with forgetting that is found", () => {
  const moving = products(0, 750);
  const own = measureError(auto, moving, 10);
  const olk = measureError(familyNamed("olk-drift") as Family, moving, 10);
  assert.ok(own < olk, `${own}, OLK-drift ${olk}`);
});

test.run();
