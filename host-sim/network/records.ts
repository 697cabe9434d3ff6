import { byName } from "../../host/by-name.ts";
import { records } from "../../src/wire/format.ts";
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
import { FrameInTransit } from "./frame-in-transit.ts";

/** Makes a copy of a record as the other end of a wire decodes it. */
type Copy = (record: object) => object;

/** The expression that copies a field of record `m`: f32 rounds as a frame does, and an array is copied. */
function fieldText(name: string, type: FieldType): string {
  if (isRest(type) || type === "text16") return `${name}: m.${name}.slice()`;
  return type === "f32" ? `${name}: fround(m.${name})` : `${name}: m.${name}`;
}

/**
 * Compiled from the table of messages: a loop over names takes three times as long, and this is most of a
 * line's work.
 */
function compileCopy({ fields }: MessageDefinition): Copy {
  const copied = Object.entries(fields).map(([name, { type }]) => fieldText(name, type));
  return new Function("fround", `return (m) => ({ length: m.length, ${copied.join(", ")} });`)(Math.fround);
}

const COPIES = byName(Object.keys(MESSAGES) as MessageName[], (name) => compileCopy(MESSAGES[name]));

/**
 * A message as a record without a frame: its size on the wire, and parcels of it as the other end decodes
 * them.
 */
class MessageRecord<N extends MessageName> {
  /** Bytes of its frame without a rest, of an element of the rest, and the most elements. */
  private readonly fixed: number;
  private readonly restBytes: number;
  private readonly restMax: number;
  private readonly copy: Copy;

  constructor(
    private readonly name: N,
    /** The one record, to be filled in. */
    readonly message: Message<N>,
  ) {
    const definition: MessageDefinition = MESSAGES[name];
    const rest = Object.values(definition.fields).find(({ type }) => isRest(type));
    this.fixed = FRAME_OVERHEAD + fixedBytes(definition);
    this.restBytes = rest ? FIELD_BYTES[rest.type] : 0;
    this.restMax = restMax(definition);
    this.copy = COPIES[name];
  }

  /** Bytes of the frame that the record would make. */
  get bytes(): number {
    const { fixed, restBytes, restMax } = this;
    return restBytes === 0 ? fixed : fixed + restBytes * Math.min(this.message.length, restMax);
  }

  /** A parcel with the present content of this record. */
  parcel(length = this.bytes): FrameInTransit<N> {
    return new FrameInTransit(length, this.name, this.copy(this.message) as Message<N>, undefined);
  }
}

/** The records of messages by name, each made at its first use: a node sends few of them. */
export class MessageRecords<N extends MessageName> {
  private readonly made = new Map<N, MessageRecord<N>>();

  of<M extends N>(name: M): MessageRecord<M> {
    let record = this.made.get(name);
    if (!record) {
      record = new MessageRecord<N>(name, records([name])[name] as Message<N>);
      this.made.set(name, record);
    }
    return record as unknown as MessageRecord<M>;
  }
}
