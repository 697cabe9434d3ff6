import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { BOARDS } from "../../targets/boards.ts";

const MOST_MS = 60;
const MOST = (MOST_MS / 1000) * BOARDS.esp32c3.clockHz;
/** osKM's three rounds fit all its agents anew with each label: what it took when the limit was set. It may take less. */
const LONGER: { readonly [name: string]: number } = { oskm: 33e6 };
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

test.run();
