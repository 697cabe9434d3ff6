import { test } from "uvu";
import * as assert from "uvu/assert";
import { ATTACKS, Enemy } from "./forgery.ts";

test("4,500 forged frames at either end of a keyed line change nothing, and its session continues", () => {
  const enemy = new Enemy(1);
  enemy.attack(4500);
  for (const attack of ATTACKS) assert.is(enemy.tried.get(attack), 500, attack);
  assert.ok(enemy.recovers());
});

test("the same harness sees the frame of an enemy who has the key", () => {
  const enemy = new Enemy(2);
  enemy.attack(90);
  assert.ok(enemy.teachesWithTheKey());
});

test.run();
