import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAULT_KINDS, liveOn } from "./flash-faults.ts";

/** `MOTELEARN_CUTS=100000 node dist/test/store/flash-faults.full.test.js` takes as many of each kind. */
const CUTS = Number(process.env.MOTELEARN_CUTS ?? 40_000);

for (const [what, kind] of Object.entries(FAULT_KINDS)) {
  test(`${CUTS} power cuts where ${what}: nothing wrongly taken, nothing lost`, () => {
    const lives = liveOn(kind, CUTS, 1);
    assert.is(lives.cuts, CUTS);
    assert.ok(lives.saved > CUTS / 4, JSON.stringify(lives));
    assert.ok(lives.restored + lives.fallback > CUTS / 2, JSON.stringify(lives));
  });
}

test.run();
