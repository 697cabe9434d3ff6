import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Nogd } from "../../src/learn/nogd.ts";
import { near, readKernel, readTrace } from "./golden.ts";
import { readWords } from "./region.ts";

/** b = V_k D_k^(-1/2) w, so that f(x) = k(x).b. */
function equivalentCoefficients(learner: Nogd, B: number, k: number): number[] {
  const features = readWords(learner, "features");
  const w = readWords(learner, "w");
  const at = (r: number, j: number) => features[4 * B * (r >> 2) + 4 * j + (r & 3)];
  return Array.from({ length: B }, (_, j) =>
    Array.from({ length: k }, (_, r) => at(r, j) * w[r]).reduce((sum, term) => sum + term, 0),
  );
}

function nogd(budget: number, rank: number) {
  const trace = readTrace("nogd");
  const { eta, etaFeatures } = trace.params;
  return {
    trace,
    learner: new Nogd({
      dimension: 3,
      kernel: readKernel(trace),
      budget,
      rank,
      eta,
      etaFeatures,
      eigenproblem: "once",
    }),
  };
}

test("NOGD follows nogd", () => {
  const { B, k } = readTrace("nogd").params;
  const { trace, learner } = nogd(B, k);
  const predictions = trace.X.map((x, t) => {
    const decision = learner.learn(x, trace.y[t]);
    assert.is(learner.size, trace.sizes[t], `size after step ${t}`);
    return decision;
  });
  near(predictions, trace.predictions, 1e-4, "prediction");
  near(equivalentCoefficients(learner, B, k), trace.final.equivalent_kernel_coef, 1e-4, "coefficient");
});

test("with all eigenvectors kept, the decomposition changes no prediction", () => {
  const { trace, learner } = nogd(12, 12);
  const { learner: roomy } = nogd(40, 40);
  trace.X.slice(0, 12).forEach((x, t) => {
    learner.learn(x, trace.y[t]);
    roomy.learn(x, trace.y[t]);
  });
  assert.is(learner.size, 12);
  near(
    trace.X.map((x) => learner.predict(x)),
    trace.X.map((x) => roomy.predict(x)),
    1e-5,
    "prediction",
  );
});

/** Blobs of both classes, here and there. */
function blobs(n: number): { x: number[]; y: number }[] {
  const random = new Random(3, "nogd");
  return Array.from({ length: n }, () => {
    const y = random.uniform() < 0.5 ? -1 : 1;
    return { x: [y * (random.uniform() < 0.5 ? 1 : -2) + 0.3 * random.normal(), random.normal()], y };
  });
}

const WIDE = { dimension: 2, budget: 48, rank: 10, kernel: { type: "gaussian", p: 1 } } as const;
const isSolving = (learner: Nogd) => readWords(learner, "solving")[0] !== 0;

test("the eigenproblem of a large budget is spread over labels, to the features that it has at once", () => {
  const [spread, once] = [new Nogd(WIDE), new Nogd({ ...WIDE, eigenproblem: "once" })];
  let turns = 0;
  for (const { x, y } of blobs(600)) {
    if (!once.dictionary.full) once.learn(x, y);
    spread.learn(x, y);
    if (isSolving(spread)) turns++;
    else if (spread.dictionary.full) break;
  }
  assert.ok(turns > 8 && turns < 100, `${turns} labels`);
  assert.is(once.size, 48);
  assert.equal([...readWords(spread, "features")], [...readWords(once, "features")]);
  assert.ok(readWords(spread, "w").every((w) => w !== 0));
  for (const name of ["gram", "tridiagonal", "coefficients"]) {
    assert.ok(
      readWords(spread, name).every((word) => word === 0),
      name,
    );
  }
});

test("a checkpoint amid the eigenproblem resumes to the same bits, whatever lies in scratch", () => {
  const samples = blobs(400);
  const whole = new Nogd(WIDE);
  let [resumed, resumptions] = [new Nogd(WIDE), 0];
  for (const { x, y } of samples) {
    whole.learn(x, y);
    resumed.learn(x, y);
    if (!isSolving(resumed)) continue;
    resumptions++;
    const { range, layout } = resumed;
    const next = new Nogd(WIDE);
    next.range.f32.words.fill(Number.NaN);
    next.range.f32.bits.set(
      range.f32.bits.subarray(range.state, range.state + layout.state + layout.counters),
    );
    resumed = next;
  }
  assert.ok(resumptions > 8);
  assert.not.ok(isSolving(whole));
  assert.is(resumed.stateHash(), whole.stateHash());
});

test("what loses amid the eigenproblem is learned at the nearest vector, and stays where the features take over", () => {
  const learner = new Nogd(WIDE);
  const samples = blobs(600);
  while (!isSolving(learner)) learner.learn(samples[0].x, samples.shift()!.y);
  const x = [1, 0.1];
  const before = learner.predict(x);
  while (isSolving(learner)) learner.learn(x, -1);
  assert.ok(before > 0 && learner.predict(x) < -0.5, `${before}, ${learner.predict(x)}`);
});

test("where the kernel matrix isn't finite, the last vector leaves, and f stays an expansion", () => {
  const learner = new Nogd({
    ...{ dimension: 1, budget: 4, rank: 2, eta: 1e-39 },
    kernel: { type: "polynomial", degree: 2, offset: 0 },
  });
  for (const x of [1e9, 1.1e9, 2e9, 5e9]) learner.learn([x], 1);
  assert.is(learner.size, 3);
  assert.ok(learner.count("overflowed") > 0);
  assert.ok(Number.isFinite(learner.predict([1])));
  assert.not.ok(isSolving(learner));
});

test("where the width changes, the expansion that it becomes is what the features said", () => {
  const learner = new Nogd({
    dimension: 2,
    budget: 24,
    rank: 24,
    kernel: { type: "gaussian", gamma: 1 },
    eigenproblem: "spread",
  });
  const samples = blobs(300);
  for (const { x, y } of samples.slice(0, 200)) learner.learn(x, y);
  assert.ok(learner.hasFeatures);
  const before = samples.slice(200).map(({ x }) => learner.predict(x));
  (learner as unknown as { rescale(): void }).rescale();
  assert.not(learner.hasFeatures);
  near(
    samples.slice(200).map(({ x }) => learner.predict(x)),
    before,
    1e-3,
    "f",
  );
});

test("stored vectors that repeat each other leave features of rank less than k at 0", () => {
  const learner = new Nogd({
    kernel: { type: "gaussian", p: 1 },
    dimension: 1,
    budget: 8,
    rank: 6,
    eta: 1e-3,
    eigenproblem: "once",
  });
  for (let t = 0; t < 8; t++) learner.learn([t % 2], 1);
  assert.is(learner.size, 8);
  assert.is(learner.count("overflowed"), 0);
  assert.is(readWords(learner, "w").filter((w) => w !== 0).length, 2, "two vectors differ");
  for (let t = 0; t < 200; t++) learner.learn([t % 2], t % 2 === 0 ? 1 : -1);
  assert.ok(learner.predict([0]) >= 0.9 && learner.predict([1]) <= -0.9);
});

test("a rank above the budget is refused by name", () => {
  assert.throws(
    () => new Nogd({ kernel: { type: "gaussian", p: 1 }, dimension: 1, budget: 8 }),
    /nogd: option rank: got 16; takes a whole number <= budget, which is 8/,
  );
});

test("a dictionary of equal inputs has one feature, and learning continues behind it", () => {
  const random = new Random(1, "constant start");
  const learner = new Nogd({ dimension: 2, budget: 32, kernel: { type: "gaussian", sigma: 1 } });
  let wrong = 0;
  for (let t = 0; t < 1000; t++) {
    const y = random.uniform() < 0.5 ? 1 : -1;
    const x = t < 200 ? [0, 0] : [y + 0.5 * random.normal(), random.normal()];
    if (t >= 600 && learner.predict(x) * y <= 0) wrong++;
    learner.learn(x, y);
  }
  assert.ok(wrong < 40, `${wrong} of 400 wrong`);
});

test.run();
