import { ceil4, type Primitives } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/** Inputs at most whose distances tell the width. */
const MOST_INPUTS = 16;
/** Every so many inputs it is asked whether they vary; after as many answers "no" in a row the width is lost. */
const PERIOD = 8;
const PATIENCE = 16;
/** Share of the width within which inputs don't vary. */
const STILL = 1 / 1024;

/** Labels after which it is looked at the width again: so many, then each time twice as many. */
const FIRST_LOOK = 64;
/** How many times as wide as before makes it another width. */
const WIDER = 1.5;

/** Words that the distances of n inputs take, with what a row of them is written beyond its end. */
function distanceWords(n: number): number {
  return (n * (n - 1)) / 2 + 3;
}

/** Where the distances of n inputs lie: in rows that are free, else where the kernel row does. */
function fitsInRows(n: number, budget: number, dimension: number): boolean {
  return distanceWords(n) <= (ceil4(budget) - ceil4(n)) * dimension;
}

/** How many inputs tell the width: 2 to 16. */
export function inputsForWidth(budget: number, dimension: number): number {
  let n = budget < MOST_INPUTS ? budget : MOST_INPUTS;
  while (n > 2 && !fitsInRows(n, budget, dimension) && distanceWords(n) > ceil4(budget)) n--;
  return n < 2 ? 2 : n;
}

/**
 * The width of a Gaussian from the first inputs: sigma = half the median of the distances between n of them, n <= 16, the lower
 * one of two. They wait with their labels in the dictionary's own memory, which is empty as yet: the rows hold the inputs,
 * the coefficients their labels. An input that is there already counts once, with its latest label.
 *
 * A classifier's inputs must be of both classes: while they are of one, every other leaves when there is no room, and from
 * then on only every second, fourth, ... input is held. The first of the other class ends that.
 *
 * An input a thousand times as far as the others (a glitch at power-up) may have made the width. Where the inputs then don't vary
 * by a thousandth of it, for 128 in a row, without being the same, the width is `lost`.
 *
 * The first inputs of a slow stream lie close together. So after 64 labels, 128, 256, ... the median is taken between stored
 * vectors, as many as the kernel row has room for the distances of; where half of it is 1.5 times sigma or more, that
 * is the width from then on.
 *
 * State: sigma (0 = not found); of the search, inputs held, inputs met, and of these the interval less one at which they are held;
 * then of the watch, inputs met, and answers "no" in a row; and the input to which later ones are compared.
 */
export class WidthProbe {
  /** Word of sigma. */
  readonly at: number;
  private readonly reference: number;
  private readonly rows: number;
  private readonly labels: number;
  private readonly row: number;
  private readonly spare: number;
  /** Words that `row` has. */
  private readonly room: number;
  /** Inputs that tell the width. */
  private readonly inputs: number;
  /** Word of the distances between them. */
  private readonly distances: number;

  static regions(dimension: number): Region[] {
    return [
      { name: "width", kind: "state", words: 1 },
      // Right behind it: inputs held, inputs met, interval less one.
      { name: "probe", kind: "state", words: 3 },
      { name: "reference", kind: "state", words: dimension },
    ];
  }

  constructor(
    private readonly f32: Primitives,
    layout: Layout,
    range: MemoryRange,
    budget: number,
    private readonly dimension: number,
    /** Whether labels are classes, of which there must be two. */
    private readonly classes: boolean,
  ) {
    this.at = layout.at("width", range);
    this.reference = layout.at("reference", range);
    this.rows = layout.at("rows", range);
    this.labels = layout.at("coefficients", range);
    this.row = layout.at("row", range);
    this.spare = layout.at("spare", range);
    this.room = ceil4(budget);
    this.inputs = inputsForWidth(budget, dimension);
    const behind = this.rows + ceil4(this.inputs) * dimension;
    this.distances = fitsInRows(this.inputs, budget, dimension) ? behind : this.row;
  }

  /** sigma; 0 until it is found. */
  get width(): number {
    return this.f32.words[this.at];
  }

  /** Inputs that wait. */
  get held(): number {
    return this.f32.bits[this.at + 1];
  }

  /** The label of the held input that is nearest to the vector at word x; 0 if none is held. */
  guess(x: number): number {
    const { f32, held } = this;
    return held === 0 ? 0 : f32.words[this.labels + this.nearest(x, held)];
  }

  /**
   * Meets an input with its label. Returns 0 until the width is found; then how many inputs wait to be taken, this one the last of
   * them, whose label isn't held.
   */
  meet(x: number, y: number): number {
    const { f32, held, inputs } = this;
    const { words, bits } = f32;
    const j = held === 0 ? -1 : this.nearest(x, held);
    if (j >= 0 && words[this.row + j] === 0) {
      words[this.labels + j] = y;
      return 0;
    }
    const turn = bits[this.at + 2]++;
    const full = held === inputs - 1;
    const both = !this.classes || this.isOther(y, held) || this.isOther(words[this.labels], held);
    if (both && (full || (held > 0 && bits[this.at + 3] > 0))) {
      f32.storeRow(this.rows, held, x, this.dimension);
      return this.find(held + 1) ? held + 1 : 0;
    }
    if (full) this.thin(held);
    if ((turn & bits[this.at + 3]) === 0 && this.held < inputs - 1) this.hold(x, y);
    return 0;
  }

  private hold(x: number, y: number): void {
    const { f32, held } = this;
    f32.storeRow(this.rows, held, x, this.dimension);
    f32.words[this.labels + held] = y;
    f32.bits[this.at + 1] = held + 1;
  }

  /** Takes held input i, i = 0, 1, ... in turn, to word x; returns its label, and leaves its place empty. */
  take(i: number, x: number): number {
    const { f32, rows, labels, dimension } = this;
    f32.fetchRow(x, rows, i, dimension);
    const y = f32.words[labels + i];
    this.clear(i);
    return y;
  }

  /** Whether inputs, of which that at word x is one, don't vary where a kernel of that width could tell. */
  isLost(x: number): boolean {
    const { f32, at, spare, reference, dimension } = this;
    const { bits, words } = f32;
    const clock = ++bits[at + 1];
    if (clock % PERIOD !== 0) return false;
    f32.copy(spare, x, dimension);
    const squared = f32.addScaled(spare, -1, reference, dimension)
      ? f32.dot(spare, spare, dimension)
      : Infinity;
    const still = STILL * words[at];
    if (!(squared < still * still)) {
      f32.copy(reference, x, dimension);
      bits[at + 2] = 0;
    } else if (squared > 0) {
      bits[at + 2]++;
    }
    return bits[at + 2] >= PATIENCE;
  }

  /** Whether the stored vectors, `size` of them, give a larger width, which then is sigma. To be asked after each label. */
  widens(size: number): boolean {
    const { f32, at } = this;
    const labels = f32.bits[at + 1];
    if (labels < FIRST_LOOK || (labels & (labels - 1)) !== 0) return false;
    const sigma = Math.fround(Math.sqrt(this.medianStored(size)) / 2);
    if (!(sigma >= WIDER * f32.words[at]) || !isWidth(sigma)) return false;
    f32.words[at] = sigma;
    return true;
  }

  private nearest(x: number, held: number): number {
    return this.f32.nearestRow(this.row, this.rows, x, held, this.dimension);
  }

  /** Whether y is another label than one that is held. */
  private isOther(y: number, held: number): boolean {
    const { words } = this.f32;
    for (let i = 0; i < held; i++) if (words[this.labels + i] !== y) return true;
    return false;
  }

  /** Every other input leaves. */
  private thin(held: number): void {
    const { f32, rows, labels, spare, dimension } = this;
    const { words, bits } = f32;
    const kept = (held + 1) >> 1;
    for (let i = 1; i < kept; i++) {
      f32.fetchRow(spare, rows, 2 * i, dimension);
      f32.storeRow(rows, i, spare, dimension);
      words[labels + i] = words[labels + 2 * i];
    }
    for (let i = kept; i < held; i++) this.clear(i);
    bits[this.at + 1] = kept;
    bits[this.at + 3] = (bits[this.at + 3] << 1) | 1;
  }

  private clear(i: number): void {
    const { f32, rows, labels, spare, dimension } = this;
    f32.words[labels + i] = 0;
    f32.bits.fill(0, spare, spare + dimension);
    f32.storeRow(rows, i, spare, dimension);
  }

  /** Finds sigma from n inputs. False, with none held, if float32 holds no such kernel. */
  private find(n: number): boolean {
    const { f32, at } = this;
    const sigma = Math.fround(Math.sqrt(this.medianHeld(n)) / 2);
    const found = isWidth(sigma);
    if (found) f32.words[at] = sigma;
    else for (let i = 0; i < n; i++) this.clear(i);
    f32.bits.fill(0, at + 1, at + 4);
    return found;
  }

  /** The median of the squared distances between rows 0..n-1. */
  private medianHeld(n: number): number {
    const { f32, rows, spare, dimension, distances } = this;
    let end = distances;
    for (let i = 1; i < n; i++) {
      f32.fetchRow(spare, rows, i, dimension);
      f32.squaredDistances(end, rows, spare, i, dimension);
      end += i;
    }
    const squared = this.median(distances, end);
    f32.bits.fill(0, distances, end + 3);
    return squared;
  }

  /** That of the vectors of some blocks of four to those of others, as many blocks as `row` has room for; 0 where that is one. */
  private medianStored(size: number): number {
    const { f32, rows, row, spare, dimension, room } = this;
    const all = size >> 2;
    let blocks = all;
    while (8 * blocks * (blocks - 1) > room) blocks--;
    if (blocks < 2) return 0;
    const apart = 4 * Math.floor(all / blocks);
    let end = row;
    for (let i = 0; i < 4 * blocks; i++) {
      const block = i >> 2;
      if (block > 0) f32.fetchRow(spare, rows, apart * block + (i & 3), dimension);
      for (let other = 0; other < block; other++) {
        f32.squaredDistances(end, rows + apart * dimension * other, spare, 4, dimension);
        end += 4;
      }
    }
    return this.median(row, end);
  }

  /** The lower median of the words from `from` to `end`, of which it leaves infinities. */
  private median(from: number, end: number): number {
    const { f32 } = this;
    const count = end - from;
    let least = 0;
    for (let rank = 0; 2 * rank < count; rank++) {
      const j = from + f32.argmin(from, count);
      least = f32.words[j];
      f32.words[j] = Infinity;
    }
    return least;
  }
}

/** Whether float32 holds a kernel of that sigma. */
function isWidth(sigma: number): boolean {
  const gamma = Math.fround(1 / (2 * sigma * sigma));
  return gamma > 0 && gamma < Infinity;
}
