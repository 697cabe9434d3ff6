import { Random } from "../../host/random.ts";
import { COUNTERS, type Counter, decidedClass, type Learner } from "../../src/learn/learner.ts";
import { easyStream, type Sample } from "./easy-streams.ts";
import { checkpoint, mustBeFinite, mustHaveBits, restore, spoilScratch } from "./memory.ts";
import { learnAll, streamFor } from "./ordinary.ts";
import { DIMENSION, type Subject } from "./subjects.ts";
import { must, mustBe } from "./violation.ts";

const LARGEST = 3.4028234663852886e38;

export function predictsWithoutTrace({ create }: Subject, seed: number): void {
  const learner = create();
  const bad = [new Float32Array(DIMENSION).fill(Number.NaN), new Float32Array(DIMENSION + 1)];
  streamFor(learner, seed).forEach(({ x, y }, i) => {
    const before = checkpoint(learner);
    const decision = learner.predict(x);
    for (const input of bad)
      mustBe(learner.predict(input), Number.NaN, `sample ${i}: predict of a bad input`);
    mustHaveBits(learner, before, `sample ${i}: after predict`);
    mustBe(learner.classify(x), decidedClass(learner.task, decision), `sample ${i}: classify`);
    mustHaveBits(learner, before, `sample ${i}: after classify`);
    mustBe(learner.learn(x, y), decision, `sample ${i}: learn, where predict returned ${decision}`);
    const learned = before[counterAt(learner, "learned")] + 1;
    mustBe(learner.count("learned"), learned, `sample ${i}: counter learned`);
  });
}

/** The word of a checkpoint in which that counter lies. */
function counterAt({ layout, range }: Learner, name: Counter): number {
  return layout.state + layout.at("counters", range) - range.counters + COUNTERS.indexOf(name);
}

export function keepsItsBudget({ create, capacity }: Subject, seed: number): void {
  const learner = create();
  const room = learner.capacity;
  const isRight = capacity === undefined || room === capacity || room === 0;
  must(isRight, () => `capacity: got ${room}, not ${capacity}, or 0 for none`);
  const random = new Random(seed + 1, "budget");
  easyStream(learner.task, DIMENSION, 300, seed).forEach(({ y }, i) => {
    const x = Float32Array.from({ length: DIMENSION }, () => 3 * random.normal());
    learner.learn(x, y);
    const { size } = learner;
    const isCount = Number.isInteger(size) && size >= 0 && size <= room;
    must(isCount, () => `sample ${i}: size ${size}, of ${room}`);
    const left = learner.count("inserted") - learner.count("dropped") - learner.count("evicted");
    mustBe(left, size, `sample ${i}: vectors inserted, less those dropped and evicted, against size`);
    mustBeFinite(learner, `sample ${i}:`);
  });
}

const BAD_INPUTS: readonly (readonly [string, ArrayLike<number>])[] = [
  ["NaN", [0.5, Number.NaN, 0.5]],
  ["Infinity", [Infinity, 0, 0]],
  ["-Infinity", [0, 0, -Infinity]],
  ["a number that float32 can't hold", [0, 1e39, 0]],
  ["too few components", [0, 0]],
  ["too many components", [0, 0, 0, 0]],
  ["no components", []],
];

const BAD_LABELS = {
  classification: [0, 2, -2, 0.5, Number.NaN, Infinity],
  multiclass: [-1, 3, 0.5, Number.NaN, Infinity],
  regression: [Number.NaN, Infinity, -Infinity, 1e39],
  novelty: [2, -2, 0.5, Number.NaN, Infinity],
};

/** Samples that a learner of the task must refuse. */
function badSamples({ task }: Learner, { x, y }: Sample): (readonly [string, ArrayLike<number>, number])[] {
  return [
    ...BAD_INPUTS.map(([what, input]) => [`an input of ${what}`, input, y] as const),
    ...BAD_LABELS[task].map((label) => [`label ${label}`, x, label] as const),
  ];
}

export function refusesBadSamples({ create }: Subject, seed: number): void {
  const learner = create();
  const stream = streamFor(learner, seed);
  learnAll(learner, stream);
  for (const [what, x, y] of badSamples(learner, stream[0])) {
    const wanted = checkpoint(learner);
    wanted[counterAt(learner, "refused")]++;
    learner.learn(x, y);
    mustHaveBits(learner, wanted, `${what}, which is to be refused, counted and leave the state as it was`);
  }
}

/** A refusal concerns one sample only. */
export function takesOrdinarySamples({ create }: Subject, seed: number): void {
  const learner = create();
  const bad = badSamples(learner, streamFor(learner, seed)[0]);
  const stream = streamFor(learner, seed, 200);
  stream.forEach(({ x, y }, i) => {
    const [what, badInput, badLabel] = bad[i % bad.length];
    learner.learn(badInput, badLabel);
    const before = learner.count("learned");
    learner.learn(x, y);
    mustBe(learner.count("learned") - before, 1, `sample ${i}, after ${what}: how often it was learned`);
  });
  mustBe(learner.count("overflowed"), 0, `counter overflowed after ${stream.length} ordinary samples`);
}

/** Inputs that fit float32, while their squares, products and sums overflow. */
export function staysFinite({ create }: Subject, seed: number): void {
  const huge = [1e30, -1e30, 3e38, -3e38, LARGEST, 1e19, 1e-45, 0, -0];
  for (const warm of [false, true]) {
    const learner = create();
    const stream = streamFor(learner, seed);
    if (warm) learnAll(learner, stream.slice(0, 40));
    const random = new Random(seed + 2, "huge");
    stream.forEach(({ x, y }, i) => {
      const input = x.map((value) => (random.below(3) > 0 ? huge[random.below(huge.length)] : value));
      const isOdd = learner.task === "regression" && random.below(2) > 0;
      const decision = learner.learn(input, isOdd ? huge[random.below(huge.length)] : y);
      const place = `input ${i}, [${input}], ${warm ? "after 40 ordinary ones" : "from the start"}:`;
      must(
        Math.abs(decision) !== Infinity,
        () => `${place} learn returns ${decision}, not a finite number or NaN`,
      );
      mustBeFinite(learner, place);
    });
  }
}

export function ignoresScratch({ create }: Subject, seed: number): void {
  const [clean, spoilt] = [create(), create()];
  const random = new Random(seed + 3, "scratch");
  streamFor(clean, seed).forEach(({ x, y }, i) => {
    spoilScratch(spoilt, random);
    const predicted = spoilt.predict(x);
    spoilScratch(spoilt, random);
    mustBe(spoilt.learn(x, y), predicted, `sample ${i}: learn with other scratch than predict's`);
    mustBe(clean.learn(x, y), predicted, `sample ${i}: learn with scratch as it was left`);
  });
  mustBe(spoilt.stateHash(), clean.stateHash(), "state hash, scratch being spoilt all along");
}

export function resumes({ create }: Subject, seed: number): void {
  const whole = create();
  const stream = streamFor(whole, seed);
  const stops = [0, 1, 5, 37, stream.length - 1];
  const saved = new Map<number, Uint32Array>();
  const decisions = stream.map(({ x, y }, step) => {
    if (stops.includes(step)) saved.set(step, checkpoint(whole));
    return whole.learn(x, y);
  });
  const resumed = create();
  learnAll(resumed, streamFor(resumed, seed + 8)); // its earlier learning must not matter, here or until the last stop
  for (const stop of stops) {
    restore(resumed, saved.get(stop)!);
    stream.slice(stop).forEach(({ x, y }, i) => {
      const place = `resumed at sample ${stop}, learn of sample ${stop + i}`;
      mustBe(resumed.learn(x, y), decisions[stop + i], place);
    });
    mustHaveBits(resumed, checkpoint(whole), `resumed at sample ${stop}, at the end`);
  }
}

export function isDeterministic({ create }: Subject, seed: number): void {
  const [one, other] = [create(), create()];
  const stream = streamFor(one, seed);
  const empty = other.stateHash();
  stream.forEach(({ x, y }, i) => {
    const decision = one.learn(x, y);
    mustBe(other.learn(Array.from(x), y), decision, `sample ${i}, learned by two of it`);
  });
  mustBe(other.stateHash(), one.stateHash(), "state hash of the same stream, as plain arrays");
  must(one.stateHash() !== empty, () => "the state hash never changes from its first value");
}
