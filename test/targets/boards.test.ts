import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { boardFiles, withBoards } from "../../dev/boards-text.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { BOARDS, TARGETS } from "../../targets/boards.ts";
import { firmwareManifest } from "../../tools/toolchain/firmware.ts";

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

interface Manifest {
  readonly include?: string | readonly string[];
  readonly config?: object;
}

/** Values of `over` in those of `under`, as the SDK merges configurations. */
function merged(under: object, over: object): object {
  const all: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const own = all[name];
    all[name] = own instanceof Object && value instanceof Object ? merged(own, value) : value;
  }
  return all;
}

/** The whole configuration of a manifest in `folder`: what it includes comes first, but for learners' own, which only name modules. */
function configIn({ include = [], config = {} }: Manifest, folder: string): object {
  const files = [include].flat().filter((file) => !/^\$\(|\/dist\/moddable\//.test(file));
  const before = files.map((file) =>
    readConfig(join(folder, file).replace(/^.*\/node_modules\/motelearn\//, "")),
  );
  return merged(before.reduce(merged, {}), config);
}

function readConfig(file: string): object {
  return configIn(JSON.parse(readFileSync(file, "utf8")), dirname(file));
}

/** An ESP32-C3's and an ESP32-S3's setup in the SDK shows a rainbow on their LED, 30 times a second, unless that is false. */
const DARK = { rainbow: false };

test("no firmware of ours leaves the SDK's rainbow on a board's LED", () => {
  for (const target of TARGETS) {
    const { led } = readConfig(`targets/${target}/manifest.json`) as { led?: object };
    assert.equal(led, DARK, target);
    const node = { sid: 1, channels: 1, learner: familyNamed("olk-c") as Family, options: {} };
    const { most: creation } = BOARDS[target];
    const options = {
      target,
      node,
      creation,
      periodMs: 1000,
      checkpointMs: 0,
      include: [],
      wire: "uart" as const,
    };
    const made = firmwareManifest(process.cwd(), "firmware", options);
    assert.equal((configIn(made, "firmware") as { led?: object }).led, DARK, `flash --target ${target}`);
  }
  assert.equal((readConfig("examples/own-sensor/manifest.json") as { led?: object }).led, DARK);
});

test.run();
