import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { LabelFlips } from "../../src/node/prediction-sets.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { about, averageRuns, NODE, rareCoverage } from "./sets.ts";

test("a label that says how sure it is has its own rate, as learners take it: (1 - confidence / 255) / 2", () => {
  const { coverage } = averageRuns([0.2, 0.2], { labelFlips: [0, 0] }, 153);
  about(coverage, "confidence 153");
  const { coverage: taken } = averageRuns([0.2, 0.2], { labelFlips: [0, 0] });
  assert.ok(taken > 95, `labels taken at their word: ${taken}`);
});

test("sets go by the rates of the learner's option sources where the node's own aren't given", () => {
  const rates = [[0.3, 0.1]] as const;
  const schema = nodeSchema({ ...NODE, options: { sources: rates }, coverage: 0.9 });
  assert.is(
    schema,
    nodeSchema({ ...NODE, options: { sources: rates }, coverage: 0.9, labelFlips: rates[0] }),
  );
});

test("sets take four words, and two bits for each sample that may wait; without them nothing changes", () => {
  for (const [pending, words] of [
    [1, 5],
    [16, 5],
    [17, 6],
    [64, 8],
  ]) {
    const sets = nodeLayout({ ...NODE, pending, coverage: 0.9 }).bytes;
    assert.is(sets - nodeLayout({ ...NODE, pending }).bytes, 4 * words);
  }
  assert.is(nodeSchema({ ...NODE, coverage: 0, labelFlips: [0.1, 0.1] }), nodeSchema(NODE));
  assert.is.not(nodeSchema({ ...NODE, coverage: 0.9 }), nodeSchema({ ...NODE, coverage: 0.8 }));
});

test("by class a rare class is covered as promised, with wrong labels too, and takes four words more", () => {
  const ofSamples = rareCoverage({}, 0);
  assert.ok(ofSamples.rare < 60 && Math.abs(ofSamples.all - 90) < 1.5, JSON.stringify(ofSamples));
  for (const flips of [0, 0.2]) {
    const { rare, all } = rareCoverage({ coverageBy: "classes", labelFlips: [flips, flips] }, flips);
    assert.ok(Math.abs(rare - 90) < 3 && Math.abs(all - 90) < 1.5, `flips ${flips}: ${rare}, ${all}`);
  }
  const { bytes } = nodeLayout({ ...NODE, coverage: 0.9 });
  assert.is(nodeLayout({ ...NODE, coverage: 0.9, coverageBy: "classes" }).bytes - bytes, 16);
  assert.is(nodeSchema({ ...NODE, coverageBy: "classes" }), nodeSchema(NODE));
});

test("options of sets that can't be are refused by name", () => {
  const refuses = (options: Partial<NodeOptions>, why: RegExp) =>
    assert.throws(() => nodeLayout({ ...NODE, ...options }), why);
  refuses({ coverage: 1 }, /coverage.*>= 0 and < 1/);
  refuses(
    { coverage: 0.9, learner: familyNamed("olk-n")! },
    /coverage.*0 with olk-n: sets are of the classes -1 and \+1/,
  );
  refuses({ coverageBy: "class" as "classes" }, /coverageBy.*samples, classes/);
  refuses({ coverageBy: "classes", learner: familyNamed("rls")! }, /coverageBy.*"samples" with rls/);
  refuses({ labelFlips: [0.5, 0.5] }, /labelFlips.*\[rp, rm\], each >= 0, together <= 0\.9/);
  refuses({ labelFlips: [-0.1, 0] }, /labelFlips/);
  refuses({ labelFlips: [] as unknown as LabelFlips }, /labelFlips.*or a list of such: of source 0, 1/);
  refuses({ labelFlips: [[0.1, 0.1], [0.5]] as unknown as LabelFlips[] }, /labelFlips.*or a list of such/);
});

test.run();
