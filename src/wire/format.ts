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
  namesOf,
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

/**
 * The messages that a node keeps a record of for each: what it says at every sample and label, or keeps filled in. The others share
 * one record a way, with a property for each name of a field: a record for each took 2 KB of a device.
 */
const KEPT: readonly MessageName[] = frozen([
  ...(["hello", "credit", "prediction", "acknowledgement", "updating"] as const),
  ...(["label", "update"] as const),
]);

/** What lies in the shared record before its fields: `length`, and which way it goes. */
const SHARED_FIRST = 2;

/** The messages that share a record, and the fields that it has. */
interface Shared {
  readonly messages: readonly MessageName[];
  readonly fields: readonly string[];
}

function sharedOf(names: readonly MessageName[]): Shared {
  const messages = names.filter((name) => !KEPT.includes(name));
  const fields = new Set(messages.flatMap((name) => Object.keys(MESSAGES[name].fields)));
  return { messages, fields: [...fields] };
}

const UP = frozen(sharedOf(namesOf("up")));
const DOWN = frozen(sharedOf(namesOf("down")));

function placesOf(name: MessageName, { messages, fields }: Shared): string {
  if (!messages.includes(name)) return "";
  const own = Object.keys(MESSAGES[name].fields);
  return own.map((field) => String.fromCharCode(SHARED_FIRST + fields.indexOf(field))).join("");
}

/** Where a message's fields lie in a frame. Nothing in it changes: on a device it stays in flash. */
export class Format {
  /** A letter a field, by its type. It stands first, and what follows it next, where C looks for them. */
  readonly codes: string;
  /** Where the fields lie in the record that messages share which go up, and down: a character each; none: it has a record of its own. */
  readonly up: string;
  readonly down: string;
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
    this.up = placesOf(name, UP);
    this.down = placesOf(name, DOWN);
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
  const making = new Making(names, frameBytes);
  const made: { [name: string]: Fields } = {};
  for (const name of names) made[name] = making.record(FORMATS[name]);
  return made as unknown as Records<N>;
}

/** Records as a node has them: some of their own, and one that the others share. */
export type NodeRecords = { readonly [name: string]: Fields | undefined } & { readonly shared: Fields };

/** The same for a node, whose messages go that way: in the record that some share nothing stays once another is filled in, or comes. */
export function nodeRecords(way: "up" | "down", frameBytes = FRAME_MAX): NodeRecords {
  const names: readonly MessageName[] = way === "up" ? namesOf("up") : namesOf("down");
  const making = new Making(names, frameBytes);
  const made: { [name: string]: Fields } = {};
  const shared = { length: 0, isUp: way === "up" } as unknown as Fields;
  for (const name of names) {
    const format = FORMATS[name];
    if (KEPT.includes(name)) made[name] = making.record(format);
    else making.add(shared, format);
  }
  made.shared = shared;
  return made as NodeRecords;
}

/** Makes records, in one buffer. */
class Making {
  private readonly buffer: ArrayBuffer;
  /** Byte of the next text. */
  private text: number;

  constructor(
    names: readonly MessageName[],
    private readonly frameBytes: number,
  ) {
    this.buffer = new ArrayBuffer(recordBytes(names, frameBytes));
    this.text = restBytes(names, frameBytes);
  }

  record(format: Format): Fields {
    const record: Fields = { length: 0 };
    this.add(record, format);
    return record;
  }

  /** Adds the format's fields that the record hasn't yet; of a rest of that name it has room for the shortest. */
  add(record: Fields, format: Format): void {
    const most = format.restMax(this.frameBytes);
    for (let i = 0; i < format.names.length; i++) {
      const field = format.names[i];
      const before = record[field];
      if (field === format.rest) {
        if (before === undefined || (before as Elements).length > most)
          record[field] = restIn(this.buffer, format.letters[i], most);
      } else if (before === undefined) {
        record[field] = format.letters[i] === TEXT16 ? this.textHere() : 0;
      }
    }
  }

  private textHere(): Uint8Array {
    const text = new Uint8Array(this.buffer, this.text, FIELD_BYTES.text16);
    this.text += FIELD_BYTES.text16;
    return text;
  }
}

function restIn(buffer: ArrayBuffer, letter: number, most: number): Elements {
  if (letter === F32S) return new Float32Array(buffer, 0, most);
  return letter === U32S ? new Uint32Array(buffer, 0, most) : new Uint8Array(buffer, 0, most);
}
