import { test } from "uvu";
import * as assert from "uvu/assert";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { type CandidateRules, candidatesFor } from "../../lab/choice/candidates.ts";
import type { BoardLimits } from "../../lab/choice/on-board.ts";
import { knownRanges } from "../../lab/choice/ranges.ts";
import { familyNamed } from "../../src/learn/registry.ts";

const SIZES = [1024, 2048, 4096, 8192, 16384, 32768, 65536];

/** What 40 samples of four features are searched with. */
function rulesFor(options: object, mustFit = false): CandidateRules {
  const labels = Float64Array.from({ length: 40 }, (_, i) => (i % 7 > 3 ? 1 : -1));
  const rows = Float32Array.from({ length: 160 }, (_, i) => (3 * i) % 7);
  const train = { rows, labels, dimension: 4, count: 40, source: "" };
  return {
    ...{ catalogue: Catalogue.shipped, train, task: "classification", mustFit },
    ...{ budgets: [16, 32], options: { ...options }, units: { distance: 2, labels: null } },
    ...{ features: {}, channels: 4, pendings: [64], limits: { target: "esp32c3" } as BoardLimits },
    known: knownRanges(train, "none", {}),
  };
}

/** Its candidates of `auto`. */
const listAutos = (wanted: CandidateRules) =>
  candidatesFor(wanted).candidates.filter(({ learner }) => learner === "auto");

test("auto is tried in each size, whatever the budgets: each is a choice of its own", () => {
  const sized = listAutos(rulesFor({})).filter(({ budget }) => budget === null);
  assert.equal([...new Set(sized.map(({ options }) => options.bytes))], SIZES);
  assert.is(new Set(sized.map(({ kind }) => kind)).size, SIZES.length);
  for (const { options } of sized) assert.not(Object.hasOwn(options, "budget"));
});

test("on a board only learners that flash takes are candidates: it refuses those whose costs weren't measured on its chip", () => {
  const limits = { target: "pico" } as const;
  const own = { ...familyNamed("pa")!, name: "own" };
  const catalogue = Catalogue.shipped.with({ learners: [own] }, "plugin");
  const short = { ...rulesFor({}, true), catalogue, limits };
  const { candidates, leftOut } = candidatesFor(short);
  assert.equal(
    candidates.filter(({ board }) => board.instructions === null),
    [],
  );
  const unmeasured = /^no costs of own were measured; .*build:costs -- own$/;
  assert.ok(leftOut.some(({ learner, why }) => learner === "own" && unmeasured.test(why)));
  const { candidates: all } = candidatesFor({ ...short, mustFit: false });
  assert.ok(all.some(({ learner }) => learner === "own"));
});

test("sizes beyond the board's RAM are left out, and named", () => {
  const wanted = rulesFor({}, true);
  const tried = listAutos(wanted).map(({ options }) => options.bytes);
  assert.ok(tried.includes(8192) && !tried.includes(65536), tried.join());
  const { leftOut } = candidatesFor(wanted);
  const [last] = leftOut.filter(({ size }) => size?.bytes === 65536);
  assert.equal([last.learner, last.budget], ["auto", null]);
  assert.match(last.why, /^RAM needs \d+ B/);
});

test("bytes that --options names aren't searched, and take no budget", () => {
  const all = listAutos(rulesFor({ bytes: 2048 })).map(({ budget, options }) => [budget, options.bytes]);
  assert.equal(all, [[null, 2048]]);
});

test.run();
