import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Family, withBudget } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { BOARDS } from "../../targets/boards.ts";
import { footprint } from "../../targets/footprint.ts";
import { plannedNode } from "../../targets/planned-node.ts";
import { MEASURED } from "./measured.ts";

const MOST_MS = 60;
/**
 * Learners that take longer, which misses the goal. `krls-t`, which is a member of `auto-r`, keeps matrices of the budget's square for each of
 * several rates of forgetting; it is for small budgets. `olk-drift` has four functions that forget. The milliseconds of a label as counted,
 * and as planned with the width to be found.
 */
const LONGER: { readonly [learner: string]: { readonly counted?: number; readonly planned: number } } = {
  "olk-drift": { planned: 100 },
  "krls-t": { counted: 140, planned: 310 },
  "auto-r": { counted: 150, planned: 500 },
};

/** Instructions that a learner's label may take on an ESP32-C3. */
function mostCycles(name: string, by: "counted" | "planned"): number {
  return ((LONGER[name]?.[by] ?? MOST_MS) / 1000) * BOARDS.esp32c3.clockHz;
}

test("no label of any learner but two, and no step of a node that saves, was counted to take over 60 ms of an ESP32-C3 at d 8, budget 64", () => {
  const { chips } = JSON.parse(readFileSync("targets/emulator/counts.json", "utf8"));
  const counted = Object.entries(chips.rv32imac as Record<string, { longest?: number }>).filter(
    ([, { longest }]) => longest !== undefined,
  );
  assert.ok(counted.length > 50);
  for (const node of ["node", "wire"]) assert.ok(counted.some(([name]) => name === node));
  for (const [name, { longest = 0 }] of counted) {
    const most = mostCycles(name, "counted");
    assert.ok(longest <= most, `${name}: ${longest}, limit ${most}`);
  }
});

test("plan knows of no learner but three whose label takes over 60 ms of an ESP32-C3 at d 8, budget 64", () => {
  for (const family of MEASURED) {
    const options = withBudget(family, {}, 64);
    const node = { sid: 1, channels: 8, features: {}, learner: family, options };
    const { time } = footprint("esp32c3", plannedNode(node));
    assert.ok(time, family.name);
    const longest = Math.max(time.learn, time.width ?? 0);
    const most = mostCycles(family.name, "planned");
    assert.ok(longest <= most, `${family.name}: ${longest}, limit ${most}`);
  }
});

/** Learners that find a width and take `sources`, counted with them at the same size; plan's bound may be so many times the count. */
const CORRECTING = ["olk-c", "projectron"];
const LOOSE = 1.75;
const CHIPS = { rv32imac: "esp32c3", rv32imafc: "esp32", m4f: "nrf52840", m33: "pico2" } as const;

test("the label that finds a width corrects every input that waited: plan bounds what was counted with sources", () => {
  const { chips } = JSON.parse(readFileSync("targets/emulator/counts.json", "utf8"));
  for (const [chip, board] of Object.entries(CHIPS)) {
    for (const name of CORRECTING) {
      const family = FAMILIES.find((one) => one.name === name) as Family;
      const options = { ...withBudget(family, {}, 64), sources: [[0.3, 0.1]] };
      const node = { sid: 1, channels: 8, features: {}, learner: family, options };
      const { time } = footprint(board, plannedNode(node));
      const [sources] = time?.parts.filter(({ part }) => part === "sources") ?? [];
      const planned = (time?.width ?? 0) + sources.instructions;
      const counted = chips[chip][`${name}/sources`].longest;
      assert.ok(planned >= counted, `${name} on ${chip}: ${planned}, counted ${counted}`);
      assert.ok(planned <= LOOSE * counted, `${name} on ${chip}: ${planned}, counted ${counted}`);
    }
  }
});

test.run();
