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
/** Overwrites such a copy with `from`, without allocating. */
type Refill = (record: object, from: object) => void;

/** The expression that copies a field of record `m`: f32 rounds as a frame does, and an array is copied. */
function fieldText(name: string, type: FieldType): string {
  if (isRest(type) || type === "text16") return `${name}: m.${name}.slice()`;
  return type === "f32" ? `${name}: fround(m.${name})` : `${name}: m.${name}`;
}

/**
 * The statement that copies that field of record `m` into record `to`. Arrays by a loop, since most are
 * short.
 */
function putField(name: string, type: FieldType): string {
  if (isRest(type)) return `for (let i = 0; i < m.length; i++) to.${name}[i] = m.${name}[i];`;
  if (type === "text16") return `to.${name}.set(m.${name});`;
  return `to.${name} = ${type === "f32" ? `fround(m.${name})` : `m.${name}`};`;
}

/**
 * Compiled from the table of messages: a loop over names takes three times as long, and this is most of a
 * line's work.
 */
function compileCopies({ fields }: MessageDefinition): { readonly copy: Copy; readonly refill: Refill } {
  const all = Object.entries(fields);
  const copied = all.map(([name, { type }]) => fieldText(name, type)).join(", ");
  const put = all.map(([name, { type }]) => putField(name, type)).join(" ");
  return {
    copy: new Function("fround", `return (m) => ({ length: m.length, ${copied} });`)(Math.fround),
    refill: new Function("fround", `return (to, m) => { to.length = m.length; ${put} };`)(Math.fround),
  };
}

const COMPILED = Object.fromEntries(
  (Object.keys(MESSAGES) as MessageName[]).map((name) => [name, compileCopies(MESSAGES[name])]),
) as { readonly [N in MessageName]: ReturnType<typeof compileCopies> };

/**
 * A message as a record without a frame: its size on the wire, and parcels of it as the other end decodes
 * them.
 */
export class MessageRecord<N extends MessageName> {
  /** Bytes of its frame without a rest, of an element of the rest, and the most elements. */
  private readonly fixed: number;
  private readonly restBytes: number;
  private readonly restMax: number;
  private readonly copy: Copy;
  private readonly refill: Refill;
  /** Parcels that arrived and were processed, for reuse. */
  private readonly spare: FrameInTransit<N>[] = [];

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
    const { copy, refill } = COMPILED[name];
    this.copy = copy;
    this.refill = refill;
  }

  /** Bytes of the frame that the record would make. */
  get bytes(): number {
    const { fixed, restBytes, restMax } = this;
    return restBytes === 0 ? fixed : fixed + restBytes * Math.min(this.message.length, restMax);
  }

  /** A parcel with the present content of this record, or of another record of that message. */
  parcel(length = this.bytes, message = this.message): FrameInTransit<N> {
    const parcel = this.spare.pop();
    if (!parcel)
      return new FrameInTransit(length, this.name, this.copy(message) as Message<N>, undefined, this);
    parcel.length = length;
    parcel.damaged = false;
    this.refill(parcel.message as Message<N>, message);
    return parcel;
  }

  /** Takes back a parcel that nobody needs any more. */
  reuse(parcel: FrameInTransit<N>): void {
    this.spare.push(parcel);
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
