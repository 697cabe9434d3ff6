import { test } from "uvu";
import * as assert from "uvu/assert";
import { Enemy } from "./forgery.ts";

const ENEMIES = 10;
const ATTEMPTS = 120_000;

test("a million forged frames at either end of a keyed line change nothing, and its session continues", () => {
  for (let seed = 1; seed <= ENEMIES; seed++) {
    const enemy = new Enemy(seed);
    enemy.attack(ATTEMPTS);
    assert.ok(enemy.recovers(), `seed ${seed}`);
  }
});

test.run();
