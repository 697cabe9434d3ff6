import { frozen } from "../memory/frozen.ts";
import {
  FIELD_BYTES,
  type FieldType,
  fixedBytes,
  isRest,
  MESSAGES,
  type Message,
  type MessageDefinition,
  type MessageName,
  restMax,
  seedOf,
  TYPE,
} from "./messages.ts";

/** The types of fields as numbers, in the order of `FIELD_BYTES`: numbers first, then a text, then what takes the rest. */
const TYPES = frozen(Object.keys(FIELD_BYTES)) as readonly FieldType[];
const SIZES = frozen(TYPES.map((type) => FIELD_BYTES[type]));
const U8 = TYPES.indexOf(TYPE.u8);
const U16 = TYPES.indexOf(TYPE.u16);
const U32 = TYPES.indexOf(TYPE.u32);
const TEXT16 = TYPES.indexOf(TYPE.text16);
const U8S = TYPES.indexOf(TYPE.u8s);

/** A message's record: fields by name. */
type Elements = Uint8Array | Float32Array | Uint32Array;
type Fields = { [name: string]: number | Elements };

/** A message that an encoder or decoder knows: its record, made once, and where its fields lie in a frame. */
export class Format<N extends MessageName = MessageName> {
  readonly id: number;
  readonly seed: number;
  /** Bytes of the fields without the rest. */
  readonly fixed: number;
  readonly message: Message<N>;
  private readonly names: readonly string[];
  /** Places in `TYPES`: comparing numbers takes fewer instructions than comparing names. */
  private readonly types: readonly number[];
  private readonly restBytes: number;
  private readonly restMax: number;
  /** Bytes of the fields that every version has; -1 if the message is as this version has it, or not at all. */
  private readonly lasting: number;
  private readonly record: Fields;

  /** @param frameBytes the longest frame. */
  constructor(
    readonly name: N,
    frameBytes?: number,
  ) {
    const definition: MessageDefinition = MESSAGES[name];
    this.id = definition.id;
    this.seed = seedOf(name, definition);
    this.fixed = fixedBytes(definition);
    this.restMax = restMax(definition, frameBytes);
    this.names = Object.keys(definition.fields);
    this.types = this.names.map((field) => TYPES.indexOf(definition.fields[field].type));
    const last = this.types[this.types.length - 1];
    this.restBytes = last > TEXT16 ? SIZES[last] : 0;
    this.lasting = this.restBytes === 0 ? (definition.lasting ?? -1) : -1;
    this.record = { length: 0 };
    this.names.forEach((field, i) => {
      this.record[field] = emptyField(TYPES[this.types[i]], this.restMax);
    });
    this.message = this.record as Message<N>;
  }

  /** Whether fields of so many bytes can be this message. */
  fits(bytes: number): boolean {
    const rest = bytes - this.fixed;
    if (this.lasting >= 0) return rest >= 0 || this.endsAt(bytes);
    if (this.restBytes === 0) return rest === 0;
    return rest >= 0 && rest % this.restBytes === 0 && rest / this.restBytes <= this.restMax;
  }

  /** Whether an earlier version's fields, so many bytes, end with one of this version's. */
  private endsAt(bytes: number): boolean {
    let at = 0;
    for (let i = 0; at < bytes; i++) at += SIZES[this.types[i]];
    return at === bytes && bytes >= this.lasting;
  }

  /** Bytes of the record's fields as they are now. */
  get bytes(): number {
    return this.fixed + this.restBytes * Math.min(this.message.length, this.restMax);
  }

  /**
   * Writes the record's fields from byte `at`; returns the byte after them. A rest longer than fits is cut.
   */
  write(view: DataView, at: number): number {
    const { record, names, types } = this;
    const length = Math.min(this.message.length, this.restMax);
    let to = at;
    for (let i = 0; i < names.length; i++) {
      const type = types[i];
      const value = record[names[i]];
      if (type < TEXT16) writeNumber(view, to, type, value as number);
      else writeArray(view, to, value as Elements, type > TEXT16 ? length : (value as Elements).length);
      to += type > TEXT16 ? length * this.restBytes : SIZES[type];
    }
    return to;
  }

  /**
   * Reads the record's fields from `bytes` bytes at `at`, which `fits`. False, and the record spoilt, if a text among them isn't
   * printable.
   */
  read(view: DataView, at: number, bytes: number): boolean {
    const { record, names, types } = this;
    const end = at + bytes;
    this.message.length = this.restBytes === 0 ? 0 : (bytes - this.fixed) / this.restBytes;
    let from = at;
    for (let i = 0; i < names.length; i++) {
      const type = types[i];
      if (type < TEXT16) record[names[i]] = from < end ? readNumber(view, from, type) : 0;
      else {
        const value = record[names[i]] as Elements;
        const length = type > TEXT16 ? this.message.length : value.length;
        if (from < end) readArray(view, from, value, length);
        else value.fill(0);
        if (type !== U8S && value instanceof Uint8Array && !isPrintable(value, length, type === TEXT16))
          return false;
      }
      from += SIZES[type];
    }
    return true;
  }
}

/** Whether the bytes are printable ASCII, the last of them zeros if that is what fills up the text. */
function isPrintable(text: Uint8Array, length: number, filled: boolean): boolean {
  let end = length;
  if (filled) while (end > 0 && text[end - 1] === 0) end--;
  for (let i = 0; i < end; i++) if (text[i] < 0x20 || text[i] > 0x7e) return false;
  return true;
}

function emptyField(type: FieldType, restMax: number): number | Elements {
  if (type === "f32s") return new Float32Array(restMax);
  if (type === "u32s") return new Uint32Array(restMax);
  if (type === "bytes" || type === "u8s") return new Uint8Array(restMax);
  return type === "text16" ? new Uint8Array(16) : 0;
}

function writeNumber(view: DataView, at: number, type: number, value: number): void {
  if (type === U32) view.setUint32(at, value, true);
  else if (type === U16) view.setUint16(at, value, true);
  else if (type === U8) view.setUint8(at, value);
  else view.setFloat32(at, value, true);
}

function readNumber(view: DataView, at: number, type: number): number {
  if (type === U32) return view.getUint32(at, true);
  if (type === U16) return view.getUint16(at, true);
  if (type === U8) return view.getUint8(at);
  return view.getFloat32(at, true);
}

function writeArray(view: DataView, at: number, value: Elements, length: number): void {
  if (value instanceof Float32Array) {
    for (let k = 0; k < length; k++) view.setFloat32(at + 4 * k, value[k], true);
  } else if (value instanceof Uint32Array) {
    for (let k = 0; k < length; k++) view.setUint32(at + 4 * k, value[k], true);
  } else {
    for (let k = 0; k < length; k++) view.setUint8(at + k, value[k]);
  }
}

function readArray(view: DataView, at: number, value: Elements, length: number): void {
  if (value instanceof Float32Array) {
    for (let k = 0; k < length; k++) value[k] = view.getFloat32(at + 4 * k, true);
  } else if (value instanceof Uint32Array) {
    for (let k = 0; k < length; k++) value[k] = view.getUint32(at + 4 * k, true);
  } else {
    for (let k = 0; k < length; k++) value[k] = view.getUint8(at + k);
  }
}

/** A format for each name. */
export type Formats<N extends MessageName> = { readonly [M in N]: Format<M> };

export function formats<N extends MessageName>(names: readonly N[], frameBytes?: number): Formats<N> {
  const made: { [name: string]: unknown } = {};
  for (const name of names) made[name] = new Format(name, frameBytes);
  return made as Formats<N>;
}

/** Bytes of the arrays in the records of those messages, in frames of at most `frameBytes`. */
export function recordBytes(names: readonly MessageName[], frameBytes?: number): number {
  let bytes = 0;
  for (const name of names) {
    const definition: MessageDefinition = MESSAGES[name];
    for (const { type } of Object.values(definition.fields)) {
      if (isRest(type)) bytes += restMax(definition, frameBytes) * FIELD_BYTES[type];
      else if (type === TYPE.text16) bytes += FIELD_BYTES[type];
    }
  }
  return bytes;
}
