import { type Checksum, Crc32 } from "../math/crc32.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import type { BlockDevice } from "./block-device.ts";
import { CheckpointIntake } from "./checkpoint-intake.ts";
import { CheckpointReader } from "./checkpoint-reader.ts";
import { CONTENT, HEADER_BYTES, newer, PAGE_BYTES, Page, type Schema, Slot } from "./slot.ts";

/** Bytes that an erase of an ESP32's flash clears. */
export const SECTOR_BYTES = 4096;

/**
 * How a node starts. `restored`: with the newest checkpoint. `fallback`: with the one before, since the other slot holds
 * a later save that isn't whole, or something that can't be read. `fresh`: with none. Each is named once: XS copies a literal to the heap
 * each time that it is evaluated, and a reference to it keeps the copy.
 */
export const RESTORE = frozen({ restored: "restored", fallback: "fallback", fresh: "fresh" } as const);
/** The outcome of a restore: the newest checkpoint, the one before it, or none. */
export type RestoreStatus = keyof typeof RESTORE;

/**
 * Milliseconds, and those for each byte, for which a checkpoint that comes from elsewhere keeps others from reading, and least ones from a save
 * to one that ends a checkpoint that comes, or that is read.
 */
const BUSY_MS = 5000;
const BUSY_MS_PER_BYTE = 4;
/**
 * Least milliseconds from the last save to one for a copy, and from the last checkpoint from elsewhere to the next, unless the interval is
 * shorter or one came so early already.
 */
const COPY_MS = 10_000;

const TAKE_ANY = () => true;

/** The outcome of a save. The number is its code on the wire. */
export const SAVE_STATUS = frozen({
  /** it is kept */
  kept: 0,
  /** it came too soon after the one before, by `waitMs` */
  early: 1,
  /** the flash failed to keep it */
  failed: 2,
  /** there is nowhere to keep it */
  nowhere: 3,
} as const);
/** One of `SAVE_STATUS`. */
export type SaveStatus = (typeof SAVE_STATUS)[keyof typeof SAVE_STATUS];

/** Options of a store. */
export interface CheckpointStoreOptions {
  /** Identifies the meaning of the bytes, 16 hex digits: a checkpoint of another schema isn't loaded. */
  readonly schema: string;
  /** Bytes of a checkpoint, a multiple of 4. */
  readonly length: number;
  /** Least milliseconds from the start, or from the last save, to a save; default 0. One that comes earlier is refused. */
  readonly intervalMs?: number;
}

/** Bytes of a checkpoint for that layout: its state and counters. */
export function checkpointBytes(layout: Layout): number {
  return 4 * (layout.state + layout.counters);
}

/** Bytes of flash that checkpoints of that layout take: two slots, each of whole sectors. */
export function storeBytes(layout: Layout, sectorBytes = SECTOR_BYTES): number {
  return 2 * slotBytes(checkpointBytes(layout), sectorBytes);
}

function slotBytes(length: number, sectorBytes: number): number {
  return Math.ceil((HEADER_BYTES + length) / sectorBytes) * sectorBytes;
}

function checkBlock({ bytes, sectorBytes, programBytes }: BlockDevice, length: number): void {
  if (![1, 2, 4].includes(programBytes)) {
    throw new OptionError("checkpoint store", "programBytes", programBytes, "1, 2 or 4");
  }
  if (!(sectorBytes > 0) || sectorBytes % PAGE_BYTES !== 0) {
    throw new OptionError("checkpoint store", "sectorBytes", sectorBytes, `a multiple of ${PAGE_BYTES}`);
  }
  const takes = 2 * slotBytes(length, sectorBytes);
  if (bytes < takes) {
    const message = `checkpoint store: got ${bytes} bytes of flash; a checkpoint of ${length} bytes takes ${takes}`;
    throw new OptionError("checkpoint store", "bytes", bytes, `${takes}`, message);
  }
}

/**
 * The options in a slot's form. Throws an OptionError that names the option, what it got and what it takes.
 */
function resolvedSchema({ schema, length, intervalMs = 0 }: CheckpointStoreOptions): Schema {
  const high = Number(`0x${schema.slice(0, 8)}`);
  const low = Number(`0x${schema.slice(8)}`);
  if (schema.length !== 16 || Number.isNaN(high + low)) {
    throw new OptionError("checkpoint store", "schema", schema, "16 hex digits");
  }
  if (!Number.isInteger(length) || length < 0 || length % 4 !== 0) {
    throw new OptionError("checkpoint store", "length", length, "a multiple of 4");
  }
  if (!(intervalMs >= 0)) {
    throw new OptionError("checkpoint store", "intervalMs", intervalMs, "a number >= 0");
  }
  return { high, low, length };
}

/**
 * Keeps the last checkpoint and the one before, each in a half of a block. A save goes to the half that doesn't hold
 * the newest whole one, which is read again first, so that a power cut at any erase or program leaves that one as it was.
 * It hands over bytes only if their CRC-32, version, schema and length are right.
 *
 * `load` only reads, unless a cut has left something in doubt: then it makes firm what it hands over, and discards a later save that
 * isn't whole, so that no later start finds it otherwise.
 *
 * Wear: a slot's header counts the erases of that slot. Where a cut came between an erase and the header after it, the
 * other slot's count stands in, which is off by at most one for each such cut. Nothing is allocated after construction.
 */
export class CheckpointStore {
  /** Saves kept. */
  saved = 0;
  /** Saves refused because they came too early. */
  early = 0;
  /** Saves that the flash failed to keep. */
  failed = 0;
  /** The outcome of the last save. */
  lastSave: SaveStatus = SAVE_STATUS.kept;
  /** The meaning of the bytes. */
  readonly schema: Schema;
  // Not an array: taking two elements of one apart allocates.
  private readonly first: Slot;
  private readonly second: Slot;
  /** Takes a checkpoint from elsewhere, for `load`. */
  readonly intake: CheckpointIntake;
  /** Reads the newest checkpoint, for a copy. */
  readonly reader: CheckpointReader;
  private readonly intervalMs: number;
  /** When the last save was due: the time of the attempt, or later if it came before its turn. */
  last: number;
  /** The same for the last checkpoint from elsewhere that went to flash. */
  lastIntake: number;
  /** The slot of the checkpoint that this start found, or saved last. */
  kept: Slot | undefined;

  /** Throws an OptionError that says what doesn't fit, or which option is wrong. */
  constructor(
    block: BlockDevice,
    options: CheckpointStoreOptions,
    /** The clock of the least time between two saves. */
    readonly clock: {
      /** Milliseconds. */
      now(): number;
    },
    crc: Checksum = new Crc32(),
  ) {
    const schema = resolvedSchema(options);
    this.schema = schema;
    checkBlock(block, options.length);
    const half = Math.floor(block.bytes / block.sectorBytes / 2) * block.sectorBytes;
    const page = new Page();
    this.first = new Slot(block, 0, schema, crc, page);
    this.second = new Slot(block, half, schema, crc, page);
    this.intervalMs = options.intervalMs ?? 0;
    this.last = this.lastIntake = clock.now();
    this.estimateLostCycles();
    this.kept = this.newestWhole();
    this.intake = new CheckpointIntake(this, page, crc);
    this.reader = new CheckpointReader(this, page);
  }

  /** The slots are erased in turn: one whose count is lost was erased about as often as the other. */
  private estimateLostCycles(): void {
    const { first: a, second: b } = this;
    if (!a.known) a.cycles = b.cycles;
    if (!b.known) b.cycles = a.cycles;
  }

  /** Erases of the slot that was erased most. */
  get cycles(): number {
    const { first: a, second: b } = this;
    return Math.max(a.cycles, b.cycles);
  }

  /** How a node would start now. */
  get status(): RestoreStatus {
    const newest = this.newestWhole();
    if (newest === undefined) return RESTORE.fresh;
    return this.isLater(this.otherThan(newest), newest) ? RESTORE.fallback : RESTORE.restored;
  }

  /** True if a slot holds a save that isn't whole or isn't sound, and that may have been begun after that checkpoint. */
  private isLater({ content, known, generation }: Slot, newest: Slot): boolean {
    const isBad = content === CONTENT.broken || content === CONTENT.unsound;
    return isBad && (!known || newer(generation, newest.generation));
  }

  /** The reason for `status`, in words. */
  get reason(): string {
    const { status } = this;
    if (status === RESTORE.restored) return "the newest checkpoint is whole";
    const refused = this.first.content === CONTENT.unsound || this.second.content === CONTENT.unsound;
    if (status === RESTORE.fallback)
      return refused
        ? "a later save holds a state that no such node can have: the checkpoint before it is used"
        : "a later save isn't whole: the checkpoint before it is used";
    if (refused) return "the flash holds a state that no such node can have";
    const { first: a, second: b } = this;
    if (a.content === CONTENT.schema || b.content === CONTENT.schema)
      return "the flash holds checkpoints of another learner or other options";
    if (a.content === CONTENT.version || b.content === CONTENT.version)
      return "the flash holds checkpoints of another format";
    if (a.content === CONTENT.blank && b.content === CONTENT.blank) return "no checkpoint was ever saved";
    return "no save in the flash is whole";
  }

  /**
   * Fills `checkpoint` with the newest whole checkpoint, and checks the bytes in it. `fresh`: none of this length exists, and nothing
   * changed. Undefined: none could be read whole, and the content of `checkpoint` is undefined.
   * @param isSound whether `checkpoint`, as it was filled, holds a state that a node takes; one that doesn't counts as broken.
   */
  load(checkpoint: Uint8Array, isSound = TAKE_ANY): RestoreStatus | undefined {
    if (checkpoint.length !== this.schema.length) return RESTORE.fresh;
    this.intake.cancel();
    let newest = this.newestWhole();
    if (newest === undefined) {
      this.resolveDoubt(this.first);
      this.resolveDoubt(this.second);
      return RESTORE.fresh;
    }
    for (; newest !== undefined; newest = this.newestWhole()) {
      this.kept = newest;
      if (!this.take(newest, checkpoint) || !newest.takes(isSound())) continue;
      this.resolveDoubt(this.otherThan(newest), newest);
      return this.status;
    }
    return undefined;
  }

  /** Copies the payload, and sees to it that later starts find it, too, if the flash can be written. Returns whether it was whole. */
  private take(slot: Slot, into: Uint8Array): boolean {
    if (!slot.isInDoubt) return slot.read(into);
    return slot.secure(into) || slot.content === CONTENT.whole;
  }

  /** Discards a save that isn't whole but may read so the next time, unless it is older than that checkpoint. */
  private resolveDoubt(slot: Slot, newest?: Slot): void {
    const isLater = newest ? this.isLater(slot, newest) : slot.known && slot.content === CONTENT.broken;
    if (isLater && slot.isInDoubt) slot.discard(this.nextGeneration());
  }

  /**
   * Fills `checkpoint` with the one before the newest, and discards the newest, so that a restart resumes from there too:
   * `fallback`. `fresh`: none is older than the newest, and nothing changed. If it can't be read or made firm, or the newest not be
   * discarded, returns the result of `load`.
   */
  rollback(checkpoint: Uint8Array, isSound = TAKE_ANY): RestoreStatus | undefined {
    this.intake.cancel();
    const newest = this.newestWhole();
    const before = this.otherThan(newest);
    if (
      newest === undefined ||
      before.inspect() !== CONTENT.whole ||
      !newer(newest.generation, before.generation) ||
      checkpoint.length !== this.schema.length
    )
      return RESTORE.fresh;
    // A save that was cut may have begun to erase it.
    if (!before.secure(checkpoint) || !before.takes(isSound()) || !newest.discard(this.nextGeneration()))
      return this.load(checkpoint, isSound);
    this.kept = before;
    return RESTORE.fallback;
  }

  /**
   * Saves the bytes. False if they came too early, have another length or couldn't be saved: then the
   * checkpoint before stays. While a checkpoint comes from elsewhere, or is read, a save is too early until the one before is `busyMs` old,
   * whatever the peer does. `isForCopy`: the peer reads it next, so it may come 10 s after the one before; then the next save comes two
   * intervals after that one at the earliest.
   */
  save(checkpoint: Uint8Array, isForCopy = false): boolean {
    if ((isForCopy ? this.waitFor(Math.min(this.intervalMs, COPY_MS)) : this.waitMs) > 0) {
      this.early++;
      this.lastSave = SAVE_STATUS.early;
      return false;
    }
    this.intake.cancel();
    // A save for a copy takes the next one's turn, so that a peer that asks again and again can't wear the flash.
    this.last = Math.max(this.clock.now(), this.last + this.intervalMs);
    const kept = checkpoint.length === this.schema.length && this.write(checkpoint);
    if (kept) this.saved++;
    else this.failed++;
    this.lastSave = kept ? SAVE_STATUS.kept : SAVE_STATUS.failed;
    return kept;
  }

  /** Milliseconds until a save isn't too early. */
  get waitMs(): number {
    return this.waitFor(this.intervalMs);
  }

  /** Milliseconds within which a checkpoint comes from elsewhere, or is read. */
  get busyMs(): number {
    return BUSY_MS + BUSY_MS_PER_BYTE * this.schema.length;
  }

  /** Milliseconds until a save is due with that interval. */
  private waitFor(intervalMs: number): number {
    const isBusy = this.intake.isOpen || this.reader.isOpen;
    const least = isBusy ? Math.max(intervalMs, this.busyMs) : intervalMs;
    return Math.max(0, least - (this.clock.now() - this.last));
  }

  /**
   * True if an image from elsewhere may go to flash now, as often as a save for a copy: then it takes the next one's turn, and no save's.
   * @param intervalMs milliseconds between two turns; default: those between two saves.
   */
  takesTurn(intervalMs = this.intervalMs): boolean {
    const now = this.clock.now();
    if (now - this.lastIntake < Math.min(intervalMs, COPY_MS)) return false;
    this.lastIntake = Math.max(now, this.lastIntake + intervalMs);
    return true;
  }

  private write(checkpoint: Uint8Array): boolean {
    const slot = this.target();
    if (!slot.write(checkpoint, this.nextGeneration())) return false;
    this.kept = slot;
    return true;
  }

  /** The slot with the newest whole checkpoint, as it was read or written last. */
  newestWhole(): Slot | undefined {
    const { first: a, second: b } = this;
    if (b.content === CONTENT.whole && (a.content !== CONTENT.whole || newer(b.generation, a.generation)))
      return b;
    return a.content === CONTENT.whole ? a : undefined;
  }

  /** The slot with the newest header, whole or not. */
  private newestKnown(): Slot | undefined {
    const { first: a, second: b } = this;
    if (b.known && (!a.known || newer(b.generation, a.generation))) return b;
    return a.known ? a : undefined;
  }

  private otherThan(slot: Slot | undefined): Slot {
    return slot === this.first ? this.second : this.first;
  }

  /**
   * The slot that a save may erase: not the newest whole one, as it reads now. If neither can be read, not the one
   * that this start kept, as it may be readable again.
   */
  target(): Slot {
    let newest = this.newestWhole();
    while (newest !== undefined && !newest.holds()) newest = this.newestWhole();
    return this.otherThan(newest ?? this.kept ?? this.newestKnown());
  }

  /** One more than the newest that has begun, so that the two saves in the flash differ in it. */
  nextGeneration(): number {
    const newest = this.newestKnown();
    return newest === undefined ? 1 : (newest.generation + 1) >>> 0;
  }
}
