import fs, { closeSync, openSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { writeText } from "../../host/files/write-text.ts";
import { makeFolder } from "../folder.ts";

const folder = makeFolder();

const { writeSync } = fs;

/** Runs `act` at a system that writes at most so many bytes at once, and on the last call fails as a full disk does. */
function onDiskWith(bytes: number, most: number, act: () => void): void {
  let left = bytes;
  fs.writeSync = ((descriptor: number, from: Buffer, at: number) => {
    if (left === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const part = from.subarray(at, at + Math.min(most, left));
    left -= part.length;
    return writeSync(descriptor, part);
  }) as typeof writeSync;
  syncBuiltinESMExports();
  try {
    act();
  } finally {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  }
}

function writtenOn(bytes: number, most: number, text: string): string {
  const path = join(folder, "text");
  const file = openSync(path, "w");
  try {
    onDiskWith(bytes, most, () => writeText(file, text));
  } finally {
    closeSync(file);
  }
  return readFileSync(path, "utf8");
}

test("a text that the system writes in parts is whole", () => {
  const text = "größe,1\n".repeat(100);
  assert.is(writtenOn(Number.POSITIVE_INFINITY, 7, text), text);
});

test("a disk with room for all but the end is an error, and not a file without its end", () => {
  assert.throws(() => writtenOn(95, 1000, "x".repeat(100)), /no space left/);
});

test.run();
