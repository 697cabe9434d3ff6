import { PortableF32 } from "../math/f32.ts";
import { OutOfMemoryError } from "../math/out-of-memory.ts";
import type { Primitives } from "../math/primitives.ts";
import { frozen } from "./frozen.ts";
import { OptionError } from "./option-error.ts";

/** What is hashed and saved (`state`), saved only (`counters`), neither (`scratch`). In this order in memory. */
export type RegionKind = "state" | "counters" | "scratch";

/** A named run of 32-bit words. */
export interface Region {
  readonly name: string;
  readonly kind: RegionKind;
  /** Length in 32-bit words. */
  readonly words: number;
}

/** A region with its place in a range of its own: `offset` in words from the first region of its kind. */
export interface PlacedRegion extends Region {
  readonly offset: number;
}

/**
 * Where a learner lives: the primitives of one memory, and the word at which each kind of its regions begins.
 * Three beginnings and not one, so that a whole made of parts keeps all its state together.
 */
export interface MemoryRange {
  readonly f32: Primitives;
  readonly state: number;
  readonly counters: number;
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

/** From now on `ownRange` takes its ranges from there. All arithmetics give the same bits. */
export function allocateBy(allocator: (layout: Layout) => MemoryRange): void {
  allocate = allocator;
}

/** The regions of one range of memory, and so its bytes, known before anything is made. */
export class Layout {
  readonly regions: readonly PlacedRegion[];
  readonly state: number;
  readonly counters: number;
  readonly scratch: number;

  /** @param regions in any order of kinds; regions of one kind lie in the order given. */
  constructor(regions: readonly Region[]) {
    const words = { state: 0, counters: 0, scratch: 0 };
    const placed: PlacedRegion[] = [];
    for (const kind of KINDS) {
      for (const region of regions) {
        if (region.kind !== kind) continue;
        placed.push({ name: region.name, kind, words: region.words, offset: words[kind] });
        words[kind] += region.words;
      }
    }
    this.regions = placed;
    this.state = words.state;
    this.counters = words.counters;
    this.scratch = words.scratch;
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
    for (const region of this.regions) if (region.name === name) return range[region.kind] + region.offset;
    throw new Error(`no region ${name}`);
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
   * A range for who was given none: in a memory of exactly `bytes` bytes, unless the program said otherwise (`allocateBy`).
   * Throws an OutOfMemoryError where there is no room.
   */
  ownRange(): MemoryRange {
    return allocate(this);
  }

  /** The regions of a part, named `prefix.name`, as regions of a whole; only those of the kinds asked for. */
  parts(prefix: string, kinds: readonly RegionKind[] = KINDS): Region[] {
    return this.regions
      .filter((region) => kinds.includes(region.kind))
      .map((region) => ({ name: `${prefix}.${region.name}`, kind: region.kind, words: region.words }));
  }

  /** The range of a part, given to `parts` as `prefix`, within the range of this whole. */
  within(prefix: string, range: MemoryRange): MemoryRange {
    const begin = (kind: RegionKind) => {
      const first = this.regions.find(
        (region) => region.kind === kind && region.name.startsWith(`${prefix}.`),
      );
      return range[kind] + (first?.offset ?? 0);
    };
    return { f32: range.f32, state: begin("state"), counters: begin("counters"), scratch: begin("scratch") };
  }
}
