import { frozen } from "../memory/frozen.ts";
import {
  FIELD_BYTES,
  type FieldType,
  FRAME_MAX,
  FRAME_OVERHEAD,
  fixedBytes,
  isRest,
  MESSAGES,
  type Message,
  type MessageDefinition,
  type MessageName,
  seedOf,
} from "./messages.ts";

/** The letter of each type; frame.c has the same ones. */
const CODES: { readonly [T in FieldType]: string } = frozen({
  u8: "b",
  u16: "h",
  u32: "w",
  f32: "f",
  text16: "t",
  f32s: "F",
  u32s: "W",
  bytes: "B",
  u8s: "U",
});

/** Those of arrays, as numbers. */
const TEXT16 = 116;
const F32S = 70;
const U32S = 87;

export type Elements = Uint8Array | Float32Array | Uint32Array;
/** A message's record: `length`, then its fields in their order. */
export type Fields = { [name: string]: number | Elements };

/** Where a message's fields lie in a frame. Nothing in it changes: on a device it stays in flash. */
export class Format {
  /** A letter a field, by its type. It stands first, where C looks for it. */
  readonly codes: string;
  readonly name: MessageName;
  readonly id: number;
  readonly seed: number;
  /** Bytes of the fields without the rest. */
  readonly fixed: number;
  /** The field that is the rest, and bytes of an element; empty and 0: there is none. */
  readonly rest: string;
  readonly restBytes: number;
  /** Most elements that its message allows. */
  private readonly allowed: number;
  readonly names: readonly string[];
  /** The letters as numbers. */
  readonly letters: readonly number[];
  /** Bytes of each field, of a rest's element. */
  readonly sizes: readonly number[];
  /** Bytes of the fields that every version has; -1 if the message is as this version has it, or not at all. */
  private readonly lasting: number;

  constructor(name: MessageName) {
    this.name = name;
    const definition: MessageDefinition = MESSAGES[name];
    const { fields } = definition;
    this.names = Object.keys(fields);
    this.codes = this.names.map((field) => CODES[fields[field].type]).join("");
    this.letters = this.names.map((_, i) => this.codes.charCodeAt(i));
    this.sizes = this.names.map((field) => FIELD_BYTES[fields[field].type]);
    this.id = definition.id;
    this.seed = seedOf(name, definition);
    this.fixed = fixedBytes(definition);
    this.rest = this.names.find((field) => isRest(fields[field].type)) ?? "";
    this.restBytes = this.rest === "" ? 0 : FIELD_BYTES[fields[this.rest].type];
    this.allowed = (this.rest !== "" && fields[this.rest].most) || FRAME_MAX;
    this.lasting = this.rest === "" ? (definition.lasting ?? -1) : -1;
  }

  /** Elements of the rest that a frame of so many bytes holds; 0: there is none. */
  restMax(frameBytes: number): number {
    if (this.restBytes === 0) return 0;
    return Math.min(this.allowed, Math.floor((frameBytes - FRAME_OVERHEAD - this.fixed) / this.restBytes));
  }

  /** Whether fields of so many bytes can be this message, read into that record. */
  fits(bytes: number, record: Fields): boolean {
    const rest = bytes - this.fixed;
    if (this.lasting >= 0) return rest >= 0 || this.endsAt(bytes);
    if (this.restBytes === 0) return rest === 0;
    return rest >= 0 && rest % this.restBytes === 0 && rest / this.restBytes <= this.most(record);
  }

  /** Whether an earlier version's fields, so many bytes, end with one of this version's. */
  private endsAt(bytes: number): boolean {
    let at = 0;
    for (let i = 0; at < bytes; i++) at += this.sizes[i];
    return at === bytes && bytes >= this.lasting;
  }

  /** Elements that the record's rest has room for. */
  private most(record: Fields): number {
    return (record[this.rest] as Elements).length;
  }

  /** Bytes of the record's fields as they are now. */
  bytesOf(record: Fields): number {
    if (this.restBytes === 0) return this.fixed;
    return this.fixed + this.restBytes * Math.min(record.length as number, this.most(record));
  }
}

const NAMES = Object.keys(MESSAGES) as MessageName[];

/** The format of each message. */
export const FORMATS = frozen(Object.fromEntries(NAMES.map((name) => [name, new Format(name)]))) as {
  readonly [N in MessageName]: Format;
};

/** The formats by id; undefined: there is no such message. */
export const FORMATS_BY_ID: readonly (Format | undefined)[] = frozen(
  Array.from({ length: Math.max(...NAMES.map((name) => MESSAGES[name].id)) + 1 }, (_, id) =>
    NAMES.map((name) => FORMATS[name]).find((format) => format.id === id),
  ),
);

/** A record for each name. */
export type Records<N extends MessageName> = { readonly [M in N]: Message<M> };

/** Bytes of the longest rest of those messages, in whole words. */
function restBytes(names: readonly MessageName[], frameBytes: number): number {
  let most = 0;
  for (const name of names) {
    const format = FORMATS[name];
    most = Math.max(most, format.restBytes * format.restMax(frameBytes));
  }
  return (most + 3) & ~3;
}

/** Bytes of the arrays in the records of those messages, in frames of at most `frameBytes`. */
export function recordBytes(names: readonly MessageName[], frameBytes = FRAME_MAX): number {
  let bytes = restBytes(names, frameBytes);
  for (const name of names)
    for (const letter of FORMATS[name].letters) if (letter === TEXT16) bytes += FIELD_BYTES.text16;
  return bytes;
}

/**
 * The records of those messages, in frames of at most `frameBytes`. Their rests lie in the same bytes, as one message at a time is
 * made or read. By loops, which take less of a device's stack than functions in functions.
 */
export function records<N extends MessageName>(names: readonly N[], frameBytes = FRAME_MAX): Records<N> {
  const buffer = new ArrayBuffer(recordBytes(names, frameBytes));
  const made: { [name: string]: Fields } = {};
  let text = restBytes(names, frameBytes);
  for (const name of names) {
    const format = FORMATS[name];
    const record: Fields = { length: 0 };
    for (let i = 0; i < format.names.length; i++) {
      const field = format.names[i];
      if (format.letters[i] === TEXT16) {
        record[field] = new Uint8Array(buffer, text, FIELD_BYTES.text16);
        text += FIELD_BYTES.text16;
      } else {
        record[field] =
          field === format.rest ? restIn(buffer, format.letters[i], format.restMax(frameBytes)) : 0;
      }
    }
    made[name] = record;
  }
  return made as unknown as Records<N>;
}

function restIn(buffer: ArrayBuffer, letter: number, most: number): Elements {
  if (letter === F32S) return new Float32Array(buffer, 0, most);
  return letter === U32S ? new Uint32Array(buffer, 0, most) : new Uint8Array(buffer, 0, most);
}
