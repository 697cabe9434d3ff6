import { formats } from "../../src/wire/format.ts";
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

const COPIES = Object.fromEntries(
  (Object.keys(MESSAGES) as MessageName[]).map((name) => [name, compiledCopy(MESSAGES[name])]),
) as { readonly [N in MessageName]: Copy };

/** A message as a record, without its frame: what it would take on the wire, and copies as the other end has them. */
export class MessageRecord<N extends MessageName> {
  /** Bytes of its frame without a rest, of an element of the rest, and the most elements. */
  private readonly fixed: number;
  private readonly restBytes: number;
  private readonly restMax: number;
  private readonly copied: Copy;

  constructor(
    name: N,
    /** The one record, to be filled in. */
    readonly message: Message<N>,
  ) {
    const definition: MessageDefinition = MESSAGES[name];
    const rest = Object.values(definition.fields).find(({ type }) => isRest(type));
    this.fixed = FRAME_OVERHEAD + fixedBytes(definition);
    this.restBytes = rest ? FIELD_BYTES[rest.type] : 0;
    this.restMax = restMax(definition);
    this.copied = COPIES[name];
  }

  /** Bytes of the frame that the record would make. */
  get bytes(): number {
    const { fixed, restBytes, restMax } = this;
    return restBytes === 0 ? fixed : fixed + restBytes * Math.min(this.message.length, restMax);
  }

  /** The record as the other end has it. */
  copy(): Message<N> {
    return this.copied(this.message) as Message<N>;
  }
}

/** The records of those messages, by name. */
export function messageRecords<N extends MessageName>(
  names: readonly N[],
): { readonly [M in N]: MessageRecord<M> } {
  const made = formats(names);
  return Object.fromEntries(names.map((name) => [name, new MessageRecord(name, made[name].message)])) as {
    readonly [M in N]: MessageRecord<M>;
  };
}
