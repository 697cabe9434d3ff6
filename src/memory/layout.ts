import { PortableF32 } from "../math/f32.ts";
import { OutOfMemoryError } from "../math/out-of-memory.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "./frozen.ts";
import { OptionError } from "./option-error.ts";

/** Kinds of regions, in their order in memory: `state` is hashed and saved, `counters` are saved only, `scratch` neither. */
export type RegionKind = "state" | "counters" | "scratch";

/** In a region's `holds`: a finite float32, of any sign. */
export const FINITE = 0xfffffffe;
/** In a region's `holds`: two whole numbers of 16 bits, each from -16384 to 16383, as rows of 16 bits have them. */
export const LANES = 0xfffffffd;
/** In a region's `holds`: any bits. */
export const ANY = 0xffffffff;
/** In a region's `holds`: a finite float32 >= 0. */
export const POSITIVE = 0x7f7fffff;
/** In a region's `holds`: a float32 from 0 to 1. Positive float32 numbers are in the order of their bits. */
export const TO_ONE = 0x3f800000;

/** A named run of 32-bit words. */
export interface Region {
  /** Its name, unique in a layout. */
  readonly name: string;
  /** Whether it is hashed, and whether it is saved. */
  readonly kind: RegionKind;
  /** Length in 32-bit words. */
  readonly words: number;
  /**
   * What its words may hold where it is state that comes from outside, one entry a word, again and again from the first: `FINITE`, `LANES`,
   * `ANY`, or the largest whole number, 0 to 2^32 - 4. A float32 from 0 to x has x's bits as its largest. Default: all are `FINITE`.
   */
  readonly holds?: readonly number[];
}

/** A region with its place. */
export interface PlacedRegion extends Region {
  /** Words from the first region of its kind. */
  readonly offset: number;
}

/**
 * A learner's place in memory: the primitives of that memory, and the word at which each kind of its regions begins.
 * Each kind has a word of its own, so that a whole made of parts keeps all its state together.
 */
export interface MemoryRange {
  /** The primitives that compute in this memory. */
  readonly f32: Primitives;
  /** Word at which the regions of kind `state` begin. */
  readonly state: number;
  /** Word at which the regions of kind `counters` begin. */
  readonly counters: number;
  /** Word at which the regions of kind `scratch` begin. */
  readonly scratch: number;
}

const KINDS: readonly RegionKind[] = frozen(["state", "counters", "scratch"]);

/** A range in an ArrayBuffer of its own, of exactly the layout's bytes, on the portable primitives. */
export function portableRange(layout: Layout): MemoryRange {
  let buffer: ArrayBuffer;
  try {
    buffer = new ArrayBuffer(layout.bytes);
  } catch {
    throw new OutOfMemoryError(layout.bytes);
  }
  return layout.range(new PortableF32(buffer));
}

let allocate = portableRange;

/** Makes `ownRange` take its ranges from `allocate` from now on. All arithmetics give the same bits. */
export function allocateBy(allocator: (layout: Layout) => MemoryRange): void {
  allocate = allocator;
}

/** The character after a name in a layout's text, and the character before the first and after each region. */
const TAB = "\t";
const LINE = "\n";

/** A region's line in a layout's text. @param kind its index: 0 for `state`, which alone says what its words hold. */
export function regionLine({ name, words, holds }: Region, kind: number, offset: number): string {
  if (name.includes(TAB) || name.includes(LINE))
    throw new Error(`region ${JSON.stringify(name)}: no such name`);
  const line = name + TAB + kind + TAB + words + TAB + offset;
  return (holds && kind === 0 ? line + TAB + holds.join() : line) + LINE;
}

function regionIn(line: string): PlacedRegion {
  const parts = line.split(TAB); // taken apart by an iterator, they would take more of XS's stack
  const region = {
    name: parts[0],
    kind: KINDS[Number(parts[1])],
    words: Number(parts[2]),
    offset: Number(parts[3]),
  };
  return parts.length > 4 ? { ...region, holds: parts[4].split(",").map(Number) } : region;
}

const EXPONENT = 0x7f800000;
/** The highest bit of each half. */
const SIGNS = 0x80008000;

function isOther(word: number, most: number): boolean {
  if (most === FINITE) return (word & EXPONENT) === EXPONENT;
  return most === LANES ? ((word ^ (word << 1)) & SIGNS) !== 0 : word > most;
}

/**
 * The first word from `at` on that doesn't hold what `rules` say, see `Layout.rules`, as its distance from `at`; -1: each does. It takes
 * one pass, and allocates nothing.
 */
export function faultIn(f32: Primitives, at: number, rules: Uint32Array): number {
  const { bits } = f32;
  let word = at;
  for (let r = 0; r < rules.length; r += 2 + rules[r + 1]) {
    const end = word + rules[r];
    const count = rules[r + 1];
    if (count === 1 && rules[r + 2] === FINITE && f32.finite(word, end - word)) word = end;
    for (let k = 0; word < end; word++, k = k + 1 === count ? 0 : k + 1) {
      if (isOther(bits[word], rules[r + 2 + k])) return word - at;
    }
  }
  return -1;
}

/**
 * The regions of one range of memory, and so its bytes, known before anything is made. It keeps them as one text: an object
 * for each took 100 bytes of a device for as long as a learner lives.
 */
export class Layout {
  /** A line for each region: name, index of its kind, words, offset. */
  private readonly text: string;
  /** Words of kind `state`, which are hashed and saved. */
  readonly state: number;
  /** Words of kind `counters`, which are saved. */
  readonly counters: number;
  /** Words of kind `scratch`, which are neither hashed nor saved. */
  readonly scratch: number;

  /**
   * @param regions in any order of kinds; regions of one kind lie in the order given. Throws an Error for a name with a tab or an end of
   * line.
   */
  constructor(regions: readonly Region[]) {
    const words = { state: 0, counters: 0, scratch: 0 };
    let text = LINE;
    for (let k = 0; k < KINDS.length; k++) {
      const kind = KINDS[k];
      for (const region of regions) {
        if (region.kind !== kind) continue;
        text += regionLine(region, k, words[kind]);
        words[kind] += region.words;
      }
    }
    this.text = text;
    this.state = words.state;
    this.counters = words.counters;
    this.scratch = words.scratch;
  }

  /** A new array of the regions. */
  get regions(): readonly PlacedRegion[] {
    const lines = this.text.split(LINE);
    return lines.slice(1, -1).map(regionIn);
  }

  /** What the words of state hold, in their order: for each run of words its length, the number of its `holds`, and these. */
  get rules(): Uint32Array {
    const rules: number[] = [];
    let run = -1;
    for (const { kind, words, holds } of this.regions) {
      if (kind !== KINDS[0] || words === 0) continue;
      if (!holds && run >= 0) {
        rules[run] += words;
        continue;
      }
      run = holds ? -1 : rules.length;
      if (holds) rules.push(words, holds.length, ...holds);
      else rules.push(words, 1, FINITE);
    }
    return Uint32Array.from(rules);
  }

  /** Words of the named region; 0 if the layout lacks it. */
  regionWords(name: string): number {
    return this.find(name)?.words ?? 0;
  }

  private find(name: string): PlacedRegion | undefined {
    const { text } = this;
    const from = text.indexOf(LINE + name + TAB) + 1;
    return from > 0 ? regionIn(text.slice(from, text.indexOf(LINE, from))) : undefined;
  }

  /** Bytes of the whole range. */
  get bytes(): number {
    return 4 * (this.state + this.counters + this.scratch);
  }

  /** Byte at which a region begins in a range of its own. */
  byteOffset(region: PlacedRegion): number {
    const before = { state: 0, counters: this.state, scratch: this.state + this.counters };
    return 4 * (before[region.kind] + region.offset);
  }

  /** The word at which the named region begins in `range`. Throws an Error for a name it doesn't have. */
  at(name: string, range: MemoryRange): number {
    const region = this.find(name);
    if (!region) throw new Error(`no region ${name}`);
    return range[region.kind] + region.offset;
  }

  /** The range that begins at `byteOffset` (a multiple of 4) of a memory. Throws an OptionError where it has no room. */
  range(f32: Primitives, byteOffset = 0): MemoryRange {
    const state = byteOffset >> 2;
    if (byteOffset & 3 || state < 0 || byteOffset + this.bytes > f32.words.byteLength) {
      const free = f32.words.byteLength - byteOffset;
      const [got, takes] = [`${free} bytes at ${byteOffset}`, `${this.bytes} at a multiple of 4`];
      throw new OptionError("layout", "memory", got, takes, `memory: got ${got}; takes ${takes}`);
    }
    return { f32, state, counters: state + this.state, scratch: state + this.state + this.counters };
  }

  /**
   * The default range: in a memory of exactly `bytes` bytes, unless the program chose another with `allocateBy`.
   * Throws an OutOfMemoryError if the engine has no room.
   */
  ownRange(): MemoryRange {
    return allocate(this);
  }

  /** The regions of a part as regions of a whole, named `prefix.name`; only of the given kinds. */
  parts(prefix: string, kinds: readonly RegionKind[] = KINDS): Region[] {
    return this.regions
      .filter((region) => kinds.includes(region.kind))
      .map(({ name, kind, words, holds }) => ({ name: `${prefix}.${name}`, kind, words, holds }));
  }

  /** The range of the part that `parts` had with this `prefix`, within the range of this whole. */
  within(prefix: string, range: MemoryRange): MemoryRange {
    const parts = this.regions.filter(({ name }) => name.startsWith(`${prefix}.`));
    const begin = (kind: RegionKind) =>
      range[kind] + (parts.find((region) => region.kind === kind)?.offset ?? 0);
    return { f32: range.f32, state: begin("state"), counters: begin("counters"), scratch: begin("scratch") };
  }
}
