import type { Primitives } from "../src/math/primitives.ts";
import { type Call, draw, run } from "./fuzz-math-calls.ts";

const CANONICAL_NAN = 0x7fc00000;

function canonical(word: number): number {
  return (word & 0x7fffffff) > 0x7f800000 ? CANONICAL_NAN : word;
}

/** Runs the same calls on two implementations, and compares word by word; `digest` hashes the first one's results. */
export class Comparison {
  private readonly call = {} as Call;
  private readonly result = new Float32Array(1);
  private readonly resultBits = new Uint32Array(this.result.buffer);
  private hash = 0;

  constructor(
    private readonly one: Primitives,
    private readonly other: Primitives,
    private readonly seed: number,
  ) {}

  /**
   * Runs `count` calls of a primitive from number `first`. Returns the number of the first that differs, or
   * -1.
   */
  run(primitive: number, first: number, count: number): number {
    this.hash = 0x811c9dc5;
    for (let index = first; index < first + count; index++) {
      if (!this.same(primitive, index)) return index;
    }
    return -1;
  }

  /** 32 bits over the results and the memory of the calls of the last `run`; any NaN counts as the same. */
  digest(): number {
    return this.hash >>> 0;
  }

  private same(primitive: number, index: number): boolean {
    const { call, one, other } = this;
    draw(one, call, this.seed, primitive, index);
    const { end } = call;
    other.bits.set(one.bits.subarray(0, end));
    const first = this.resultWord(run(one, primitive, call));
    let same = first === this.resultWord(run(other, primitive, call));
    const [a, b] = [one.bits, other.bits];
    for (let k = 0; k < end; k++) {
      if ((a[k] | 0) !== (b[k] | 0) && canonical(a[k] | 0) !== canonical(b[k] | 0)) same = false;
    }
    this.add(first, a, end);
    return same;
  }

  private add(result: number, bits: Uint32Array, end: number): void {
    let hash = Math.imul(this.hash ^ result, 0x01000193);
    for (let k = 0; k < end; k++) {
      hash = Math.imul((hash << 13) ^ (hash >>> 19) ^ canonical(bits[k] | 0), 0x01000193);
    }
    this.hash = hash;
  }

  /** A result's bits as a float32, which an index or a boolean is too. */
  private resultWord(result: number): number {
    this.result[0] = result;
    return canonical(this.resultBits[0] | 0);
  }
}
