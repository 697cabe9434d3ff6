import { test } from "uvu";
import * as assert from "uvu/assert";
import { liveThrough } from "./flash-lives.ts";

test("power cut anywhere in saves, rollbacks, copies, updates and starts: nothing is lost but what is under way, and no bit in doubt changes its mind", () => {
  for (let seed = 1; seed <= 6; seed++) {
    const lived = liveThrough(500, seed);
    for (const [what, count] of Object.entries(lived)) assert.ok(count > 0, `seed ${seed}: ${what} ${count}`);
  }
});

test.run();
