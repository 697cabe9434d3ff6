import { Elementary } from "../src/math/elementary.ts";

const elementary = new Elementary();
const TWO_PI = 6.2831854820251465; // the float32 nearest to 2 pi
const UNIT_24 = 5.9604644775390625e-8; // 2^-24

/** A number, and its bits in two words. */
const NUMBER = new Float64Array(1);
const HALVES = new Uint32Array(NUMBER.buffer);

/** An array or a typed array, for `shuffle`. */
interface MutableArray<T> {
  readonly length: number;
  [index: number]: T;
}

/**
 * Seeded random numbers: xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
 * 2021) on 32-bit integers. The float draws use `src/math` only, so every engine draws the same bits.
 *
 * Each (seed, label) is a stream of its own: switching one stage on never moves another's draws.
 *
 *     new Random(1, "mote1/noise").uniform() // the same number on every machine
 */
export class Random {
  private readonly state = new Uint32Array(4);
  private spare = NaN;

  /**
   * @param seed any finite number; two seeds that differ give different streams.
   * @param label names the stream. Default "".
   */
  constructor(seed: number, label = "") {
    if (!Number.isFinite(seed)) throw new RangeError(`seed: got ${seed}, takes a finite number`);
    NUMBER[0] = seed === 0 ? 0 : seed;
    const hash = fnv1a(label);
    for (let i = 0; i < 4; i++) {
      this.state[i] = mix(mix(mix(HALVES[0] + (i + 1) * 0x9e3779b9) ^ HALVES[1]) ^ hash);
    }
    this.state[0] |= 1; // never the all-zero state, from which the generator doesn't move
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    const s = this.state;
    const x = Math.imul(s[1], 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** A multiple of 2^-24 in [0, 1), exact in float32. */
  uniform(): number {
    return (this.uint32() >>> 8) * UNIT_24;
  }

  /** An integer in [0, n), each equally likely; n in 1..2^32. Throws a RangeError for another n. */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 0x100000000) {
      throw new RangeError(`below: got ${n}, takes an integer in 1..2^32`);
    }
    const limit = 0x100000000 - (0x100000000 % n);
    let draw = this.uint32();
    while (draw >= limit) draw = this.uint32();
    return draw % n;
  }

  /** A standard normal draw, float32, by Box-Muller: |z| < 5.8, since `uniform` has 24 bits. */
  normal(): number {
    if (!Number.isNaN(this.spare)) {
      const spare = this.spare;
      this.spare = NaN;
      return spare;
    }
    const radius = Math.sqrt(-2 * elementary.log(1 - this.uniform()));
    const angle = Math.fround(TWO_PI * this.uniform());
    this.spare = Math.fround(radius * elementary.sin(angle));
    return Math.fround(radius * elementary.cos(angle));
  }

  /** An exponential draw of this mean, >= 0 and < 16.7 means. */
  exponential(mean: number): number {
    return mean * -elementary.log(1 - this.uniform());
  }

  /** Puts the elements in an order drawn uniformly (Fisher-Yates), in place. */
  shuffle<T>(array: MutableArray<T>): void {
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = array[i];
      array[i] = array[j];
      array[j] = held;
    }
  }
}

/** The 32-bit FNV-1a hash of the label's UTF-16 code units, low byte first. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash;
}

/** The finaliser of MurmurHash3: a bijection of 32 bits in which every input bit reaches every output bit. */
function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
