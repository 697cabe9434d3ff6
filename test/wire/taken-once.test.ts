import { test } from "uvu";
import * as assert from "uvu/assert";
import { TakenOnce } from "./taken-once.ts";

test("whoever records, replays, forges and interleaves frames has none taken twice and none of its own taken, and the line recovers", () => {
  const sum = { forged: 0, replayed: 0, welcomes: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const line = new TakenOnce(seed);
    for (let round = 0; round < 5; round++) {
      line.run(60);
      assert.ok(line.recovers(), `seed ${seed}, round ${round}`);
    }
    sum.forged += line.forged;
    sum.replayed += line.replayed;
    sum.welcomes += line.welcomes;
  }
  assert.ok(sum.forged > 3000 && sum.replayed > 5000 && sum.welcomes > 500, JSON.stringify(sum));
});

test.run();
