import { test } from "uvu";
import * as assert from "uvu/assert";
import { besiege, Fenced, portable, SETTINGS, savedStates } from "./hostile-states.ts";

const COUNT = Number(process.env.HOSTILE ?? 100);

for (const setting of SETTINGS) {
  test(`${setting.name} takes back what it saved`, () => {
    const one = new Fenced(setting, portable);
    for (const state of savedStates(setting)) assert.ok(one.load(state), one.fault);
  });

  test(`${setting.name} refuses a hostile state, or goes on within its memory in states that it could have saved`, () => {
    const { accepted, faults, refused } = besiege(setting, COUNT);
    assert.equal(faults.slice(0, 5), []);
    assert.ok(refused > 0 && accepted > 0, `${refused} refused, ${accepted} accepted`);
  });
}

test.run();
