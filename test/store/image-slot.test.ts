import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { ImageSlot, imageIn } from "../../src/store/image-slot.ts";
import { IMAGE_STATUS, type Image } from "../../src/store/paged-image.ts";
import { EmulatedFlash, PowerCut } from "./emulated-flash.ts";

const SECTORS = 6;
const BLOCK = 68;

function contents(bytes: number, seed = 1): Uint8Array {
  const random = new Random(seed, "image");
  return Uint8Array.from({ length: bytes }, () => random.below(256));
}

function describe(bytes: Uint8Array, selfTest = 7): Image {
  return { bytes: bytes.length, crc: new Crc32().crc32(bytes, 0, bytes.length, 0), selfTest };
}

/** Sends blocks until the slot takes no more; how many bytes were sent. */
function send(slot: ImageSlot, bytes: Uint8Array, blocks = Number.POSITIVE_INFINITY): number {
  let sent = 0;
  for (let i = 0; i < blocks && slot.status === IMAGE_STATUS.coming; i++) {
    const block = bytes.subarray(slot.received, slot.received + BLOCK);
    sent += block.length;
    slot.write(slot.received, block, block.length);
  }
  return sent;
}

function holds(flash: EmulatedFlash, bytes: Uint8Array): boolean {
  return Buffer.compare(flash.contents.subarray(0, bytes.length), bytes) === 0;
}

test("an image is whole once every byte lies in the slot, whatever its length", () => {
  for (const length of [1, 255, 256, 4095, 4096, 4097, 12_345, 4096 * (SECTORS - 1)]) {
    const bytes = contents(length);
    const flash = EmulatedFlash.ofSectors(SECTORS);
    flash.contents.fill(0x5a);
    const slot = new ImageSlot(flash);
    assert.is(slot.status, IMAGE_STATUS.none);
    slot.begin(describe(bytes));
    assert.is(send(slot, bytes), length);
    assert.equal([slot.status, slot.received], [IMAGE_STATUS.whole, length]);
    assert.ok(holds(flash, bytes));
    assert.equal(imageIn(flash), describe(bytes));
  }
});

test("the boot record is secured before the slot is touched, once a start; where it can't be, nothing is", () => {
  const bytes = contents(5000);
  const flash = EmulatedFlash.ofSectors(SECTORS);
  const operations: number[] = [];
  const record = (secures: boolean) => ({
    secure: () => {
      operations.push(flash.operations);
      return secures;
    },
  });
  const slot = new ImageSlot(flash);
  slot.begin(describe(bytes), record(false));
  assert.equal([slot.status, flash.operations], [IMAGE_STATUS.failed, 0]);
  slot.begin(describe(bytes), record(true));
  assert.equal([slot.status, operations], [IMAGE_STATUS.coming, [0, 0]]);
  send(slot, bytes, 3);
  slot.begin(describe(bytes), record(true));
  assert.is(operations.length, 2);
  send(slot, bytes);
  assert.is(slot.status, IMAGE_STATUS.whole);
});

test("power cut anywhere, torn or not: the image resumes at the sector being written, and ends whole", () => {
  const bytes = contents(3 * 4096 + 1000);
  for (const kind of ["atomic", "torn"] as const) {
    for (let cut = 0; cut < 70; cut++) {
      let flash = EmulatedFlash.ofSectors(SECTORS);
      flash.cutAfter(cut, kind);
      let reached = 0;
      const slot = new ImageSlot(flash);
      try {
        slot.begin(describe(bytes));
        send(slot, bytes);
      } catch (error) {
        if (!(error instanceof PowerCut)) throw error;
        reached = slot.received;
      }
      flash = flash.restarted();
      const again = new ImageSlot(flash);
      again.begin(describe(bytes));
      const resent = send(again, bytes);
      assert.is(again.status, IMAGE_STATUS.whole, `${kind} cut ${cut}`);
      assert.ok(holds(flash, bytes));
      assert.ok(
        resent <= bytes.length - reached + 4096 + BLOCK,
        `${kind} cut ${cut}: ${resent} bytes sent again`,
      );
    }
  }
});

test("a hundred cuts, one a start, and the image still ends whole", () => {
  const bytes = contents(4 * 4096 + 77);
  const random = new Random(3, "cuts");
  let flash = EmulatedFlash.ofSectors(SECTORS);
  for (let start = 0; ; start++) {
    const slot = new ImageSlot(flash);
    if (start < 100) flash.cutAfter(random.below(25), random.below(2) === 0 ? "atomic" : "torn");
    try {
      slot.begin(describe(bytes));
      send(slot, bytes);
      assert.is(slot.status, IMAGE_STATUS.whole);
      break;
    } catch (error) {
      if (!(error instanceof PowerCut)) throw error;
      flash = flash.restarted();
    }
  }
  assert.ok(holds(flash, bytes));
});

test("an image that is resumed keeps its description, though a cut left a bit of it in doubt", () => {
  const bytes = contents(9000);
  for (let seed = 0; seed < 60; seed++) {
    let flash = EmulatedFlash.ofSectors(SECTORS, seed);
    flash.cutAfter(1, "faint");
    assert.throws(() => new ImageSlot(flash).begin(describe(bytes)));
    flash = flash.restarted();
    const slot = new ImageSlot(flash);
    slot.begin(describe(bytes));
    send(slot, bytes);
    assert.is(slot.status, IMAGE_STATUS.whole);
    for (let reads = 0; reads < 20; reads++) assert.equal(imageIn(flash), describe(bytes), `seed ${seed}`);
  }
});

test("another image than the one that was coming begins at its first byte", () => {
  const [first, second] = [contents(9000, 1), contents(9000, 2)];
  const flash = EmulatedFlash.ofSectors(SECTORS);
  const slot = new ImageSlot(flash);
  slot.begin(describe(first));
  send(slot, first, 100);
  slot.begin(describe(second));
  assert.equal([slot.status, slot.received], [IMAGE_STATUS.coming, 0]);
  send(slot, second);
  assert.is(slot.status, IMAGE_STATUS.whole);
  slot.begin(describe(second));
  assert.equal([slot.status, slot.received], [IMAGE_STATUS.whole, 9000], "all of it is there already");
  slot.begin(describe(second, 8));
  assert.is(slot.received, 0, "the same bytes with another self-test are another image");
});

test("whoever begins the same image again and again, or asks for impossible ones between, has nothing erased for it", () => {
  const bytes = contents(9000);
  const flash = EmulatedFlash.ofSectors(SECTORS);
  const slot = new ImageSlot(flash);
  const update = { ...describe(bytes) };
  slot.begin(update);
  for (let i = 0; slot.status === IMAGE_STATUS.coming; i++) {
    slot.begin({ bytes: slot.room + 1, crc: i, selfTest: 0 });
    assert.is(slot.status, IMAGE_STATUS.tooLong);
    slot.begin(describe(bytes));
    assert.is(slot.status, IMAGE_STATUS.coming);
    send(slot, bytes, 1);
  }
  Object.assign(update, { bytes: 1, crc: 2 });
  assert.is(slot.status, IMAGE_STATUS.whole, "the record of a message is filled in anew by the next");
  for (let i = 0; i < 5; i++) {
    slot.begin(describe(bytes));
    assert.is(slot.status, IMAGE_STATUS.whole);
  }
  assert.equal([...flash.erases], [1, 1, 1, 0, 0, 1]);
  assert.ok(holds(flash, bytes));
});

test("an image whose turn hasn't come is early, and the one that comes can be begun again where it is; resuming one takes no turn", () => {
  const [first, second] = [contents(9000, 1), contents(9000, 2)];
  const flash = EmulatedFlash.ofSectors(SECTORS);
  let turns = 1;
  const options = { takesTurn: () => turns-- > 0 };
  const slot = new ImageSlot(flash, undefined, options);
  slot.begin(describe(first));
  assert.is(slot.status, IMAGE_STATUS.coming);
  send(slot, first, 70);
  for (let i = 0; i < 5; i++) {
    slot.begin(describe(second));
    assert.is(slot.status, IMAGE_STATUS.early);
    slot.begin(describe(first));
    assert.equal([slot.status, slot.received], [IMAGE_STATUS.coming, 70 * BLOCK]);
  }
  const again = new ImageSlot(flash, undefined, options);
  again.begin(describe(second));
  assert.is(again.status, IMAGE_STATUS.early);
  again.begin(describe(first));
  assert.equal([again.status, again.received], [IMAGE_STATUS.coming, 4096]);
  send(again, first);
  assert.is(again.status, IMAGE_STATUS.whole);
  assert.equal([...flash.erases], [1, 2, 1, 0, 0, 1]);
});

test("bytes that aren't the image's are damaged, and aren't resumed", () => {
  const bytes = contents(5000);
  const flash = EmulatedFlash.ofSectors(SECTORS);
  const slot = new ImageSlot(flash);
  slot.begin(describe(bytes));
  const other = bytes.slice();
  other[4500] ^= 1;
  send(slot, other);
  assert.is(slot.status, IMAGE_STATUS.damaged);
  slot.begin(describe(bytes));
  assert.equal([slot.status, slot.received], [IMAGE_STATUS.coming, 0]);
});

test("a chunk out of turn is not taken: the slot reports a gap, and ignores a repeated chunk", () => {
  const bytes = contents(5000);
  const slot = new ImageSlot(EmulatedFlash.ofSectors(SECTORS));
  assert.not(slot.write(0, bytes, 10), "none was begun");
  slot.begin(describe(bytes));
  assert.ok(slot.write(0, bytes, 100));
  assert.not(slot.write(101, bytes, 10));
  assert.ok(slot.write(0, bytes, 100));
  assert.is(slot.received, 100);
});

test("an image of no bytes, or longer than the slot less its journal, is refused", () => {
  const slot = new ImageSlot(EmulatedFlash.ofSectors(SECTORS));
  assert.is(slot.room, 4096 * (SECTORS - 1));
  for (const bytes of [0, slot.room + 1, 2 ** 32 - 1]) {
    slot.begin({ bytes, crc: 0, selfTest: 0 });
    assert.equal([slot.status, slot.received], [IMAGE_STATUS.tooLong, 0]);
  }
});

test("a cell that is worn out, or a chip that takes nothing, is reported after three tries", () => {
  const bytes = contents(9000).fill(1);
  const flash = EmulatedFlash.ofSectors(SECTORS);
  flash.stuck = 4096 + 300;
  const slot = new ImageSlot(flash);
  slot.begin(describe(bytes));
  send(slot, bytes);
  assert.equal([slot.status, slot.received], [IMAGE_STATUS.failed, 4096]);
  const broken = EmulatedFlash.ofSectors(SECTORS);
  broken.broken = true;
  const none = new ImageSlot(broken);
  none.begin(describe(bytes));
  assert.is(none.status, IMAGE_STATUS.failed);
});

test.run();
