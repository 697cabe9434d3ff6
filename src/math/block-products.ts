import { placeIn } from "./primitives.ts";

const round = Math.fround;

/** Components that have one exponent. */
const BLOCK = 32;
/** Vectors that a row is multiplied with while it is at hand. */
const TOGETHER = 5;
/** An exponent's bits in a word, and the exponent of infinities and NaN. */
const EXPONENT = 23;
const INFINITE = 255;
const FRACTION = 0x7fffff;
/** 2^-23. */
const UNIT = 1.1920928955078125e-7;

/** Products in block floating point for `PortableF32`: `blockProducts` of `Primitives` defines each number. */
export class BlockProducts {
  /** The whole numbers of some vectors' blocks, then of a row's. */
  private readonly whole = new Int32Array((TOGETHER + 1) * BLOCK);
  /** The unit of each, NaN if its block isn't finite. */
  private readonly units = new Float64Array(TOGETHER + 1);
  private readonly power = new Float32Array(1);
  private readonly powerBits = new Uint32Array(this.power.buffer);

  constructor(
    private readonly words: Float32Array,
    private readonly bits: Uint32Array,
  ) {}

  multiply(
    out: number,
    rows: number,
    x: number,
    slot: number,
    n: number,
    size: number,
    d: number,
    k: number,
  ): void {
    for (let v = 0; v < k; v += TOGETHER) {
      const together = k - v < TOGETHER ? k - v : TOGETHER;
      for (let j = 0; j < d; j += BLOCK) {
        const width = d - j < BLOCK ? d - j : BLOCK;
        for (let t = 0; t < together; t++) this.convert(t, x + (v + t) * d + j, 1, width);
        for (let i = 0, m = placeIn(slot, size); i < n; i++) {
          this.convert(TOGETHER, rows + 4 * d * (m >> 2) + 4 * j + (m & 3), 4, width);
          for (let t = 0; t < together; t++) this.add(out + (v + t) * size + m, t, j === 0);
          m = m === 0 ? size - 1 : m - 1;
        }
      }
    }
  }

  /** Makes the block at word `from`, components `step` words apart, the `place`-th of whole numbers. */
  private convert(place: number, from: number, step: number, width: number): void {
    const { bits, whole, units, power, powerBits } = this;
    let most = 1;
    for (let j = 0, at = from; j < width; j++, at += step) {
      const exponent = (bits[at] >>> EXPONENT) & INFINITE;
      if (exponent > most) most = exponent;
    }
    powerBits[0] = most << EXPONENT;
    units[place] = most === INFINITE ? Number.NaN : power[0] * UNIT;
    whole.fill(0, place * BLOCK, (place + 1) * BLOCK);
    for (let j = 0, at = from; j < width; j++, at += step) {
      const word = bits[at];
      const exponent = (word >>> EXPONENT) & INFINITE;
      const magnitude = (word & FRACTION) | (exponent > 0 ? FRACTION + 1 : 0);
      const shift = most - (exponent > 0 ? exponent : 1);
      if (shift > EXPONENT + 1) continue;
      const nearest = (magnitude + ((1 << shift) >> 1)) >> shift;
      whole[place * BLOCK + j] = word >>> 31 ? -nearest : nearest;
    }
  }

  /** Adds the product of the row's block and vector t's to the word `to`, which holds none before the first. */
  private add(to: number, t: number, isFirst: boolean): void {
    const { words, whole, units } = this;
    let sum = 0; // exact: 32 products below 2^48
    for (let j = 0; j < BLOCK; j++) sum += whole[TOGETHER * BLOCK + j] * whole[t * BLOCK + j];
    const product = round(round(sum) * (units[t] * units[TOGETHER]));
    words[to] = isFirst ? product : words[to] + product;
  }
}
