import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { StepCounts } from "../../tools/import/step-counts.ts";

function counted(steps: readonly number[]): StepCounts {
  const counts = new StepCounts();
  for (const step of steps) counts.add(step);
  return counts;
}

test("few distinct steps are counted exactly: the upper median, and how many are such", () => {
  const steps = [60_000, 60_000, -60_000, 180_000, 60_000.001, 0];
  const counts = counted(steps);
  assert.is(counts.median(), 60_000);
  assert.equal(
    [counts.total, counts.count((step) => step < 0), counts.count((step) => step > 90_000)],
    [6, 1, 1],
  );
  assert.ok(Number.isNaN(counted([]).median()));
});

test("many distinct steps take bounded room, and their median is right to 0.05 %", () => {
  const random = new Random(3, "steps");
  const steps = Array.from({ length: 300_000 }, () => 100 + 20 * random.uniform());
  const counts = counted(steps);
  const exact = [...steps].sort((a, b) => a - b)[steps.length >> 1];
  assert.ok(Math.abs(counts.median() - exact) < 5e-4 * exact, `${counts.median()} for ${exact}`);
  assert.is(
    counts.count(() => true),
    steps.length,
  );
  assert.ok(counts.distinct < 5000, `${counts.distinct}`);
});

test.run();
