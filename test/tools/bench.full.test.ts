import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, runJson } from "./program.ts";

test("bench times predict and learn at both sizes", () => {
  const { learners } = runJson("motelearn.bench/1", "bench", "--only", "pa");
  assert.is(learners.length, 1);
  assert.is(learners[0].name, "pa");
  assert.equal(
    learners[0].sizes.map(({ dimension, budget }: { dimension: number; budget: number }) => [
      dimension,
      budget,
    ]),
    [
      [8, 64],
      [64, 256],
    ],
  );
  for (const { predictNs, learnNs } of learners[0].sizes) assert.ok(predictNs > 0 && learnNs > 0);
  refuses(["bench", "--only", "pa2"], "pa2", "pa");
});

test.run();
