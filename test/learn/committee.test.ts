import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Prequential } from "../../host-sim/prequential/prequential.ts";
import { Auto } from "../../src/learn/auto.ts";
import { Committee } from "../../src/learn/committee.ts";
import { type UserOptions, withBudget } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { checkLearner } from "./conformance.ts";

const auto = familyNamed("auto")!;

checkLearner(auto, { bytes: 2048 });
checkLearner(auto, { bytes: 16384 });
checkLearner(auto, { bytes: 2048, classes: 3 });

for (const [classes, dimension, from] of [
  [2, 1, 1024],
  [2, 8, 1024],
  [2, 61, 4500],
  [4, 8, 1700],
  [7, 16, 3000],
  [26, 16, 8192],
] as const) {
  test(`${classes} classes of ${dimension} components: never above the bytes, and most of them used`, () => {
    for (const bytes of [from, 4096, 5001, 8192, 20000, 32768, 65536].filter((each) => each >= from)) {
      const took = auto.layout({ dimension, bytes, classes }).bytes;
      assert.ok(took <= bytes && took > 0.8 * bytes, `${took} of ${bytes}`);
    }
  });
}

/** The message of the error that its construction throws. */
function refusal(options: UserOptions): string {
  try {
    auto.create({ dimension: 8, ...options });
  } catch (error) {
    assert.instance(error, OptionError);
    return (error as Error).message;
  }
  return "";
}

test("bytes that are no size, or too few, are refused with what would be right", () => {
  for (const bytes of [1, 1023, 65537, 2048.5, "2048"])
    assert.match(refusal({ bytes }), /bytes.*takes 0, or a whole number >= 1024 and <= 65536/);
  assert.match(refusal({ dimension: 61, bytes: 1024 }), /bytes.*1024.*takes \d+ or more for these inputs/);
  assert.match(refusal({ classes: 26, bytes: 2048 }), /bytes.*2048.*takes \d+ or more for these inputs/);
});

test("an option of the parts is refused where a committee would ignore it", () => {
  for (const part of ["budget", "landmarks", "lag"]) {
    assert.match(refusal({ bytes: 2048, [part]: 8 }), `option ${part}: got 8; takes no value where bytes`);
    assert.match(refusal({ classes: 3, [part]: 8 }), `option ${part}: got 8; takes no value for several`);
    assert.match(refusal({ classes: 3, bytes: 8192, [part]: 8 }), "leave it out");
    assert.is(refusal({ [part]: 8 }), "");
    assert.is(refusal({ bytes: 32768, [part]: 8 }), "");
  }
});

test("a budget that is offered to every learner is left out where bytes size the members", () => {
  const dimension = 8;
  assert.equal(withBudget(auto, { dimension, classes: 3 }, 16), { dimension, classes: 3 });
  assert.equal(withBudget(auto, { dimension, bytes: 4096 }, 16), { dimension, bytes: 4096 });
  assert.equal(withBudget(auto, { dimension }, 16), { dimension, budget: 16 });
  const apart = { dimension, classes: 3 };
  assert.equal(withBudget(oneVsAllFamily(auto), apart, 16), { ...apart, budget: 16 });
});

test("the parts stand where they fit, neighbours in what they leave, and a committee elsewhere", () => {
  const made = (bytes: number) => auto.create({ dimension: 8, bytes });
  assert.instance(made(2048), Committee);
  assert.instance(made(8192), Auto);
  assert.ok((made(8192) as Auto).neighbours.capacity < 100);
  assert.ok((made(32768) as Auto).neighbours.capacity > 2000);
});

/** A ring around the other class, and the learner's share of errors on it; every label comes `delay` samples late. */
function measureError(options: UserOptions, delay: number): number {
  const learner = auto.create({ dimension: 2, ...options });
  learner.noted = true;
  const random = new Random(5, "committee");
  const waiting: { readonly x: readonly number[]; readonly y: number; readonly note: Uint32Array }[] = [];
  const { bits } = learner.range.f32;
  const at = learner.layout.at("note", learner.range);
  const words = learner.layout.regionWords("note");
  let errors = 0;
  for (let t = 0; t < 1500; t++) {
    const x = [random.normal(), random.normal()].map(Math.fround);
    const y = x[0] * x[0] + x[1] * x[1] < 1.2 ? -1 : 1;
    if (t >= 500 && learner.classify(x) !== y) errors++;
    learner.predict(x);
    learner.note();
    waiting.push({ x, y, note: bits.slice(at, at + words) });
    if (waiting.length <= delay) continue;
    const late = waiting.shift()!;
    learner.predict(late.x);
    bits.set(late.note, at);
    learner.learn(late.x, late.y);
  }
  return errors / 1000;
}

test("several classes share 8 KB where no bytes are given", () => {
  for (const classes of [3, 7]) {
    const learner = auto.create({ dimension: 8, classes });
    assert.instance(learner, Committee);
    assert.ok(learner.layout.bytes <= 8192 && learner.layout.bytes > 8000, `${learner.layout.bytes}`);
  }
  const many = auto.layout({ dimension: 617, classes: 26 }).bytes;
  assert.ok(many > 65_536 && many < 262_144, `what doesn't fit takes more: ${many}`);
});

/** Errors in the last 2,000 of 3,000 samples of three clouds in the plane, whose classes last 30 samples on average; labels come late, some wrong. */
function errorOnStays(options: UserOptions, delay: number, wrong: number): number {
  const learner = auto.create({ dimension: 2, classes: 3, ...options });
  const random = new Random(7, "stays");
  const stream = new Prequential(learner);
  let errors = 0;
  let y = 0;
  for (let t = 0; t < 3000; t++) {
    if (random.uniform() < 1 / 30) y = random.below(3);
    const x = Float32Array.from([y + random.normal(), (y === 1 ? 1 : 0) + random.normal()]);
    const label = random.uniform() < wrong ? random.below(3) : y;
    if (stream.sample(x, label, delay) !== y && t >= 1000) errors++;
  }
  return errors / 2000;
}

/** The error of the best decision by one sample, which knows the clouds. */
const ERROR_OF_A_SAMPLE = 0.335;

test("where classes last it errs less than a sample alone allows, with late and wrong labels", () => {
  for (const [delay, wrong, most] of [
    [0, 0.2, 0.09],
    [30, 0, ERROR_OF_A_SAMPLE - 0.1],
    [30, 0.2, ERROR_OF_A_SAMPLE - 0.03],
  ]) {
    const error = errorOnStays({}, delay, wrong);
    assert.ok(error < most, `${delay} late, ${wrong} wrong: ${error}`);
  }
});

test("with 1 KB it learns a ring that no line finds, late labels included", () => {
  for (const delay of [0, 100]) {
    const error = measureError({ bytes: 1024 }, delay);
    assert.ok(error < 0.08, `${delay} late: ${error}`);
  }
});

test("an eighth member's votes survive a note, so that late labels judge it", () => {
  const late = measureError({ bytes: 16384 }, 100);
  assert.ok(late < 0.06, `${late}`);
});

test.run();
