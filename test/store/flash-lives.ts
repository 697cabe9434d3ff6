import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { Trial } from "../../src/start/trial.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import { checkpointImage } from "../../src/store/checkpoint-image.ts";
import { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { ImageSlot, imageIn } from "../../src/store/image-slot.ts";
import { IMAGE_STATUS, type Image, type PagedImage } from "../../src/store/paged-image.ts";
import { EmulatedSlots, Restart } from "../../targets/emulator/programs/firmware-slots.ts";
import { CUT_KINDS, EmulatedFlash, makeBytes, PowerCut } from "./emulated-flash.ts";

const SCHEMA = "0123456789abcdef";
const SLOT_SECTORS = 3;
const SELF_TEST = 5;
const crc = new Crc32();

/** The number whose bytes these are. */
function readNumber(bytes: Uint8Array): number {
  const number = new Uint32Array(bytes.buffer, bytes.byteOffset, 1)[0];
  assert.equal(bytes, makeBytes(number, bytes.length), "what is handed over is what was saved");
  return number;
}

function described(bytes: Uint8Array): Image {
  return { bytes: bytes.length, crc: crc.crc32(bytes, 0, bytes.length, 0), selfTest: SELF_TEST };
}

function makeImage(version: number): Uint8Array {
  return makeBytes(version, 4096 + 4 * (version % 900));
}

/** The version of the firmware that lies whole in a slot, as a boot loader that verifies images finds it; 0: none. */
function versionIn(slot: BlockDevice): number {
  const word = new Uint32Array(1);
  slot.read(0, new Uint8Array(word.buffer));
  const image = makeImage(word[0]);
  if (image.length > slot.bytes) return 0;
  const found = new Uint8Array(image.length);
  slot.read(0, found);
  return found.every((byte, i) => byte === image[i]) ? word[0] : 0;
}

/** What happened. */
export interface Lived {
  cuts: number;
  starts: number;
  saved: number;
  rolledBack: number;
  copied: number;
  updated: number;
  /** Starts that found a checkpoint which a cut had left in doubt, and made it firm; and those that discarded one. */
  secured: number;
  discarded: number;
}

/**
 * A board that lives on one flash: it starts, saves, rolls back, takes copies and firmware, and its power is cut at any erase or program,
 * those of starts among them. Numbers rise from save to save, so that each tells a state.
 */
class Board {
  readonly lived: Lived = {
    ...{ cuts: 0, starts: 0, saved: 0, rolledBack: 0, copied: 0, updated: 0, secured: 0, discarded: 0 },
  };
  private flash: EmulatedFlash;
  private readonly random: Random;
  private readonly length: number;
  private slots!: EmulatedSlots;
  private store!: CheckpointStore;
  private slot!: ImageSlot;
  private now = 0;
  private begun = 0;
  private versions = 1;
  /** The state that was said to be durable last; 0: none. Where the power was cut, what was under way may have taken its place. */
  private durable = 0;
  private underWay: number | undefined;
  /** States older than the durable one: a rollback may lead to one of these. */
  private readonly older = new Set<number>();
  /** The one that a rollback must lead to: it was durable, and nothing has touched it since; undefined: there may be none. */
  private before: number | undefined;
  /** The firmware that stays, and what was activated since. */
  private kept = 1;
  private running = 1;
  private readonly activated = new Set<number>();

  constructor(private readonly seed: number) {
    this.random = new Random(seed, "lives");
    this.length = seed % 3 === 0 ? 5000 : 300;
    const checkpoints = this.length > 4096 ? 4 : 2;
    this.flash = EmulatedFlash.ofSectors(EmulatedSlots.sectors(SLOT_SECTORS, checkpoints), seed);
    this.flash.contents.set(makeImage(1), 2 * 4096);
  }

  /** One life: from a start to the cut that ends it, or to a restart. */
  live(): void {
    const { random } = this;
    this.flash = this.flash.restarted();
    this.flash.cutAfter(
      random.below(4) === 0 ? random.below(6) : random.below(80),
      CUT_KINDS[random.below(4)],
    );
    try {
      this.start();
      for (let turns = random.below(6); turns > 0; turns--) this.turn();
    } catch (error) {
      if (error instanceof PowerCut) this.lived.cuts++;
      else if (!(error instanceof Restart)) throw error;
    }
  }

  private get what(): string {
    return `seed ${this.seed}, start ${this.lived.starts}`;
  }

  private start(): void {
    this.lived.starts++;
    this.boot();
    const { operations } = this.flash;
    const options = { schema: SCHEMA, length: this.length };
    this.store = new CheckpointStore(this.slots.checkpoints, options, { now: () => this.now });
    const isInDoubt = ["first", "second"].some((slot) => Reflect.get(this.store, slot).isInDoubt);
    const into = new Uint8Array(this.length);
    const status = this.store.load(into);
    assert.ok(
      isInDoubt || this.flash.operations === operations,
      `${this.what}: a start wrote without a doubt`,
    );
    this.reports(status === "fresh" ? 0 : readNumber(into));
    if (this.flash.operations === operations) return;
    this.lived[this.flash.operations - operations === 4 ? "discarded" : "secured"]++;
  }

  /** A start says that a state is durable: the last that was, or what was under way when the power was cut. */
  private reports(found: number): void {
    const allowed = this.underWay === undefined ? [this.durable] : [this.durable, this.underWay];
    assert.ok(allowed.includes(found), `${this.what}: found ${found}, not ${allowed.join(" or ")}`);
    this.settle(found);
  }

  private settle(state: number): void {
    if (state > this.durable) this.older.add(this.durable);
    this.durable = state;
    this.underWay = undefined;
    for (const other of this.older) if (other >= state) this.older.delete(other);
  }

  private boot(): void {
    const verified = [0, 0];
    const isWhole = (slot: BlockDevice, number: number) => {
      verified[number] = versionIn(slot);
      return verified[number] > 0;
    };
    const isSure = this.flash.isFirm(0, 2 * 4096);
    this.slots = new EmulatedSlots(this.flash, SLOT_SECTORS, this.length > 4096 ? 4 : 2, isWhole);
    const version = verified[this.slots.number];
    const { activated, kept } = this;
    assert.ok(version > 0, `${this.what}: half an image runs`);
    // A cut may have left the boot loader's own record in doubt: then it starts one or the other, whole.
    assert.ok(
      !isSure || version === kept || activated.has(version),
      `${this.what}: ${version} runs, not ${kept}`,
    );
    this.running = version;
    this.judge(version);
    this.slot = new ImageSlot(this.slots.idle, crc);
  }

  /** New firmware stays, or falls back: what its self-test should come to must be known. */
  private judge(version: number): void {
    const { slots } = this;
    const trial = new Trial(slots, { now: () => this.now });
    trial.judge(imageIn(slots.running, crc), this.random.below(4) === 0 ? 0 : SELF_TEST);
    if (trial.isOn) {
      assert.is(imageIn(slots.running, crc)?.selfTest, SELF_TEST, `${this.what}: the trial compared nothing`);
      trial.turn(true);
      this.activated.clear();
    }
    this.kept = version;
  }

  private turn(): void {
    this.now += 1_000_000;
    const what = this.random.below(8);
    if (what < 4) this.save();
    else if (what < 6) this.rollback();
    else if (what === 6) this.copy();
    else this.update();
  }

  private save(): void {
    const number = ++this.begun;
    this.begin(number);
    assert.ok(this.store.save(makeBytes(number, this.length)), this.what);
    this.lived.saved++;
    this.ends(number);
  }

  /** Something begins that leads to that state, and may cost the one before the durable one. */
  private begin(state: number | undefined): void {
    this.underWay = state;
    this.before = undefined;
  }

  /** A save or a copy was kept: the state before it still is. */
  private ends(state: number): void {
    if (this.durable > 0) this.before = this.durable;
    this.settle(state);
  }

  private rollback(): void {
    const into = new Uint8Array(this.length);
    const { before } = this;
    this.begin(before ?? Math.max(...this.older));
    const status = this.store.rollback(into);
    this.underWay = undefined;
    assert.ok(
      before === undefined || status === "fallback",
      `${this.what}: ${status}, not back to ${before}`,
    );
    if (status === "fresh") return;
    const found = readNumber(into);
    if (status === "restored") assert.is(found, this.durable, this.what);
    if (status === "restored") return;
    const isOlder = before === undefined ? this.older.has(found) : found === before;
    assert.ok(isOlder, `${this.what}: rolled back from ${this.durable} to ${found}`);
    this.lived.rolledBack++;
    this.settle(found);
  }

  /** Blocks of an image, all or the first of them; whether all came. */
  private send(to: PagedImage, bytes: Uint8Array): boolean {
    const { random } = this;
    const end = random.below(4) === 0 ? random.below(bytes.length) : bytes.length;
    while (to.status === IMAGE_STATUS.coming && to.received < end)
      to.write(
        to.received,
        bytes.subarray(to.received, to.received + 100),
        Math.min(100, bytes.length - to.received),
      );
    return to.status === IMAGE_STATUS.whole;
  }

  private copy(): void {
    const number = ++this.begun;
    const image = checkpointImage(SCHEMA, makeBytes(number, this.length));
    const { intake } = this.store;
    intake.begin(image.length, crc.crc32(image, 0, image.length, 0), number);
    this.begin(number);
    const isWhole = this.send(intake, image);
    if (!isWhole) this.underWay = undefined;
    if (!isWhole) return;
    const into = new Uint8Array(this.length);
    assert.is(this.store.load(into), "restored", this.what);
    assert.is(readNumber(into), number, this.what);
    this.lived.copied++;
    this.ends(number);
  }

  private update(): void {
    const { slot, slots, random } = this;
    if (slots.trial()) return;
    // Often the one that was coming.
    const version = this.versions > 1 && random.below(3) > 0 ? this.versions : ++this.versions;
    if (version === this.running) return;
    const bytes = makeImage(version);
    slot.begin(described(bytes), slots);
    if (slot.status !== IMAGE_STATUS.whole && !this.send(slot, bytes)) return;
    assert.is(versionIn(slots.idle), version, this.what);
    const at = 4096 * (2 + SLOT_SECTORS * (1 - slots.number));
    assert.ok(this.flash.isFirm(at, at + bytes.length), `${this.what}: an image in doubt is whole`);
    this.activated.add(version);
    slots.activate();
    this.lived.updated++;
    slots.restart();
  }
}

/** Lets a board live until its power was cut so often. Throws an AssertionError that names seed and start where anything is lost. */
export function liveThrough(cuts: number, seed: number): Lived {
  const board = new Board(seed);
  while (board.lived.cuts < cuts) board.live();
  return board.lived;
}
