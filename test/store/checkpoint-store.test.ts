import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { Layout } from "../../src/memory/layout.ts";
import { checkpointImage } from "../../src/store/checkpoint-image.ts";
import { CheckpointStore, checkpointBytes, storeBytes } from "../../src/store/checkpoint-store.ts";
import { newer } from "../../src/store/slot.ts";
import * as fc from "../properties.ts";
import { wrappingClock } from "../start/wrapping-clock.ts";
import { CUT_KINDS, EmulatedFlash, PowerCut } from "./emulated-flash.ts";
import { FAULT_KINDS, liveOn } from "./flash-faults.ts";

const LENGTH = 700;
const SCHEMA = "0123456789abcdef";
const CLOCK = { now: () => 0 };

function storeOn(flash: EmulatedFlash, schema = SCHEMA, length = LENGTH): CheckpointStore {
  return new CheckpointStore(flash, { schema, length }, CLOCK);
}

function drawBytes(seed: number): Uint8Array {
  const random = new Random(seed, "checkpoint");
  return Uint8Array.from({ length: LENGTH }, () => random.below(256));
}

function loaded(store: CheckpointStore): { status: string | undefined; bytes: Uint8Array } {
  const bytes = new Uint8Array(LENGTH).fill(7);
  return { status: store.load(bytes), bytes };
}

/** Flash that holds checkpoints `first` and `first + 1`. */
function flashWithTwo(first: number, seed = 0): EmulatedFlash {
  const flash = EmulatedFlash.ofSectors(2, seed);
  const store = storeOn(flash);
  assert.ok(store.save(drawBytes(first)));
  assert.ok(store.save(drawBytes(first + 1)));
  return flash;
}

/** Words of the slot's header, and a function that repairs their check after a change. */
function editHeader(flash: EmulatedFlash, slot: number, edit: (words: Uint32Array) => void): void {
  const bytes = flash.contents.subarray((slot * flash.bytes) / 2);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, 16);
  const crc = new Crc32();
  edit(words);
  const sum = crc.crc32(bytes, 0, 28, 0);
  words[7] = sum;
  words[8] = crc.crc32(bytes, 64, 64 + LENGTH, sum);
}

test("the CRC is that of ISO 3309", () => {
  const crc = new Crc32();
  const digits = Uint8Array.from("123456789", (digit) => digit.charCodeAt(0));
  assert.is(crc.crc32(digits, 0, 9, 0), 0xcbf43926);
  assert.is(crc.crc32(digits, 4, 9, crc.crc32(digits, 0, 4, 0)), 0xcbf43926, "in two parts");
  assert.is(crc.crc32(digits, 3, 3, 0), 0);
});

test("a store returns the newest checkpoint, on this flash and after a restart", () => {
  const flash = EmulatedFlash.ofSectors(2);
  const store = storeOn(flash);
  assert.is(store.status, "fresh");
  assert.match(store.reason, /no checkpoint was ever saved/);
  for (let i = 0; i < 9; i++) {
    assert.ok(store.save(drawBytes(i)));
    assert.equal(loaded(store), { status: "restored", bytes: drawBytes(i) });
    assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(i) });
  }
  assert.is(store.saved, 9);
  assert.equal(flash.erases, [5, 4], "the slots wear in turn");
  assert.is(storeOn(flash).cycles, 5);
});

test("a checkpoint of another learner, length or format isn't loaded, and is named", () => {
  const flash = flashWithTwo(1);
  const untouched = new Uint8Array(LENGTH).fill(7);
  const other = storeOn(flash, "0123456789abcdee");
  assert.equal(loaded(other), { status: "fresh", bytes: untouched });
  assert.match(other.reason, /another learner or other options/);
  assert.is(storeOn(flash, SCHEMA, LENGTH - 4).status, "fresh");
  assert.is(storeOn(flash).load(new Uint8Array(LENGTH - 4)), "fresh");
  for (const slot of [0, 1]) {
    editHeader(flash, slot, (words) => {
      words[1]++;
    });
  }
  assert.equal(loaded(storeOn(flash)), { status: "fresh", bytes: untouched });
  assert.match(storeOn(flash).reason, /another format/);
});

test("a learner flashed over another takes the slot of the other's older checkpoint first", () => {
  const flash = flashWithTwo(1);
  const other = storeOn(flash, "00000000ffffffff");
  assert.ok(other.save(drawBytes(8)));
  assert.equal(loaded(storeOn(flash, "00000000ffffffff")), { status: "restored", bytes: drawBytes(8) });
  assert.equal(
    loaded(storeOn(flash)),
    { status: "restored", bytes: drawBytes(2) },
    "the first is flashed back",
  );
});

test("flipped bits never make it load anything but the newest whole checkpoint, and it says which", () => {
  const clean = flashWithTwo(1);
  const used = 64 + LENGTH;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.nat({ max: used - 1 }), fc.integer({ min: 1, max: 255 })), {
        minLength: 1,
        maxLength: 6,
      }),
      (flips) => {
        const flash = clean.restarted();
        for (const [last, at, mask] of flips) flash.contents[(last ? 4096 : 0) + at] ^= mask;
        const [first, second] = [0, 1].map((slot) => content(flash, slot) === content(clean, slot));
        const found = second ? drawBytes(2) : first ? drawBytes(1) : new Uint8Array(LENGTH).fill(7);
        const header = flash.contents.subarray(0, 32).join() === clean.contents.subarray(0, 32).join();
        // A header that can't be read may belong to a later save.
        const status = second ? (header ? "restored" : "fallback") : first ? "fallback" : "fresh";
        assert.equal(loaded(storeOn(flash)), { status, bytes: found });
      },
    ),
    { numRuns: 3000 },
  );
});

/** The part of a slot that its CRCs cover. */
function content({ contents }: EmulatedFlash, slot: number): string {
  const bytes = contents.subarray(4096 * slot);
  return `${bytes.subarray(0, 36).join()} ${bytes.subarray(64, 64 + LENGTH).join()}`;
}

test("any bytes at all in the flash are taken for no checkpoint", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 300 }), fc.nat({ max: 8191 - 300 }), (noise, at) => {
      const flash = EmulatedFlash.ofSectors(2);
      flash.contents.set(noise, at);
      const store = storeOn(flash);
      assert.is(store.status, "fresh");
      assert.ok(store.save(drawBytes(4)));
      assert.ok(store.save(drawBytes(5)));
      assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(5) });
    }),
    { numRuns: 300 },
  );
});

test("generations continue after 2^32 - 1, and no two saves in the flash have the same", () => {
  const flash = flashWithTwo(1);
  for (const slot of [0, 1]) {
    editHeader(flash, slot, (words) => {
      words[4] = 0xfffffffd + slot;
    });
  }
  for (let i = 3; i < 8; i++) {
    assert.is(storeOn(flash).status, "restored");
    assert.ok(storeOn(flash).save(drawBytes(i)));
    assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(i) });
    const generations = [0, 4096].map((at) => new DataView(flash.contents.buffer).getUint32(at + 16, true));
    assert.is.not(generations[0], generations[1]);
  }
});

test("a save that comes before the interval is refused and counted, after a start too", () => {
  let now = 5000;
  const flash = EmulatedFlash.ofSectors(2);
  const options = { schema: SCHEMA, length: LENGTH, intervalMs: 1000 };
  const store = new CheckpointStore(
    flash,
    options,
    wrappingClock(() => now),
  );
  const save = (at: number) => {
    now = at;
    return store.save(drawBytes(at));
  };
  assert.equal([5000, 5999, 6000, 6001, 6999, 7000].map(save), [false, false, true, false, false, true]);
  assert.is(store.early, 4);
  assert.is(store.saved, 2);
  assert.equal(flash.erases, [1, 1]);
});

test("whoever asks for a checkpoint to copy at every moment wears the flash no more than the interval allows", () => {
  let now = 0;
  const flash = EmulatedFlash.ofSectors(2);
  const store = new CheckpointStore(
    flash,
    { schema: SCHEMA, length: LENGTH, intervalMs: 600_000 },
    { now: () => now },
  );
  const saves: number[] = [];
  for (; now < 3_600_000; now += 1000) {
    if (store.save(drawBytes(now), true)) saves.push(now / 1000);
    store.save(drawBytes(now));
  }
  assert.equal(saves, [10, 610, 1210, 1810, 2410, 3010]);
  assert.is(store.saved, 6);
  assert.equal(flash.erases, [3, 3]);
});

test("a save for a copy comes sooner once, and the next save comes so much later", () => {
  let now = 0;
  const options = { schema: SCHEMA, length: LENGTH, intervalMs: 600_000 };
  const store = new CheckpointStore(EmulatedFlash.ofSectors(2), options, { now: () => now });
  const save = (at: number, isForCopy = false) => {
    now = 1000 * at;
    return store.save(drawBytes(at), isForCopy);
  };
  assert.ok(save(600));
  assert.ok(save(700, true));
  assert.is(store.waitMs, 1_100_000);
  assert.equal([save(1300), save(1200, true), save(1799)], [false, false, false]);
  assert.ok(save(1800));
  assert.ok(save(2500, true), "a copy long after the last save takes no later one's place");
  assert.is(store.waitMs, 600_000);
});

/** A store whose clock the test sets, and how a peer that means harm uses it. */
function attacked(intervalMs: number) {
  const flash = EmulatedFlash.ofSectors(2);
  const clock = { at: 0, now: () => clock.at };
  const store = new CheckpointStore(flash, { schema: SCHEMA, length: LENGTH, intervalMs }, clock);
  const part = new Uint32Array(16);
  const part8 = new Uint8Array(1);
  const saves: number[] = [];
  let images = 0;
  const attack = {
    read: () => store.reader.begin(true) && store.reader.read(0, part, 16) === 16,
    /** Sends the first page of another checkpoint. */
    send: () => {
      const image = checkpointImage(SCHEMA, drawBytes(++images));
      store.intake.begin(image.length, images, images);
      return store.intake.write(0, image, 300);
    },
    /** Sends one more byte of it. */
    trickle: () => store.intake.write(store.intake.received, part8, 1),
  };
  /** An hour in which the node tries to save each second, after the peer did its worst. */
  const anHour = (worst: () => void) => {
    for (clock.at = 0; clock.at < 3_600_000; clock.at += 1000) {
      worst();
      if (store.save(drawBytes(clock.at))) saves.push(clock.at / 1000);
    }
    return saves;
  };
  return { clock, flash, store, attack, anHour };
}

test("whoever reads the newest checkpoint at every moment holds no save off beyond its interval", () => {
  const { attack, anHour } = attacked(600_000);
  assert.equal(
    anHour(() => attack.read()),
    [600, 1200, 1800, 2400, 3000],
  );
});

test("where checkpoints may be closer than a read takes, one that never ends holds each save off for its time, and no longer", () => {
  const { attack, anHour } = attacked(1000);
  let reads = 0;
  const saves = anHour(() => (reads += Number(attack.read())));
  assert.ok(reads > 3500);
  assert.is(saves[0], 1);
  assert.ok(
    saves.every((at, i) => i === 0 || at - saves[i - 1] <= 8),
    `${saves}`,
  );
});

test("whoever sends checkpoints at every moment wears the flash as copies do, and holds no save off beyond its interval", () => {
  const { attack, flash, anHour } = attacked(600_000);
  let kept = 0;
  const saves = anHour(() => (kept += Number(attack.send())));
  assert.equal(saves, [600, 1200, 1800, 2400, 3000]);
  assert.is(kept, 6, "at 10, 610, 1210, 1810, 2410 and 3010 s");
  assert.is(flash.erases[0] + flash.erases[1], 5 + 6);
});

test("a copy that was begun and isn't ended keeps others from reading for the time that a copy takes, and no longer", () => {
  const { attack, clock, store } = attacked(600_000);
  assert.is(store.load(new Uint8Array(LENGTH)), "fresh");
  clock.at = 600_000;
  assert.ok(store.save(drawBytes(1)));
  for (; clock.at < 4_200_000; clock.at += 100) {
    if (!attack.send()) attack.trickle();
    if (attack.read()) continue;
    const from = clock.at;
    while (!attack.read()) {
      attack.trickle();
      clock.at += 100;
    }
    assert.ok(clock.at - from <= 5000 + 4 * LENGTH + 100, `from ${from} to ${clock.at}`);
    assert.not(store.intake.isOpen);
    assert.not(attack.trickle(), "it has to begin again");
  }
});

test("two checkpoints from elsewhere may follow each other, as after a wrong one; the next comes so much later", () => {
  const { attack, clock } = attacked(600_000);
  const at = (seconds: number) => {
    clock.at = 1000 * seconds;
    return attack.send();
  };
  assert.equal([9, 700, 709, 710, 720, 1300, 1309, 1310].map(at), [
    ...[false, true, false, true, false, false, false, true],
  ]);
});

test("a flash that fails is noticed, and keeps what it had", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  flash.broken = true;
  assert.not(store.save(drawBytes(3)));
  assert.equal(loaded(store), { status: "restored", bytes: drawBytes(2) });
  flash.broken = false;
  flash.stuck = 100;
  assert.not(store.save(drawBytes(3)), "a bit that doesn't program is found by reading back");
  assert.is(store.failed, 2);
  assert.equal(loaded(storeOn(flash)), { status: "fallback", bytes: drawBytes(2) });
  flash.stuck = undefined;
  assert.ok(store.save(drawBytes(4)));
  assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(4) });
});

test("a rollback hands over the checkpoint before the newest, and a restart finds the same", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  const bytes = new Uint8Array(LENGTH);
  assert.is(store.rollback(bytes), "fallback");
  assert.equal(bytes, drawBytes(1));
  assert.equal(loaded(storeOn(flash)), { status: "fallback", bytes: drawBytes(1) });
  const untouched = bytes.fill(9).slice();
  assert.is(store.rollback(bytes), "fresh", "none lies before it");
  assert.equal(bytes, untouched);
  assert.ok(store.save(drawBytes(3)));
  assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(3) });
  assert.is(store.rollback(new Uint8Array(LENGTH - 4)), "fresh");
});

test("after a rollback that can't be made, the newest checkpoint is restored", () => {
  const bytes = new Uint8Array(LENGTH);
  const rotten = flashWithTwo(1);
  const store = storeOn(rotten);
  rotten.contents[64 + 9] ^= 1;
  assert.is(store.rollback(bytes), "fresh", "the one before isn't whole any more");
  assert.equal(bytes, new Uint8Array(LENGTH));
  const fixed = flashWithTwo(1);
  fixed.broken = true;
  assert.is(storeOn(fixed).rollback(bytes), "restored", "the newest can't be discarded");
  assert.equal(bytes, drawBytes(2));
  const turning = flashWithTwo(1);
  const halfRead = storeOn(turning);
  const { read } = turning;
  turning.read = (at, into) => read.call(turning, at, into) && (at !== 64 || into.fill(5) === into);
  assert.is(halfRead.rollback(bytes), "restored", "the one before is read otherwise than it was checked");
  assert.equal(bytes, drawBytes(2));
});

for (const kind of CUT_KINDS) {
  test(`a ${kind} cut in a rollback leaves the newest checkpoint or the one before`, () => {
    for (let seed = 0; seed < 100; seed++) {
      const flash = flashWithTwo(1, seed);
      flash.cutAfter(0, kind);
      assert.throws(() => storeOn(flash).rollback(new Uint8Array(LENGTH)));
      const { status, bytes } = loaded(storeOn(flash.restarted()));
      assert.equal(bytes, drawBytes(status === "restored" ? 2 : 1));
      assert.is.not(status, "fresh");
    }
  });
}

/** Flash with checkpoints 1 and 2, where a cut left one bit of the second's seal in doubt, and how it reads from now on. */
function doubtful(): { flash: EmulatedFlash; reads: (asSaved: boolean) => void } {
  const flash = flashWithTwo(1);
  const [at, bit] = [4096 + 32, flash.contents[4096 + 32] ^ 0xff];
  flash.contents.fill(0xff, 4096 + 36, 4096 + 40);
  let read = (_into: Uint8Array, _place: number) => {};
  const { read: clean, program, erase } = EmulatedFlash.prototype;
  let isInDoubt = true;
  flash.read = (offset, into) => {
    const isRead = clean.call(flash, offset, into);
    if (isInDoubt && at >= offset && at < offset + into.length) read(into, at - offset);
    return isRead;
  };
  flash.program = (offset, from) => {
    isInDoubt &&= offset > at || offset + from.length <= at;
    return program.call(flash, offset, from);
  };
  flash.erase = (offset) => {
    isInDoubt &&= offset !== 4096;
    return erase.call(flash, offset);
  };
  const reads = (asSaved: boolean) => {
    read = (into, place) => {
      if (!asSaved) into[place] |= bit & -bit;
    };
  };
  return { flash, reads };
}

test("a save whose seal a cut left in doubt is kept by all later starts, or by none", () => {
  for (const asSaved of [true, false]) {
    const { flash, reads } = doubtful();
    reads(asSaved);
    const found = asSaved
      ? { status: "restored", bytes: drawBytes(2) }
      : { status: "fallback", bytes: drawBytes(1) };
    assert.equal(loaded(storeOn(flash)), found);
    const { operations } = flash;
    for (const later of [!asSaved, asSaved, !asSaved]) {
      reads(later);
      assert.equal(loaded(storeOn(flash)), found);
    }
    assert.is(flash.operations, operations, "the first start settles it, the others only read");
  }
});

test("a rollback never leads to a save that is newer than what was loaded, though it reads as whole by now", () => {
  for (const isWritten of [true, false]) {
    const { flash, reads } = doubtful();
    reads(false);
    flash.broken = !isWritten;
    const store = storeOn(flash);
    assert.equal(loaded(store), { status: "fallback", bytes: drawBytes(1) });
    reads(true);
    const bytes = new Uint8Array(LENGTH);
    assert.is(store.rollback(bytes), "fresh");
    assert.equal(bytes, new Uint8Array(LENGTH));
    assert.equal(loaded(storeOn(flash)).bytes, drawBytes(isWritten ? 1 : 2));
  }
});

test("a start after a whole save, and one after a rollback, only read", () => {
  const flash = flashWithTwo(1);
  let { operations } = flash;
  for (let start = 0; start < 3; start++) assert.is(loaded(storeOn(flash)).status, "restored");
  assert.is(flash.operations, operations);
  assert.is(storeOn(flash).rollback(new Uint8Array(LENGTH)), "fallback");
  ({ operations } = flash);
  for (let start = 0; start < 3; start++) assert.is(loaded(storeOn(flash)).status, "fallback");
  assert.is(flash.operations, operations);
});

test("a checkpoint of firmware that programmed no proof is restored, and gets one at the first start", () => {
  const flash = flashWithTwo(1);
  for (const at of [36, 4096 + 36]) flash.contents.fill(0xff, at, at + 4);
  assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(2) });
  assert.equal(flash.contents.slice(4096 + 36, 4096 + 40), flash.contents.slice(4096 + 32, 4096 + 36));
  const { operations } = flash;
  assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(2) });
  assert.is(flash.operations, operations);
});

test("what is handed over was checked itself: a slot that reads otherwise later is passed over", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  flash.contents[4096 + 64 + 100] ^= 1;
  assert.equal(loaded(store), { status: "fallback", bytes: drawBytes(1) });
  flash.contents[64 + 100] ^= 1;
  assert.is(store.load(new Uint8Array(LENGTH)), undefined, "the given buffer may hold anything");
  assert.equal(loaded(store), { status: "fresh", bytes: new Uint8Array(LENGTH).fill(7) });
});

test("an unreadable newest slot gives the one before", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  flash.faults.unreadable = new Map([[1, "refused"]]);
  assert.equal(loaded(store), { status: "fallback", bytes: drawBytes(1) });
  assert.equal(loaded(storeOn(flash)), { status: "fallback", bytes: drawBytes(1) });
});

test("a save spares the last checkpoint that still reads as whole", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  flash.contents[4096 + 64 + 100] ^= 1;
  flash.cutAfter(1, "atomic");
  assert.throws(() => store.save(drawBytes(3)));
  assert.equal(loaded(storeOn(flash.restarted())), { status: "restored", bytes: drawBytes(1) });
});

test("a save is numbered after the one before it, though neither slot can be read any more", () => {
  const flash = flashWithTwo(1);
  const store = storeOn(flash);
  flash.faults.unreadable = new Map([
    [0, "refused"],
    [1, "refused"],
  ]);
  assert.not(store.save(drawBytes(3)));
  flash.faults.unreadable = undefined;
  assert.equal(loaded(storeOn(flash)), { status: "restored", bytes: drawBytes(3) });
});

for (const [what, kind] of Object.entries(FAULT_KINDS)) {
  test(`power cuts where ${what}: nothing wrongly taken, nothing lost`, () => {
    assert.is(liveOn(kind, 700, 2).cuts, 700);
  });
}

test("wear is what the flash saw, give or take one for each cut between an erase and the header after it", () => {
  const random = new Random(3, "wear");
  let flash = EmulatedFlash.ofSectors(2);
  let lost = 0;
  for (let round = 0; round < 300; round++) {
    const store = storeOn(flash);
    const at = random.below(24);
    flash.cutAfter(at, random.below(2) ? "torn" : "atomic");
    try {
      for (let i = 0; i < 3; i++) store.save(drawBytes(i));
    } catch (error) {
      assert.instance(error, PowerCut);
      // A save is an erase, a header, four pages of payload, a seal and its proof.
      if (at % 8 < 2) lost++;
    }
    flash = flash.restarted();
    const most = Math.max(...flash.erases);
    const counted = storeOn(flash).cycles;
    assert.ok(Math.abs(counted - most) <= lost + 1, `${counted} counted, ${most} erases`);
  }
  assert.ok(Math.max(...flash.erases) > 3 * lost);
});

test("the flash that checkpoints take is known from the layout", () => {
  const layout = (words: number) =>
    new Layout([
      { name: "a", kind: "state", words },
      { name: "b", kind: "counters", words: 1 },
      { name: "c", kind: "scratch", words: 5000 },
    ]);
  assert.is(checkpointBytes(layout(10)), 44);
  assert.is(storeBytes(layout(1007)), 8192, "64 bytes of header and 4032 of payload fill a sector");
  assert.is(storeBytes(layout(1008)), 16384);
  assert.is(storeBytes(layout(1008), 8192), 16384);
  const full = EmulatedFlash.ofSectors(2);
  const store = new CheckpointStore(full, { schema: SCHEMA, length: 4032 }, CLOCK);
  const bytes = new Uint8Array(4032).fill(3);
  assert.ok(store.save(bytes));
  assert.ok(store.save(bytes));
  assert.is(storeOn(full, SCHEMA, 4032).load(new Uint8Array(4032)), "restored");
});

test("a generation is newer than those before it, modulo 2^32, and not than itself", () => {
  for (const [a, b, is] of [
    [1, 0, true],
    [0, 1, false],
    [5, 5, false],
    [0, 0xffffffff, true],
    [0xffffffff, 0, false],
    [0x80000000, 1, true],
  ] as const) {
    assert.is(newer(a, b), is, `${a} after ${b}`);
  }
});

test("a save erases, programs what is begun, then the payload, the seal, and last its proof", () => {
  const flash = EmulatedFlash.ofSectors(4);
  const done: string[] = [];
  const { erase, program } = EmulatedFlash.prototype;
  flash.erase = (at) => done.push(`erase ${at}`) > 0 && erase.call(flash, at);
  flash.program = (at, from) =>
    done.push(`program ${from.length} at ${at}`) > 0 && program.call(flash, at, from);
  const store = storeOn(flash, SCHEMA, 5000);
  const bytes = new Uint8Array(5000).fill(9);
  const written = (at: number) => [
    `erase ${at}`,
    `erase ${at + 4096}`,
    `program 32 at ${at}`,
    `program 5000 at ${at + 64}`,
    `program 4 at ${at + 32}`,
    `program 4 at ${at + 36}`,
  ];
  for (const at of [0, 8192, 0]) {
    assert.ok(store.save(bytes));
    assert.equal(done.splice(0), written(at));
  }
});

test("why there is no checkpoint is said of either slot", () => {
  const untouched = { ...loaded(storeOn(flashWithTwo(1), "0000000000000000")), status: "fresh" };
  for (const slot of [0, 1]) {
    for (const [edit, reason] of [
      [(words: Uint32Array) => words[1]++, /another format/],
      [(words: Uint32Array) => words[2]++, /another learner/],
      [(words: Uint32Array) => words[3]++, /another learner/],
      [(words: Uint32Array) => words[5]--, /another learner/],
    ] as const) {
      const flash = flashWithTwo(1);
      editHeader(flash, slot, edit);
      flash.contents.fill(0xff, (1 - slot) * 4096, (2 - slot) * 4096);
      assert.equal(loaded(storeOn(flash)), untouched);
      assert.match(storeOn(flash).reason, reason);
    }
    const flash = flashWithTwo(1);
    flash.contents[slot * 4096] ^= 1;
    flash.contents.fill(0xff, (1 - slot) * 4096, (2 - slot) * 4096);
    assert.match(storeOn(flash).reason, /no save in the flash is whole/);
  }
});

test("what doesn't fit or can't be is refused by name", () => {
  const make = (options: object, flash: object = EmulatedFlash.ofSectors(2)) => {
    const block = flash as EmulatedFlash;
    return () => new CheckpointStore(block, { schema: SCHEMA, length: LENGTH, ...options }, CLOCK);
  };
  assert.throws(make({ length: 4036 }), /got 8192 bytes of flash; a checkpoint of 4036 bytes takes 16384/);
  assert.throws(make({ length: 30 }), /option length: got 30; takes a multiple of 4/);
  make({ length: 0 })();
  for (const length of [-4, 2.5, Number.NaN]) assert.throws(make({ length }), /option length/);
  assert.throws(make({ schema: "0123456789abcdeg" }), /option schema/);
  assert.throws(make({ schema: "g123456789abcdef" }), /option schema/);
  assert.throws(make({ schema: "123" }), /option schema: got "123"; takes 16 hex digits/);
  assert.throws(make({ intervalMs: -1 }), /option intervalMs: got -1; takes a number >= 0/);
  const chip = { bytes: 65536, sectorBytes: 4096, programBytes: 16 };
  assert.throws(make({}, chip), /option programBytes: got 16; takes 1, 2 or 4/);
  for (const sectorBytes of [0, -256, Number.NaN]) {
    assert.throws(make({}, { ...chip, programBytes: 4, sectorBytes }), /option sectorBytes/);
  }
  for (const programBytes of [1, 2, 4])
    make({}, Object.assign(EmulatedFlash.ofSectors(2), { programBytes }))();
  for (const programBytes of [0, 3, 8]) {
    assert.throws(make({}, { ...chip, programBytes }), /option programBytes/);
  }
  assert.throws(
    make({}, { ...chip, programBytes: 4, sectorBytes: 100 }),
    /option sectorBytes: got 100; takes a multiple of/,
  );
});

test.run();
