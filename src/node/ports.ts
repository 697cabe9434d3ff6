import { frozen } from "../memory/frozen.ts";
import type { BlockDevice } from "../store/block-device.ts";
import type { CheckpointIntake } from "../store/checkpoint-intake.ts";
import type { CheckpointReader } from "../store/checkpoint-reader.ts";
import { RESTORE, type RestoreStatus, SAVE_STATUS, type SaveStatus } from "../store/checkpoint-store.ts";
import type { DownName, Message, UpName } from "../wire/messages.ts";
import type { Thrown } from "../wire/receiver.ts";

/** A node's interfaces to its surroundings: hardware on a device, simulated in the simulator. */

/** Time, for reports and intervals: nothing that a learner computes depends on it. */
export interface Clock {
  /** Milliseconds since the node started. It never wraps: `Uptime` makes one of a clock that does. */
  now(): number;
}

/** A label, from a file's line or a fusion centre down to the learner. */
export interface Label {
  /** Its place among the node's labels, from 1: they are applied in this order. */
  readonly number: number;
  /** Session of its sample. */
  readonly sid: number;
  /** Sequence number of its sample in that session, from 1. */
  readonly seq: number;
  /** -1 or +1, a class from 0, or a value. */
  readonly y: number;
  /** Its labeller, 0..255: a number that the sender chose. Default 0: unknown. */
  readonly source?: number;
  /** The labeller's confidence, 0..255; default 255: certain. */
  readonly confidence?: number;
  /** The labeller's tag, for a node with a label key: two words, see `LabelTag`. Default: none. */
  readonly tag?: ArrayLike<number>;
}

/** A label's default source and confidence. */
export const SOURCE_UNTOLD = 0;
export const CERTAIN = 255;

/** The outcome of a label. The number is its code on the wire. */
export const LABEL_STATUS = frozen({
  /** learned from */
  applied: 0,
  /** the node had answered its number before, and did nothing */
  duplicate: 1,
  /** an earlier number is missing; the node keeps the label, and answers it again in its turn */
  held: 2,
  /** its sample no longer waits: it left the pending ring, or has its label already */
  expired: 3,
  /** it names another session */
  session: 4,
  /** its sample was never predicted in this session */
  unknown: 5,
  /** the learner refused the label or the update */
  refused: 6,
  /** its number is too far ahead to be kept; send it again later */
  ahead: 7,
  /** its value lies outside the node's `labelRange` */
  range: 8,
  /** its tag wasn't made with the label key; the node ignored it, and its number is still free */
  forged: 9,
} as const);

/** One of the values of `LABEL_STATUS`. */
export type LabelStatus = (typeof LABEL_STATUS)[keyof typeof LABEL_STATUS];

/** A node's remarks on a prediction, each a bit. */
export const REMARK = frozen({
  /** the sample's label is asked for: option `labelBudget` */
  asked: 1,
  /** a prediction set was issued, option `coverage`; class -1 is in it; class +1 is in it; of a regression, an interval, see `REMARK_BYTE` */
  set: 2,
  minus: 4,
  plus: 8,
  /** since the last prediction, labels raised a drift alarm; margins raise one: option `drift` */
  drift: 16,
  shift: 32,
  /** the fleet's model decided, and not the own learner: option `fleetBudget` */
  fleet: 64,
} as const);

/** Factor of the remarks' second byte, an interval's half width, see `halfWidth`. */
export const REMARK_BYTE = 256;

/** The way to the fusion centre. */
export interface Link {
  /** Reports the prediction for sample seq, made at `ts` milliseconds. @param remarks a sum of `REMARK`, and `REMARK_BYTE` times the second byte. */
  predicted(seq: number, ts: number, decision: number, remarks: number): void;
  /** Answers label `number`; every number up to `durable` lies in a checkpoint. */
  acknowledge(number: number, status: LabelStatus, durable: number): void;
  /** Label `number` was applied to a sample of these features, which are valid during the call: of a node with option `fleetBudget`. Default: nobody wants them. */
  learned?(number: number, features: Float32Array): void;
}

/** A transport's limits; the defaults are an ESP32's UART's. */
export interface PortLimits {
  /** Bytes that may come while the node is busy, 73..65535, or 105.. with a key: any more are lost. Default 128. */
  readonly fifoBytes?: number;
  /** Bytes of the FIFO that are reserved for frames which need no credit (docs/spec/wire.md). At least 33, or 57 with a key; the minimum is the default. */
  readonly uncreditedBytes?: number;
  /** Bytes of the longest frame that the node sends, 100..128. Default 128. */
  readonly frameBytes?: number;
  /** Milliseconds after which the node reports credit even if nothing came, 1..1000. Default 250; more where each packet costs. */
  readonly creditMs?: number;
}

/**
 * Bytes from and to the peer, as a UART has them.
 *
 * For whoever writes a transport: neither method waits, throws or allocates. Bytes keep their order; some may be damaged or missing. While the link
 * is away, `read` returns 0, and `write` takes the bytes and loses them, or returns 0. `write` may keep its bytes only by copying them: the
 * node writes its next frame in the same place.
 *
 * For whoever uses one: call `write` again with what it left. Call `read` each turn: what comes beyond `fifoBytes` is lost.
 */
export interface BytePort extends PortLimits {
  /** Moves received bytes to the beginning of `to`, as many as fit; returns how many. Never waits. */
  read(to: Uint8Array): number;
  /** Takes bytes from..to-1 to be sent, as many as there is room for at once; returns how many. Never waits. */
  write(bytes: Uint8Array, from: number, to: number): number;
}

/**
 * Messages from and to the peer, each whole. `Framing` makes one of a `BytePort`; a transport that keeps messages
 * whole can be one itself. Nothing here waits, or allocates after construction.
 */
export interface FramePort {
  /** The transport's limits. */
  readonly limits: Required<PortLimits>;
  /** Bytes that the peer may have on their way to the node. */
  readonly windowBytes: number;
  /** Bytes that came, as the peer counts them, mod 2^32. */
  readonly received: number;
  /** Messages dropped because there was no room for them. */
  readonly dropped: number;
  /** Received bytes and frames that were no message. */
  readonly thrown: Thrown;
  /** True if something that came is left for the next turn. */
  readonly more: boolean;
  /** True if something waits until the transport takes it. */
  readonly waiting: boolean;
  /** Looks for what has come, unless something is left: once a turn. */
  fetch(): void;
  /** The name of the next message that has come; undefined if none has. */
  next(): DownName | undefined;
  /** The record of that message as it came last, until the next comes. */
  incoming<N extends DownName>(name: N): Message<N>;
  /**
   * Accepts the message taken last, a welcome: the peer's count of bytes was `sent` at its end. False, and nothing done, if it can
   * begin no session: it answers an old hello.
   */
  countFrom(sent: number): boolean;
  /**
   * The record of that message, to fill in. Records of hello, credit, prediction, acknowledgement and
   * updating keep their values; another's are lost once one more message is filled in.
   */
  outgoing<N extends UpName>(name: N): Message<N>;
  /** True if any message has room now. Messages that aren't urgent may be dropped, and leave some room for urgent ones. */
  hasRoom(urgent: boolean): boolean;
  /** Sends the record of that message as it is now; false, and counted, if it has no room. */
  send(name: UpName, urgent: boolean): boolean;
  /** Passes waiting bytes to the transport, as many as it takes. */
  flush(): void;
}

/** The engine's memory use, in bytes. */
export interface EngineFigures {
  /** Of slots: objects, properties, numbers. */
  slots(): number;
  /** Of chunks: texts, buffers. */
  chunks(): number;
}

/** Where checkpoints lie. */
export interface Storage {
  /** Keeps the bytes, whole or not at all; true if they are kept. `isForCopy`: the peer reads them next, so the save may come sooner. */
  save(checkpoint: Uint8Array, isForCopy?: boolean): boolean;
  /** The bytes' schema hash, its halves as numbers, see `nodeSchema`; default: unknown. */
  readonly schema?: { readonly high: number; readonly low: number };
  /** The outcome of the last `save`; default: kept or failed, by its result. */
  readonly lastSave?: SaveStatus;
  /** Milliseconds until a `save` doesn't come too early; default 0. */
  readonly waitMs?: number;
  /**
   * Fills `checkpoint` with the newest whole checkpoint, and returns which one it is. `fresh`: none of this length exists, and nothing
   * changed. Undefined: none could be read, and the content of `checkpoint` is undefined. `CheckpointStore` implements it.
   * @param isSound whether `checkpoint`, as it was filled, is one that the node takes; if not, it counts as one that isn't whole.
   */
  load(checkpoint: Uint8Array, isSound?: () => boolean): RestoreStatus | undefined;
  /**
   * Discards the newest and fills `checkpoint` with the one before it: `fallback`. `fresh`: none before it, and nothing changed.
   * Otherwise it returns, as `load` does, what it loaded instead.
   */
  rollback(checkpoint: Uint8Array, isSound?: () => boolean): RestoreStatus | undefined;
  /** True if an image from elsewhere may go to flash now: see `CheckpointStore`; default: always. */
  takesTurn?(intervalMs: number): boolean;
  /** Takes a checkpoint from elsewhere, which `load` then loads; default: it takes none. */
  readonly intake?: CheckpointIntake;
  /** Reads the newest checkpoint; default: it can't be read. */
  readonly reader?: CheckpointReader;
}

/**
 * A board's two slots of firmware: the one that runs, and the next.
 *
 * For whoever implements it: a method returns when the boot loader's data are in flash. If power fails within it, the board starts with
 * either firmware, whole. On a trial, any restart before `confirm` falls back to the previous firmware.
 *
 * For callers: `activate` only an image whose check sum was read back from `idle`, then `restart`.
 */
export interface FirmwareSlots {
  /** The slot that an update writes. */
  readonly idle: BlockDevice;
  /** The slot of the firmware that runs. */
  readonly running: BlockDevice;
  /** True if the running firmware is on trial: until `confirm`, a restart falls back to the previous one. */
  trial(): boolean;
  /** Makes the idle slot's firmware start next, on trial. False if it can't. */
  activate(): boolean;
  /**
   * Writes again which firmware starts: this one alone. A power cut may have left that record in doubt, and the idle slot's firmware may still be
   * in it; so it is called before the idle slot is written. False if it can't be written.
   */
  secure(): boolean;
  /** Ends the trial: the running firmware stays. */
  confirm(): boolean;
  /** Restarts with the previous firmware; returns if the board has none. */
  revert(): void;
  /** Restarts the board. */
  restart(): void;
}

/** Keeps nothing: a node without flash. */
export const NO_STORAGE: Storage = frozen({
  lastSave: SAVE_STATUS.nowhere,
  save: () => false,
  load: () => RESTORE.fresh,
  rollback: () => RESTORE.fresh,
});
