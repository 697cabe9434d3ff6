import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import { type Family, type GivenOptions, withBudget } from "../../src/learn/family.ts";
import { COUNTERS, type Learner } from "../../src/learn/learner.ts";
import type { Option } from "../../src/learn/options.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { Layout, MemoryRange } from "../../src/memory/layout.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { easyStream, meanLoss, type Sample, trivialLoss } from "./easy-streams.ts";

const DIMENSION = 3;
/** The battery takes the first that the family can do with: few, and no multiple of four. */
const BUDGETS = [7, 21, 61];
const STEPS = 120;
const GUARD = 0xdeadbeef;
const LEFT_OVER = 3;
/** Values that a number among the options is tried with, where it takes them, when inputs are huge. */
const EXTREMES = [1e6, 1e30, 1e-6];
const LARGEST = 3.4028234663852886e38;

/** What the mean loss of a learner that has learned is at most, as a share of the best constant's. */
const LEARNED_SHARE = 0.6;

/** A learner with one set of options, by which the battery makes it anew. */
interface Subject {
  readonly name: string;
  /** Vectors there is room for: one-vs-all has the budget once a class. */
  readonly capacity: number;
  create(memory?: MemoryRange): Learner;
  layout(): Layout;
}

function subject(family: Family, options: GivenOptions, variant: string): Subject {
  return {
    name: variant === "" ? family.name : `${family.name} with ${variant}`,
    capacity: (family.name.startsWith("ova:") ? options.classes : 1) * (options.budget ?? 0),
    create: (memory) => family.create({ ...options, ...(memory && { memory }) }),
    layout: () => family.layout(options),
  };
}

/** Values beside the default that an option is tried with. */
function otherValues(option: Option<unknown>): unknown[] {
  if (option.kind === "flag") return [!option.default];
  if (option.kind === "kernel") return [{ type: "linear" }, { type: "polynomial", degree: 3 }];
  if (option.kind !== "choice") return [];
  const words = option.takes.replace("one of ", "").split(", ");
  return words.filter((word) => word !== option.default);
}

/** Each option that has other values, with one of them. */
function changes(family: Family): GivenOptions[] {
  return Object.entries(family.options).flatMap(([name, option]) =>
    otherValues(option).map((value) => ({ [name]: value })),
  );
}

/** The family with its defaults, with each other choice, flag and kernel, and with each of these on each kernel. */
function subjects(family: Family, given: GivenOptions): Subject[] {
  const single = changes(family);
  const kernels = single.filter((change) => "kernel" in change);
  const pairs = kernels.flatMap((kernel) =>
    single.filter((change) => !("kernel" in change)).map((change) => ({ ...change, ...kernel })),
  );
  const base = baseOptions(family, given);
  return [{}, ...single, ...pairs]
    .filter((change) => isAllowed(family, { ...base, ...change }))
    .map((change) => subject(family, { ...base, ...change }, describe({ ...given, ...change })));
}

/** The family with one of its numbers very large or very small. */
function extremeSubjects(family: Family, given: GivenOptions): Subject[] {
  const base = baseOptions(family, given);
  const numbers = Object.entries(family.options).filter(([, option]) => option.kind === "real");
  return numbers
    .flatMap(([name]) => EXTREMES.map((value) => ({ [name]: value })))
    .filter((change) => isAllowed(family, { ...base, ...change }))
    .map((change) => subject(family, { ...base, ...change }, describe({ ...given, ...change })));
}

function baseOptions(family: Family, given: GivenOptions): GivenOptions {
  const all = BUDGETS.map((budget) => withBudget(family, { ...given, dimension: DIMENSION }, budget));
  return all.find((options) => isAllowed(family, options)) ?? all[0];
}

function describe(options: GivenOptions): string {
  return Object.keys(options).length > 0 ? JSON.stringify(options) : "";
}

function isAllowed(family: Family, options: GivenOptions): boolean {
  try {
    family.layout(options);
    return true;
  } catch (error) {
    if (error instanceof OptionError) return false;
    throw error;
  }
}

/** State and counters, as a checkpoint holds them. */
function checkpoint({ range, layout }: Learner): Uint32Array {
  const { bits } = range.f32;
  const saved = new Uint32Array(layout.state + layout.counters);
  saved.set(bits.subarray(range.state, range.state + layout.state));
  saved.set(bits.subarray(range.counters, range.counters + layout.counters), layout.state);
  return saved;
}

function restore({ range, layout }: Learner, saved: Uint32Array): void {
  range.f32.bits.set(saved.subarray(0, layout.state), range.state);
  range.f32.bits.set(saved.subarray(layout.state), range.counters);
}

function sameBits(got: Uint32Array, wanted: Uint32Array, message: string): void {
  for (let i = 0; i < wanted.length; i++)
    if (got[i] !== wanted[i]) assert.unreachable(`${message} (word ${i})`);
}

function spoilScratch({ range, layout }: Learner, random: Random): void {
  for (let i = 0; i < layout.scratch; i++) range.f32.bits[range.scratch + i] = random.uint32();
}

/** No NaN and no infinity among the words of the state; whole numbers in it are small here and pass. */
function stateIsFinite(learner: Learner, message: string): void {
  const { layout, range } = learner;
  for (const region of layout.regions) {
    if (region.kind !== "state") continue;
    const from = range.state + region.offset;
    for (let i = 0; i < region.words; i++) {
      if (!Number.isFinite(range.f32.words[from + i])) assert.unreachable(`${message}: ${region.name}[${i}]`);
    }
  }
}

function learnAll(learner: Learner, stream: readonly Sample[]): number[] {
  return stream.map(({ x, y }) => learner.learn(x, y));
}

function streamFor(learner: Learner, seed = 1): Sample[] {
  return easyStream(learner.task, learner.dimension, STEPS, seed);
}

function checkBytes({ create, layout }: Subject): void {
  const planned = layout();
  const learner = create();
  assert.is(learner.range.f32.words.buffer.byteLength, planned.bytes, "bytes of its own memory");
  assert.is(learner.layout.bytes, planned.bytes, "bytes of its layout");
  assert.is(
    planned.regions.reduce((sum, region) => sum + 4 * region.words, 0),
    planned.bytes,
    "bytes of its regions",
  );
}

/** The three kinds of regions lie apart, at odd words, full of what somebody left there, among words that hold a guard. */
function scattered(layout: Layout): MemoryRange {
  const state = 5;
  const counters = state + layout.state + 3;
  const scratch = counters + layout.counters + 7;
  const f32 = new PortableF32(new ArrayBuffer(4 * (scratch + layout.scratch + 9)));
  f32.bits.fill(GUARD);
  f32.bits.fill(LEFT_OVER, state, state + layout.state);
  f32.bits.fill(LEFT_OVER, counters, counters + layout.counters);
  f32.bits.fill(LEFT_OVER, scratch, scratch + layout.scratch);
  return { f32, state, counters, scratch };
}

function checkHandedMemory({ create, layout }: Subject): void {
  const own = create();
  const stream = streamFor(own);
  learnAll(own, stream);
  const range = scattered(layout());
  const handed = create(range);
  learnAll(handed, stream);
  assert.is(handed.stateHash(), own.stateHash(), "hash in handed-in memory that held garbage");
  const inside = new Set<number>();
  for (const kind of ["state", "counters", "scratch"] as const) {
    for (let i = 0; i < handed.layout[kind]; i++) inside.add(range[kind] + i);
  }
  range.f32.bits.forEach((word, i) => {
    if (!inside.has(i) && word !== GUARD) assert.unreachable(`word ${i} outside the range was written`);
  });
}

function checkMemoryTooSmall({ layout }: Subject): void {
  const planned = layout();
  const small = new PortableF32(new ArrayBuffer(planned.bytes - 4));
  assert.throws(
    () => planned.range(small),
    (error: Error) => error instanceof OptionError && error.option === "memory",
  );
  const whole = new PortableF32(new ArrayBuffer(planned.bytes + 8));
  assert.throws(
    () => planned.range(whole, 2),
    (error: Error) => error instanceof OptionError,
  );
  assert.is(planned.range(whole, 8).state, 2);
}

function checkPrediction({ create }: Subject): void {
  const learner = create();
  const bad = [new Float32Array(DIMENSION).fill(Number.NaN), new Float32Array(DIMENSION + 1)];
  for (const { x, y } of streamFor(learner)) {
    const before = checkpoint(learner);
    const decision = learner.predict(x);
    assert.ok(
      bad.every((input) => Number.isNaN(learner.predict(input))),
      "a bad input is predicted NaN",
    );
    sameBits(checkpoint(learner), before, "predict changed state or counters");
    assert.ok(Object.is(learner.learn(x, y), decision), "learn returns what predict did");
    assert.is(learner.count("learned") - before[counterAt(learner, "learned")], 1, "counted as learned");
  }
}

function counterAt(learner: Learner, name: (typeof COUNTERS)[number]): number {
  return (
    learner.layout.state +
    learner.layout.at("counters", learner.range) -
    learner.range.counters +
    COUNTERS.indexOf(name)
  );
}

function checkBudget({ create, capacity }: Subject): void {
  const learner = create();
  assert.ok(learner.capacity === capacity || learner.capacity === 0, `capacity ${learner.capacity}`);
  const random = new Random(2, "budget");
  for (const { y } of easyStream(learner.task, DIMENSION, 300)) {
    learner.learn(
      Float32Array.from({ length: DIMENSION }, () => 3 * random.normal()),
      y,
    );
    const { size } = learner;
    assert.ok(Number.isInteger(size) && size >= 0 && size <= learner.capacity, `size ${size}`);
    const left = learner.count("inserted") - learner.count("dropped") - learner.count("evicted");
    assert.is(left, size, "vectors inserted, less those dropped and evicted, are the size");
    stateIsFinite(learner, "state of a stream that goes on");
  }
}

const BAD_INPUTS: readonly (readonly [string, ArrayLike<number>])[] = [
  ["NaN", [0.5, Number.NaN, 0.5]],
  ["Infinity", [Infinity, 0, 0]],
  ["-Infinity", [0, 0, -Infinity]],
  ["a number that float32 can't hold", [0, 1e39, 0]],
  ["too few components", [0, 0]],
  ["too many components", [0, 0, 0, 0]],
  ["none", []],
];

const BAD_LABELS = {
  classification: [0, 2, -2, 0.5, Number.NaN, Infinity],
  multiclass: [-1, 3, 0.5, Number.NaN, Infinity],
  regression: [Number.NaN, Infinity, -Infinity, 1e39],
  novelty: [2, -2, 0.5, Number.NaN, Infinity],
};

function checkRefusals({ create }: Subject): void {
  const learner = create();
  const stream = streamFor(learner);
  learnAll(learner, stream);
  const wrong: (readonly [string, ArrayLike<number>, number])[] = [
    ...BAD_INPUTS.map(([what, x]) => [what, x, stream[0].y] as const),
    ...BAD_LABELS[learner.task].map((y) => [`label ${y}`, stream[0].x, y] as const),
  ];
  for (const [what, x, y] of wrong) {
    const wanted = checkpoint(learner);
    wanted[counterAt(learner, "refused")]++;
    learner.learn(x, y);
    sameBits(checkpoint(learner), wanted, `${what}: state and counters, but for refused + 1`);
  }
}

/** Inputs that float32 holds but whose squares, products and sums it doesn't. */
function checkHugeInputs({ create }: Subject): void {
  const huge = [1e30, -1e30, 3e38, -3e38, LARGEST, 1e19, 1e-45, 0, -0];
  for (const warm of [false, true]) {
    const learner = create();
    const stream = streamFor(learner);
    if (warm) learnAll(learner, stream.slice(0, 40));
    const random = new Random(3, "huge");
    for (const { x, y } of stream) {
      const input = x.map((value) => (random.below(3) > 0 ? huge[random.below(huge.length)] : value));
      const target =
        learner.task === "regression" && random.below(2) > 0 ? huge[random.below(huge.length)] : y;
      const decision = learner.learn(input, target);
      assert.ok(!(Math.abs(decision) === Infinity), "a decision is a finite number or NaN");
      stateIsFinite(learner, "state after huge inputs");
    }
  }
}

function checkScratch({ create }: Subject): void {
  const [clean, spoilt] = [create(), create()];
  const random = new Random(4, "scratch");
  for (const { x, y } of streamFor(clean)) {
    spoilScratch(spoilt, random);
    const predicted = spoilt.predict(x);
    spoilScratch(spoilt, random);
    assert.ok(Object.is(spoilt.learn(x, y), predicted), "decision after scratch was spoilt");
    assert.ok(Object.is(clean.learn(x, y), predicted), "decision with clean scratch");
  }
  assert.is(spoilt.stateHash(), clean.stateHash());
}

function checkResume({ create }: Subject): void {
  const whole = create();
  const stream = streamFor(whole);
  for (const stop of [0, 1, 5, 37, STEPS - 1]) {
    const first = create();
    learnAll(first, stream.slice(0, stop));
    const second = create();
    learnAll(second, streamFor(second, 9)); // what it learned before must not matter
    restore(second, checkpoint(first));
    const decisions = [...learnAll(first, stream.slice(stop))];
    assert.equal(learnAll(second, stream.slice(stop)), decisions, `decisions, resumed at ${stop}`);
    sameBits(checkpoint(second), checkpoint(first), `resumed at ${stop}`);
  }
}

function checkDeterminism({ create }: Subject): void {
  const [one, other] = [create(), create()];
  const stream = streamFor(one);
  learnAll(one, stream);
  const empty = other.stateHash();
  learnAll(
    other,
    stream.map(({ x, y }) => ({ x: Array.from(x) as unknown as Float32Array, y })),
  );
  assert.is(other.stateHash(), one.stateHash(), "the same stream, as plain arrays");
  assert.is.not(one.stateHash(), empty, "the hash moves");
}

/** Wrong values of an option, by what they are. */
function wrongValues({ kind, takes }: Option<unknown>): unknown[] {
  if (kind === "choice") return ["no such word", 3, true];
  if (kind === "flag") return ["yes", 1];
  if (kind === "kernel") {
    return [
      "gaussian",
      { type: "rbf" },
      { type: "gaussian" },
      { type: "gaussian", p: 1, sigma: 1 },
      { type: "linear", p: 1 },
    ];
  }
  const bound = (sign: string) => Number(new RegExp(`${sign} (-?[\\d.e+-]+)`).exec(takes)?.[1] ?? Number.NaN);
  const step = kind === "whole" ? 1 : 1e-3;
  const outside = [bound(">=") - step, bound("<=") + step, bound(">(?!=)"), bound("<(?!=)")];
  return [
    ...outside.filter(Number.isFinite),
    Number.NaN,
    Infinity,
    1e39,
    "1",
    true,
    [1],
    ...(kind === "whole" ? [1.5] : []),
  ];
}

function refuses(family: Family, options: GivenOptions, ...parts: string[]): void {
  for (const make of [family.create, family.layout]) {
    try {
      make(options);
    } catch (error) {
      assert.instance(error, OptionError, `${JSON.stringify(options)}: ${error}`);
      for (const part of parts) assert.ok(`${error}`.includes(part), `"${error}" says ${part}`);
      continue;
    }
    assert.unreachable(`${JSON.stringify(options)} was taken`);
  }
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : String(JSON.stringify(value));
}

function checkOptions(family: Family, given: GivenOptions): void {
  const base = baseOptions(family, given);
  const names = Object.keys(family.options);
  for (const [name, option] of Object.entries(family.options)) {
    for (const value of wrongValues(option)) {
      refuses(
        family,
        { ...base, [name]: value },
        `option ${name}`,
        `got ${shown(value)}`,
        `takes ${option.takes}`,
      );
    }
    if (option.default === undefined) {
      refuses(family, { ...base, [name]: undefined }, `option ${name}`, "got nothing");
    } else {
      assert.ok(option.accepts(option.default), `default of ${name}`);
    }
  }
  refuses(family, { ...base, bandwidht: 1 }, "no option bandwidht", ...names);
}

/** On an easy stream's second half the loss is clearly below that of the best constant. */
function checkLearning(family: Family, given: GivenOptions): void {
  const learner = family.create(withBudget(family, { ...given, dimension: 2 }, 48));
  const stream = easyStream(learner.task, 2, 800);
  const decisions = learnAll(learner, stream);
  const late = stream.slice(400);
  const mean = meanLoss(learner.task, decisions.slice(400), late);
  const trivial = trivialLoss(learner.task, late);
  assert.ok(mean < LEARNED_SHARE * trivial, `mean loss ${mean}, best constant ${trivial}`);
}

const BATTERY: readonly (readonly [string, (subject: Subject) => void])[] = [
  ["takes the bytes that its layout says", checkBytes],
  ["lives in handed-in memory and nowhere else", checkHandedMemory],
  ["refuses memory that is too small or not at a word", checkMemoryTooSmall],
  ["predicts without a trace, and learn returns the prediction", checkPrediction],
  ["never exceeds its budget", checkBudget],
  ["refuses and counts what it can't take, state unchanged", checkRefusals],
  ["keeps its state finite under huge inputs", checkHugeInputs],
  ["doesn't depend on what lies in scratch", checkScratch],
  ["goes on from a checkpoint as if never stopped", checkResume],
  ["ends two equal streams with equal hashes", checkDeterminism],
];

function checkAll(subjects: readonly Subject[], check: (subject: Subject) => void): void {
  for (const each of subjects) {
    try {
      check(each);
    } catch (error) {
      throw new Error(`${each.name}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/**
 * What must hold for every learner, as tests: each part of the battery on the family with its defaults and with every
 * other choice, flag and kernel; then its options, and that it learns. `given` are options that it needs (classes).
 */
export function checkLearner(family: Family, given: GivenOptions = {}): void {
  const all = subjects(family, given);
  const { name } = all[0];
  for (const [title, check] of BATTERY) test(`${name} ${title}`, () => checkAll(all, check));
  test(`${name} keeps its state finite with extreme options too`, () => {
    checkAll(extremeSubjects(family, given), checkHugeInputs);
  });
  test(`${name} refuses wrong options by name`, () => checkOptions(family, given));
  test(`${name} learns`, () => checkLearning(family, given));
}
