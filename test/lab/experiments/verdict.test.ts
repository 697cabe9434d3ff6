import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../../host/random.ts";
import type { Row } from "../../../lab/experiments/lib/experiment.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import {
  below,
  type Claim,
  type ClaimOutcome,
  claim,
  figureClaims,
  judgeClaims,
  zScore,
} from "../../../lab/experiments/lib/verdict.ts";
import { ANY } from "../../../lab/sweep/statistics/statistics.ts";

function claims(...found: (ClaimOutcome | `${ClaimOutcome}!`)[]): Claim[] {
  return found.map((each) => ({
    text: each,
    found: each.replace("!", "") as ClaimOutcome,
    headline: each.endsWith("!"),
  }));
}

test("one function decides: fails, holds, behind, in part, measured", () => {
  const cases: readonly (readonly [string, Claim[]])[] = [
    ["measured", []],
    ["holds", claims("shown!", "shown")],
    ["fails", claims("reversed!", "shown", "shown", "shown")],
    ["behind", claims("open!", "shown", "shown")],
    ["behind", claims("shown!", "shown", "behind")],
    ["behind", claims("shown!", "reversed")],
    ["behind", claims("shown", "open")],
    ["behind", claims("open", "open")],
    ["partly", claims("shown!", "shown", "reversed")],
    ["partly", claims("shown!", "shown", "open")],
    ["partly", claims("shown!", "shown", "off")],
  ];
  for (const [outcome, given] of cases)
    assert.is(judgeClaims(given), outcome, given.map(({ text }) => text).join(", "));
});

test("z counts both sides' standard errors, and not the deviation of one run", () => {
  const ours = { mean: 2, deviation: 3, runs: 36, low: null, high: null };
  assert.is(zScore(ours, { mean: 1, deviation: 4 }, 64), 1 / Math.sqrt(0.25 + 0.25));
  assert.is(zScore(ours, 1, 9), 1 / Math.sqrt(0.25 + 1), "without its deviation it varies as ours does");
  assert.is(zScore({ ...ours, deviation: 0 }, { mean: 2, deviation: 0 }, 1), 0);
  assert.is(zScore({ ...ours, deviation: 0 }, { mean: 1, deviation: 0 }, 1), Number.POSITIVE_INFINITY);
  assert.ok(Number.isNaN(zScore({ ...ours, deviation: Number.NaN, runs: 1 }, 1, 1)));
});

const summarise = (...values: number[]) =>
  new Summary(
    values.map((a) => ({ numbers: { a } })),
    () => ANY,
  );
const row = (mean: number, more: Partial<Row> = {}): Row => ({
  name: "a",
  label: "a",
  published: { mean, deviation: 1 },
  ...more,
});

test("a figure within one run's deviation, and many standard errors away, isn't level", () => {
  const many = summarise(...Array.from({ length: 100 }, (_, i) => 10 + (i % 2 === 0 ? 1 : -1)));
  const found = (published: Row) => figureClaims(many, [published], 100)[0].found;
  assert.is(found(row(10.2)), "shown");
  assert.is(found(row(10.5)), "off");
  assert.is(found(row(9.5, { own: true })), "behind");
  assert.is(found(row(10.5, { own: true })), "shown", "less is better");
  assert.is(found(row(10.5, { own: true, more: true })), "behind", "unless more is");
  assert.equal(figureClaims(summarise(1), [row(1)], 100), [], "one run has no standard error");
  const untested = [
    row(1, { published: "drawn only" }),
    row(1, { name: "b" }),
    row(1, { published: undefined }),
  ];
  assert.equal(figureClaims(many, untested, 100), []);
});

test("of tables without any difference about 5 % show one, however many figures they have", () => {
  const random = new Random(1, "tables");
  for (const figures of [1, 11]) {
    let shown = 0;
    for (let table = 0; table < 1000; table++) {
      const names = Array.from({ length: figures }, (_, i) => `f${i}`);
      const runs = Array.from({ length: 40 }, () => ({
        numbers: Object.fromEntries(names.map((name) => [name, random.normal()])),
      }));
      const rows = names.map((name) => ({
        ...row(random.normal() / Math.sqrt(40)),
        name,
      }));
      if (figureClaims(new Summary(runs, () => ANY), rows, 40).some(({ found }) => found !== "shown"))
        shown++;
    }
    assert.ok(shown > 25 && shown < 90, `${figures} figures: ${shown} of 1000`);
  }
});

test("a comparison is shown, reversed or open by its paired interval; level is enough where that is claimed", () => {
  const summary = new Summary(
    [1, 2, 3].map((a) => ({ numbers: { a, more: a + 1 + a / 100, same: a + (a === 2 ? -2 : 1) } })),
    () => ANY,
  );
  const found = (a: string, b: string, told: object = {}) =>
    below(summary, a, b, { text: "", ...told }).found;
  assert.equal([found("a", "more"), found("more", "a"), found("a", "same")], ["shown", "reversed", "open"]);
  assert.equal(
    ["more", "same"].map((b) => found("a", b, { level: true })),
    ["shown", "shown"],
  );
  assert.is(found("more", "a", { level: true }), "reversed");
  const one = summarise(1);
  assert.is(below(one, "a", "a", { text: "", level: true }).found, "open", "one run shows nothing");
  assert.is(below(one, "a", "a", { text: "", level: true, exact: true }).found, "shown");
  assert.is(claim(false, "").found, "open");
});

test.run();
