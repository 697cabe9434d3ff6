import { Random } from "../../host/random.ts";
import { type Family, takesBudget, type UserOptions } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { Primitives } from "../../src/math/primitives.ts";
import { faultIn, type Layout } from "../../src/memory/layout.ts";

const DIMENSION = 3;
/** Samples after which states are saved. */
const SAVES = [0, 6, 40, 150];
/** Samples that an accepted state predicts and learns. */
const STEPS = 4;
/** Regions that begin with the number of stored vectors. */
const SIZE_REGIONS = ["count", "size"];
/** Words around a learner's own, which it must leave alone. */
export const FENCE = 64;
const UNTOUCHED = 0x5eed5eed;
/** Words that hurt: all ones, signs, counts beyond any capacity, NaN, infinities, the largest and smallest numbers. */
const WORDS = [
  ...[0xffffffff, 0x7fffffff, 0x80000000, 100_000, 1_000_000, 64, 17, 1],
  ...[0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x7149f2ca, 0xf149f2ca, 0x00000001, 0],
  ...[0x3f800000, 0xbf800000, 0x0000ffff, 0xffff0000],
];

/** A learner as a family and its options make it. */
export interface Setting {
  readonly name: string;
  readonly family: Family;
  readonly options: UserOptions;
}

const named = (name: string) => FAMILIES.find((family) => family.name === name) as Family;

/** Options with which a small budget goes. */
const SMALL: { readonly [name: string]: UserOptions } = {
  auto: { landmarks: 7 },
  nogd: { rank: 6 },
  oskm: { agents: 3, agreementPoints: 4 },
};

function setting(family: Family, given: UserOptions = {}): Setting {
  const small = takesBudget(family, given) ? { budget: 12, ...SMALL[family.name] } : {};
  const text = Object.keys(given).length > 0 ? ` with ${JSON.stringify(given)}` : "";
  const options = { dimension: DIMENSION, ...small, ...given };
  return { name: family.name + text, family, options };
}

const Q15 = { storage: "q15", ranges: [[-4, 4]] } as const;
export const GIVEN = { kernel: { type: "gaussian", sigma: 1 } } as const;
const POLYNOMIAL = { kernel: { type: "polynomial", offset: 1, degree: 2 } } as const;
const WRONG = { sources: [[0.1, 0.2]] } as const;

/** Every learner, and the options that give a state words of other kinds. */
export const SETTINGS: readonly Setting[] = [
  ...FAMILIES.map((family) => setting(family)),
  ...FAMILIES.filter(({ options }) => options.kernel).map((family) => setting(family, GIVEN)),
  ...FAMILIES.filter(({ options }) => options.storage).map((family) => setting(family, Q15)),
  ...FAMILIES.filter(({ options }) => options.sources).map((family) => setting(family, WRONG)),
  ...FAMILIES.filter(({ manyClasses }) => manyClasses).map((family) => setting(family, { classes: 3 })),
  setting(named("olk-r"), POLYNOMIAL),
  setting(named("qkapa"), { mode: "newton", windowSize: 5 }),
  setting(named("arow"), { forgetting: 0.9 }),
  setting(named("auto"), { bytes: 1200 }),
  setting(named("auto"), { bytes: 12000 }),
  setting(named("auto"), { bytes: 2048, classes: 5 }),
  setting(named("olk-drift"), { apart: true }),
  setting(named("oskm"), { mode: "coefficients", points: "own" }),
  setting(oneVsAllFamily(named("arow")), { classes: 3 }),
  setting(oneVsAllFamily(named("rls-hmm")), { classes: 3 }),
  setting(oneVsAllFamily(named("olk-c")), { classes: 3, shared: true }),
  setting(oneVsAllFamily(named("olk-c")), { classes: 3, shared: true, ...Q15 }),
  setting(oneVsAllFamily(named("bsgd")), { classes: 5, shared: true }),
];

/** Makes the memory of a layout, with words around it. */
export type MakeMemory = (bytes: number) => Primitives;

export const portable: MakeMemory = (bytes) => new PortableF32(new ArrayBuffer(bytes));

/** Inputs on two scales, with far outliers, and labels of the task, some of them wrong. */
class Stream {
  private readonly random: Random;

  constructor(
    private readonly setting: Setting,
    seed: number,
  ) {
    this.random = new Random(seed, setting.name);
  }

  next(): { readonly x: Float32Array; readonly y: number } {
    const { random } = this;
    const far = random.uniform() < 0.01 ? 1e6 : 1;
    const x = Float32Array.from({ length: DIMENSION }, () => far * random.normal());
    const { options, family } = this.setting;
    const classes = Number(options.classes ?? 2);
    const isRight = random.uniform() < 0.9;
    if (family.task === "regression") return { x, y: Math.fround(x[0] * x[1] + random.normal()) };
    if (family.task === "novelty") return { x, y: 1 };
    if (classes > 2) return { x, y: Math.floor(random.uniform() * classes) };
    return { x, y: x[0] * x[1] > 0 === isRight ? 1 : -1 };
  }
}

/** A learner between fences, which shows whether it wrote beyond its own words. */
export class Fenced {
  readonly learner: Learner;
  readonly f32: Primitives;
  readonly layout: Layout;
  private readonly rules: Uint32Array;

  constructor(
    readonly setting: Setting,
    makeMemory: MakeMemory,
  ) {
    const { family, options } = setting;
    this.layout = family.layout(options);
    this.rules = this.layout.rules;
    this.f32 = makeMemory(this.layout.bytes + 8 * FENCE);
    this.f32.bits.fill(UNTOUCHED);
    this.learner = family.create({ ...options, memory: this.layout.range(this.f32, 4 * FENCE) });
  }

  /** Its state and counters. */
  private get words(): Uint32Array {
    const { state, counters } = this.layout;
    return this.f32.bits.subarray(FENCE, FENCE + state + counters);
  }

  save(): Uint32Array {
    return this.words.slice();
  }

  /** Takes a state over, and clears what isn't saved. Returns whether it is one that such a learner can have. */
  load(state: Uint32Array): boolean {
    this.f32.bits.fill(0, FENCE, FENCE + this.layout.bytes / 4);
    this.words.set(state);
    return this.isSound;
  }

  get isSound(): boolean {
    return faultIn(this.f32, FENCE, this.rules) < 0 && this.learner.isSound();
  }

  /** The first word of state that isn't what its region says. */
  get fault(): string {
    const word = faultIn(this.f32, FENCE, this.rules);
    if (word < 0) return "words that don't fit";
    const regions = this.layout.regions.filter(({ kind }) => kind === "state");
    const region = regions.find(({ offset, words }) => word < offset + words);
    return `${region?.name}[${word - (region?.offset ?? 0)}] ${this.f32.bits[FENCE + word].toString(16)}`;
  }

  get isFenced(): boolean {
    const { bits } = this.f32;
    const end = FENCE + this.layout.bytes / 4;
    const outside = [...bits.subarray(0, FENCE), ...bits.subarray(end, end + FENCE)];
    return outside.every((word) => word === UNTOUCHED);
  }

  /** One sample and its label. */
  step({ x, y }: { readonly x: Float32Array; readonly y: number }): void {
    this.learner.predict(x);
    this.learner.learn(x, y);
  }
}

/** States as a learner saves them: at the start, early, with a full dictionary. */
export function savedStates(setting: Setting): Uint32Array[] {
  const one = new Fenced(setting, portable);
  const stream = new Stream(setting, 1);
  const states: Uint32Array[] = [];
  for (let t = 0; t <= SAVES[SAVES.length - 1]; t++) {
    if (SAVES.includes(t)) states.push(one.save());
    one.step(stream.next());
  }
  return states;
}

/** A state with hostile words: one, several, a run, or all. */
export function spoilt(state: Uint32Array, words: number, random: Random): Uint32Array {
  const spoiled = state.slice();
  const hostile = () => (random.uniform() < 0.6 ? WORDS[random.uint32() % WORDS.length] : random.uint32());
  const nearby = (word: number) => word ^ (1 << (random.uint32() % 32));
  const kind = random.uint32() % 8;
  const at = () => random.uint32() % words;
  if (kind < 3) spoiled[at()] = hostile();
  else if (kind < 5) for (let i = 2 + (random.uint32() % 6); i > 0; i--) spoiled[at()] = hostile();
  else if (kind === 5) {
    const i = at();
    spoiled[i] = nearby(spoiled[i]);
  } else if (kind === 6) {
    const from = at();
    const value = hostile();
    spoiled.fill(value, from, Math.min(words, from + 1 + (random.uint32() % 24)));
  } else for (let i = 0; i < words; i++) if (random.uniform() < 0.3) spoiled[i] = hostile() & 0x7f7fffff;
  return spoiled;
}

/** Sizes that no dictionary has. */
const SIZES = [13, 64, 1_000_000, 0x7fffffff, 0x80000000, 0xffffffff];

/**
 * Has a learner go on with states that nothing checked, whose dictionary says that it holds more than it has room for. Returns the sizes
 * at which it wrote beyond its memory. `made`: called with the memory after each.
 */
export function overfill(
  setting: Setting,
  makeMemory: MakeMemory,
  made: (f32: Primitives) => void,
): number[] {
  const one = new Fenced(setting, makeMemory);
  const stream = new Stream(setting, 3);
  const place = one.layout.regions.find(({ name, kind }) => kind === "state" && SIZE_REGIONS.includes(name));
  return SIZES.filter((size) => {
    for (const state of place ? savedStates(setting) : []) {
      one.load(state);
      one.f32.bits[FENCE + (place?.offset ?? 0)] = size;
      for (let t = 0; t < STEPS; t++) one.step(stream.next());
      made(one.f32);
    }
    return !one.isFenced;
  });
}

/** What became of many hostile states. */
export interface Outcome {
  readonly refused: number;
  readonly accepted: number;
  /** What went wrong, each with the number of its state. */
  readonly faults: readonly string[];
}

/**
 * Gives a learner so many hostile states. Each must be refused, or lead to states that it could have saved.
 * @param made called with the memory after each accepted state.
 */
export function besiege(
  setting: Setting,
  count: number,
  makeMemory: MakeMemory = portable,
  made: (f32: Primitives, i: number) => void = () => {},
  seed = 1,
): Outcome {
  const one = new Fenced(setting, makeMemory);
  const saved = savedStates(setting);
  const { state: words } = setting.family.layout(setting.options);
  const random = new Random(seed, `hostile ${setting.name}`);
  const stream = new Stream(setting, 2);
  const faults: string[] = [];
  let refused = 0;
  for (let i = 0; i < count; i++) {
    if (!one.load(spoilt(saved[i % saved.length], words, random))) {
      refused++;
      continue;
    }
    for (let t = 0; t < STEPS; t++) {
      one.step(stream.next());
      if (!one.isSound) faults.push(`state ${i}, step ${t}: ${one.fault}`);
      if (!one.isSound) break;
    }
    if (!one.isFenced) faults.push(`state ${i}: wrote beyond its memory`);
    made(one.f32, i);
  }
  return { refused, accepted: count - refused, faults };
}
