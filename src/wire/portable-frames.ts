import { type Checksum, Crc32 } from "../math/crc32.ts";
import { stuff, unstuff } from "./cobs.ts";
import type { Elements, Fields, Format } from "./format.ts";
import type { FrameBytes } from "./frame-bytes.ts";
import { SipHash } from "./siphash.ts";
import { CHECK, maskCounter, putWord, SESSION_WORD, TAG, unmaskCounter, wordAt } from "./words.ts";

/** The bits of every NaN on the wire, whichever the engine uses. */
const NAN_BITS = 0x7fc00000;

/** `FrameBytes` in TypeScript. Nothing is allocated after construction. */
export class PortableFrames implements FrameBytes {
  private readonly sip = new SipHash();
  private readonly real = new Float32Array(1);
  private readonly bits = new Uint32Array(this.real.buffer);

  constructor(private readonly crc: Checksum = new Crc32()) {}

  pack(frame: Uint8Array, at: number, { letters, names, sizes }: Format, record: Fields): number {
    let to = at;
    for (let i = 0; i < names.length; i++) {
      const code = letters[i];
      const value = record[names[i]];
      if (isNumber(code)) {
        this.putNumber(frame, to, code, value as number);
        to += sizes[i];
      } else {
        const elements = value as Elements;
        const { length } = elements;
        const count = code === TEXT16 ? length : Math.min(record.length as number, length);
        this.putArray(frame, to, elements, count);
        to += code === TEXT16 ? count : count * sizes[i];
      }
    }
    return to;
  }

  unpack(frame: Uint8Array, at: number, bytes: number, format: Format, record: Fields): boolean {
    const { letters, names, sizes, fixed, restBytes } = format;
    const end = at + bytes;
    const length = restBytes === 0 ? 0 : (bytes - fixed) / restBytes;
    record.length = length;
    let from = at;
    for (let i = 0; i < names.length; i++) {
      const code = letters[i];
      if (isNumber(code)) {
        record[names[i]] = from < end ? this.getNumber(frame, from, code) : 0;
      } else {
        const value = record[names[i]] as Elements;
        const count = code === TEXT16 ? value.length : length;
        if (from < end) this.getArray(frame, from, value, count);
        else value.fill(0);
        if ((code === TEXT16 || code === BYTES) && !isPrintable(value, count, code === TEXT16)) return false;
      }
      from += sizes[i];
    }
    return true;
  }

  close(frame: Uint8Array, end: number, seed: number, mask: number): number {
    const delimiter = end + 4;
    putWord(frame, end, this.crc.crc32(frame, 2, end, seed) ^ mask);
    stuff(frame, 1, delimiter);
    frame[0] = 0;
    frame[delimiter] = 0;
    return delimiter + 1;
  }

  gather(frame: Uint8Array, length: number, bytes: Uint8Array, from: number, to: number): number {
    let i = from;
    for (let at = length; i < to; i++, at++) {
      const byte = bytes[i];
      if (byte === 0) break;
      if (at < frame.length) frame[at] = byte;
    }
    return i;
  }

  unstuff(frame: Uint8Array, length: number): boolean {
    return unstuff(frame, 0, length);
  }

  residue(frame: Uint8Array, check: number, seed: number): number {
    return wordAt(frame, check) ^ this.crc.crc32(frame, 1, check, seed);
  }

  sign(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): void {
    const { sip } = this;
    sip.hash(bytes, from, to, key, low, high);
    putWord(bytes, to, sip.low);
    putWord(bytes, to + 4, sip.high);
  }

  isSigned(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): boolean {
    const { sip } = this;
    sip.hash(bytes, from, to, key, low, high);
    return ((sip.low ^ wordAt(bytes, to)) | (sip.high ^ wordAt(bytes, to + 4))) === 0;
  }

  make(frame: Uint8Array, format: Format, record: Fields, session: Int32Array | undefined): number {
    const { id, seed } = format;
    frame[2] = id;
    const end = this.pack(frame, 3, format, record);
    if (!session) return this.close(frame, end, seed, 0);
    const counter = ++session[SESSION_WORD.sent] >>> 0;
    frame[1] = session[SESSION_WORD.way];
    this.sign(frame, 1, end, session, seed, counter);
    return this.close(frame, end + TAG, seed, maskCounter(counter));
  }

  read(
    frame: Uint8Array,
    length: number,
    format: Format,
    record: Fields,
    session: Int32Array | undefined,
  ): boolean {
    const { seed } = format;
    const check = length - CHECK;
    const end = session ? check - TAG : check;
    if (end < 2 || !format.isWhole(end - 2, record)) return false;
    const residue = this.residue(frame, check, seed);
    if (!session) return residue === 0 && this.unpack(frame, 2, end - 2, format, record);
    const counter = unmaskCounter(residue);
    if (session[SESSION_WORD.made] === 0 || counter <= session[SESSION_WORD.taken] >>> 0) return false;
    frame[0] = 1 - session[SESSION_WORD.way];
    if (!this.isSigned(frame, 0, end, session, seed, counter)) return false;
    if (!this.unpack(frame, 2, end - 2, format, record)) return false;
    session[SESSION_WORD.taken] = counter;
    return true;
  }

  private toBits(value: number): number {
    this.real[0] = value;
    return Number.isNaN(value) ? NAN_BITS : this.bits[0];
  }

  private toReal(bits: number): number {
    this.bits[0] = bits;
    return (bits & 0x7fffffff) > 0x7f800000 ? Number.NaN : this.real[0];
  }

  private putNumber(frame: Uint8Array, at: number, code: number, value: number): void {
    if (code === F32) putWord(frame, at, this.toBits(value));
    else if (code === U32) putWord(frame, at, value);
    else {
      frame[at] = value;
      if (code === U16) frame[at + 1] = value >>> 8;
    }
  }

  private getNumber(frame: Uint8Array, at: number, code: number): number {
    if (code === F32) return this.toReal(wordAt(frame, at));
    if (code === U32) return wordAt(frame, at) >>> 0;
    return code === U16 ? frame[at] | (frame[at + 1] << 8) : frame[at];
  }

  private putArray(frame: Uint8Array, at: number, value: Elements, count: number): void {
    if (value instanceof Float32Array) {
      for (let k = 0; k < count; k++) putWord(frame, at + 4 * k, this.toBits(value[k]));
    } else if (value instanceof Uint32Array) {
      for (let k = 0; k < count; k++) putWord(frame, at + 4 * k, value[k]);
    } else {
      for (let k = 0; k < count; k++) frame[at + k] = value[k];
    }
  }

  private getArray(frame: Uint8Array, at: number, value: Elements, count: number): void {
    if (value instanceof Float32Array) {
      for (let k = 0; k < count; k++) value[k] = this.toReal(wordAt(frame, at + 4 * k));
    } else if (value instanceof Uint32Array) {
      for (let k = 0; k < count; k++) value[k] = wordAt(frame, at + 4 * k);
    } else {
      for (let k = 0; k < count; k++) value[k] = frame[at + k];
    }
  }
}

/** The letters of types whose bytes aren't just copied, see `Format.codes`. */
const U16 = 104; // h
const U32 = 119; // w
const F32 = 102; // f
const TEXT16 = 116; // t
const BYTES = 66; // B

function isNumber(code: number): boolean {
  return code > 96 && code !== TEXT16;
}

/** True if the bytes are printable ASCII, followed by zeros if zeros fill up the text. */
function isPrintable(text: Elements, length: number, filled: boolean): boolean {
  let end = length;
  if (filled) while (end > 0 && text[end - 1] === 0) end--;
  for (let i = 0; i < end; i++) if (text[i] < 0x20 || text[i] > 0x7e) return false;
  return true;
}
