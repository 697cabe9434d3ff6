import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { checkpoint, restore } from "../../host-sim/conformance/memory.ts";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import type { KernelExpansion } from "../../src/learn/expansion.ts";
import type { Family } from "../../src/learn/family.ts";
import type { Nogd } from "../../src/learn/nogd.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { inputsForWidth } from "../../src/learn/width-search.ts";
import { AUTO, board, FINDERS, givenWidth, make, median } from "./width-finders.ts";

/** Those that learn the inputs that gave the width. FOGD has no place for them beside its frequencies: see its tests. */
const REPEATERS = FINDERS.filter(({ name }) => name !== "fogd");

test("under a budget of one, the two inputs that give the width are learned each with its own label", () => {
  for (const { name, task, options } of REPEATERS) {
    if (/^(qk|krls)/.test(name)) continue; // distances among their options are widths of a found kernel
    const small = { budget: 1, ...("rank" in options && { rank: 1 }) };
    const stream = easyStream(task as never, 3, 60, 5).filter(({ y }) => task !== "novelty" || y >= 0);
    const begin = task === "classification" ? stream.findIndex(({ y }) => y !== stream[0].y) - 1 : 0;
    const learner = make(name, small);
    for (const { x, y } of stream.slice(begin, begin + 2)) learner.learn(x, y);
    const given = make(name, { ...small, kernel: { type: "gaussian", sigma: learner.width } });
    for (const { x, y } of stream.slice(begin, begin + 2)) given.learn(x, y);
    for (const { x, y } of stream.slice(begin + 2, begin + 30)) {
      assert.ok(learner.size <= 1, `${name}: ${learner.size}`);
      assert.is(learner.learn(x, y), given.learn(x, y), name);
    }
  }
});

test("every expansion's kernel, and FOGD's, finds its width unless it is given, and no other's", () => {
  const names = FINDERS.map(({ name }) => name);
  for (const { name, options } of FINDERS) assert.equal(options.kernel?.default, AUTO, name);
  for (const name of ["olk-c", "norma-r", "qkrls", "krls-ald", "nogd", "bsgd", "fogd"])
    assert.ok(names.includes(name));
  assert.not.ok(names.includes("oskm"));
  assert.throws(() => make("olk-c", { kernel: { ...AUTO, p: 1 } }), /"width":"auto"/);
  assert.throws(() => make("olk-c", { kernel: { type: "gaussian", width: 1 } }), /"width":"auto"/);
  assert.throws(() => make("oskm", { kernel: AUTO }), /option kernel/);
});

for (const family of REPEATERS) {
  test(`${family.name} learns as with the configured width that the first 16 inputs give`, () => {
    const stream = easyStream(family.task as never, 3, 70, 5).filter(
      ({ y }) => family.task !== "novelty" || y >= 0,
    );
    const learner = make(family.name);
    const first = inputsForWidth(family.options.budget.default as number, 3);
    for (const { x, y } of stream.slice(0, first - 1)) {
      learner.learn(x, y);
      assert.is(learner.width, 0);
      assert.is(learner.size, 0);
    }
    learner.learn(stream[first - 1].x, stream[first - 1].y);
    const sigma = learner.width as number;
    const medians = ["norma-n", "krls-t"].includes(family.name) ? 1 : 0.5;
    const right = medians * median(stream.slice(0, first).map(({ x }) => x));
    assert.ok(Math.abs(sigma / right - 1) < 1e-6, `${sigma}, not ${right}`);
    // Distances among the options are widths of a found kernel.
    const distances = ["epsilon", "noveltyDistance"].filter(
      (name) => name in family.options && learner.task === "regression" && /^(qk|krls)/.test(family.name),
    );
    const scaled = distances.map((name) => [name, sigma * (family.options[name].default as number)]);
    const given = make(family.name, { kernel: { type: "gaussian", sigma }, ...Object.fromEntries(scaled) });
    for (const { x, y } of stream.slice(0, first)) given.learn(x, y);
    // QKAPA, whose steps are long, leaves some of the first inputs to the next two labels.
    const late = family.name === "qkapa" ? 2 : 0;
    assert.is(learner.size === given.size, late === 0);
    stream.slice(first).forEach(({ x, y }, t) => {
      const decision = given.learn(x, y);
      const own = learner.learn(x, y);
      assert.ok(t < late || Math.abs(own - decision) <= (distances.length ? 1e-5 : 0), `${decision}`);
    });
    for (const name of distances.length > 0 ? [] : ["rows", "coefficients", "births"]) {
      const region = (of: KernelExpansion) => {
        const { words = 0 } = of.layout.regions.find((each) => each.name === name) ?? {};
        const at = of.layout.at(name, of.range);
        return of.range.f32.bits.slice(at, at + words);
      };
      assert.equal(region(learner), region(given), name);
    }
  });
}

test("until there is a width, what is said is the label of the nearest input held", () => {
  const learner = make("olk-r");
  assert.is(learner.predict([0, 0, 0]), 0);
  learner.learn([0, 0, 0], 5);
  learner.learn([1, 1, 1], -2);
  assert.is(learner.predict([0.2, 0.2, 0.3]), 5);
  assert.is(learner.predict([0.9, 0.2, 0.9]), -2);
  learner.learn([1, 1, 1], -3);
  assert.is(learner.predict([0.9, 0.2, 0.9]), -3, "the latest label of the same input");
});

test("until there is a width, nothing is a novelty", () => {
  for (const name of ["olk-n", "norma-n"]) {
    const learner = make(name);
    for (const { x } of easyStream("novelty", 3, 10, 13)) {
      assert.is(learner.predict(x), 0, name);
      learner.learn(x, 1);
    }
    assert.ok(Number.isNaN(learner.predict([1, 2])));
  }
});

test("inputs of one class don't fix the width, and the first of the other does", () => {
  const learner = make("olk-c");
  const stream = easyStream("regression", 3, 1000, 6).map(({ x }, t) => x.map((value) => value + t / 100));
  for (const x of stream) learner.learn(x, 1);
  assert.is(learner.width, 0);
  assert.is(learner.classify(stream[3]), 1);
  learner.learn(
    stream[0].map((value) => value - 5),
    -1,
  );
  assert.ok(
    (learner.width as number) > 1,
    `${learner.width}: spread over all thousand, not the first sixteen`,
  );
  assert.is(learner.classify(stream[0].map((value) => value - 5)), -1);
});

test("a constant input doesn't fix the width", () => {
  const learner = make("norma-r");
  for (let t = 0; t < 500; t++) learner.learn([1, 2, 3], t);
  assert.is(learner.width, 0);
  assert.is(learner.predict([1, 2, 3]), 499);
});

test("repeated inputs give the width: four different ones, after 64 repetitions in a row", () => {
  const points = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 2],
  ];
  for (const count of [2, 3, 4]) {
    const learner = make("olk-c");
    const meet = (t: number) => learner.learn(points[t % count], t % 2 ? 1 : -1);
    for (let t = 0; t < count + 63; t++) {
      meet(t);
      assert.is(learner.width, 0, `${count} inputs, sample ${t}`);
    }
    meet(count + 63);
    if (count < 4) {
      assert.is(learner.width, 0, "of three inputs one may be a glitch");
      continue;
    }
    assert.ok(Math.abs((learner.width as number) - median(points) / 2) < 1e-6, `${learner.width}`);
    assert.is(learner.size, 4, "each of them is learned once");
    for (let t = 0; t < 40; t++) meet(t);
    points.forEach((x, i) => {
      assert.is(learner.classify(x), i % 2 ? 1 : -1);
    });
  }
});

test("repeated inputs of one class don't give the width", () => {
  const learner = make("olk-c");
  for (let t = 0; t < 400; t++) learner.learn([t % 5, 0, 0], 1);
  assert.is(learner.width, 0);
  learner.learn([1, 0, 0], -1);
  assert.ok((learner.width as number) > 0);
});

for (const name of ["olk-c", "norma-c", "kernel-perceptron", "bsgd"]) {
  test(`${name} learns the samples that waited at the rates of their own sources and confidences`, () => {
    const sources = [
      [0, 0],
      [0.3, 0.1],
      [0.05, 0.4],
    ];
    const stream = easyStream("classification", 3, 40, 12);
    const learned = (learner: KernelExpansion) => {
      stream.forEach(({ x, y }, t) => {
        learner.source = t % 3;
        learner.confidence = t % 5 === 0 ? 200 : 255;
        learner.learn(x, y);
        assert.equal([learner.source, learner.confidence], [t % 3, t % 5 === 0 ? 200 : 255]);
      });
      return stream.map(({ x }) => learner.predict(x));
    };
    const found = make(name, { sources });
    const decisions = learned(found);
    const kernel = { type: "gaussian", sigma: found.width };
    assert.equal(decisions, learned(make(name, { sources, kernel })));
  });
}

test("a scaler's first outputs lie too far apart, and don't fix the width", () => {
  const learner = make("olk-c");
  const stream = easyStream("classification", 3, 200, 14);
  const widths = stream.map(({ x, y }, t) => {
    const scale = t < 16 ? 3 : 1;
    learner.learn(
      x.map((value) => scale * value),
      y,
    );
    return learner.width as number;
  });
  const right = median(stream.slice(16).map(({ x }) => x)) / 2;
  assert.ok(widths[20] > 2 * right, `${widths[20]}, ${right}`);
  assert.ok(widths[199] < 1.5 * right && widths[199] > right / 1.5, `${widths[199]}, ${right}`);
});

for (const name of ["olk-c", "bsgd", "kernel-perceptron", "dual-greedy", "projectron"]) {
  test(`${name} doesn't narrow its width where one input is near the one before`, () => {
    const random = new Random(16, "slow");
    const at = new Float32Array(3);
    const stream = Array.from({ length: 2000 }, () => {
      for (let j = 0; j < 3; j++) at[j] = 0.98 * at[j] + 0.2 * random.normal();
      return { x: Array.from(at), y: at[0] + at[1] * at[2] > 0 ? 1 : -1 };
    });
    const learner = make(name, { budget: 32 });
    for (const { x, y } of stream) learner.learn(x, y);
    const half = median(stream.filter((_, t) => t % 10 === 0).map(({ x }) => x)) / 2;
    const width = learner.width as number;
    assert.ok(width > 0.6 * half && width < 1.7 * half, `${width}, half the median is ${half}`);
  });
}

for (const name of ["olk-c", "kernel-perceptron", "bsgd", "dual-greedy"]) {
  test(`${name} narrows its width where labels show that classes lie in small places, and only there`, () => {
    const errors = [4, 2].map((fields) => {
      const learner = make(name, { dimension: 2 });
      const stream = board(1200, fields);
      let wrong = 0;
      stream.forEach(({ x, y }, t) => {
        if (y * learner.learn(x, y) <= 0 && t >= 800) wrong++;
      });
      const half = median(stream.slice(0, 100).map(({ x }) => x)) / 2;
      const narrowed = (learner.width as number) < half / 1.6;
      assert.is(narrowed, fields === 4, `${fields} fields: ${learner.width}, half the median is ${half}`);
      return wrong / 400;
    });
    assert.ok(errors[0] < 0.3 && errors[1] < 0.15, errors.join());
  });
}

test("a regressor's width follows no labels", () => {
  const learner = make("olk-r", { dimension: 2 });
  const stream = board(600, 4);
  for (const { x, y } of stream) learner.learn(x, y);
  const half = median(stream.slice(0, 100).map(({ x }) => x)) / 2;
  assert.ok((learner.width as number) > half / 1.6);
});

test("a width from another scale is searched again", () => {
  const learner = make("olk-c");
  for (let t = 0; t < 40; t++) learner.learn([1e6 * (t % 7), 1e6 * t, 0], t % 2 ? 1 : -1);
  assert.ok((learner.width as number) > 1e5);
  for (const { x, y } of easyStream("classification", 3, 300, 7)) learner.learn(x, y);
  assert.ok((learner.width as number) < 3);
});

/** Inputs that wander far from the first ones, and of both classes. */
function slowStream(count: number) {
  return easyStream("classification", 3, count, 10).map(({ x, y }, t) => ({
    x: x.map((value, j) => 0.05 * value + (j === 2 ? t / 40 : (y * t) / 200)),
    y,
  }));
}

for (const name of ["olk-c", "dual-greedy", "projectron", "nogd", "bsgd"]) {
  test(`${name} widens a width from inputs that lie close together, and resumes at any label to the bit`, () => {
    const stream = slowStream(300);
    const whole = make(name, { budget: 32 });
    for (const { x, y } of stream.slice(0, 20)) whole.learn(x, y);
    const first = whole.width as number;
    for (const { x, y } of stream.slice(20)) whole.learn(x, y);
    assert.ok((whole.width as number) > 1.5 * first && first > 0, `${first}, then ${whole.width}`);
    for (const cut of [31, 32, 47, 48, 79, 80, 81, 144]) {
      const before = make(name, { budget: 32 });
      for (const { x, y } of stream.slice(0, cut)) before.learn(x, y);
      const after = make(name, { budget: 32 });
      restore(after, checkpoint(before));
      for (const { x, y } of stream.slice(cut)) after.learn(x, y);
      assert.equal(checkpoint(after), checkpoint(whole), `cut at ${cut}`);
    }
  });
}

test("dual ascent keeps its vectors where its width changes", () => {
  const learner = make("dual-greedy", { budget: 32 });
  let changes = 0;
  for (const { x, y } of slowStream(300)) {
    const { width, size } = learner;
    learner.learn(x, y);
    if (width === 0 || learner.width === width) continue;
    changes++;
    assert.ok(learner.size >= size, `${learner.size} of ${size}`);
  }
  assert.ok(changes > 0);
});

/** The largest error of L L' = K, with the kernel as it is, over Projectron's stored vectors; Infinity while rows of L wait. */
function errorOfFactor(learner: KernelExpansion): number {
  const { dictionary, range, layout, size } = learner;
  const { words } = range.f32;
  const at = layout.at("factor", range);
  const L = (i: number, j: number) => words[at + (i * (i + 1)) / 2 + j];
  const row = (i: number) => [0, 1, 2].map((j) => words[dictionary.rows + 12 * (i >> 2) + 4 * j + (i & 3)]);
  const gamma = 1 / (2 * (learner.width as number) ** 2);
  let worst = 0;
  for (let i = 0; i < size; i++) {
    if (L(i, i) === 0) return Number.POSITIVE_INFINITY;
    for (let j = 0; j <= i; j++) {
      let product = 0;
      for (let k = 0; k <= j; k++) product += L(i, k) * L(j, k);
      const [u, v] = [row(i), row(j)];
      const kernel = Math.exp(-gamma * u.reduce((sum, value, k) => sum + (value - v[k]) ** 2, 0));
      worst = Math.max(worst, Math.abs(product - kernel));
    }
  }
  return worst;
}

for (const name of ["projectron", "projectron-pp"]) {
  test(`${name} keeps what it learned where its width changes, and makes its factor anew over several labels`, () => {
    const options = { budget: 96, projectionThreshold: 0.01 };
    const stream = slowStream(700).map(({ x, y }, t) => ({ x, y: t % 3 === 0 ? -y : y })); // many mistakes
    const whole = make(name, options);
    const amid: number[] = [];
    let kept = 0;
    stream.forEach(({ x, y }, t) => {
      const { width, size } = whole;
      whole.learn(x, y);
      if (errorOfFactor(whole) === Number.POSITIVE_INFINITY) amid.push(t + 1);
      else if (whole.size > 0)
        assert.ok(errorOfFactor(whole) < 1e-3, `label ${t + 1}: ${errorOfFactor(whole)}`);
      if (width === 0 || whole.width === width) return;
      kept = Math.max(kept, size);
      if (whole.size <= 20) assert.ok(errorOfFactor(whole) < 1e-3, `label ${t + 1}: not at once`);
      assert.ok(4 * whole.size >= size, `${whole.size} vectors of ${size}`);
    });
    assert.ok(kept > 40 && amid.length > 0, `${kept} vectors; ${amid}`);
    const runs = amid
      .filter((t) => !amid.includes(t - 1))
      .map((t) => amid.filter((u) => u >= t && u < t + 30).length);
    assert.ok(Math.max(...runs) < 16, `labels on which rows waited: ${amid}`);
    assert.is(whole.count("inserted") - whole.count("evicted"), whole.size);
    for (const cut of amid) {
      const before = make(name, options);
      for (const { x, y } of stream.slice(0, cut)) before.learn(x, y);
      const after = make(name, options);
      restore(after, checkpoint(before));
      for (const { x, y } of stream.slice(cut)) after.learn(x, y);
      assert.equal(checkpoint(after), checkpoint(whole), `cut at ${cut}`);
    }
  });
}

/** Of Projectron's vectors, by their components: coefficient, last use, uses. */
function heldBy(learner: KernelExpansion): Map<string, readonly number[]> {
  const { dictionary, range, layout, size } = learner;
  const { words, bits } = range.f32;
  const [lastUse, uses] = ["lastUse", "uses"].map((name) => layout.at(name, range));
  const row = (i: number) => [0, 1, 2].map((j) => words[dictionary.rows + 12 * (i >> 2) + 4 * j + (i & 3)]);
  return new Map(
    Array.from({ length: size }, (_, i) => [
      row(i).join(),
      [dictionary.coefficient(i), bits[lastUse + i], bits[uses + i]],
    ]),
  );
}

test("while rows of Projectron's factor wait, a mistake is stored, and what is known of other vectors stays theirs", () => {
  const learner = make("projectron", { budget: 160, projectionThreshold: 0.01, staleAfter: 50 });
  const clock = learner.layout.at("clock", learner.range);
  let [stored, projected] = [0, 0];
  for (const [t, { x, y }] of slowStream(700).entries()) {
    const isWaiting = errorOfFactor(learner) === Number.POSITIVE_INFINITY;
    const before = heldBy(learner);
    const evicted = learner.count("evicted");
    const label = t % 3 === 0 ? -y : y;
    const isMistake = label * learner.predict(x) <= 0;
    learner.learn(x, label);
    if (!isWaiting) continue;
    const now = learner.range.f32.bits[clock];
    const after = heldBy(learner);
    for (const [row, [, last, uses]] of after) {
      const [, lastBefore, usesBefore] = before.get(row) ?? [0, now, 0];
      if (last !== now) assert.equal([last, uses], [lastBefore, usesBefore], `label ${t + 1}`);
      else assert.is(uses, Math.min(16, usesBefore + 1), `label ${t + 1}`);
    }
    const gone = learner.count("evicted") - evicted;
    projected += gone;
    if (!isMistake || gone > 0) continue;
    stored++;
    assert.is(after.size, before.size + 1, `label ${t + 1}`);
    for (const [row, [a]] of before) assert.is(after.get(row)?.[0], a, `label ${t + 1}`);
    assert.is(after.get(x.map(Math.fround).join())?.[0], label);
  }
  assert.ok(stored > 1 && projected > 0, `${stored} mistakes stored, ${projected} vectors projected`);
});

test("where rows of Projectron's factor wait at the full budget, a mistake goes to a near vector or is declined", () => {
  const learner = make("projectron", { budget: 48, projectionThreshold: 0.01, staleAfter: 1e7 });
  let [lent, declined] = [0, 0];
  for (const [t, { x: place, y }] of board(4000, 4).entries()) {
    const x = [...place, 0];
    const isWaiting = errorOfFactor(learner) === Number.POSITIVE_INFINITY && learner.dictionary.full;
    const before = [...heldBy(learner)].map(([row, [a]]) => `${row}:${a}`);
    const [wasDeclined, evicted] = [learner.count("declined"), learner.count("evicted")];
    const label = t % 10 === 0 ? -y : y;
    const isMistake = label * learner.predict(x) <= 0;
    learner.learn(x, label);
    if (!isWaiting || !isMistake || learner.count("evicted") > evicted) continue;
    const kept = new Set([...heldBy(learner)].map(([row, [a]]) => `${row}:${a}`));
    const changed = before.filter((each) => !kept.has(each)).length;
    const isDeclined = learner.count("declined") > wasDeclined;
    assert.is(changed, isDeclined ? 0 : 1, `label ${t + 1}`);
    if (isDeclined) declined++;
    else lent++;
  }
  assert.ok(lent + declined > 0, `${lent} lent, ${declined} declined`);
});

test("NOGD keeps its vectors where its width changes, and finds its features anew", () => {
  const learner = make("nogd", { budget: 32, rank: 8 }) as Nogd;
  let [changes, renewed, waits] = [0, 0, false];
  for (const { x, y } of slowStream(700)) {
    const { width, size, hasFeatures } = learner;
    learner.learn(x, y);
    if (waits && learner.hasFeatures) renewed++;
    waits &&= !learner.hasFeatures;
    if (width === 0 || learner.width === width) continue;
    assert.ok(learner.size >= size, `${learner.size} of ${size}`);
    if (!hasFeatures) continue;
    assert.not(learner.hasFeatures);
    changes++;
    waits = true;
  }
  assert.ok(changes > 1 && renewed >= changes - 1, `${changes} changes, ${renewed} times features anew`);
});

test("dual ascent computes W again over several labels, which it declines; a checkpoint amid them resumes to the bit", () => {
  const stream = slowStream(300);
  const options = { budget: 96, evict: "oldest" };
  const renewing = (learner: KernelExpansion) =>
    learner.range.f32.bits[learner.layout.at("renewal", learner.range)] > 0;
  const whole = make("dual-greedy", options);
  const amid: number[] = [];
  stream.forEach(({ x, y }, t) => {
    const { size } = whole;
    const wasRenewing = renewing(whole);
    whole.learn(x, y);
    if (renewing(whole)) amid.push(t + 1);
    if (wasRenewing && renewing(whole)) assert.is(whole.size, size);
  });
  assert.ok(amid.length >= 2 && amid.length < 12, `${amid}`);
  assert.ok(whole.count("declined") >= amid.length / 2 && whole.count("declined") < amid.length);
  isNormKnown(whole);
  for (const cut of amid) {
    const before = make("dual-greedy", options);
    for (const { x, y } of stream.slice(0, cut)) before.learn(x, y);
    const after = make("dual-greedy", options);
    restore(after, checkpoint(before));
    for (const { x, y } of stream.slice(cut)) after.learn(x, y);
    assert.equal(checkpoint(after), checkpoint(whole), `cut at ${cut}`);
  }
});

/** W is |f|^2 with the kernel as it is. */
function isNormKnown(learner: KernelExpansion): void {
  const { dictionary, range } = learner;
  let W = 0;
  for (let i = 0; i < learner.size; i++) {
    const x = new Float32Array(3);
    for (let j = 0; j < 3; j++) x[j] = range.f32.words[dictionary.rows + 12 * (i >> 2) + 4 * j + (i & 3)];
    W += dictionary.coefficient(i) * learner.predict(x);
  }
  const { squaredNorm } = learner as unknown as { readonly squaredNorm: number };
  assert.ok(Math.abs(squaredNorm / W - 1) < 1e-3, `${squaredNorm}, not ${W}`);
}

test("dual ascent's W is |f|^2 of the width that it learns with", () => {
  const learner = make("dual-greedy", { budget: 32 });
  for (const { x, y } of slowStream(300)) learner.learn(x, y);
  isNormKnown(learner);
});

test("a power cut at any of the first samples changes no bit", () => {
  for (const name of ["olk-c", "qkrls"]) {
    const stream = easyStream(make(name).task as never, 3, 60, 8);
    const whole = make(name);
    for (const { x, y } of stream) whole.learn(x, y);
    for (let cut = 0; cut <= 40; cut++) {
      const before = make(name);
      for (const { x, y } of stream.slice(0, cut)) before.learn(x, y);
      const after = make(name);
      restore(after, checkpoint(before));
      for (const { x, y } of stream.slice(cut)) after.learn(x, y);
      assert.equal(checkpoint(after), checkpoint(whole), `${name} cut at ${cut}`);
    }
  }
});

test("the inputs that give the width fit the dictionary, and under a budget of one their labels do", () => {
  assert.is(inputsForWidth(64, 8), 16);
  assert.is(inputsForWidth(16, 8), 8);
  assert.is(inputsForWidth(1, 1), 2);
  for (const budget of [1, 2, 3, 4, 5, 7, 8, 15, 17, 64]) {
    for (const dimension of [1, 2, 8]) {
      const stream = easyStream("regression", dimension, 40, 9);
      const learner = make("qklms", { budget, dimension });
      for (const { x, y } of stream) {
        learner.learn(x, y);
        assert.ok(learner.size <= budget, `budget ${budget}, dimension ${dimension}: ${learner.size}`);
      }
      assert.ok((learner.width as number) > 0, `budget ${budget}, dimension ${dimension}`);
    }
  }
});

for (const { title, check } of PROPERTIES) {
  test(`olk-c with a width given ${title}`, () => check(givenWidth(familyNamed("olk-c") as Family), {}, 1));
}

test.run();
