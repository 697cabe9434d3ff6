import { type Formats, formats } from "../../src/wire/format.ts";
import {
  FIELD_BYTES,
  type FieldType,
  FRAME_OVERHEAD,
  fixedBytes,
  isRest,
  MESSAGES,
  type Message,
  type MessageDefinition,
  type MessageName,
  restMax,
} from "../../src/wire/messages.ts";

/** Makes a record of its own as the other end of a wire has it. */
type Copy = (record: object) => object;

/** What is needed of a message's definition to weigh and to copy its record. */
interface Shape {
  /** Bytes of its frame without a rest, of an element of the rest, and the most elements. */
  readonly fixed: number;
  readonly restBytes: number;
  readonly restMax: number;
  readonly copy: Copy;
}

/** The expression for a field of the copy of record `m`: a frame rounds f32, and arrays are the record's own. */
function fieldOf(name: string, type: FieldType): string {
  if (isRest(type)) return `${name}: m.${name}.slice(0, m.length)`;
  if (type === "text16") return `${name}: m.${name}.slice()`;
  return type === "f32" ? `${name}: fround(m.${name})` : `${name}: m.${name}`;
}

/** Compiled from the table of messages: a loop over names takes three times as long, and this is most of a line's work. */
function compiledCopy({ fields }: MessageDefinition): Copy {
  const list = Object.entries(fields).map(([name, { type }]) => fieldOf(name, type));
  return new Function("fround", `return (m) => ({ length: m.length, ${list.join(", ")} });`)(Math.fround);
}

function shapeOf(name: MessageName): Shape {
  const definition: MessageDefinition = MESSAGES[name];
  const rest = Object.values(definition.fields).find(({ type }) => isRest(type));
  return {
    fixed: FRAME_OVERHEAD + fixedBytes(definition),
    restBytes: rest ? FIELD_BYTES[rest.type] : 0,
    restMax: restMax(definition),
    copy: compiledCopy(definition),
  };
}

const SHAPES = Object.fromEntries(
  (Object.keys(MESSAGES) as MessageName[]).map((name) => [name, shapeOf(name)]),
) as { readonly [N in MessageName]: Shape };

/** Messages as records, without their frames: what each would take on the wire, and copies as the other end has them. */
export class Records<N extends MessageName> {
  private readonly formats: Formats<N>;

  constructor(names: readonly N[]) {
    this.formats = formats(names);
  }

  /** The one record of that message, to be filled in. */
  message<M extends N>(name: M): Message<M> {
    return this.formats[name].message;
  }

  /** Bytes of the frame that the record would make. */
  bytesOf(name: N): number {
    const { fixed, restBytes, restMax } = SHAPES[name];
    return restBytes === 0 ? fixed : fixed + restBytes * Math.min(this.message(name).length, restMax);
  }

  /** The record as the other end has it. */
  copy(name: N): Message<N> {
    return SHAPES[name].copy(this.formats[name].message) as Message<N>;
  }
}
