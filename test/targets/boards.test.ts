import { readdirSync, readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BOARDS, TARGETS } from "../../targets/boards.ts";
import { boardFiles, withBoards } from "../../tools/dev/boards-text.ts";

test("a board's files are what npm run build:boards writes, and its folder holds nothing else", () => {
  const files = boardFiles();
  assert.is(Object.keys(files).length, 2 * TARGETS.length);
  for (const [path, content] of Object.entries(files))
    assert.equal(JSON.parse(readFileSync(path, "utf8")), JSON.parse(JSON.stringify(content)), path);
  for (const target of TARGETS)
    assert.equal(readdirSync(`targets/${target}`).sort(), ["board.json", "manifest.json"], target);
});

test("the guide to flashing lists every board", () => {
  const guide = readFileSync("docs/flash.md", "utf8");
  assert.ok(guide.includes("`nrf52840` (nRF52840)"));
  assert.ok(withBoards(guide) === guide, "its boards are stale: npm run build:boards");
});

test("the usual sensor and the wire of a board are on pins that it has, and on different ones", () => {
  for (const target of TARGETS) {
    const { pins, sensor, wire }: (typeof BOARDS)[typeof target] = BOARDS[target];
    assert.ok((pins.analog as readonly number[]).includes(sensor), `${target}: pin ${sensor}`);
    for (const { transmit, receive } of [wire.debug, wire.release]) {
      assert.is(new Set([sensor, transmit, receive]).size, 3, target);
      assert.ok((pins.output as readonly number[]).includes(transmit), `${target}: pin ${transmit}`);
    }
  }
});

test.run();
