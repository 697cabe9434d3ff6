import { Crc32 } from "../../../src/math/crc32.ts";
import type { FirmwareSlots } from "../../../src/node/ports.ts";
import type { BlockDevice } from "../../../src/store/block-device.ts";

/** A part of a flash as a device of its own. */
class Partition implements BlockDevice {
  constructor(
    private readonly flash: BlockDevice,
    private readonly first: number,
    private readonly sectors: number,
  ) {}

  get bytes(): number {
    return this.sectors * this.sectorBytes;
  }
  get sectorBytes(): number {
    return this.flash.sectorBytes;
  }
  get programBytes(): number {
    return this.flash.programBytes;
  }
  private at(offset: number): number {
    return this.first * this.sectorBytes + offset;
  }
  read(offset: number, into: Uint8Array): boolean {
    return this.flash.read(this.at(offset), into);
  }
  erase(offset: number): boolean {
    return this.flash.erase(this.at(offset));
  }
  program(offset: number, from: Uint8Array): boolean {
    return this.flash.program(this.at(offset), from);
  }
}

/** The states of a slot in otadata, as ESP-IDF's `esp_ota_img_states_t` has them. */
const STATE = { new: 0, pending: 1, valid: 2, invalid: 3, aborted: 4 } as const;

interface Entry {
  readonly sequence: number;
  readonly state: number;
}

/** The slot that an entry of that sequence starts. */
const sequenceSlot = (sequence: number) => (sequence - 1) % 2;
const slotSequence = (slot: number) => slot + 1;

/** The board starts again. */
export class Restart extends Error {}

const OTADATA = 2;
/** An erased word. */
const UNWRITTEN = 0xffffffff;

/**
 * Two slots of firmware in an emulated flash, with ESP-IDF's bootloader (`bootloader_utility.c`, with
 * rollback): two entries of otadata, whose sequences tell the slot, odd for the first; the highest sequence that isn't invalid or aborted starts, of
 * equal ones the first entry's; new firmware is on trial, and what was on trial when the board restarted is aborted. It verifies an image before
 * it starts it, and passes over one that isn't whole.
 */
export class EmulatedSlots implements FirmwareSlots {
  readonly idle: BlockDevice;
  readonly running: BlockDevice;
  readonly checkpoints: BlockDevice;
  /** Number of the slot that runs. */
  readonly number: number;
  private readonly crc = new Crc32();
  /** The running firmware's entry, as the bootloader read or wrote it; sequence 0: there is none. */
  private index = 0;
  private sequence = 0;
  private state: number = STATE.valid;

  /**
   * Starts the board: selects the firmware to run.
   * @param isWhole verifies the image in a slot, as the bootloader does by its hash; default: none is damaged.
   */
  constructor(
    private readonly flash: BlockDevice,
    private readonly slotSectors: number,
    checkpointSectors: number,
    private readonly isWhole: (slot: BlockDevice, number: number) => boolean = () => true,
  ) {
    this.number = this.choose();
    this.running = this.slot(this.number);
    this.idle = this.slot(1 - this.number);
    this.checkpoints = new Partition(flash, OTADATA + 2 * slotSectors, checkpointSectors);
  }

  static sectors(slotSectors: number, checkpointSectors: number): number {
    return OTADATA + 2 * slotSectors + checkpointSectors;
  }

  slot(number: number): BlockDevice {
    return new Partition(this.flash, OTADATA + number * this.slotSectors, this.slotSectors);
  }

  trial(): boolean {
    return this.state === STATE.pending;
  }

  activate(): boolean {
    this.write(1 - this.index, 1 + (this.sequence || slotSequence(this.number)), STATE.new);
    return true;
  }

  secure(): boolean {
    if (this.sequence === 0 || this.trial()) return true;
    for (const index of [1 - this.index, this.index]) this.write(index, this.sequence, this.state);
    return true;
  }

  confirm(): boolean {
    this.change(STATE.valid);
    return true;
  }

  revert(): void {
    this.change(STATE.invalid);
    throw new Restart();
  }

  restart(): void {
    throw new Restart();
  }

  private choose(): number {
    for (;;) {
      const entries = [this.entry(0), this.entry(1)];
      const [first, second] = entries.map((entry) => this.rank(entry));
      if (first === 0 && second === 0) {
        this.sequence = 0;
        this.state = STATE.valid;
        return [0, 1].find((number) => this.isWhole(this.slot(number), number)) ?? 0;
      }
      const index = second > first ? 1 : 0;
      const { sequence, state } = entries[index] as Entry;
      this.index = index;
      this.sequence = sequence;
      this.state = state === STATE.new ? STATE.pending : state;
      if (state === STATE.new) this.write(index, sequence, STATE.pending);
      if (state !== STATE.pending) return sequenceSlot(sequence);
      this.write(index, sequence, STATE.aborted);
    }
  }

  /** The entry's sequence if its slot may start, else 0. */
  private rank(entry: Entry | undefined): number {
    if (!entry || entry.state >= STATE.invalid) return 0;
    const number = sequenceSlot(entry.sequence);
    return this.isWhole(this.slot(number), number) ? entry.sequence : 0;
  }

  private entry(index: number): Entry | undefined {
    const words = new Uint32Array(3);
    this.flash.read(index * this.flash.sectorBytes, new Uint8Array(words.buffer));
    const check = this.crc.crc32(new Uint8Array(words.buffer), 0, 8, 0);
    // As ESP-IDF has it: the check sum of a sequence that was never written is right, too.
    return words[2] === check && words[0] !== UNWRITTEN ? { sequence: words[0], state: words[1] } : undefined;
  }

  private change(state: number): void {
    this.sequence ||= slotSequence(this.number);
    this.write(this.index, this.sequence, state);
    this.state = state;
  }

  private write(index: number, sequence: number, state: number): void {
    const words = Uint32Array.of(sequence, state, 0);
    const bytes = new Uint8Array(words.buffer);
    words[2] = this.crc.crc32(bytes, 0, 8, 0);
    this.flash.erase(index * this.flash.sectorBytes);
    this.flash.program(index * this.flash.sectorBytes, bytes);
  }
}
