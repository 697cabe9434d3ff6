import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { HEADER_BYTES, HEADER_FIELDS } from "../../src/store/slot.ts";
import { EmulatedFlash } from "./emulated-flash.ts";

const SPECIFICATION = readFileSync("docs/spec/flash.md", "utf8");

test("docs/spec/flash.md's table of a slot is the code's", () => {
  const rows = HEADER_FIELDS.map(
    ([name, what], i) => `| ${4 * i} | ${name === "magic" ? "4 bytes" : "u32"} | \`${name}\` | ${what} |`,
  );
  const used = 4 * HEADER_FIELDS.length;
  const table = [
    "| byte | type | field | what |",
    "|---:|---|---|---|",
    ...rows,
    `| ${used} | ${HEADER_BYTES - used} bytes | | erased: 0xff |`,
    `| ${HEADER_BYTES} | \`length\` bytes | payload | state, then counters, as they lie in memory |`,
  ].join("\n");
  assert.ok(SPECIFICATION.includes(table), `docs/spec/flash.md should have:\n${table}`);
});

test("docs/spec/flash.md's example of a slot is what a store writes", () => {
  const flash = EmulatedFlash.ofSectors(2);
  const store = new CheckpointStore(flash, { schema: "0011223344556677", length: 4 }, { now: () => 0 });
  assert.ok(store.save(Uint8Array.of(1, 2, 3, 4)));
  const hex = Array.from(flash.contents.subarray(0, 68), (byte) => byte.toString(16).padStart(2, "0"));
  const lines = Array.from({ length: 5 }, (_, i) => hex.slice(16 * i, 16 * i + 16).join(" "));
  assert.ok(SPECIFICATION.includes(lines.join("\n")), `docs/spec/flash.md should have:\n${lines.join("\n")}`);
});

test.run();
