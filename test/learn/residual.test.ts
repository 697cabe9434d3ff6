import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { Explainer } from "../../tools/explanation/explanation.ts";

const DELAY = 5;

/** A random walk far from 0, forecast from its last two steps. */
function walk(count: number): { x: number[]; y: number }[] {
  const random = new Random(3, "residual");
  const series = [1000];
  for (let t = 1; t < count + 3; t++) series.push(Math.fround(series[t - 1] + random.normal()));
  return Array.from({ length: count }, (_, t) => {
    const x = [series[t + 1], series[t + 1] - series[t]].map(Math.fround);
    return { x, y: series[t + 2] };
  });
}

for (const name of ["rls", "krls-ald", "krls-t", "qklms", "olk-r"]) {
  test(`${name}: less the last label it learns what it would of the differences, late labels included`, () => {
    const family = familyNamed(name)!;
    const learner = family.create({ dimension: 2, residual: "label" });
    const plain = family.create({ dimension: 2 });
    const { layout, range } = learner;
    const note = layout.at("note", range);
    learner.noted = true;
    const late: { b: number | undefined; note: number }[] = [];
    let last: number | undefined;
    walk(200).forEach(({ x }, t, all) => {
      assert.is(learner.predict(x), Math.fround((last ?? 0) + plain.predict(x)), `sample ${t}`);
      learner.note();
      late.push({ b: last, note: range.f32.bits[note] });
      const k = t - DELAY;
      if (k < 0) return;
      range.f32.bits[note] = late[k].note;
      const label = all[k].y;
      learner.learn(all[k].x, label);
      plain.learn(all[k].x, Math.fround(label - (late[k].b ?? last ?? label)));
      last = label;
    });
    assert.ok(learner.count("learned") === 200 - DELAY && plain.count("learned") === 200 - DELAY);
  });
}

test("less an input it learns the differences from that input", () => {
  const family = familyNamed("krls-ald")!;
  const learner = family.create({ dimension: 2, residual: "input", residualInput: 1 });
  const plain = family.create({ dimension: 2 });
  for (const { x, y } of walk(200)) {
    assert.is(learner.learn(x, y), Math.fround(x[0] + plain.predict(x)));
    plain.learn(x, Math.fround(y - x[0]));
  }
  assert.is(learner.layout.bytes, plain.layout.bytes, "it takes no memory");
});

test("a last label of 0 is one", () => {
  const learner = familyNamed("rls")!.create({ dimension: 1, residual: "label" });
  learner.noted = true;
  learner.learn([1], 0);
  learner.predict([1]);
  learner.note();
  const at = learner.layout.at("note", learner.range);
  assert.is(learner.range.f32.bits[at], 0x80000000);
});

test("options that don't fit are refused by name", () => {
  const { create } = familyNamed("rls")!;
  assert.throws(
    () => create({ dimension: 2, residual: "input", residualInput: 3 }),
    /residualInput: got 3; takes .* 2/,
  );
  assert.throws(
    () => create({ dimension: 2, residual: "last" }),
    (error: unknown) => error instanceof OptionError && error.message.includes("none, label, input"),
  );
  assert.throws(() => familyNamed("arow")!.create({ dimension: 2, residual: "label" }), /no option residual/);
});

for (const name of ["rls", "krls-ald", "krls-t"]) {
  test(`${name}: explain adds the baseline to the parts, to the bit`, () => {
    const family = familyNamed(name)!;
    const options = { residual: "label" };
    const learner = family.create({ dimension: 2, ...options });
    const explainer = new Explainer(learner, family, options);
    const samples = walk(80);
    const labels = Float64Array.from(samples, ({ y }) => y);
    const train = { labels, count: 80 } as unknown as DataSet;
    samples.forEach(({ x, y }, t) => {
      if (t > 40) {
        const { decision, total } = explainer.explain(Float32Array.from(x), train);
        assert.is(total, decision);
      }
      explainer.learn(Float32Array.from(x), y, t + 1);
    });
  });
}

test.run();
