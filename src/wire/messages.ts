import { frozen } from "../memory/frozen.ts";
/** The types of fields, with their bytes; little-endian, without padding. */
export const FIELD_BYTES = frozen({
  u8: 1,
  u16: 2,
  u32: 4,
  /** IEEE 754 binary32 */
  f32: 4,
  /** 16 bytes of printable ASCII (0x20..0x7e), filled up with zeros */
  text16: 16,
  /** the rest of the frame, as that many float32 */
  f32s: 4,
  /** the rest of the frame, as that many u32 */
  u32s: 4,
  /** the rest of the frame, as printable ASCII */
  bytes: 1,
  /** the rest of the frame, as that many u8 */
  u8s: 1,
} as const);

export type FieldType = keyof typeof FIELD_BYTES;

/** Each name as a value, for code that runs at every byte or frame: XS copies a literal each time that it evaluates one. */
function namesIn<N extends string>(table: { readonly [M in N]: unknown }): { readonly [M in N]: M } {
  return Object.freeze(Object.fromEntries(Object.keys(table).map((name) => [name, name]))) as {
    readonly [M in N]: M;
  };
}

/** The types of fields, by name. */
export const TYPE = namesIn(FIELD_BYTES);
type RestType = "f32s" | "u32s" | "bytes" | "u8s";

export interface Field {
  readonly type: FieldType;
  readonly doc: string;
  /** Most elements of a rest; default: as many as fit the frame. */
  readonly most?: number;
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
   * Bytes of the fields that are the same in every version. The seed of such a message is the hash of its name alone. A later version may
   * append fields: an end reads those that it knows, and takes 0 for those that the other end doesn't send.
   */
  readonly lasting?: number;
}

const of = <T extends FieldType>(type: T, doc: string, most?: number) => ({
  type,
  doc,
  ...(most !== undefined && { most }),
});

const sid = of("u32", "session");
const ts = of("u32", "milliseconds since the node started, mod 2^32");
const dr = of("u32", "frames that the sender dropped so far because it had no room for them");
const start = of("u32", "`boot` xor `peer`: a frame of another start of either end is ignored");
const first = of("u16", "number of the part's first element, from 0");
const total = of("u16", "elements in all parts together");
const count = (doc: string) => of("u32", doc);
const orderTag = of(
  "u32s",
  "the image's digest, 2 words, then the tag of the fields before the tag, 2 words, see [Keyed lines](#keyed-lines); absent: no tag",
  4,
);
const source = of("u8", "who gave the label: a number that its sender chose; 0: unknown");
const confidence = of("u8", "the labeller's confidence: 255 certain, 0 a guess");

/**
 * Why a node started, by name; the place is the code on the wire. The first sixteen are ESP-IDF's `esp_reset_reason_t`, which
 * board.c turns into codes by name.
 */
export const RESET_REASONS = frozen([
  ...["unknown", "power-on", "external pin", "software"],
  ...["panic", "interrupt watchdog", "task watchdog", "other watchdog"],
  ...["deep sleep", "brown-out", "SDIO", "USB", "JTAG", "efuse error", "power glitch"],
  ...["CPU lock-up", "out of memory"],
]);

/** The reasons that mean a failure of the firmware, as opposed to power or a request. */
export const CRASHES = frozen([4, 5, 6, 7, 15, 16]);

/**
 * Every message. Encoder, decoder, their check sums and docs/spec/wire.md's tables are made from this table.
 */
export const MESSAGES = frozen({
  hello: {
    id: 1,
    way: "up",
    lasting: 76,
    doc: "Who the node is, and where it resumes. Sent at boot, again every second until welcomed, and on request.",
    fields: {
      protocol: of("u8", "version of this protocol: 2"),
      restore: of(
        "u8",
        "where the state comes from: 0 fresh, 1 restored, 2 fallback, 3 copied: a peer sent it to the running node",
      ),
      reset: of("u8", "why the node started, see `reset`"),
      fed: of("u8", "1 if the node has no sensor: its peer feeds the samples; else 0"),
      boot: of("u32", "a number of this start, different from the last start's"),
      sid,
      seq: of("u32", "number of the last sample"),
      labelled: of("u32", "number of the last label answered"),
      durable: of("u32", "number of the last label in a checkpoint"),
      since: of("u32", "number of the last sample before this start"),
      channels: of("u16", "readings in a sample"),
      dimension: of("u16", "components of the feature vector"),
      plan: of("u32", "bytes of the node's memory: learner, features, rings, station"),
      selfTest: of("u32", "hash of the self-test, if `tests` isn't 0"),
      table: of("u32", "hash of the table of messages"),
      firmware: of("text16", "name and version"),
      learner: of("text16", "the learner's name"),
      tests: of("u8", "items of the self-test; 0: none was run"),
      waiting: of("u16", "samples that wait for a label"),
      pending: of("u16", "samples that may wait for a label"),
      labelWindow: of("u16", "labels that may arrive before an older one"),
      fifo: of("u16", "bytes that the node's transport keeps while the node is busy"),
      frame: of("u16", "bytes of the longest frame that the transport takes, either way"),
    },
  },
  welcome: {
    id: 2,
    way: "down",
    lasting: 16,
    doc: "Answers hello. The node sets its count of received bytes to `sent` at the end of this frame.",
    fields: {
      boot: of("u32", "the hello's `boot`: a welcome to another start is ignored"),
      peer: of("u32", "a number of this start of the peer, different from the last start's"),
      table: of("u32", "hash of the peer's table of messages"),
      sent: of("u32", "bytes that the peer sent up to the end of this frame, mod 2^32"),
    },
  },
  request: {
    id: 3,
    way: "down",
    lasting: 1,
    doc: "Asks for something that the node otherwise sends in its own time, or not at all.",
    fields: {
      what: of(
        "u8",
        "1 hello, 2 schema, 3 checkpoint, 4 state, 5 self-test, 6 statistics, learning and losses, 7 configuration, 8 answers to labels, 9 copy follows: a checkpoint for it, 10 description, 11 features; any other is ignored",
      ),
    },
  },
  schema: {
    id: 4,
    way: "both",
    lasting: 4,
    doc: "The seed of every message by id, so that two ends whose tables differ can name the differences. The node sends it on request, and ignores one that comes down.",
    fields: {
      first,
      total,
      seeds: of("u32s", "seed of message `first` and of those after it; 0: no such id"),
    },
  },
  credit: {
    id: 5,
    way: "up",
    doc: "The peer's credit, and the node's position. Each is complete: if one is lost, the next repairs it.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      peer: of("u32", "the welcome's `peer`: a credit for another is ignored"),
      received: of("u32", "bytes received, counted on from the welcome's `sent`, mod 2^32"),
      window: of(
        "u16",
        "bytes that may be under way beyond those: the node's input FIFO less the room for frames without credit",
      ),
      sid,
      seq: of("u32", "number of the last sample"),
      labelled: of("u32", "number of the last label answered"),
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
    doc: "The learner's decision on a sample. An unreadable sample has none.",
    fields: {
      sid,
      seq: of("u32", "number of the sample"),
      ts,
      dr,
      decision: of(
        "f32",
        "decision value, estimate, novelty score or class index; NaN: the learner returned no number",
      ),
      remarks: of(
        "u8s",
        "the node's remarks, a sum: 1 it asks for the sample's label; 2 it issued a prediction set, 4 with class -1, 8 with class +1, or an interval, decision -+ 2^((b - 128) / 4) with b the second byte; 16 labels raised a drift alarm since the last prediction, 32 margins did; 64 the fleet's model decided; absent: none",
        2,
      ),
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
      source,
      confidence,
      tag: of("u32s", "the labeller's tag, 2 words, see [Keyed lines](#keyed-lines); absent: no tag", 2),
    },
  },
  acknowledgement: {
    id: 9,
    way: "up",
    doc: "The outcome of a label. `credit`, or the label sent again, repairs a lost one; `request` for answers repeats it.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      number: of("u32", "number of the label"),
      status: of(
        "u8",
        "0 applied, 1 duplicate, 2 held, 3 expired, 4 session, 5 unknown, 6 refused, 7 ahead, 8 range, 9 forged, see [Labels](#labels)",
      ),
      labelled: of("u32", "number of the last label answered"),
      durable: of("u32", "number of the last label in a checkpoint"),
    },
  },
  statistics: {
    id: 10,
    way: "up",
    doc: "The node's counters, each mod 2^32, its lag and its learner's fill.",
    fields: {
      sid,
      seq: of("u32", "number of the last sample"),
      ts,
      dr,
      sampled: count("samples predicted"),
      unreadable: count("samples refused: a reading wasn't finite, or outside its range"),
      unlabelled: count("samples that left the pending ring without a label"),
      applied: count("labels applied"),
      duplicate: count("labels that came again"),
      held: count("labels that arrived before an older one"),
      expired: count("labels whose sample no longer waits"),
      session: count("labels of another session"),
      unknown: count("labels of samples never predicted"),
      refused: count("labels that the learner refused"),
      ahead: count("labels too far ahead to be held"),
      range: count("labels outside the node's range of them"),
      forged: count("labels whose tag is wrong"),
      mistaken: count("labels applied that differ from the prediction just before; 0 for a regression"),
      saved: count("checkpoints kept"),
      unsaved: count("checkpoints not kept"),
      lag: of("u16", "largest distance, in samples, of an applied label since the last statistics"),
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
    doc: "The learner's counters, each mod 2^32, and the node's drift alarms.",
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
      quantized: count("inputs that the nearest vector represented"),
      forced: count("inputs that the nearest vector represented because the codebook was full"),
      passed: count("labelled novelties"),
      drifts: count("the node's drift alarms by labels"),
      shifts: count("the node's drift alarms by margins"),
    },
  },
  losses: {
    id: 12,
    way: "up",
    doc: "The losses of the node's receiver, and the engine's memory.",
    fields: {
      sid,
      ts,
      dr,
      bytes: count("bytes discarded"),
      wrongLength: count("frames too short, too long, or not of their message's length"),
      cobs: count("frames that aren't stuffed"),
      crc: count("frames whose check sum is wrong: damaged"),
      forged: count("keyed: intact frames without a tag, or with another key's"),
      unknown: count("frames with an id that the receiver doesn't take"),
      part: count("parts of samples that came out of turn, or whose `total` isn't the node's `channels`"),
      stale: count(
        "frames for another start, except `welcome` and `leave`; repeated or early samples; keyed: repeated frames",
      ),
      slots: of(
        "u32",
        "bytes of the engine's slots, the most in use since the start where the board counts it; 0: not measured",
      ),
      chunks: of(
        "u32",
        "bytes of the engine's chunks, the most in use since the start where the board counts it; 0: not measured",
      ),
      turn: of("u32", "longest turn so far, milliseconds"),
    },
  },
  configuration: {
    id: 13,
    way: "both",
    doc: "The options that may change while the node runs. Down: all new values. Up: the present values.",
    fields: {
      checkpointEvery: of("u32", "labels between two checkpoints; 0: only when asked"),
      statisticsEvery: of("u32", "samples between two statistics; 0: never"),
      statisticsMs: of("u32", "milliseconds between two statistics; 0: never"),
      predictions: of("u8", "1: predictions are reported; 0: only those with remark 1, 16 or 32"),
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
      labelled: of("u32", "number of the last label answered"),
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
    fields: { ts, dr, level: of("u8", "0 error, 1 warning, 2 note"), text: of("bytes", "the line") },
  },
  reset: {
    id: 17,
    way: "up",
    doc: "Why the node started, or is about to start again.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      reason: of("u8", RESET_REASONS.map((name, code) => `${code} ${name}`).join(", ")),
      text: of("bytes", "details"),
    },
  },
  checkpoint: {
    id: 18,
    way: "up",
    doc: "Answers a request for a checkpoint.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      status: of("u8", "0 kept, 1 early, 2 failed, 3 nowhere, see [Checkpoints](#checkpoints)"),
      waitMs: of("u32", "early: milliseconds until one is kept"),
      labelled: of("u32", "number of the last label answered"),
      durable: of("u32", "number of the last label in a checkpoint"),
    },
  },
  occupied: {
    id: 19,
    way: "up",
    doc: "Refuses a welcome, because another peer holds the node.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      peer: of("u32", "the peer that is refused"),
      holder: of("u32", "the peer that holds the node"),
    },
  },
  leave: {
    id: 20,
    way: "down",
    doc: "The holder leaves: another peer may hold the node at once.",
    fields: { start },
  },
  rollback: {
    id: 21,
    way: "both",
    doc: "Down: restore the checkpoint before the newest. Up: the outcome.",
    fields: {
      start,
      status: of("u8", "down: 0; up: 0 done, 1 none, 2 newest, 3 fresh, see [Checkpoints](#checkpoints)"),
    },
  },
  inspect: {
    id: 22,
    way: "down",
    doc: "Asks for words of the node's memory: its state, then its counters, as a checkpoint has them; or of its newest checkpoint. It ends an earlier one.",
    fields: {
      start,
      first: of("u32", "number of the first word, from 0; of a checkpoint, from 2^31"),
      count: of("u32", "how many; words beyond the last are ignored"),
    },
  },
  memory: {
    id: 23,
    way: "up",
    doc: "Words of the node's memory, as they were after sample `seq` and label `labelled`; or of its newest checkpoint.",
    fields: {
      start,
      seq: of("u32", "number of the last sample; of a checkpoint: words of its state before the learner's"),
      labelled: of("u32", "number of the last label answered; of a checkpoint: its `generation`"),
      first: of("u32", "number of the first word, from 0; of a checkpoint, from 2^31"),
      total: of("u32", "words in all"),
      words: of("u32s", "word `first` and those after it"),
    },
  },
  update: {
    id: 24,
    way: "down",
    doc: "Begins firmware for the node's idle slot, or resumes it; or starts the node with it; or begins a checkpoint. Answered by `updating`.",
    fields: {
      start,
      what: of(
        "u8",
        "0 only asks, 1 begin or resume firmware, 2 start with it, 3 begin or resume a checkpoint",
      ),
      bytes: of("u32", "length of the image"),
      crc: of("u32", "its CRC-32"),
      selfTest: of(
        "u32",
        "firmware: expected hash of the self-test, 0: unknown; checkpoint: a number, another for each restoration",
      ),
    },
  },
  block: {
    id: 25,
    way: "down",
    doc: "Bytes of the image or model. A block that doesn't begin where the one before ended is answered by `updating`.",
    fields: {
      start,
      offset: of("u32", "place of the first byte in the image"),
      data: of("u8s", "the bytes"),
    },
  },
  updating: {
    id: 26,
    way: "up",
    doc: "Progress of an image: firmware, a checkpoint, or a model. `start` is that of the last accepted welcome. A restoration ends with a new start of the node, which reports that end under the `start` before.",
    fields: {
      start,
      status: of(
        "u8",
        "0 none, 1 coming, 2 whole, 3 too long, 4 damaged, 5 failed, 6 activated, 7 no slot, 8 runs, 9 other, 10 early, 11 unsound, 12 forged, see [Updates of the firmware](#updates-of-the-firmware), [A checkpoint from elsewhere](#a-checkpoint-from-elsewhere)",
      ),
      received: of("u32", "bytes received of the image; the next block begins there"),
      room: of("u32", "bytes of the longest image or model, or of the checkpoint"),
      schemaHigh: of("u32", "first 32 bits of the schema of the node's checkpoint; 0: it keeps none"),
      schemaLow: of("u32", "last 32 bits"),
    },
  },
  description: {
    id: 27,
    way: "up",
    doc: "The node's options, a JSON object, see [Description](#description). `total` 0: it describes none.",
    fields: { first, total, text: of("bytes", "character `first` and those after it") },
  },
  install: {
    id: 28,
    way: "down",
    doc: "Has the node judge by a model that the fleet trained. Numbered like a label, and taken in its turn, once. Answered by `updating` until all `block`s of the model came, then by `acknowledgement`.",
    fields: {
      start,
      sid: of("u32", "the node's session"),
      number: of("u32", "number of the install, among the labels"),
      bytes: of("u32", "length of the model"),
      crc: of("u32", "its CRC-32"),
      tag: orderTag,
    },
  },
  features: {
    id: 29,
    way: "up",
    doc: "The features of the last sample whose label was applied, in parts, by a node that takes models: at its label, and on request.",
    fields: {
      boot: of("u32", "the hello's `boot`"),
      number: of("u32", "number of the label; 0: no label was applied"),
      labelled: of("u32", "number of the last label answered"),
      sid: of("u32", "session of its sample"),
      seq: of("u32", "number of its sample"),
      first,
      total,
      x: of("f32s", "component `first` and those after it, as the learner took them"),
    },
  },
  restore: {
    id: 30,
    way: "down",
    doc: "Has a node with a label key resume from a checkpoint that the key's holder tagged: begins it, or resumes it. Answered by `updating`.",
    fields: {
      boot: of("u32", "the hello's `boot`: an order for another start begins nothing"),
      labelled: of("u32", "number of the last label answered: after another label it begins nothing"),
      bytes: of("u32", "length of the image"),
      crc: of("u32", "its CRC-32"),
      tag: orderTag,
    },
  },
} as const satisfies { readonly [name: string]: MessageDefinition });

/** The name of a message, of either direction. */
export type MessageName = keyof typeof MESSAGES;

/** The names of messages, by name. */
export const NAME = namesIn(MESSAGES);

/** Version of framing, and of the messages that are the same in every version. */
export const PROTOCOL = 2;
/** Largest id in use. */
export const ID_MAX = 30;
/** A whole frame, both delimiters and the stuffing byte included. */
export const FRAME_MAX = 128;
/** No message without a rest is longer. */
export const FRAME_MIN = 100;
/** Bytes of a frame besides its fields: two delimiters, the stuffing byte, the id, the check sum. */
export const FRAME_OVERHEAD = 8;

/** The messages that go up. */
export type UpName = {
  [N in MessageName]: (typeof MESSAGES)[N]["way"] extends "down" ? never : N;
}[MessageName];
/** The messages that go down. */
export type DownName = {
  [N in MessageName]: (typeof MESSAGES)[N]["way"] extends "up" ? never : N;
}[MessageName];

/** The names of the messages that go that way, by id. */
export function messageNames(way: "up"): UpName[];
export function messageNames(way: "down"): DownName[];
export function messageNames(way: "up" | "down"): MessageName[] {
  const names = Object.keys(MESSAGES) as MessageName[];
  return names.filter((name) => MESSAGES[name].way === way || MESSAGES[name].way === "both");
}

/** The same, made once. */
export const NAMES_UP: readonly UpName[] = frozen(messageNames("up"));
export const NAMES_DOWN: readonly DownName[] = frozen(messageNames("down"));

type ValueOf<T extends FieldType> = T extends "text16" | "bytes" | "u8s"
  ? Uint8Array
  : T extends "f32s"
    ? Float32Array
    : T extends "u32s"
      ? Uint32Array
      : number;

/** A message's fields as numbers and arrays of fixed length. */
export type Message<N extends MessageName> = {
  -readonly [F in keyof (typeof MESSAGES)[N]["fields"]]: (typeof MESSAGES)[N]["fields"][F] extends {
    readonly type: infer T extends FieldType;
  }
    ? ValueOf<T>
    : never;
} & {
  /** Elements that count of the field that takes the rest of the frame; 0 where no field does. */
  length: number;
};

/** True if a field takes the rest of its frame. */
export function isRest(type: FieldType): type is RestType {
  return type === TYPE.f32s || type === TYPE.u32s || type === TYPE.bytes || type === TYPE.u8s;
}

/** Bytes of a message's fields without its rest. */
export function fixedBytes({ fields }: MessageDefinition): number {
  let bytes = 0;
  for (const { type } of Object.values(fields)) if (!isRest(type)) bytes += FIELD_BYTES[type];
  return bytes;
}

/** Elements of the rest that the longest frame holds; 0 if the message has none. */
export function restMax(definition: MessageDefinition): number {
  const rest = Object.values(definition.fields).find(({ type }) => isRest(type));
  const bytes = FRAME_MAX - FRAME_OVERHEAD - fixedBytes(definition);
  return rest ? Math.min(rest.most ?? bytes, Math.floor(bytes / FIELD_BYTES[rest.type])) : 0;
}

/** FNV-1a over the characters of a text, 32 bits. */
function fnv(text: string, hash = 0x811c9dc5): number {
  let h = hash;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * The seed of a message's check sum: the hash of `name(field:type,field:type)`. So the check sum fails where the sender's message has
 * other fields. The seed of a message with `lasting` fields is the hash of its name alone.
 */
export function idSeed(name: string, { fields, lasting }: MessageDefinition): number {
  if (lasting !== undefined) return fnv(name);
  const list = Object.keys(fields).map((field) => `${field}:${fields[field].type}`);
  return fnv(`${name}(${list.join(",")})`);
}

/** The seed of each message by id: word k is message k's, 0 for an unused id. */
export function seedsById(): Uint32Array {
  const seeds = new Uint32Array(ID_MAX + 1);
  for (const name of Object.keys(MESSAGES) as MessageName[]) {
    seeds[MESSAGES[name].id] = idSeed(name, MESSAGES[name]);
  }
  return seeds;
}

/** Hash of the table up to message `last`, by default all of it: of the seeds by id, in hex. */
export function tableHash(last = ID_MAX): number {
  let hash = fnv("");
  for (const seed of seedsById().subarray(0, last + 1)) hash = fnv(seed.toString(16).padStart(8, "0"), hash);
  return hash;
}

/** Hash of the whole table, as a number, so that a program that needs only the hash doesn't keep the table. */
export const TABLE_HASH = tableHash();
