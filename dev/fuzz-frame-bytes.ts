import type { Fields, Format } from "../src/wire/format.ts";
import { PortableFrames } from "../src/wire/portable-frames.ts";
import { CompiledDriver } from "./fuzz-driver.ts";

/** Random numbers: any 32 bits. */
type Draw = () => number;

const SIZES: { readonly [code: string]: number } = { b: 1, h: 2, w: 4, f: 4, t: 1, F: 4, W: 4, B: 1, U: 1 };
const NUMBERS = "bhwf";
const ARRAYS = "tFWBU";
const FRAME_MAX = 128;
const NO_BYTES = new Uint8Array(0);

/** A call of C: its input, and the expected result. */
interface Call {
  readonly kind: string;
  readonly frame: Uint8Array;
  readonly other: Uint8Array;
  readonly given: readonly number[];
  readonly leaves: readonly Uint8Array[];
}

/** A message of one field, called v. */
function makeFormat(code: string): Format {
  const [size, letter] = [code === "t" ? 16 : SIZES[code], code.charCodeAt(0)];
  const rest = "FWBU".includes(code);
  return {
    ...{ codes: code, letters: [letter], names: ["v"], sizes: [size] },
    ...{ fixed: rest ? 0 : size, restBytes: rest ? size : 0 },
  } as unknown as Format;
}

function readElements(code: string, bytes: Uint8Array): Uint8Array | Float32Array | Uint32Array {
  const own = bytes.slice().buffer;
  if (code === "F") return new Float32Array(own);
  return code === "W" ? new Uint32Array(own) : new Uint8Array(own);
}

const byteView = (value: { buffer: ArrayBufferLike }) => new Uint8Array(value.buffer);
const word = (value: number) => byteView(Int32Array.of(value));
const real = (value: number) => byteView(Float64Array.of(value));

/** Calls of frame.c, with `PortableFrames`' results for the same bytes. */
class Calls {
  private readonly frames = new PortableFrames();

  constructor(private readonly draw: Draw) {}

  private below(n: number): number {
    return this.draw() % n;
  }

  /** So many bytes, some of them zero, some of them text. */
  private bytes(count: number): Uint8Array {
    const kind = this.below(3);
    return Uint8Array.from({ length: count }, () => {
      if (kind === 0) return this.below(4) === 0 ? 0 : this.below(256);
      return kind === 1 ? 0x20 + this.below(0x5f) : this.below(256);
    });
  }

  /** A number that a field may have, or that no field should. */
  private number(): number {
    const whole = [this.draw(), this.below(300), -this.below(300)];
    const numbers = [...whole, this.draw() * this.draw(), 0.1 * this.draw()];
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -(2 ** 63), 2 ** 80, -0.5, 2 ** 32, -1, 1e-40];
    return this.below(4) === 0 ? odd[this.below(odd.length)] : numbers[this.below(numbers.length)];
  }

  next(): Call {
    const makers = [this.close, this.gather, this.unstuff, this.residue, this.hash];
    const more = [this.put, this.get, this.putArray, this.getArray];
    const all = [...makers, ...more];
    return all[this.below(all.length)].call(this);
  }

  private call(
    kind: string,
    frame: Uint8Array,
    other: Uint8Array,
    options: number[],
    leaves: Uint8Array[],
  ): Call {
    return { kind, frame, other, given: [...options, 0, 0, 0].slice(0, 3), leaves };
  }

  private close(): Call {
    const frame = this.bytes(7 + this.below(FRAME_MAX - 6));
    const [end, seed, mask] = [2 + this.below(FRAME_MAX), this.draw(), this.draw()];
    const made = frame.slice();
    const fits = end + 5 <= frame.length;
    const result = fits ? this.frames.close(made, end, seed, mask) : -1;
    return this.call("c", frame, NO_BYTES, [end, seed, mask], [word(result), made]);
  }

  private gather(): Call {
    const frame = this.bytes(1 + this.below(FRAME_MAX));
    const bytes = this.bytes(1 + this.below(FRAME_MAX));
    const [length, from] = [this.below(2 * FRAME_MAX), this.below(bytes.length + 1)];
    const made = frame.slice();
    const result = this.frames.gather(made, length, bytes, from, bytes.length);
    return this.call("g", frame, bytes, [length, from], [word(result), made]);
  }

  private unstuff(): Call {
    const frame = this.bytes(1 + this.below(FRAME_MAX));
    if (this.below(2) === 0) for (let i = 0; i < frame.length; i++) frame[i] = 1 + this.below(3);
    const length = 1 + this.below(frame.length);
    const made = frame.slice();
    const result = this.frames.unstuff(made, length);
    return this.call("u", frame, NO_BYTES, [length], [word(Number(result)), made]);
  }

  private residue(): Call {
    const frame = this.bytes(5 + this.below(FRAME_MAX));
    const [check, seed] = [1 + this.below(frame.length - 4), this.draw()];
    const result = this.frames.residue(frame, check, seed);
    return this.call("r", frame, NO_BYTES, [check, seed], [word(result), frame]);
  }

  private hash(): Call {
    const frame = this.bytes(1 + this.below(FRAME_MAX));
    const key = this.bytes(16);
    const [from, low, high] = [this.below(frame.length + 1), this.draw(), this.draw()];
    const signed = new Uint8Array(frame.length + 8);
    signed.set(frame);
    const words = new Int32Array(key.slice().buffer);
    this.frames.sign(signed, from, frame.length, words, low, high);
    if (!this.frames.isSigned(signed, from, frame.length, words, low, high))
      throw new Error("a tag isn't its own");
    return this.call("h", frame, key, [from, low, high], [signed.slice(frame.length), frame]);
  }

  private put(): Call {
    const code = NUMBERS[this.below(NUMBERS.length)];
    const frame = this.bytes(SIZES[code] + this.below(FRAME_MAX));
    const at = this.below(frame.length - SIZES[code] + 1);
    const value = this.number();
    const made = frame.slice();
    this.frames.pack(made, at, makeFormat(code), { length: 0, v: value });
    return this.call("p", frame, real(value), [at, code.charCodeAt(0)], [made]);
  }

  private get(): Call {
    const code = NUMBERS[this.below(NUMBERS.length)];
    const frame = this.bytes(SIZES[code] + this.below(FRAME_MAX));
    const at = this.below(frame.length - SIZES[code] + 1);
    const record: Fields = { length: 0, v: 0 };
    this.frames.unpack(frame, at, SIZES[code], makeFormat(code), record);
    const leaves = [real(record.v as number), frame];
    return this.call("t", frame, NO_BYTES, [at, code.charCodeAt(0)], leaves);
  }

  private array(): { code: string; frame: Uint8Array; at: number; count: number } {
    const code = ARRAYS[this.below(ARRAYS.length)];
    const count = code === "t" ? 16 : this.below(24);
    const frame = this.bytes(count * SIZES[code] + this.below(FRAME_MAX));
    return { code, frame, count, at: this.below(frame.length - count * SIZES[code] + 1) };
  }

  private putArray(): Call {
    const { code, frame, at, count } = this.array();
    const other = this.bytes(count * SIZES[code]);
    const made = frame.slice();
    this.frames.pack(made, at, makeFormat(code), { length: count, v: readElements(code, other) });
    return this.call("P", frame, other, [at, code.charCodeAt(0), count], [made]);
  }

  private getArray(): Call {
    const { code, frame, at, count } = this.array();
    const elements = readElements(code, new Uint8Array(count * SIZES[code]));
    const record = { length: 0, v: elements };
    const result = this.frames.unpack(frame, at, count * SIZES[code], makeFormat(code), record);
    const leaves = [word(Number(result)), byteView(elements), frame];
    const other = new Uint8Array(elements.byteLength);
    return this.call("T", frame, other, [at, code.charCodeAt(0), count], leaves);
  }
}

function bytesOfCall({ kind, frame, other, given }: Call): Uint8Array[] {
  const words = given.map((value) => word(value));
  return [Uint8Array.of(kind.charCodeAt(0)), word(frame.length), frame, word(other.length), other, ...words];
}

/** frame.c, compiled. */
export class CompiledFrames extends CompiledDriver {
  constructor() {
    super("dev/fuzz-frames.c", "src/wire/frame.c", "src/math/f32.c");
  }

  /** Makes so many random calls in C and in TypeScript. Throws an Error at the first difference or fault. */
  compare(count: number, draw: Draw): void {
    const source = new Calls(draw);
    const calls = Array.from({ length: count }, () => source.next());
    const found = this.run(Buffer.concat(calls.flatMap(bytesOfCall)));
    let at = 0;
    for (const [i, { kind, leaves }] of calls.entries()) {
      const expected = Buffer.concat(leaves);
      const got = found.subarray(at, at + expected.length);
      const [c, ts] = [got, expected].map((bytes) => bytes.toString("hex"));
      if (c !== ts) throw new Error(`call ${i}, ${kind}: C leaves ${c}; TypeScript ${ts}`);
      at += expected.length;
    }
    if (at !== found.length) throw new Error("C leaves more than TypeScript");
  }
}
