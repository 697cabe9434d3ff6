import { test } from "uvu";
import * as assert from "uvu/assert";
import { keptBench, readBenches, withBenches } from "../../dev/docs/bench-tables.ts";
import { readPage } from "./pages.ts";

test("the benches' tables in docs/results.md are what npm run build:bench writes", () => {
  const results = readPage("docs/results.md");
  // Not `assert.is`: it would print a difference of hundreds of lines.
  assert.ok(withBenches(results, readBenches()) === results, "docs/results.md: run npm run build:bench");
});

test("a result of another command, and a page without the parts, are refused by name", () => {
  assert.throws(() => keptBench({ schema: "motelearn.bench/1" }), /motelearn\.bench\/1: takes/);
  assert.throws(() => withBenches("# Results", readBenches()), /the page has no part/);
});

test.run();
