import type { Flash } from "embedded:storage/flash";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { FlashPartition } from "../../targets/moddable/flash-partition.ts";
import { EmulatedFlash } from "./emulated-flash.ts";

const LENGTH = 5000;

function storeOn(block: ConstructorParameters<typeof CheckpointStore>[0]): CheckpointStore {
  return new CheckpointStore(block, { schema: "0123456789abcdef", length: LENGTH }, { now: () => 0 });
}

/** A partition as the ESP32's module of `embedded:storage/flash` gives it (modules/io/flash/esp32/flash-esp32.c). */
function openPartition(flash: EmulatedFlash): Flash {
  const check = (done: boolean) => {
    if (!done) throw new Error("failed");
  };
  return {
    close() {},
    eraseBlock(start, end = 0) {
      for (let sector = start; sector < end; sector++) check(flash.erase(sector * flash.sectorBytes));
    },
    read(buffer, byteOffset) {
      check(flash.read(byteOffset, buffer));
      return buffer.length;
    },
    write: (buffer, byteOffset) => check(flash.program(byteOffset, buffer)),
    status: () => ({
      size: flash.bytes,
      blockLength: flash.sectorBytes,
      blocks: flash.bytes / flash.sectorBytes,
    }),
  };
}

test("checkpoints outlive a restart in a partition of a Moddable device", () => {
  const flash = EmulatedFlash.ofSectors(5);
  const into = new Uint8Array(LENGTH);
  for (let i = 0; i < 4; i++) {
    const store = storeOn(new FlashPartition(openPartition(flash)));
    assert.is(store.load(into), i === 0 ? "fresh" : "restored");
    if (i > 0) assert.equal(into, new Uint8Array(LENGTH).fill(i - 1));
    assert.ok(store.save(new Uint8Array(LENGTH).fill(i)));
  }
  assert.equal(flash.erases, [2, 2, 2, 2, 0], "a slot begins at half of the whole sectors");
  flash.broken = true;
  assert.not(storeOn(new FlashPartition(openPartition(flash))).save(into), "what fails is said, not thrown");
});

test("the partition table has its partitions in order, in 4 MB, and whole sectors for two slots", () => {
  const folder = "targets/moddable";
  const rows = readFileSync(join(folder, "partitions.csv"), "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(",").map((cell) => cell.trim()));
  let end = 0x9000;
  for (const [name, type, , offset, size] of rows) {
    const unit = type === "app" ? 0x10000 : 0x1000;
    assert.is(Number(offset), unit * Math.ceil(end / unit), `${name} begins after the one before`);
    assert.is(Number(size) % unit, 0, name);
    assert.ok(name.length <= 15, "a label has 16 bytes, the last 0");
    end = Number(offset) + Number(size);
  }
  assert.ok(end <= 4 * 1024 * 1024, `${end} bytes`);
  const readSize = (wanted: string) => rows.find(([name]) => name === wanted)?.[4];
  assert.is(readSize("ota_0"), readSize("ota_1"), "an image that fits one slot fits the other");
  assert.equal(rows.find(([name]) => name === "xs")?.slice(1, 3), ["0x40", "1"], "as the SDK looks for mods");
  const [checkpoints] = rows.filter(([name]) => name === "checkpoints");
  assert.is(Number(checkpoints[4]) % (2 * 4096), 0);
});

test.run();
