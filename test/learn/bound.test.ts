import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { Family } from "../../src/learn/family.ts";
import { COUNTERS } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import { BindingWasm, CALLS } from "./binding-wasm.ts";

/** Four classes with one dictionary. */
const SHARED = { classes: 4, shared: true };

/** Options of each family whose learn is bound: every way that its C has. */
const WAYS: Record<string, object[]> = {
  "olk-c": [
    {},
    { evict: "oldest", forgetThreshold: 0.05, regularization: 0.1 },
    { evict: "smallest" },
    { evict: "refuse" },
  ],
  "norma-c": [{}, { nu: 0.2, bias: true }, { evict: "oldest", lambda: 0.1, bias: true }],
  "norma-r": [{}, { nu: 0.3 }, { evict: "smallest", epsilon: 0 }],
  "norma-n": [{}, { nu: 0.5, evict: "merge", eta: 0.4 }],
  bsgd: [{}, { maintenance: "remove", lambda: 0.01 }],
  "dual-rho": [{}, { forget: true }, { step: "plain", forget: true, rho: 0.5 }, { evict: "refuse" }],
  "dual-aga": [{}, { forget: true, evict: "oldest" }, { evict: "smallest", C: 2 }],
  "dual-greedy": [{}, { forget: true, C: 3 }, { forget: true, evict: "refuse" }, { evict: "oldest" }],
  lol: [{}, { classes: 4, prototypes: 5 }, { count: "literal", lambda: 0.1 }],
  "i-lol": [{}, { classes: 3 }],
  "ova:olk-c": [
    SHARED,
    { ...SHARED, evict: "oldest", forgetThreshold: 0.05, regularization: 0.1 },
    { ...SHARED, evict: "smallest", classes: 26 },
    { ...SHARED, evict: "refuse" },
  ],
  "ova:kernel-perceptron": [SHARED, { ...SHARED, evict: "merge", eta: 0.5 }],
  "ova:bsgd": [SHARED, { ...SHARED, maintenance: "remove", lambda: 0.01 }],
};

/** Vectors of 16 bits, in steps that tell most inputs apart; one in ten is clipped. */
const SHORT = { storage: "q15", ranges: [[-2, 2]] };

const DIMENSION = 3;
const STEPS = 600;

/** Mostly ordinary; one in ten huge, not finite, of another length, or with a label that is none. */
function draw(random: Random, family: Family, classes: number): [number[], number] {
  const x = Array.from({ length: DIMENSION }, () => random.normal());
  const score = x[0] * x[1] + x[2] / 2;
  const odd = random.below(60);
  if (odd === 0) x[random.below(DIMENSION)] = [Number.NaN, Number.POSITIVE_INFINITY, 1e39][random.below(3)];
  if (odd === 1) x.push(1);
  if (odd === 2) x[random.below(DIMENSION)] = 1e19 * random.normal();
  if (odd === 3) for (let j = 0; j < DIMENSION; j++) x[j] *= 1e-25;
  if (odd === 4) return [x, [Number.NaN, 2, 0.5, 1e39, -3, 0][random.below(6)]];
  if (family.task === "regression") return [x, odd === 5 ? 1e30 : score];
  if (classes > 2) return [x, random.below(classes)];
  if (family.task === "novelty") return [x, random.below(8) === 0 ? -1 : random.below(2)];
  return [x, score > 0 !== (random.below(8) === 0) ? 1 : -1];
}

/** The family's ways, and the last of them with vectors of 16 bits. */
const listVariants = (name: string): object[] => {
  const ways = WAYS[name];
  return named(name).options.storage
    ? [...ways, { ...ways[0], ...SHORT }, { ...ways.at(-1), ...SHORT }]
    : ways;
};

/** A family by its name, also one-vs-all over one. */
function named(name: string): Family {
  const [, binary] = /^ova:(.+)$/.exec(name) ?? [];
  return binary ? oneVsAllFamily(named(binary)) : (familyNamed(name) as Family);
}

/** What `make` makes where nothing can be assigned to the methods of that learner's classes: as Moddable's linker freezes prototypes. */
function whereFixed<Made>(learner: object, make: () => Made): Made {
  const fixed: [object, string][] = [];
  const fix = (writable: boolean) => {
    for (const [owner, name] of fixed) Object.defineProperty(owner, name, { writable });
  };
  for (let one = Object.getPrototypeOf(learner); one !== Object.prototype; one = Object.getPrototypeOf(one))
    for (const name of ["predict", "learn"]) if (Object.hasOwn(one, name)) fixed.push([one, name]);
  fix(false);
  try {
    return make();
  } finally {
    fix(true);
  }
}

const FOUND = { kernel: { type: "gaussian", width: "auto" } };

for (const name of Object.keys(WAYS)) {
  const ways = listVariants(name);
  const isKernel = named(name).options.kernel !== undefined;
  for (const way of isKernel ? [...ways, { ...ways[0], ...FOUND }, { ...ways.at(-1), ...FOUND }] : ways) {
    test(`${name}, ${JSON.stringify(way)}: a bound learn does what learn does, to the bit`, () => {
      const family = named(name);
      const kernel = family.options.kernel ? { kernel: { type: "gaussian", p: 1 } } : {};
      const options = { dimension: DIMENSION, budget: 9, ...kernel, ...way };
      const layout = family.layout(options);
      const f32 = new BindingWasm((layout.bytes + 7) & ~7);
      const plain = family.create({
        ...options,
        memory: layout.range(new WasmF32(compileWasm(), layout.bytes)),
      });
      const bound = whereFixed(plain, () => family.create({ ...options, memory: layout.range(f32) }));
      assert.ok(
        f32.bound.some((call) => CALLS[call][1]),
        "learn is bound",
      );
      const random = new Random(1, `bound ${name} ${JSON.stringify(way)}`);
      const counts = (learner: typeof bound) => COUNTERS.map((counter) => learner.count(counter));
      for (let i = 0; i < STEPS; i++) {
        const [x, y] = draw(random, family, (way as { classes?: number }).classes ?? 2);
        assert.ok(Object.is(bound.predict(x), plain.predict(x)), `prediction ${i}`);
        assert.ok(Object.is(bound.learn(x, y), plain.learn(x, y)), `decision ${i}`);
        assert.is(bound.stateHash(), plain.stateHash(), `step ${i}`);
        assert.equal(counts(bound), counts(plain), `step ${i}`);
      }
      assert.ok(plain.count("refused") > 10 && plain.count("learned") > 500);
    });
  }
}

test("a bound learn of dual ascent waits, too, until |f|^2 is known at another width", () => {
  const family = familyNamed("dual-greedy") as Family;
  const options = { dimension: DIMENSION, budget: 96 };
  const layout = family.layout(options);
  const f32 = new BindingWasm((layout.bytes + 7) & ~7);
  const bound = family.create({ ...options, memory: layout.range(f32) });
  const plain = family.create({ ...options, memory: layout.range(new WasmF32(compileWasm(), layout.bytes)) });
  const random = new Random(4, "wider");
  for (let t = 0; t < 300; t++) {
    const y = random.uniform() < 0.5 ? -1 : 1;
    const x = [0.05 * random.normal(), 0.05 * random.normal() + (y * t) / 200, t / 40];
    bound.learn(x, y);
    plain.learn(x, y);
    assert.is(bound.stateHash(), plain.stateHash(), `step ${t}`);
  }
  assert.ok(plain.count("declined") > 0);
});

test("every learner that an engine binds predicts what the others do", () => {
  for (const family of FAMILIES) {
    const options = { ...(family.options.budget ? { budget: 24 } : {}), dimension: DIMENSION };
    const layout = family.layout(options);
    const f32 = new BindingWasm((layout.bytes + 7) & ~7);
    const bound = family.create({ ...options, memory: layout.range(f32) });
    const plain = family.create({
      ...options,
      memory: layout.range(new WasmF32(compileWasm(), layout.bytes)),
    });
    const random = new Random(2, family.name);
    for (let i = 0; i < 60; i++) {
      const [x, y] = draw(random, family, 2);
      assert.ok(Object.is(bound.learn(x, y), plain.learn(x, y)), `${family.name}: decision ${i}`);
    }
    assert.is(bound.stateHash(), plain.stateHash(), family.name);
  }
});

test("a learner that corrects labels or has another kernel binds no learn", () => {
  const given = [{ sources: [[0.1, 0.1]] }, { kernel: { type: "linear" } }];
  for (const own of given) {
    const family = familyNamed("olk-c") as Family;
    const options = { dimension: DIMENSION, budget: 9, ...own };
    const layout = family.layout(options);
    const f32 = new BindingWasm((layout.bytes + 7) & ~7);
    family.create({ ...options, memory: layout.range(f32) });
    assert.not.ok(f32.bound.some((call) => CALLS[call][1]));
  }
});

test.run();
