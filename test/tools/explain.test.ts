import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { Projectron } from "../../src/learn/projectron.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { UserError } from "../../tools/cli/exit.ts";
import { Explainer, type Explanation } from "../../tools/evaluation/explanation.ts";
import { refusesHere, run, runHere, runJson, runJsonHere, temporaryFolder } from "./program.ts";

const COUNT = 150;
const file = temporaryFolder();
const stream = easyStream("classification", 2, COUNT, 1);
const csv = file("two.csv", stream.map(({ x, y }) => `${[...x].join(",")},${y}\n`).join(""));
const logged = file(
  "log.ndjson",
  stream.map(({ x, y }, i) => `${JSON.stringify({ x: [...x], label: y, source: 1 + (i % 3) })}\n`).join(""),
);

/** Families whose decision isn't one sum over vectors or weights, or that tell several classes apart by design. */
const REFUSED = ["auto", "fogd", "i-lol", "lol", "nogd", "oskm"];

const EVERY = 5;

/** Every 5th decision of a learner, taken apart: `explain` throws unless the parts come to the decision's bits. */
function explained(family: (typeof FAMILIES)[number], given = {}): Explanation[] {
  const samples = easyStream(family.task, 2, COUNT, 3);
  const labels = Float64Array.from(samples, ({ y }) => y);
  const train = { labels, count: COUNT } as unknown as DataSet;
  const budget = family.options.budget ? { budget: 32 } : {};
  const lambda = Number(family.options.lambda?.default ?? 1);
  const explainer = new Explainer(family.create({ dimension: 2, ...budget, ...given }), family.name, lambda);
  return samples.flatMap(({ x, y }, i) => {
    const found = i % EVERY === EVERY - 1 ? [explainer.explain(x, train)] : [];
    explainer.learn(x, y, i + 1);
    return found;
  });
}

function checkParts(all: readonly Explanation[]): void {
  assert.is(all.length, COUNT / EVERY);
  all.forEach(({ parts, decision, total }, k) => {
    assert.ok(Object.is(decision, total) || decision === total);
    for (const { sample, label } of parts) {
      if (sample === null) continue;
      assert.ok(sample >= 1 && sample < EVERY * (k + 1), `${sample}`);
      assert.ok(label !== null);
    }
  });
  assert.ok(all.some(({ parts }) => parts.some(({ sample, part }) => sample !== null && part !== 0)));
}

for (const family of FAMILIES) {
  if (REFUSED.includes(family.name)) {
    test(`${family.name} is refused in one line`, () => {
      assert.throws(
        () => explained(family),
        (error: unknown) => error instanceof UserError && error.message.startsWith(`${family.name}: its`),
      );
    });
    continue;
  }
  const ways = [{}, ...(family.options.storage ? [{ storage: "q15", ranges: [[-8, 8]] }] : [])];
  test(`${family.name}: the parts come to the decision's bits, and each has the sample that it came with`, () => {
    for (const given of ways) checkParts(explained(family, given));
  });
}

test("a kernel's first inputs wait for its width: the nearest one's label decides, then each is a vector with its own sample", () => {
  const samples = easyStream("classification", 2, 40, 3);
  const train = { labels: Float64Array.from(samples, ({ y }) => y), count: 40 } as unknown as DataSet;
  const learner = new Projectron({ dimension: 2, budget: 32 });
  const explainer = new Explainer(learner, "projectron", 1);
  const [first, second] = samples;
  explainer.learn(first.x, first.y, 1);
  explainer.learn(second.x, second.y, 2);
  for (const [x, sample] of [
    [first.x, 1],
    [second.x, 2],
  ] as const) {
    const { parts } = explainer.explain(x, train);
    const [{ of, weight, by, label }] = parts;
    assert.equal([parts.length, of, by, weight], [1, "nearest first input", 1, label]);
    assert.is(parts[0].sample, sample);
  }
  for (let t = 2; learner.width === 0; t++) explainer.learn(samples[t].x, samples[t].y, t + 1);
  const { parts } = explainer.explain(first.x, train);
  const came = parts.map(({ sample }) => sample as number);
  assert.ok(came.length > 1 && new Set(came).size === came.length, came.join());
  for (const { weight, label } of parts) assert.is(Math.sign(weight), label);
});

test("a log's parts name the label and its source; text and JSON say the same", () => {
  const args = ["explain", "--learner", "olk-c", "--log", logged, "--at", "100", "--budget", "8"];
  const result = runJson("motelearn.explain/1", ...args);
  assert.is(result.parts.length, 8);
  for (const { sample, label, source } of result.parts) {
    assert.is(source, 1 + ((sample - 1) % 3));
    assert.is(label, stream[sample - 1].y);
  }
  const { code, stdout } = run(...args);
  assert.is(code, 0);
  assert.ok(stdout.includes(`bits ${result.bits}, those of the decision`), stdout);
});

test("its stored vectors at the first sample are none; a sample that there isn't and another learner are refused", async () => {
  const args = ["explain", "--log", csv, "--at"];
  assert.equal(runJson("motelearn.explain/1", ...args, "1", "--learner", "olk-c").parts, []);
  await refusesHere([...args, "151", "--learner", "olk-c"], "--at 151", "150 samples");
  await refusesHere([...args, "0", "--learner", "olk-c"], "--at");
  await refusesHere([...args, "9", "--learner", "lol"], "lol: its decision isn't one sum");
});

test("rows that lack a reading aren't counted with --missing skip, and aren't explained with nan", async () => {
  const lines = stream.map(({ x, y }) => `${[...x].join(",")},${y}`);
  const gaps = file(
    "gaps.csv",
    lines.map((line, t) => (t % 10 === 3 ? line.replace(/^[^,]*/, "") : line)).join("\n"),
  );
  const without = file("without.csv", lines.filter((_, t) => t % 10 !== 3).join("\n"));
  const args = ["--learner", "olk-c", "--at"];
  const skip = ["explain", "--log", gaps, "--missing", "skip", ...args, "90"];
  const skipped = await runJsonHere("motelearn.explain/1", ...skip);
  const { parts, bits } = await runJsonHere(
    "motelearn.explain/1",
    "explain",
    "--log",
    without,
    ...args,
    "90",
  );
  assert.equal([skipped.parts, skipped.bits], [parts, bits]);
  assert.equal(skipped.missing, { how: "skip", rows: 15, readings: 15, skipped: 15 });
  assert.match((await runHere(skip)).stdout, /missing, skip: 15 rows lack 15 readings; 15 rows skipped/);
  const nan = ["explain", "--log", gaps, "--missing", "nan", ...args];
  assert.is((await runJsonHere("motelearn.explain/1", ...nan, "100")).bits, bits);
  await refusesHere([...nan, "94"], "--at 94: that sample of", "lacks a reading");
});

test.run();
