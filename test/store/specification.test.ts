import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { copyText, makeCheckpoint } from "../../host-sim/state/copy-file.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { checkpointIn } from "../../src/store/checkpoint-image.ts";
import { CheckpointStore } from "../../src/store/checkpoint-store.ts";
import { HEADER_BYTES, HEADER_FIELDS } from "../../src/store/slot.ts";
import { NODE } from "../wire/ends.ts";
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

/** The keys of docs/spec/flash.md's table of a copy in a file. */
function copyKeys(): string[] {
  const chapter = SPECIFICATION.split("## A copy in a file")[1] ?? "";
  return [...chapter.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(
    ([, names]) => names.match(/\w+/g) ?? [],
  );
}

test("docs/spec/flash.md names each key of a copy in a file, and a checkpoint follows from it as the page says", () => {
  const node = loneNode(NODE);
  node.sample([1, 2, 3]);
  node.label({ number: 1, sid: NODE.sid, seq: 1, y: 1 });
  const copy = JSON.parse(copyText(node, {}));
  const named = copyKeys();
  assert.equal(
    Object.keys(copy).filter((key) => !named.includes(key)),
    [],
  );
  const words = new Uint32Array(Uint8Array.from(Buffer.from(copy.words, "base64")).buffer);
  assert.equal([...words.subarray(0, 3)], [copy.sid, copy.seq, copy.labelled]);
  words[3] = words[2];
  const held = checkpointIn(
    makeCheckpoint({ ...copy, words: new Uint32Array(node.checkpointView.slice().buffer) }),
  );
  assert.equal(held, { schema: copy.checkpoint, payload: new Uint8Array(words.buffer) });
});

test.run();
