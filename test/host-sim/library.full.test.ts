import { test } from "uvu";
import * as assert from "uvu/assert";
import { program } from "./program.ts";

test("learners that are garbage, large and small, are freed", () => {
  const megabytes = program(`
    for (let i = 0; i < 2000; i++) {
      new OlkC({ dimension: 64, budget: 2000 });
      for (let k = 0; k < 20; k++) new OlkC({ dimension: 8, budget: 200 });
      if (i % 200 === 0) gc();
    }
    gc();
    console.log(JSON.stringify(process.memoryUsage().rss / 2 ** 20));`);
  assert.ok(megabytes < 600, `${megabytes} MB after 1,400 MB of learners`);
});

test.run();
