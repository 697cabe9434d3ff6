import { test } from "uvu";
import * as assert from "uvu/assert";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { Violation } from "../../host-sim/conformance/violation.ts";
import { defineLearner, type Workspace } from "../../src/learn/define.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { real } from "../../src/learn/options.ts";
import { Layout } from "../../src/memory/layout.ts";

type Work = Workspace<{ readonly dimension: number; readonly eta: number }, "w" | "t" | "next">;

/** Least mean squares on a normalised input, correct: each fault is planted in this. */
const right = {
  name: "nlms",
  task: "regression" as const,
  title: "Normalised least mean squares",
  paper: "Nagumo, Noda: A learning method for system identification. IEEE Trans. AC 12(3), 1967",
  options: { eta: real({ default: 0.5, above: 0, below: 2 }, "eta, step size") },
  bounded: true,
  state: ({ dimension }: { dimension: number }) => ({ w: dimension, t: 1 }),
  scratch: ({ dimension }: { dimension: number }) => ({ next: dimension }),
  predict: ({ f32, at, input, options }: Work) => f32.dot(at.w, input, options.dimension),
  update({ f32, at, input, options: { dimension, eta } }: Work, y: number, decision: number) {
    const step = (eta * (y - decision)) / (1 + f32.dot(input, input, dimension));
    if (!f32.addScaled(at.w, step, input, dimension)) return false;
    f32.bits[at.t] = (f32.bits[at.t] + 1) % 1000;
    return true;
  },
};
const good = defineLearner(right);

/** The right learner with something else among its functions. */
function planted(change: Partial<typeof right>): Family {
  return defineLearner({ ...right, ...change });
}

/** The right learner, changed once it is made. */
function remade(change: (learner: Learner) => void): Family {
  return {
    ...good,
    create(options) {
      const learner = good.create(options);
      change(learner);
      return learner;
    },
  };
}

/** The right learner with its method `name` replaced by a function that gets the old one. */
function replaced<K extends "predict" | "learn">(
  name: K,
  by: (learner: Learner, old: Learner[K]) => Learner[K],
): Family {
  return remade((learner) => {
    learner[name] = by(learner, learner[name].bind(learner) as Learner[K]);
  });
}

let calls = 0;

/** By the property that must find it: the fault, and its message. */
const FAULTS: Record<string, [fault: string, family: Family, told: RegExp]> = {
  "takes the bytes that its layout says": [
    "its memory is larger than its layout",
    { ...good, layout: () => new Layout([{ name: "w", kind: "state", words: 1 }]) },
    /bytes of the range that it gets where it brings none: got \d+, not 4/,
  ],
  "lives in handed-in memory and nowhere else": [
    "it writes behind its state",
    planted({
      bounded: false,
      update(work, y, decision) {
        work.f32.words[work.at.t + 1] = 1;
        return right.update(work, y, decision);
      },
    }),
    /word \d+, outside its range, was written/,
  ],
  "refuses memory that is too small or not at a word": [
    "its layout takes any memory",
    {
      ...good,
      layout: (options) =>
        Object.assign(good.layout(options), { range: () => good.layout(options).ownRange() }),
    },
    /memory of 4 bytes less was taken/,
  ],
  "holds nothing that grows": [
    "it keeps each input in a list",
    replaced("learn", (learner, learn) => {
      const kept: ArrayLike<number>[] = [];
      Object.assign(learner, { kept });
      return (x, y) => {
        kept.push(x);
        return learn(x, y);
      };
    }),
    /kept.*: its size after 120 samples, against that after one/,
  ],
  "predicts without a trace, and learn returns the prediction": [
    "predict counts in the state",
    planted({
      predict(work) {
        work.f32.bits[work.at.t]++;
        return right.predict(work);
      },
    }),
    /sample 0: after predict: t\[0\] is 0x\d+, not 0x0/,
  ],
  "never exceeds its budget": [
    "it stores more vectors than it has room for",
    remade((learner) => {
      Object.defineProperty(learner, "size", { get: () => learner.count("learned") });
    }),
    /sample 0: size 1, of 0/,
  ],
  "refuses and counts what it can't take, state unchanged": [
    "it takes any label",
    remade((learner) => Object.assign(learner, { takesLabel: () => true })),
    /label NaN, which is to be refused/,
  ],
  "takes every ordinary sample, after a refused one too": [
    "it refuses for good once it has refused",
    replaced(
      "predict",
      (learner, predict) => (x) => (learner.count("refused") > 0 ? Number.NaN : predict(x)),
    ),
    /sample 0, after an input of NaN: how often it was learned: got 0, not 1/,
  ],
  "keeps its state finite under huge inputs": [
    "it writes what isn't finite",
    planted({
      update({ f32, at, input, options: { dimension, eta } }, y, decision) {
        const step = (eta * (y - decision)) / (1 + f32.dot(input, input, dimension));
        for (let j = 0; j < dimension; j++) f32.words[at.w + j] += step * 1e30 * f32.words[input + j];
        return true;
      },
    }),
    /w\[\d\] is -?(NaN|Infinity)/,
  ],
  "doesn't depend on what lies in scratch": [
    "it counts on what was left in scratch",
    planted({
      update(work, y, decision) {
        work.f32.words[work.at.next] += 1;
        return right.update(work, work.f32.words[work.at.next] === 1 ? 0 : y, decision);
      },
    }),
    /scratch/,
  ],
  "resumes from a checkpoint as if never stopped": [
    "a part of its state is a variable",
    replaced("learn", (_, learn) => {
      let age = 0;
      return (x, y) => learn(x, ++age % 2 === 0 ? y : 0);
    }),
    /resumed at sample \d+/,
  ],
  "ends two equal streams with equal hashes": [
    "it draws from a source of its own",
    planted({
      update: (work, y, decision) => right.update(work, y + (++calls % 7), decision),
    }),
    /got .*, not/,
  ],
  "refuses wrong options by name": [
    "it takes any step size",
    { ...good, create: (options) => good.create({ ...options, eta: undefined }) },
    /create\(.*"eta":0.*\) was taken/,
  ],
  "comes back from huge inputs, labels and power-up glitches": [
    "one label of 1e20 stays in its weights",
    planted({ bounded: false }),
    /500 ordinary samples after a label of 1e20: mean loss .*, to be below/,
  ],
  learns: ["it learns nothing", planted({ update: () => true }), /mean loss .*, best constant's/],
};

for (const { title, check } of PROPERTIES) {
  test(`the learner in which faults are planted ${title}`, () => check(good, {}, 1));
}

for (const [title, [fault, family, told]] of Object.entries(FAULTS)) {
  test(`the battery finds that ${fault}`, () => {
    const property = PROPERTIES.find((each) => each.title === title);
    assert.ok(property, title);
    assert.throws(
      () => property.check(family, {}, 1),
      (error: Error) => {
        assert.instance(error, Violation);
        assert.match(error.message, /^nlms/);
        assert.match(error.message, told);
        return true;
      },
    );
  });
}

test("extreme options are tried with huge inputs", () => {
  const title = "keeps its state finite with extreme options too";
  const steep = defineLearner({
    ...right,
    options: { ...right.options, gain: real({ default: 0, min: 0 }, "gain of a step") },
    update(work, y, decision) {
      if (work.options.gain > 0) work.f32.words[work.at.w] = work.options.gain * 1e30;
      return right.update(work, y, decision);
    },
  });
  const property = PROPERTIES.find((each) => each.title === title);
  assert.throws(() => property?.check(steep, {}, 1), /"gain":1e\+30.*w\[0\] is Infinity/);
});

test("a fault is planted for each property", () => {
  const titles = PROPERTIES.map(({ title }) => title);
  assert.equal(
    [...Object.keys(FAULTS), "keeps its state finite with extreme options too"].sort(),
    titles.sort(),
  );
});

test("what a learner throws is a violation, which names it", () => {
  const throws = planted({
    update() {
      throw new TypeError("no such primitive");
    },
  });
  const { check } = PROPERTIES[1];
  assert.throws(() => check(throws, {}, 1), /^nlms: throws TypeError: no such primitive/);
});

test.run();
