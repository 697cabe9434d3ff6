import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { SLEEP_MEMORY_BYTES as SIMULATED } from "../../host-sim/network/sleep-memory.ts";
import { planBattery } from "../../targets/battery.ts";
import { BOARDS, type Board, SLEEP_MEMORY_BYTES } from "../../targets/boards.ts";

const boardPower = (target: "esp32" | "esp32c3" | "esp32s3") => BOARDS[target].power;

const near = (got: number, expected: number) =>
  assert.ok(Math.abs(got / expected - 1) < 1e-9, `${got}, ${expected}`);

test("a battery lasts as long as its charge at the average current", () => {
  const options = { mAh: 1000, periodMs: 60_000, wakeMs: 200, talkEvery: 10, talkMs: 1000 };
  const { awake, asleep } = planBattery(boardPower("esp32c3"), 1000, 50, options);
  near(awake.averageMa, 28);
  near(awake.days, 1000 / 28 / 24);
  near(awake.mJ, 3.3 * 28 * 60);
  assert.ok(asleep);
  const average = (28 * 350 + 0.005 * 59_650) / 60_000; // 200 to wake, 50 to compute, 1000 / 10 to talk
  near(asleep.averageMa, average);
  near(asleep.days, 1000 / average / 24);
  near(asleep.mJ, 3.3 * average * 60);
  assert.is(asleep.flashDays, undefined);
});

test("a state that RTC memory has no room for is saved, which takes time and wears the flash", () => {
  const options = { mAh: 1000, periodMs: 60_000 };
  const { asleep } = planBattery(boardPower("esp32"), 8000, 5, options);
  near(asleep!.saveMs, 2 * 70 + 0.8 * (2 + 32));
  near(asleep!.flashDays!, (200_000 * 60) / 86_400);
  assert.is(planBattery(boardPower("esp32"), 6840, 5, options).asleep!.saveMs, 0);
  assert.ok(planBattery(boardPower("esp32"), 6841, 5, options).asleep!.saveMs > 0);
});

test("a period too short to sleep in has no sleep", () => {
  assert.is(planBattery(boardPower("esp32s3"), 1000, 5, { mAh: 1000, periodMs: 2300 }).asleep, undefined);
  assert.ok(planBattery(boardPower("esp32s3"), 1000, 5, { mAh: 1000, periodMs: 2310 }).asleep);
});

test("every board that can sleep has its currents, and their source", () => {
  const boards: Board[] = Object.values(BOARDS);
  assert.is(boards.filter(({ power }) => power).length, 3);
  for (const { power } of boards) {
    if (!power) continue;
    assert.ok(power.awakeMa > 10 && power.asleepUa < 100);
    assert.match(power.source, /Datasheet v[\d.]+, Tables? [\d-]+/);
  }
});

test("the firmware, the plan and the simulator give a node the same memory for its sleep", () => {
  const [, bytes] =
    /RETAINED = (\d+) /.exec(readFileSync("targets/moddable/deep-sleep.c", "utf8").replace(";", " ")) ?? [];
  assert.is(Number(bytes), SLEEP_MEMORY_BYTES);
  assert.is(SIMULATED, SLEEP_MEMORY_BYTES);
});

test.run();
