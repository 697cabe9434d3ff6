import { frozen } from "../memory/frozen.ts";
/** What a field holds; little-endian, without padding. */
export const FIELD_BYTES = frozen({
  u8: 1,
  u16: 2,
  u32: 4,
  /** IEEE 754 binary32 */
  f32: 4,
  /** 16 bytes of ASCII, filled up with zeros */
  text16: 16,
  /** the rest of the frame, as that many float32 */
  f32s: 4,
  /** the rest of the frame, as that many u32 */
  u32s: 4,
  /** the rest of the frame, as bytes */
  bytes: 1,
} as const);

export type FieldType = keyof typeof FIELD_BYTES;

/** Each name as a value, so that no literal stands where bytes pass: XS copies one each time that it is evaluated. */
function namesIn<N extends string>(table: { readonly [M in N]: unknown }): { readonly [M in N]: M } {
  return Object.freeze(Object.fromEntries(Object.keys(table).map((name) => [name, name]))) as {
    readonly [M in N]: M;
  };
}

/** The types of fields, by name. */
export const TYPE = namesIn(FIELD_BYTES);
type RestType = "f32s" | "u32s" | "bytes";

export interface Field {
  readonly type: FieldType;
  readonly doc: string;
}

/** Who sends it: the node (`up`), its peer (`down`), or both. */
export type Way = "up" | "down" | "both";

export interface MessageDefinition {
  /** First byte of the payload, 1..255; never given to another message again. */
  readonly id: number;
  readonly way: Way;
  readonly doc: string;
  /** In the order in which they lie. Only the last may be a rest. */
  readonly fields: { readonly [name: string]: Field };
  /**
   * True where layout and seed stay as they are in every version, so that ends of different versions
   * understand it.
   */
  readonly frozen?: boolean;
}

const of = <T extends FieldType>(type: T, doc: string) => ({ type, doc });

const sid = of("u32", "session");
const ts = of("u32", "milliseconds since the node started");
const dr = of("u32", "frames that the sender dropped so far because it had no room for them");
const start = of("u32", "`boot` xor `peer`: what another start of either end sent, or was sent, is ignored");
const first = of("u16", "number of the part's first element, from 0");
const total = of("u16", "elements in all parts together");
const count = (doc: string) => of("u32", doc);

/**
 * Every message there is. Encoder, decoder, their check sums and SPEC.md's tables are made from this table.
 */
export const MESSAGES = frozen({
  hello: {
    id: 1,
    way: "up",
    frozen: true,
    doc: "Who the node is, and where it goes on. Sent at boot, again every second until welcomed, and on request.",
    fields: {
      protocol: of("u8", "version of this protocol: 1"),
      restore: of("u8", "where the state comes from: 0 fresh, 1 restored, 2 fallback"),
      reset: of("u8", "why the node started, see `reset`"),
      fed: of("u8", "1 if the node has no sensor: its peer feeds the samples; else 0"),
      boot: of("u32", "a number of this start, not that of the one before"),
      sid,
      seq: of("u32", "number of the last sample"),
      labelled: of("u32", "number of the last label dealt with"),
      durable: of("u32", "number of the last label in a checkpoint"),
      since: of("u32", "number of the last sample before this start"),
      channels: of("u16", "readings in a sample"),
      dimension: of("u16", "components of the feature vector"),
      plan: of("u32", "bytes of the node's memory: learner, features, rings, station"),
      selfTest: of("u32", "hash of the self-test"),
      table: of("u32", "hash of the table of messages"),
      firmware: of("text16", "name and version"),
      learner: of("text16", "the learner's name"),
    },
  },
  welcome: {
    id: 2,
    way: "down",
    frozen: true,
    doc: "Answers hello. The node sets its count of received bytes to `sent` at the end of this frame.",
    fields: {
      boot: of("u32", "the hello's `boot`: a welcome to another start is ignored"),
      peer: of("u32", "a number of this start of the peer, not that of the one before"),
      table: of("u32", "hash of the peer's table of messages"),
      sent: of("u32", "bytes that the peer sent up to the end of this frame, mod 2^32"),
    },
  },
  request: {
    id: 3,
    way: "down",
    frozen: true,
    doc: "Asks for something that the node otherwise sends in its own time, or not at all.",
    fields: {
      what: of("u8", "1 hello, 2 schema, 3 checkpoint, 4 state, 5 self-test, 6 statistics, 7 configuration"),
    },
  },
  schema: {
    id: 4,
    way: "both",
    frozen: true,
    doc: "The seed of every message by id, so that two ends whose tables differ can name what differs.",
    fields: {
      first,
      total,
      seeds: of("u32s", "seed of message `first` and of those after it; 0: no such id"),
    },
  },
  credit: {
    id: 5,
    way: "up",
    doc: "What the peer may send, and how far the node is. Each tells all: if one is lost, the next repairs it.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      peer: of("u32", "the welcome's `peer`: a credit for another is ignored"),
      received: of("u32", "bytes received, counted on from the welcome's `sent`, mod 2^32"),
      window: of(
        "u16",
        "bytes that may be on their way beyond those: the node's input FIFO less 40 that need no credit",
      ),
      sid,
      seq: of("u32", "number of the last sample"),
      labelled: of("u32", "number of the last label dealt with"),
      durable: of("u32", "number of the last label in a checkpoint"),
    },
  },
  sample: {
    id: 6,
    way: "both",
    doc: "A sample's readings, in parts. Down: recorded, for a node that is fed. Up: raw, where switched on.",
    fields: {
      start,
      sid,
      seq: of("u32", "number of the sample"),
      ts,
      dr,
      first,
      total,
      x: of("f32s", "readings"),
    },
  },
  prediction: {
    id: 7,
    way: "up",
    doc: "What the learner said of a sample.",
    fields: {
      sid,
      seq: of("u32", "number of the sample"),
      ts,
      dr,
      decision: of("f32", "decision value, estimate, novelty score or class index; NaN: unreadable"),
    },
  },
  label: {
    id: 8,
    way: "down",
    doc: "The label of a sample. Numbered 1, 2, ... and applied in that order, each once.",
    fields: {
      start,
      number: of("u32", "number of the label"),
      sid: of("u32", "session of the sample"),
      seq: of("u32", "number of the sample"),
      y: of("f32", "the label: -1 or +1, a class, a value"),
    },
  },
  acknowledgement: {
    id: 9,
    way: "up",
    doc: "What became of a label. A lost one is repaired by `credit`, or by sending the label again.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      number: of("u32", "number of the label"),
      status: of(
        "u8",
        "0 applied, 1 duplicate, 2 held, 3 expired, 4 session, 5 unknown, 6 refused, 7 ahead, see below",
      ),
      labelled: of("u32", "number of the last label dealt with"),
      durable: of("u32", "number of the last label in a checkpoint"),
    },
  },
  statistics: {
    id: 10,
    way: "up",
    doc: "What the node counted, each mod 2^32, its lag and its learner's fill.",
    fields: {
      sid,
      seq: of("u32", "number of the last sample"),
      ts,
      dr,
      sampled: count("samples predicted"),
      unreadable: count("samples refused"),
      unlabelled: count("samples that left the pending ring without a label"),
      applied: count("labels applied"),
      duplicate: count("labels that came again"),
      held: count("labels that came before their turn"),
      expired: count("labels whose sample waits no longer"),
      session: count("labels of another session"),
      unknown: count("labels of samples never predicted"),
      refused: count("labels that the learner refused"),
      ahead: count("labels too far ahead to be held"),
      mistaken: count(
        "labels applied that say otherwise than the prediction just before; 0 for a regression",
      ),
      saved: count("checkpoints kept"),
      unsaved: count("checkpoints not kept"),
      lag: of("u32", "largest distance, in samples, of an applied label since the last statistics"),
      error: of(
        "f32",
        "a regression's mean absolute error at its labels since the last statistics, before each",
      ),
      waiting: of("u16", "samples that wait for a label"),
      size: of("u16", "stored vectors"),
      capacity: of("u16", "stored vectors there is room for"),
    },
  },
  learning: {
    id: 11,
    way: "up",
    doc: "What the learner counted, each mod 2^32.",
    fields: {
      sid,
      seq: of("u32", "number of the last sample"),
      ts,
      dr,
      learned: count("labelled samples taken"),
      refused: count("inputs and labels refused"),
      overflowed: count("updates refused because a result wasn't finite"),
      inserted: count("vectors stored"),
      dropped: count("vectors forgotten by a threshold"),
      evicted: count("vectors that left because the budget was full"),
      declined: count("vectors not stored because the budget was full"),
      quantized: count("inputs that the nearest vector stood for"),
      forced: count("inputs that the nearest stood for because the codebook was full"),
      passed: count("labelled novelties"),
    },
  },
  losses: {
    id: 12,
    way: "up",
    doc: "What the node's receiver threw away, and how its engine fares.",
    fields: {
      sid,
      ts,
      dr,
      bytes: count("bytes thrown away"),
      wrongLength: count("frames too short, too long, or not of their message's length"),
      cobs: count("frames that aren't stuffed"),
      crc: count("frames whose check sum is wrong"),
      unknown: count("frames with an id that isn't the receiver's to take"),
      part: count("parts that came out of turn"),
      stale: count("labels and samples for another start; samples that came again or before their turn"),
      slots: of("u32", "bytes of the engine's slots in use; 0: not measured"),
      chunks: of("u32", "bytes of the engine's chunks in use; 0: not measured"),
      turn: of("u32", "longest turn so far, milliseconds"),
    },
  },
  configuration: {
    id: 13,
    way: "both",
    doc: "The options that may change while the node runs. Down: all of them, to be used from now on. Up: as they are.",
    fields: {
      checkpointEvery: of("u32", "labels between two checkpoints; 0: only when asked"),
      statisticsEvery: of("u32", "samples between two statistics; 0: never"),
      statisticsMs: of("u32", "milliseconds between two statistics; 0: never"),
      predictions: of("u8", "1: predictions are reported; 0: not"),
      samples: of("u8", "1: raw samples are reported; 0: not"),
    },
  },
  state: {
    id: 14,
    way: "up",
    doc: "Hashes of the state, for comparison with a simulator's.",
    fields: {
      sid,
      seq: of("u32", "number of the last sample"),
      labelled: of("u32", "number of the last label dealt with"),
      learnerHigh: of("u32", "first 32 bits of the learner's state hash"),
      learnerLow: of("u32", "last 32 bits"),
      nodeHigh: of("u32", "first 32 bits of the node's state hash"),
      nodeLow: of("u32", "last 32 bits"),
    },
  },
  "self-test": {
    id: 15,
    way: "up",
    doc: "Hash of each primitive in the order of the self-test's list, the learner's last.",
    fields: { first, total, hashes: of("u32s", "hash of item `first` and of those after it") },
  },
  log: {
    id: 16,
    way: "up",
    doc: "A line for people.",
    fields: { ts, dr, level: of("u8", "0 error, 1 warning, 2 note"), text: of("bytes", "ASCII") },
  },
  reset: {
    id: 17,
    way: "up",
    doc: "Why the node started, or is about to start again.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      reason: of(
        "u8",
        "0 unknown, 1 power, 2 external, 3 software, 4 watchdog, 5 brownout, 6 exception, 7 memory",
      ),
      text: of("bytes", "ASCII: what is known of it"),
    },
  },
} as const satisfies { readonly [name: string]: MessageDefinition });

export type MessageName = keyof typeof MESSAGES;

/** The names of messages, by name. */
export const NAME = namesIn(MESSAGES);

/** Version of framing and of the frozen messages. */
export const PROTOCOL = 1;
/** Largest id in use. */
export const ID_MAX = 17;
/** A whole frame, both delimiters and the stuffing byte included. */
export const FRAME_MAX = 128;
/** No message without a rest is longer. */
export const FRAME_MIN = 96;
/** What a frame has besides its fields: two delimiters, the stuffing byte, the id, the check sum. */
export const FRAME_OVERHEAD = 8;

/** The messages that go up, and those that go down. */
export type UpName = {
  [N in MessageName]: (typeof MESSAGES)[N]["way"] extends "down" ? never : N;
}[MessageName];
export type DownName = {
  [N in MessageName]: (typeof MESSAGES)[N]["way"] extends "up" ? never : N;
}[MessageName];

/** The names of the messages that go that way, by id. */
export function namesOf(way: "up"): UpName[];
export function namesOf(way: "down"): DownName[];
export function namesOf(way: "up" | "down"): MessageName[] {
  const names = Object.keys(MESSAGES) as MessageName[];
  return names.filter((name) => MESSAGES[name].way === way || MESSAGES[name].way === "both");
}

type ValueOf<T extends FieldType> = T extends "text16" | "bytes"
  ? Uint8Array
  : T extends "f32s"
    ? Float32Array
    : T extends "u32s"
      ? Uint32Array
      : number;

/**
 * A message's fields as numbers and arrays of fixed length. `length`: how many elements of the rest count.
 */
export type Message<N extends MessageName> = {
  -readonly [F in keyof (typeof MESSAGES)[N]["fields"]]: (typeof MESSAGES)[N]["fields"][F] extends {
    readonly type: infer T extends FieldType;
  }
    ? ValueOf<T>
    : never;
} & { length: number };

/** Whether a field takes the rest of its frame. */
export function isRest(type: FieldType): type is RestType {
  return type === TYPE.f32s || type === TYPE.u32s || type === TYPE.bytes;
}

/** Bytes of a message's fields without its rest. */
export function fixedBytes({ fields }: MessageDefinition): number {
  let bytes = 0;
  for (const { type } of Object.values(fields)) if (!isRest(type)) bytes += FIELD_BYTES[type];
  return bytes;
}

/** Elements of the rest that a frame of so many bytes holds; 0 if the message has none. */
export function restMax(definition: MessageDefinition, frameBytes = FRAME_MAX): number {
  const rest = Object.values(definition.fields).find(({ type }) => isRest(type));
  const bytes = frameBytes - FRAME_OVERHEAD - fixedBytes(definition);
  return rest ? Math.floor(bytes / FIELD_BYTES[rest.type]) : 0;
}

/** FNV-1a over the characters of a text, 32 bits. */
function fnv(text: string, hash = 0x811c9dc5): number {
  let h = hash;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * The seed of a message's check sum: hash of `name(field:type,field:type)`. So a frame whose message has
 * other fields at the sender fails its check sum. A frozen message's seed is the hash of its name alone.
 */
export function seedOf(name: string, { fields, frozen }: MessageDefinition): number {
  if (frozen) return fnv(name);
  const list = Object.keys(fields).map((field) => `${field}:${fields[field].type}`);
  return fnv(`${name}(${list.join(",")})`);
}

/** The seed of each message by id: word k is message k's, 0 if there is none. */
export function seedsById(): Uint32Array {
  const seeds = new Uint32Array(ID_MAX + 1);
  for (const name of Object.keys(MESSAGES) as MessageName[]) {
    seeds[MESSAGES[name].id] = seedOf(name, MESSAGES[name]);
  }
  return seeds;
}

/** Hash of the whole table: of the seeds by id, in hex. */
export function tableHash(): number {
  let hash = fnv("");
  for (const seed of seedsById()) hash = fnv(seed.toString(16).padStart(8, "0"), hash);
  return hash;
}
