import type { Random } from "../../host/random.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { type Layout, type MemoryRange, portableRange } from "../../src/memory/layout.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { learnAll, streamFor } from "./ordinary.ts";
import type { Subject } from "./subjects.ts";
import { must, mustBe, Violation } from "./violation.ts";

const GUARD = 0xdeadbeef;
const LEFT_OVER = 3;

/** State and counters, as a checkpoint holds them. */
export function checkpoint({ range, layout }: Learner): Uint32Array {
  const { bits } = range.f32;
  const saved = new Uint32Array(layout.state + layout.counters);
  saved.set(bits.subarray(range.state, range.state + layout.state));
  saved.set(bits.subarray(range.counters, range.counters + layout.counters), layout.state);
  return saved;
}

export function restore({ range, layout }: Learner, saved: Uint32Array): void {
  range.f32.bits.set(saved.subarray(0, layout.state), range.state);
  range.f32.bits.set(saved.subarray(layout.state), range.counters);
}

/** The region and word that word `i` of a checkpoint is: `w[3]`. */
function wordPlace({ layout }: Learner, i: number): string {
  const kind = i < layout.state ? "state" : "counters";
  const word = kind === "state" ? i : i - layout.state;
  const region = layout.regions.find(
    (each) => each.kind === kind && word >= each.offset && word < each.offset + each.words,
  );
  return region ? `${region.name}[${word - region.offset}]` : `word ${i}`;
}

/** Throws a Violation that names the first word in which the learner's checkpoint differs. */
export function mustHaveBits(learner: Learner, wanted: Uint32Array, what: string): void {
  const got = checkpoint(learner);
  const i = got.findIndex((word, j) => word !== wanted[j]);
  must(
    i < 0,
    () => `${what}: ${wordPlace(learner, i)} is 0x${got[i].toString(16)}, not 0x${wanted[i].toString(16)}`,
  );
}

export function spoilScratch({ range, layout }: Learner, random: Random): void {
  for (let i = 0; i < layout.scratch; i++) range.f32.bits[range.scratch + i] = random.uint32();
}

/** Vectors of 16 bits: any bits are numbers. */
const LANES = "lanes";

/** No NaN and no infinity among the words of the state; whole numbers in it are small here and pass. */
export function mustBeFinite({ layout, range }: Learner, when: string): void {
  for (const region of layout.regions) {
    if (region.kind !== "state" || region.name.endsWith(LANES)) continue;
    const from = range.state + region.offset;
    for (let i = 0; i < region.words; i++) {
      const word = range.f32.words[from + i];
      if (!Number.isFinite(word)) throw new Violation(`${when} ${region.name}[${i}] is ${word}`);
    }
  }
}

export function takesItsBytes({ create, layout }: Subject): void {
  const planned = layout();
  const learner = create();
  const { state, counters, scratch } = learner.range;
  const own = 4 * (scratch - state + learner.layout.scratch);
  mustBe(own, planned.bytes, "bytes of the range that it gets where it brings none");
  mustBe(counters - state, planned.state, "words of that range's state");
  mustBe(create(portableRange(planned)).layout.bytes, planned.bytes, "bytes in a memory of exactly those");
  mustBe(learner.layout.bytes, planned.bytes, "bytes of its layout");
  const sum = planned.regions.reduce((sum, region) => sum + 4 * region.words, 0);
  mustBe(sum, planned.bytes, "bytes of its regions");
}

/**
 * Guard words behind the last region, more than a row of any subject: a loop that runs too far ends in them.
 */
const BEHIND = 999;

/** The three kinds of regions lie apart, at odd words, filled with old data, between guard words. */
function scatterRegions(layout: Layout): MemoryRange {
  const state = 5;
  const counters = state + layout.state + 3;
  const scratch = counters + layout.counters + 7;
  const f32 = new PortableF32(new ArrayBuffer(4 * (scratch + layout.scratch + BEHIND)));
  f32.bits.fill(GUARD);
  f32.bits.fill(LEFT_OVER, state, state + layout.state);
  f32.bits.fill(LEFT_OVER, counters, counters + layout.counters);
  f32.bits.fill(LEFT_OVER, scratch, scratch + layout.scratch);
  return { f32, state, counters, scratch };
}

export function livesInItsRange({ create, layout }: Subject, seed: number): void {
  const own = create();
  const stream = streamFor(own, seed);
  learnAll(own, stream);
  const range = scatterRegions(layout());
  const handed = create(range);
  learnAll(handed, stream);
  const inside = new Set<number>();
  for (const kind of ["state", "counters", "scratch"] as const) {
    for (let i = 0; i < handed.layout[kind]; i++) inside.add(range[kind] + i);
  }
  const written = range.f32.bits.findIndex((word, i) => word !== GUARD && !inside.has(i));
  must(written < 0, () => `word ${written}, outside its range, was written`);
  mustBe(handed.stateHash(), own.stateHash(), "state hash in handed-in memory that held other things");
}

export function refusesWrongMemory({ layout }: Subject): void {
  const planned = layout();
  const refuses = (f32: PortableF32, at: number, what: string) => {
    try {
      planned.range(f32, at);
    } catch (error) {
      must(error instanceof OptionError && error.option === "memory", () => `${what}: throws ${error}`);
      return;
    }
    throw new Violation(`${what} was taken`);
  };
  refuses(new PortableF32(new ArrayBuffer(planned.bytes - 4)), 0, "memory of 4 bytes less");
  const whole = new PortableF32(new ArrayBuffer(planned.bytes + 8));
  refuses(whole, 2, "memory from byte 2 on");
  mustBe(planned.range(whole, 8).state, 2, "the word at which memory from byte 8 on begins");
}
