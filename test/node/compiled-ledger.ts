import { CompiledDriver } from "../../dev/fuzz-driver.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { Layout } from "../../src/memory/layout.ts";
import { LEDGER, LEDGER_WORDS, OUT_OF_TURN } from "../../src/node/ledger.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";
import { PendingRing } from "../../src/node/pending.ts";
import { PortableLedger } from "../../src/node/portable-ledger.ts";
import { ReorderBuffer } from "../../src/node/reorder-buffer.ts";

/** Random numbers: any 32 bits. */
type Draw = () => number;

const CALLS = 60;
const STATUSES = 10;
const [PUSH, TAKE, FINISH] = [0, 1, 2];
/** Regions of a node that a ledger knows by itself. */
const OWN = { cursors: 4, counts: NODE_COUNTERS.length, vector: 0, note: 0 };

/**
 * A memory, the ledger in it, and its calls with the expected results; undefined: the call only mustn't
 * access memory beyond it.
 */
interface Case {
  readonly words: Uint32Array;
  readonly at: number;
  readonly calls: readonly (readonly number[])[];
  readonly leaves: Uint32Array | undefined;
}

function real(bits: number): number {
  return new Float32Array(Uint32Array.of(bits).buffer)[0];
}

class Cases {
  constructor(private readonly draw: Draw) {}

  private below(n: number): number {
    return this.draw() % n;
  }

  next(): Case {
    const dimension = 1 + this.below(9);
    const noteWords = this.below(3);
    const [capacity, window] = [1 + this.below(6), 1 + this.below(5)];
    const { layout, range } = this.memory(dimension, noteWords, capacity, window);
    const { bits } = range.f32;
    const at = layout.at("ledger", range);
    const pending = new PendingRing(layout, range, capacity, dimension, noteWords);
    const held = new ReorderBuffer(layout, range, window);
    for (const name of ["cursors", "counts", "vector", "note"] as const)
      bits[at + LEDGER[name]] = layout.at(name, range);
    pending.bind(at);
    held.bind(at);
    const cursors = layout.at("cursors", range);
    bits[cursors] = 1 + this.below(3);
    // also near the end of the numbers: a node begins a session long before
    if (this.below(4) === 0) bits[cursors + 1] = bits[cursors + 2] = 0xffffffff - CALLS - this.below(4);
    const words = bits.slice();
    if (this.below(3) === 0)
      return { words: this.spoilt(words, at), at, calls: this.any(), leaves: undefined };
    const ledger = new PortableLedger(range.f32, at);
    const results: number[] = [];
    const calls = Array.from({ length: CALLS }, () => {
      const options = this.call(bits, cursors);
      results.push(this.perform(ledger, options));
      return options;
    });
    return { words, at, calls, leaves: Uint32Array.of(...results, ...bits) };
  }

  private memory(dimension: number, noteWords: number, capacity: number, window: number) {
    const regions = { ...OWN, vector: dimension, note: noteWords };
    const layout = new Layout([
      ...PendingRing.regions(capacity, dimension, noteWords),
      ...ReorderBuffer.regions(window),
      ...Object.entries(regions).map(([name, words]) => ({ name, kind: "state" as const, words })),
      { name: "ledger", kind: "scratch", words: LEDGER_WORDS },
    ]);
    const range = layout.range(new PortableF32(new ArrayBuffer(layout.bytes)));
    for (let j = 0; j < dimension; j++) range.f32.bits[layout.at("vector", range) + j] = 1 + this.below(1000);
    return { layout, range };
  }

  /** A ledger with one random word. */
  private spoilt(words: Uint32Array, at: number): Uint32Array {
    const value = this.below(2) === 0 ? this.draw() : words[at + this.below(LEDGER_WORDS)] + this.below(40);
    words[at + this.below(LEDGER_WORDS)] = value;
    return words;
  }

  private any(): number[][] {
    return Array.from({ length: CALLS }, () => [
      this.below(3),
      ...Array.from({ length: 5 }, () => this.below(12)),
    ]);
  }

  /** A call that is usually valid next. */
  private call(bits: Uint32Array, cursors: number): number[] {
    const [sid, seq, labelled] = bits.subarray(cursors, cursors + 3);
    const kind = this.below(3);
    if (kind === PUSH) return [PUSH, 0, 0, 0, 0, 0];
    const number = (labelled + this.below(8) - 1) >>> 0;
    if (kind === FINISH) return [FINISH, (labelled + 1) >>> 0, this.below(STATUSES), this.below(2), 0, 0];
    const y = this.below(8) === 0 ? 0x7fc00000 : this.draw() & 0xbfffffff;
    const session = this.below(6) === 0 ? sid + 1 : sid;
    return [TAKE, number, session, (seq + 1 - this.below(7)) >>> 0, y, this.draw()];
  }

  private perform(ledger: PortableLedger, [kind, number, a, b, y, origin]: readonly number[]): number {
    if (kind === PUSH) return ledger.push();
    if (kind === TAKE) return ledger.take(number, a, b, real(y), origin);
    return ledger.finish(number, a, b === 1) ? 1 : 0;
  }
}

/** ledger.c, compiled. */
export class CompiledLedger extends CompiledDriver {
  constructor() {
    super("test/node/compiled-ledger.c", "src/node/ledger.c");
  }

  /**
   * Makes so many random memories in C and in TypeScript, each with its calls. Throws an Error at the first
   * difference or fault. Returns how many labels were held, and how many came in order.
   */
  compare(count: number, draw: Draw): { held: number; next: number } {
    const cases = new Cases(draw);
    const seen = { held: 0, next: 0 };
    const made = Array.from({ length: count }, () => cases.next());
    const input = made.map(({ words, at, calls }) =>
      Uint32Array.of(words.length, at, calls.length, ...words, ...calls.flat()),
    );
    const output = this.run(Buffer.concat(input.map(({ buffer }) => Buffer.from(buffer))));
    const found = new Uint32Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
    let from = 0;
    for (const [i, { words, calls, leaves }] of made.entries()) {
      const got = found.subarray(from, from + calls.length + words.length);
      from += calls.length + words.length;
      if (!leaves) continue;
      const wrong = leaves.findIndex((word, k) => word !== got[k]);
      if (wrong >= 0)
        throw new Error(`memory ${i}, word ${wrong}: C leaves ${got[wrong]}; TypeScript ${leaves[wrong]}`);
      for (const [k, [kind]] of calls.entries()) {
        if (kind === TAKE && leaves[k] === OUT_OF_TURN + 2) seen.held++;
        if (kind === TAKE && leaves[k] === 0) seen.next++;
      }
    }
    if (from !== found.length) throw new Error("C leaves more than TypeScript");
    return seen;
  }
}
