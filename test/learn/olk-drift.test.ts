import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { UserOptions } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import type { OlkDriftOptions } from "../../src/learn/learner-options.ts";
import { OlkC } from "../../src/learn/olk.ts";
import { OlkDrift } from "../../src/learn/olk-drift.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { DriftReference, type Votes } from "./reference/olk-drift.ts";
import { readWords } from "./region.ts";

interface Sample {
  readonly x: number[];
  readonly truth: number;
  readonly y: number;
}

/** Two classes on a board of 3 x 3 fields, which swap every `swap` samples; that share of the labels is wrong. */
function board(count: number, swap: number, flips = 0, seed = 1): Sample[] {
  const random = new Random(seed, "olk-drift");
  return Array.from({ length: count }, (_, t) => {
    const x = [Math.fround(3 * random.uniform()), Math.fround(3 * random.uniform())];
    const field = (Math.floor(x[0]) + Math.floor(x[1])) % 2 === 0;
    const truth = field === (Math.floor(t / swap) % 2 === 0) ? 1 : -1;
    return { x, truth, y: random.uniform() < flips ? -truth : truth };
  });
}

const STILL = Number.POSITIVE_INFINITY;

/** Runs it with labels so many samples late, each with its sample's note. Returns the share of wrong predictions. */
function run(
  learner: Learner,
  samples: readonly Sample[],
  delay = 0,
  after: (t: number, decision: number) => void = () => {},
): number {
  const notes: Uint32Array[] = [];
  const note = learner.layout.regionWords("note");
  const at = note > 0 ? learner.layout.at("note", learner.range) : 0;
  const { bits } = learner.range.f32;
  learner.noted = note > 0;
  let wrong = 0;
  samples.forEach(({ x, truth }, t) => {
    const decision = learner.predict(x);
    if (decision * truth < 0) wrong++;
    learner.note();
    notes.push(bits.slice(at, at + note));
    if (t >= delay) {
      bits.set(notes[t - delay], at);
      learner.learn(samples[t - delay].x, samples[t - delay].y);
    }
    after(t, decision);
  });
  return wrong / samples.length;
}

const GAMMA = 2;
const GIVEN: OlkDriftOptions = { dimension: 2, budget: 10, kernel: { type: "gaussian", gamma: GAMMA } };

for (const apart of [false, true])
  test(`it follows its equations in double precision, while the gate opens and shuts; apart: ${apart}`, () => {
    const samples = board(500, 130);
    const learner = new OlkDrift({ ...GIVEN, apart });
    const reference = new DriftReference(GAMMA, 10, apart);
    const gates = new Set<boolean>();
    const votes: Votes[] = [];
    const delay = 7;
    run(learner, samples, delay, (t, decision) => {
      const { x } = samples[t];
      const expected = reference.decide(x);
      votes.push(reference.votes(x));
      const text = `sample ${t}`;
      assert.ok(
        Math.abs(decision - expected) < 2e-3,
        `${text}: ${decision}, in double precision ${expected}`,
      );
      if (t >= delay) reference.learn(samples[t - delay].x, samples[t - delay].y, votes[t - delay]);
      const [lead, differed] = readWords(learner, "gate.state");
      assert.is(learner.isOpen, reference.open, text);
      assert.ok(Math.abs(lead - reference.lead) < 1e-3, `${text}: leads by ${lead}, not ${reference.lead}`);
      assert.ok(Math.abs(differed - reference.differed) < 1e-3, `${text}: ${differed} differed`);
      gates.add(learner.isOpen);
    });
    assert.is(gates.size, 2, "the gate was open and shut");
  });

for (const options of [{}, { kernel: { type: "gaussian", p: 1 } }, { kernel: { type: "linear" } }] as const)
  test(`the steady function is olk-c, bit for bit, and decides while the gate is shut: ${JSON.stringify(options)}`, () => {
    const olk = new OlkC({ dimension: 2, budget: 16, ...options });
    const learner = new OlkDrift({ dimension: 2, budget: 16, ...options });
    const samples = board(900, 400, 0.1);
    const delay = 5;
    let shut = 0;
    let wasOpen = false;
    run(learner, samples, delay, (t, decision) => {
      if (!wasOpen) assert.is(decision, olk.predict(samples[t].x), `sample ${t}`);
      if (!wasOpen) shut++;
      if (t >= delay) olk.learn(samples[t - delay].x, samples[t - delay].y);
      wasOpen = learner.isOpen;
      const { state } = olk.layout;
      assert.equal(
        learner.range.f32.bits.slice(learner.range.state, learner.range.state + state),
        olk.range.f32.bits.slice(olk.range.state, olk.range.state + state),
      );
    });
    assert.ok(shut > 200, `shut at ${shut} samples`);
  });

test("a boundary that moves opens the gate, and a still one leaves it shut, with wrong and late labels, too", () => {
  for (const [flips, delay] of [
    [0, 0],
    [0.2, 30],
  ]) {
    const moving = board(4000, 1000, flips);
    const olk = run(new OlkC({ dimension: 2 }), moving, delay);
    const found = run(new OlkDrift({ dimension: 2 }), moving, delay);
    assert.ok(found < 0.75 * olk, `moving, ${flips}: ${found}, olk-c ${olk}`);
    const still = board(4000, STILL, flips);
    const base = run(new OlkC({ dimension: 2 }), still, delay);
    const same = run(new OlkDrift({ dimension: 2 }), still, delay);
    assert.ok(same <= 1.03 * base, `still, ${flips}: ${same}, olk-c ${base}`);
  }
});

test("a sample without a note is judged by the votes at its label", () => {
  const [noted, plain, zeros] = [0, 1, 2].map(() => new OlkDrift(GIVEN));
  noted.noted = true;
  zeros.noted = true;
  for (const { x, y } of board(300, 100)) {
    noted.predict(x);
    noted.note();
    noted.learn(x, y);
    plain.learn(x, y);
    readWords(zeros, "note").fill(0);
    zeros.learn(x, y);
  }
  assert.is(noted.stateHash(), plain.stateHash());
  assert.is(zeros.stateHash(), plain.stateHash());
});

test("its words are bounded: evidence, losses and squares after a burst of huge scores", () => {
  const learner = new OlkDrift({ dimension: 2, kernel: { type: "polynomial", degree: 8 }, C: 3e38 });
  for (const { x, y } of board(300, 50)) learner.learn([1e3 * x[0], 1e3 * x[1]], y);
  for (const region of [
    "gate.state",
    "gate.squares",
    "gate.vote.losses",
    "gate.vote.weights",
    "tracker0.functions",
  ])
    assert.ok(readWords(learner, region).every(Number.isFinite), region);
  assert.ok(Math.max(...readWords(learner, "gate.squares")) <= 1e12);
});

test("a tracker whose scores float32 can't hold starts anew, and the steady function decides", () => {
  const learner = new OlkDrift(GIVEN);
  const samples = board(700, 150);
  const opened = samples.find(({ x, y }) => {
    learner.learn(x, y);
    return learner.isOpen;
  });
  assert.ok(opened);
  // At a stored vector, whose kernel value is 1, the sum overflows.
  const rows = readWords(learner, "tracker0.rows");
  readWords(learner, "tracker0.coefficients").fill(3e38);
  const decision = learner.learn([rows[0], rows[4]], 1);
  assert.ok(Number.isFinite(decision));
  assert.not(learner.isOpen);
  assert.is(readWords(learner, "tracker0.coefficients").filter((value) => value !== 0).length, 0);
});

test("several classes run one-vs-all, with a note of each class", () => {
  const family = oneVsAllFamily(familyNamed("olk-drift")!);
  const learner = family.create({ dimension: 2, classes: 3, budget: 16 });
  let late = 0;
  const random = new Random(2, "classes");
  for (let t = 0; t < 900; t++) {
    const y = random.below(3);
    const x = [2 * ((y + (t < 450 ? 0 : 1)) % 3) + 0.3 * random.normal(), random.normal()];
    if (learner.learn(x, y) !== y && t >= 750) late++;
  }
  assert.ok(late < 15, `${late} of the last 150 wrong`);
});

test("at dimension 8 it takes 3,484 bytes of state beside olk-c's, 2,500 with rows of 16 bits, 8,740 with dictionaries apart", () => {
  const state = (name: string, options: UserOptions = {}) =>
    4 * familyNamed(name)!.layout({ dimension: 8, ...options }).state;
  const q15 = { storage: "q15", ranges: [[-5, 5]] };
  assert.is(state("olk-drift") - state("olk-c"), 3484);
  assert.is(state("olk-drift", q15) - state("olk-c", q15), 2500);
  assert.is(state("olk-drift", { apart: true }) - state("olk-c"), 8740);
});

test.run();
