import { test } from "uvu";
import * as assert from "uvu/assert";
import { sizedBytes } from "../../src/learn/traits.ts";
import { minimumBytes } from "../../targets/emulator/programs/minimum.ts";
import { subjects } from "../../targets/emulator/programs/subjects.ts";
import { expansion, PUBLISHED } from "../learn/memory-words.ts";

/** Those that a budget sizes: where an option gives the bytes, the numbers follow from these. */
const BUDGETED = subjects().filter(
  ({ family, given }) => sizedBytes(family, { ...given, dimension: 8 }) === undefined,
);

for (const { name } of BUDGETED) {
  test(`${name}: the least bytes equal its numbers'`, () => {
    for (const [d, m] of [
      [8, 64],
      [3, 20],
    ]) {
      // With rates of wrong labels an expansion counts what labels said, and has a linear part.
      const more = /^(olk-c|projectron|nogd)\/sources$/.test(name) ? 1 + (d + 1) : 0;
      const balance = name.endsWith("/balanced") ? 69 : 0;
      const words = PUBLISHED[name.replace(/\/(sources|balanced)$/, "")];
      assert.is(minimumBytes(name, d, m), 4 * (words?.(d, m) + more + balance), `d=${d}, budget=${m}`);
    }
  });
}

test("a node's least bytes grow with the budget as its learner's", () => {
  // Dimension 9: three statistics of each of three channels.
  assert.is(
    minimumBytes("node", 8, 64) - minimumBytes("node", 8, 20),
    4 * (expansion(9, 64) - expansion(9, 20)),
  );
});

test("a budget whose rows have padding is refused", () => {
  assert.throws(() => minimumBytes("olk-c", 8, 63), /budget: got 63; takes a multiple of 4/);
});

test.run();
