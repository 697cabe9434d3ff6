import { test } from "uvu";
import * as assert from "uvu/assert";
import { liveThrough } from "./flash-lives.ts";

/** Power cuts of each of 25 flashes: `MOTELEARN_CUTS=4000 node dist/test/store/flash-lives.full.test.js` makes 100,000 in all. */
const CUTS = Number(process.env.MOTELEARN_CUTS ?? 200);

test(`${25 * CUTS} power cuts: nothing is lost but what is under way, and no bit in doubt changes its mind`, () => {
  let cuts = 0;
  for (let seed = 101; seed <= 125; seed++) cuts += liveThrough(CUTS, seed).cuts;
  assert.is(cuts, 25 * CUTS);
});

test.run();
