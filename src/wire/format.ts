import { frozen } from "../memory/frozen.ts";
import { accessAt } from "./access.ts";
import {
  FIELD_BYTES,
  type FieldType,
  FRAME_MAX,
  FRAME_OVERHEAD,
  fixedBytes,
  idSeed,
  isRest,
  MESSAGES,
  type Message,
  type MessageDefinition,
  type MessageName,
  NAMES_DOWN,
  NAMES_UP,
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

/** The letters of texts and of rests, as numbers. */
const TEXT16 = 116;
const F32S = 70;
const U32S = 87;
const U8 = 98;
const U16 = 104;

export type Elements = Uint8Array | Float32Array | Uint32Array;
/** A message's record: `length`, then its fields in their order. */
export type Fields = { [name: string]: number | Elements };

/**
 * The messages that have a record of their own in a node: those sent at every sample and label, and those whose values it keeps. The
 * others share one record per direction, with a property for each field name: a record for each took 2 KB of a device.
 */
const KEPT: readonly MessageName[] = frozen([
  ...(["hello", "credit", "prediction", "acknowledgement", "updating"] as const),
  ...(["label", "update"] as const),
]);

/** The messages that request, begin, or refuse a session. */
const BEGINNING: readonly MessageName[] = frozen(["hello", "welcome", "request", "occupied"]);

/** Between the names of a format's fields. */
const BETWEEN = " ";

/** The entries of a shared record before its fields: `length`, its direction, its numbers. */
const SHARED_FIRST = 3;

/**
 * The messages that share a record, and where their fields lie in it, by name: a whole number among its numbers, anything else among its
 * properties. `numbers`: how many numbers the record has; the first stays empty.
 */
interface SharedRecord {
  readonly messages: readonly MessageName[];
  readonly places: { readonly [field: string]: number };
  readonly numbers: number;
}

const fieldNames = (name: MessageName) => Object.keys(MESSAGES[name].fields);

function isWhole(name: MessageName, field: string): boolean {
  const { fields }: MessageDefinition = MESSAGES[name];
  const { type } = fields[field];
  return type === "u8" || type === "u16" || type === "u32";
}

/** Messages share the places of their numbers: each field takes the first place that no other field of any of its messages has. */
function shareFields(messages: readonly MessageName[]): SharedRecord {
  const places: { [field: string]: number } = {};
  let [properties, numbers] = [SHARED_FIRST, 1];
  for (const name of messages)
    for (const field of fieldNames(name)) {
      if (places[field] !== undefined) continue;
      if (!isWhole(name, field)) {
        places[field] = properties++;
        continue;
      }
      const beside = messages.filter((other) => fieldNames(other).includes(field));
      const taken = beside.flatMap((other) => fieldNames(other).filter((f) => isWhole(other, f)));
      let place = 1; // never 0, which ends a text
      while (taken.some((other) => places[other] === place)) place++;
      places[field] = place;
      numbers = Math.max(numbers, place + 1);
    }
  return { messages, places, numbers };
}

const UP = shareFields(NAMES_UP.filter((name) => !KEPT.includes(name)));
const DOWN = shareFields(NAMES_DOWN.filter((name) => !KEPT.includes(name)));
/** A function of its own, as a firmware keeps all that a function refers to. */
const NUMBERS_UP = UP.numbers;
const NUMBERS_DOWN = DOWN.numbers;

/** The record that messages going up share. Field names stay in flash: a property for each took 1.2 KB of a device. */
class SharedUp {
  length = 0;
  readonly isUp = true;
  readonly numbers = new Uint32Array(NUMBERS_UP);
}

/** The record that messages coming down share. */
class SharedDown {
  length = 0;
  readonly isUp = false;
  readonly numbers = new Uint32Array(NUMBERS_DOWN);
}

const ACCESS = Array.from({ length: Math.max(UP.numbers, DOWN.numbers) }, (_, place) => accessAt(place));

function nameNumbers(prototype: object, { messages, places }: SharedRecord): void {
  for (const name of messages)
    for (const field of fieldNames(name))
      if (isWhole(name, field)) Object.defineProperty(prototype, field, ACCESS[places[field]]);
}

nameNumbers(SharedUp.prototype, UP);
nameNumbers(SharedDown.prototype, DOWN);

function sharedPlaces(name: MessageName, { messages, places }: SharedRecord): string {
  if (!messages.includes(name)) return "";
  return fieldNames(name)
    .map((field) => String.fromCharCode(places[field]))
    .join("");
}

/** The parts of a format. No method refers to `MESSAGES`, so that a firmware doesn't keep that table. */
type FormatParts = Omit<Format, "restMax" | "fits" | "isWhole" | "recordBytes"> & {
  readonly allowed: number;
  readonly lasting: number;
};

function makeFormat(name: MessageName): Format {
  const definition: MessageDefinition = MESSAGES[name];
  const { fields, id } = definition;
  const names = Object.keys(fields);
  const codes = names.map((field) => CODES[fields[field].type]).join("");
  const rest = names.find((field) => isRest(fields[field].type)) ?? "";
  const hasRest = rest !== "";
  return new Format({
    ...{ name, id, names, codes, rest },
    list: names.join(BETWEEN),
    isRoutine: !BEGINNING.includes(name),
    up: sharedPlaces(name, UP),
    down: sharedPlaces(name, DOWN),
    seed: idSeed(name, definition),
    fixed: fixedBytes(definition),
    restBytes: hasRest ? FIELD_BYTES[fields[rest].type] : 0,
    allowed: (hasRest && fields[rest].most) || FRAME_MAX,
    lasting: hasRest ? -1 : (definition.lasting ?? -1),
    letters: names.map((_, i) => codes.charCodeAt(i)),
    sizes: names.map((field) => FIELD_BYTES[fields[field].type]),
  });
}

/** Where a message's fields lie in a frame. It is constant, and on a device it stays in flash. */
export class Format {
  /** The letters of the fields' types. C finds this property and the next by their order. */
  readonly codes: string;
  /**
   * The places of the fields in the shared record of messages going up, and down, a character each. A whole number has its place among the
   * record's numbers. Empty: the message has a record of its own.
   */
  readonly up: string;
  readonly down: string;
  readonly id: number;
  readonly seed: number;
  readonly name: MessageName;
  /** True if it is sent only within a session and begins none: a keyed line makes all such frames the same way. */
  readonly isRoutine: boolean;
  /** Bytes of the fields without the rest. */
  readonly fixed: number;
  /** The name of the rest, and bytes of an element; empty and 0 without a rest. */
  readonly rest: string;
  readonly restBytes: number;
  /** Most elements that its message allows. */
  private readonly allowed: number;
  /** The fields' names, with spaces between: a text takes one slot of flash. */
  readonly list: string;
  /** Bytes of the fields that every version has; -1 if only this version's form of the message is taken. */
  private readonly lasting: number;
  /**
   * For `PortableFrames` only, not on a board: each field's name, letter as a number, and bytes; for a rest,
   * bytes of an element.
   */
  readonly names: readonly string[];
  readonly letters: readonly number[];
  readonly sizes: readonly number[];

  constructor(options: FormatParts) {
    this.codes = options.codes;
    this.up = options.up;
    this.down = options.down;
    this.id = options.id;
    this.seed = options.seed;
    this.name = options.name;
    this.isRoutine = options.isRoutine;
    this.fixed = options.fixed;
    this.rest = options.rest;
    this.restBytes = options.restBytes;
    this.allowed = options.allowed;
    this.list = options.list;
    this.lasting = options.lasting;
    this.names = options.names;
    this.letters = options.letters;
    this.sizes = options.sizes;
  }

  /** Elements of the rest that a frame of this many bytes holds; 0 without a rest. */
  restMax(frameBytes: number): number {
    if (this.restBytes === 0) return 0;
    return Math.min(this.allowed, Math.floor((frameBytes - FRAME_OVERHEAD - this.fixed) / this.restBytes));
  }

  /** True if fields of so many bytes can be this message, read into that record. */
  fits(bytes: number, record: Fields): boolean {
    const rest = bytes - this.fixed;
    if (this.lasting >= 0) return rest >= 0 || this.endsAt(bytes);
    if (this.restBytes === 0) return rest === 0;
    return rest >= 0 && rest % this.restBytes === 0 && rest / this.restBytes <= this.most(record);
  }

  /** True if fields of so many bytes are exactly this version's, read into that record. */
  isWhole(bytes: number, record: Fields): boolean {
    return bytes === this.fixed || (this.restBytes > 0 && this.fits(bytes, record));
  }

  /** True if an earlier version's fields, so many bytes, end with one of this version's. */
  private endsAt(bytes: number): boolean {
    let at = 0;
    for (let i = 0; at < bytes; i++) at += bytesOfLetter(this.codes.charCodeAt(i));
    return at === bytes && bytes >= this.lasting;
  }

  /** Elements that the record's rest has room for. */
  private most(record: Fields): number {
    return (record[this.rest] as Elements).length;
  }

  /** Bytes of the record's fields as they are now. */
  recordBytes(record: Fields): number {
    if (this.restBytes === 0) return this.fixed;
    return this.fixed + this.restBytes * Math.min(record.length as number, this.most(record));
  }
}

// What most messages have the same, so that a board's tables may leave it out of theirs.
Object.assign(Format.prototype, {
  isRoutine: true,
  rest: "",
  restBytes: 0,
  allowed: FRAME_MAX,
  lasting: -1,
});

/** Bytes of a field that is no rest. */
function bytesOfLetter(letter: number): number {
  if (letter === U8) return 1;
  if (letter === U16) return 2;
  return letter === TEXT16 ? FIELD_BYTES.text16 : 4;
}

const NAMES = Object.keys(MESSAGES) as MessageName[];

function formats(): { [name: string]: Format } {
  return Object.fromEntries(NAMES.map((name) => [name, makeFormat(name)]));
}

/** The format of each message. */
export const FORMATS = frozen(formats()) as { readonly [N in MessageName]: Format };

/** The formats by id; undefined for an unused id. */
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
function recordBytes(names: readonly MessageName[], frameBytes = FRAME_MAX): number {
  let bytes = restBytes(names, frameBytes);
  for (const name of names)
    for (let i = 0; i < FORMATS[name].codes.length; i++)
      if (FORMATS[name].codes.charCodeAt(i) === TEXT16) bytes += FIELD_BYTES.text16;
  return bytes;
}

/**
 * The records of those messages, in frames of at most `frameBytes`. Their rests share the same bytes, as one message at a time is
 * made or read. Loops take less of a device's stack here than nested functions.
 */
export function records<N extends MessageName>(names: readonly N[], frameBytes = FRAME_MAX): Records<N> {
  const making = new RecordBuilder(names, frameBytes);
  const made: { [name: string]: Fields } = {};
  for (const name of names) made[name] = making.record(FORMATS[name]);
  return made as unknown as Records<N>;
}

/** A node's records: some messages have their own, the others share one. */
export type NodeRecords = { readonly [name: string]: Fields | undefined } & { readonly shared: Fields };

/** The same for a node's messages in that direction. A shared record loses its values when another message is filled in or arrives. */
export function nodeRecords(way: "up" | "down", frameBytes = FRAME_MAX): NodeRecords {
  const names: readonly MessageName[] = way === "up" ? NAMES_UP : NAMES_DOWN;
  const making = new RecordBuilder(names, frameBytes);
  const made: { [name: string]: Fields } = {};
  const shared = (way === "up" ? new SharedUp() : new SharedDown()) as unknown as Fields;
  for (const name of names) {
    const format = FORMATS[name];
    if (KEPT.includes(name)) made[name] = making.record(format);
    else making.add(shared, format);
  }
  made.shared = shared;
  return made as NodeRecords;
}

/** Bytes of the arrays in the records of a node. */
export function nodeRecordBytes(way: "up" | "down", frameBytes = FRAME_MAX): number {
  const names: readonly MessageName[] = way === "up" ? NAMES_UP : NAMES_DOWN;
  return recordBytes(names, frameBytes) + 4 * (way === "up" ? NUMBERS_UP : NUMBERS_DOWN);
}

/** Makes records, in one buffer. */
class RecordBuilder {
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

  /** Adds the format's fields that the record lacks. A rest has room for the shortest of its name. */
  add(record: Fields, format: Format): void {
    const most = format.restMax(this.frameBytes);
    const names = format.list.split(BETWEEN);
    for (let i = 0; i < names.length; i++) {
      const field = names[i];
      const before = record[field];
      if (field === format.rest) {
        if (before === undefined || (before as Elements).length > most)
          record[field] = restIn(this.buffer, format.codes.charCodeAt(i), most);
      } else if (before === undefined) {
        record[field] = format.codes.charCodeAt(i) === TEXT16 ? this.textHere() : 0;
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
