import type { Primitives } from "../../src/math/primitives.ts";
import type { Ledger } from "../../src/node/ledger.ts";

/** Methods of native-ledger.c, which finds the memory, and the ledger in it, by the first two properties. */
class NativeLedger implements Ledger {
  constructor(
    readonly bits: Uint32Array,
    readonly at: number,
  ) {}

  push(): number {
    return native("motelearn_ledger_push").call(this);
  }

  take(number: number, sid: number, seq: number, y: number, origin: number): number {
    return native("motelearn_ledger_take").call(this, number, sid, seq, y, origin);
  }

  finish(number: number, status: number, mistaken: boolean): boolean {
    return native("motelearn_ledger_finish").call(this, number, status, mistaken);
  }
}

/** The ledger at that word, with `new`. */
export function nativeLedger({ bits }: Primitives, at: number): Ledger {
  return new NativeLedger(bits, at);
}
