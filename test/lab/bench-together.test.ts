import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Case, GENERATED } from "../../lab/bench/together/cases.ts";
import { trainerCost } from "../../lab/bench/together/cost.ts";
import { Life } from "../../lab/bench/together/life.ts";
import { generatedFleet } from "../../lab/bench/together/machines.ts";
import { caseResult } from "../../lab/bench/together/result.ts";
import { costText, togetherText } from "../../lab/bench/together/text.ts";
import { AROW } from "../../src/learn/arow.ts";

const FLEET = { nodes: 4, level: 0, wrong: 0, isPlane: true };
const runLife = (changes: object, options: object = {}, seed = 7000) =>
  new Life(generatedFleet({ ...FLEET, ...changes }, seed), {
    learner: AROW[0],
    vectors: 0,
    labels: 10,
    seed: 7000,
    ...options,
  }).run();

test("machines of level 0 see the same, those of a higher one each in its own way, and a reversed one the other class", () => {
  const isAbovePlane = (x: ArrayLike<number>) => 0.9 * x[0] - 0.6 * x[1] + 0.4 * x[2] - 0.35 > 0;
  const agree = (changes: object) =>
    generatedFleet({ ...FLEET, ...changes }, 1).machines.map(
      ({ test }) => test.filter(({ x, y }) => isAbovePlane(x) === y > 0).length / test.length,
    );
  assert.equal(agree({}), [1, 1, 1, 1]);
  assert.equal(agree({ odd: "reversed" }), [1, 1, 1, 0]);
  assert.ok(agree({ level: 4 }).every((share) => share < 0.95));
});

test("wrong labels come at their rate, those of a poisoned machine at 40 %", () => {
  const { machines } = generatedFleet({ ...FLEET, wrong: 0.1, odd: "poisoned" }, 1);
  const rates = machines.map(
    (machine) => Array.from({ length: 4000 }, () => machine.label(1)).filter((y) => y < 0).length,
  );
  rates.forEach((wrong, i) => {
    assert.ok(Math.abs(wrong / 4000 - (i === 3 ? 0.4 : 0.1)) < 0.03);
  });
});

test("alike nodes err less together, the same twice, and a newcomer begins with what they know", () => {
  const moments = runLife({});
  assert.equal(runLife({}), moments);
  assert.equal(
    moments.map(({ labels }) => labels),
    [0, 1, 3, 10],
  );
  const { alone, together } = moments[3].errors;
  assert.ok(together < 0.7 * alone, `${together} together, ${alone} alone`);
  const [newcomer] = runLife({}, { ahead: 30, labels: 1 });
  for (const error of [newcomer.errors.together, newcomer.errors.started as number]) {
    assert.ok(error < 0.5 * newcomer.errors.alone, `${error}, ${newcomer.errors.alone} alone`);
  }
});

test("a reversed newcomer whose first two labels are asked for errs less with its first one", () => {
  const newcomer = { ahead: 60, newcomer: 7, labels: 1 };
  const fleet = { nodes: 8, level: 2, odd: "reversed" };
  const measureErrors = (asks: boolean) =>
    [7000, 7001, 7002, 7003].map((seed) => runLife(fleet, { ...newcomer, asks }, seed)[1].errors.together);
  const mean = (errors: readonly number[]) => errors.reduce((sum, each) => sum + each, 0) / errors.length;
  const [drawn, asked] = [measureErrors(false), measureErrors(true)];
  assert.ok(mean(asked) < 0.8 * mean(drawn), `${asked} asked for, ${drawn} drawn`);
});

test("a result is the fleets' mean in per cent, and the harm of an odd machine their difference from fleets without it", () => {
  const at = (alone: number, together: number) => [
    {
      labels: 3,
      errors: { alone, together },
      odd: { alone: 0.5, together: 0.4 },
      leftOut: { odd: 1, others: 0 },
    },
  ];
  const each = { part: "odd", name: "odd", run: () => [] } satisfies Case;
  const result = caseResult(each, [at(0.2, 0.1), at(0.4, 0.1)], [at(0.2, 0.05), at(0.4, 0.05)]);
  assert.is(result.moments[0].alone.mean, 30);
  assert.is(Math.round(result.moments[0].difference.mean), -20);
  assert.is(Math.round(result.moments[0].most), -10);
  assert.is(Math.round(result.odd?.[0].alone.mean ?? 0), 50);
  assert.is(Math.round(result.harm?.[0].difference.mean ?? 0), 5);
  const text = togetherText([result]);
  assert.match(text, /\| odd \| 50\.0 → 40\.0 \(-10\.0 ± 0\.0\) \|/);
  assert.match(text, /\| odd \| 100 % \/ 0 % \|/);
});

test("what asking for the first labels gains is the fleets' mean difference from labels that are drawn", () => {
  const at = (together: number, asked: number) => [
    { labels: 1, errors: { alone: 0.5, together, asked }, leftOut: { odd: 0, others: 0 } },
  ];
  const each = { part: "asked", name: "reversed", run: () => [] } satisfies Case;
  const result = caseResult(each, [at(0.6, 0.2), at(0.4, 0.1)]);
  assert.is(Math.round(result.moments[0].asked?.mean ?? 0), 15);
  assert.is(Math.round(result.moments[0].gained?.mean ?? 0), -35);
  const text = togetherText([result]);
  assert.match(
    text,
    /\| reversed: alone \| 50\.0 \|\n\| .* \| 50\.0 \|\n\| .* asked for \| 15\.0 \(-35\.0 ± /,
  );
});

test("each case has a name of its own in its part", () => {
  const names = GENERATED.map(({ part, name }) => `${part} ${name}`);
  assert.is(new Set(names).size, names.length);
});

test("a group's cost counts its models", () => {
  const cost = trainerCost(3, 4, 0);
  assert.ok(cost.models >= 12 && cost.cpuSeconds > 0);
  assert.match(costText([cost]), /\| 3 \| 4 \| a plane \|/);
});

test.run();
