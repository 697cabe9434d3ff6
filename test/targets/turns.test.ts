import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withBudget } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { BOARDS } from "../../targets/boards.ts";
import { footprint, plannedNode } from "../../targets/footprint.ts";

const MOST_MS = 60;
const MOST = (MOST_MS / 1000) * BOARDS.esp32c3.clockHz;
/** osKM's three rounds fit all its agents anew with each label: it may take less than this. */
const LONGER: { readonly [name: string]: number } = { oskm: 39e6 };
const limitOf = (name: string) => LONGER[name] ?? MOST;

/** Programs of a whole node, of which some steps save a checkpoint to a flash that is emulated, too. */
const NODES = ["node", "wire"];

test("no label of any learner was counted to take over 60 ms of an ESP32-C3 at d 8, budget 64", () => {
  const { chips } = JSON.parse(readFileSync("targets/emulator/counts.json", "utf8"));
  const counted = Object.entries(chips.rv32imac as Record<string, { longest?: number }>).filter(
    ([name, { longest }]) => longest !== undefined && !NODES.includes(name),
  );
  assert.ok(counted.length > 50);
  for (const [name, { longest = 0 }] of counted) {
    assert.ok(longest <= limitOf(name), `${name}: ${longest}, limit ${limitOf(name)}`);
  }
});

test("plan knows of no learner whose label takes over 60 ms of an ESP32-C3 at d 8, budget 64", () => {
  for (const family of FAMILIES) {
    const options = withBudget(family, {}, 64);
    const node = { sid: 1, channels: 8, features: {}, learner: family, options };
    const { time } = footprint("esp32c3", plannedNode(node));
    assert.ok(time, family.name);
    const longest = Math.max(time.learn, time.width ?? 0);
    assert.ok(longest <= limitOf(family.name), `${family.name}: ${longest}, limit ${limitOf(family.name)}`);
  }
});

test.run();
