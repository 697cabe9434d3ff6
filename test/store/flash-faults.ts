import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { CUT_KINDS, EmulatedFlash, type Faults, makeBytes, PowerCut } from "./emulated-flash.ts";

const LENGTH = 300;
const SLOT = 4096;
/** Erases and pages of a save. */
const OPERATIONS = 6;
const OPTIONS = { schema: "0123456789abcdef", length: LENGTH };
const CLOCK = { now: () => 0 };

/** Faults of the flash besides power cuts: before a start, and between a start and its saves. */
export interface FaultKind {
  readonly faults?: (random: Random) => Faults;
  readonly meanwhile?: (flash: EmulatedFlash, random: Random) => void;
}

export const FAULT_KINDS: { readonly [kind: string]: FaultKind } = {
  "bits that a cut left half done read as either": {},
  "bits rot between start and save": { meanwhile: rot },
  "single reads fail": { faults: () => ({ disturbedReads: true }) },
  "a slot can't be read from the start": { faults: (random) => ({ unreadable: unreadableSlot(random) }) },
  "a slot can't be read from some time on": {
    faults: () => ({ unreadable: new Map() }),
    meanwhile: (flash, random) => Object.assign(flash.faults, { unreadable: unreadableSlot(random) }),
  },
  "pages aren't programmed as the flash says": { faults: () => ({ badPages: 0.2 }) },
};

/** One of them in a life of three. */
function unreadableSlot(random: Random): Faults["unreadable"] {
  return new Map([[random.below(6), random.below(2) ? "refused" : "wrong"]]);
}

function rot({ contents }: EmulatedFlash, random: Random): void {
  if (random.below(3) === 0) return;
  const slot = SLOT * random.below(2);
  for (let bits = 1 + random.below(3); bits > 0; bits--)
    contents[slot + random.below(64 + LENGTH)] ^= 1 << random.below(8);
}

function readNumber(checkpoint: Uint8Array): number {
  return new Uint32Array(checkpoint.buffer, 0, 1)[0];
}

const crc = new Crc32();

/** The save that a slot holds whole, where it can be read, and reads as the same each time; 0: none. */
function heldBy(flash: EmulatedFlash, slot: number): number {
  const { contents } = flash;
  const [at, end] = [SLOT * slot, SLOT * slot + 64 + LENGTH];
  const words = new Uint32Array(contents.buffer, at, 17);
  const sum = crc.crc32(contents, at, at + 28, 0);
  if (words[7] !== sum || words[8] !== crc.crc32(contents, at + 64, end, sum)) return 0;
  return flash.isFirm(at, at + 36) && flash.isFirm(at + 64, end) ? words[16] : 0;
}

function newestHeld(flash: EmulatedFlash): number {
  return Math.max(heldBy(flash, 0), heldBy(flash, 1));
}

/** The outcome: saves, and the flash's state at starts. */
export interface Lives {
  cuts: number;
  saved: number;
  failed: number;
  restored: number;
  fallback: number;
  fresh: number;
}

/** Starts on the flash, which must hand over a checkpoint that was saved, whole, and none older than the newest held. */
function startOn(flash: EmulatedFlash, begun: number, lives: Lives): CheckpointStore {
  const held = newestHeld(flash);
  const store = new CheckpointStore(flash, OPTIONS, CLOCK);
  const checkpoint = new Uint8Array(LENGTH);
  const status = store.load(checkpoint) ?? "fresh";
  lives[status]++;
  if (status === "fresh") {
    assert.is(held, 0, `save ${held} isn't found`);
    // Were it to come back, nobody could tell whether it is older than what the fresh node saves.
    for (const sector of flash.faults.unreadable?.keys() ?? []) if (sector < 2) flash.erase(SLOT * sector);
    return store;
  }
  const found = readNumber(checkpoint);
  assert.equal(checkpoint, makeBytes(found, LENGTH), "what is handed over is what was saved");
  assert.ok(found >= held && found <= begun, `found ${found}, held ${held}`);
  return store;
}

/** Saves; whether the power was cut. The newest that was held still is, or a newer one. */
function saveOn(flash: EmulatedFlash, store: CheckpointStore, number: number, lives: Lives): boolean {
  const held = newestHeld(flash);
  let isCut = false;
  try {
    const saved = store.save(makeBytes(number, LENGTH));
    lives[saved ? "saved" : "failed"]++;
    if (saved) assert.is(newestHeld(flash), number, "a save that is said to be kept is");
  } catch (error) {
    if (!(error instanceof PowerCut)) throw error;
    lives.cuts++;
    isCut = true;
  }
  assert.ok(newestHeld(flash) >= held, `save ${number} lost ${held}`);
  return isCut;
}

/**
 * Lets nodes live on one flash, one after the other, until the power was cut so often within a save. Nothing may be taken
 * that wasn't saved, and nothing lost that a slot still held whole.
 */
export function liveOn({ faults, meanwhile }: FaultKind, cuts: number, seed: number): Lives {
  const random = new Random(seed, "lives");
  const lives: Lives = { cuts: 0, saved: 0, failed: 0, restored: 0, fallback: 0, fresh: 0 };
  let flash = EmulatedFlash.ofSectors(2, seed);
  let begun = 0;
  while (lives.cuts < cuts) {
    flash = flash.restarted();
    // A bad slot and bits in doubt together are two faults at once, which may cost a save.
    const firm = faults !== undefined || meanwhile !== undefined;
    Object.assign(flash.faults, { firm }, faults?.(random));
    const store = startOn(flash, begun, lives);
    meanwhile?.(flash, random);
    flash.cutAfter(random.below(2 * OPERATIONS), CUT_KINDS[random.below(CUT_KINDS.length)]);
    for (let saves = 0; saves < 3; saves++) if (saveOn(flash, store, ++begun, lives)) break;
  }
  checkSound(new EmulatedFlash(flash.contents), begun);
  return lives;
}

/** Once nothing is wrong any more, saves are kept. */
function checkSound(flash: EmulatedFlash, begun: number): void {
  const store = new CheckpointStore(flash, OPTIONS, CLOCK);
  for (let i = 1; i < 4; i++) {
    assert.ok(store.save(makeBytes(begun + i, LENGTH)));
    assert.is(newestHeld(flash), begun + i);
  }
}
