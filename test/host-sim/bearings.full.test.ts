import { test } from "uvu";
import * as assert from "uvu/assert";
import { networks } from "./bearings.ts";

test("spectral features detect damaged bearings; raw readings hardly do better than a coin", async () => {
  for (const { name, nodes } of await networks({})) {
    const scores = nodes.map(({ result }) => result.metrics.balancedAccuracy as number);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const holds = name.startsWith("raw/") ? mean < 0.58 : mean > 0.75;
    assert.ok(holds, `${name}: balanced accuracy ${mean.toFixed(3)}`);
  }
});

test.run();
