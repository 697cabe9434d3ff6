import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { UserOptions } from "../../src/learn/family.ts";
import { Knn } from "../../src/learn/knn.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { nodeLearner } from "../../src/node/node-options.ts";

const knn = familyNamed("knn")!;

/** The learner stated a second time: all samples in a list, sorted by distance. */
class Listed {
  private readonly stored: { readonly q: readonly number[]; readonly y: number }[] = [];
  private next = 0;

  constructor(
    private readonly budget: number,
    private readonly k: number,
    private readonly isWeighted: boolean,
    private readonly classes: number,
  ) {}

  /** Steps of a range of [-5, 5]. */
  private steps(x: readonly number[]): number[] {
    return x.map((value) => Math.min(255, Math.max(0, Math.floor((value + 5) * 25.5 + 0.5))));
  }

  /** f_c of each class, -1 first. */
  scores(x: readonly number[]): number[] {
    const q = this.steps(x);
    const ranked = this.stored
      .map(({ q: other, y }) => ({ y, D: other.reduce((sum, byte, j) => sum + (byte - q[j]) ** 2, 0) }))
      .sort((a, b) => a.D - b.D)
      .slice(0, this.k)
      .map(({ y, D }, place) => ({ y, w: this.isWeighted ? 1 / (1 + D) : place === 0 ? 1.5 : 1 }));
    const total = ranked.reduce((sum, { w }) => sum + w, 0);
    return Array.from({ length: this.classes }, (_, c) =>
      ranked.reduce((sum, { y, w }) => sum + (y === c ? w / total : 0), 0),
    );
  }

  store(x: readonly number[], y: number): void {
    this.stored[this.next] = { q: this.steps(x), y };
    this.next = (this.next + 1) % this.budget;
  }
}

for (const [budget, k, vote, classes] of [
  [20, 5, "majority", 2],
  [20, 4, "majority", 2],
  [33, 7, "distance", 2],
  [20, 4, "majority", 5],
  [33, 7, "distance", 3],
] as const) {
  test(`${k} of ${budget} neighbours, ${vote}, ${classes} classes: decisions are those of a sorted list`, () => {
    const learner = new Knn({ dimension: 3, budget, k, vote, classes });
    const listed = new Listed(budget, k, vote === "distance", classes);
    const random = new Random(1, "knn");
    for (let t = 0; t < 200; t++) {
      const x = [random.normal(), 3 * random.normal(), random.normal()].map(Math.fround);
      const y = Math.floor(classes * random.uniform());
      const scores = listed.scores(x);
      const decision = learner.learn(x, classes > 2 ? y : 2 * y - 1);
      if (classes === 2) assert.ok(Math.abs(decision - (scores[1] - scores[0])) < 1e-6, `label ${t}`);
      else assert.is(scores[decision] + 1e-6 > Math.max(...scores), true, `label ${t}`);
      listed.store(x, y);
    }
    assert.is(learner.size, budget);
    assert.is(learner.count("evicted"), 200 - budget);
  });
}

test("the nearest sample decides a tie, and no more", () => {
  const learner = new Knn({ dimension: 1, k: 4 });
  for (const [x, y] of [
    [0.1, -1],
    [0.5, 1],
    [0.6, 1],
    [0.7, -1],
  ])
    learner.learn([x], y);
  assert.is(learner.classify([0]), -1, "two votes each");
  assert.is(learner.classify([0.5]), 1, "two votes each");
  learner.learn([0.4], 1);
  assert.is(learner.classify([0]), 1, "three votes against the nearest and another");
});

test("with keep errors, a sample that was predicted rightly isn't stored", () => {
  const learner = new Knn({ dimension: 1, k: 1, keep: "errors" });
  for (let t = 0; t < 50; t++) learner.learn([t % 2], t % 2 === 0 ? -1 : 1);
  assert.is(learner.size, 2);
  assert.is(learner.count("quantized"), 48);
});

test("a value outside its range counts as its end, and components share a step", () => {
  const learner = new Knn({
    dimension: 2,
    k: 1,
    ranges: [
      [0, 1],
      [0, 255],
    ],
  });
  learner.learn([0.5, 255], 1);
  learner.learn([0.5, 200], -1);
  assert.is(learner.classify([0.5, 1e9]), 1);
  assert.is(
    learner.classify([60, 215]),
    -1,
    "a step is 1, so that 60 is far for the narrow component as for the wide one",
  );
});

/** The message of the error that its construction throws. */
function refusal(options: UserOptions): string {
  try {
    knn.create({ dimension: 2, ...options });
  } catch (error) {
    assert.instance(error, OptionError);
    return (error as Error).message;
  }
  return "";
}

test("ranges are refused that aren't one for each component, or one of all", () => {
  assert.match(
    refusal({ ranges: [] }),
    /takes \[least, largest\] of each component, 2, or one of all: a node/,
  );
  assert.match(
    refusal({
      ranges: [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    }),
    /takes \[least, largest\]/,
  );
  assert.match(refusal({ ranges: [[1, 0]] }), /ranges: got/);
});

test("a node gives the ranges of its channels", () => {
  const options = (features: object) =>
    nodeLearner({
      sid: 1,
      channels: 2,
      pending: 4,
      learner: knn,
      options: {},
      features,
      ranges: [
        [0, 40],
        [0, 100],
      ],
    }).options;
  assert.equal(options({ window: 0, standardise: true }).ranges, [[-5, 5]]);
  assert.equal(options({ window: 0, standardise: false }).ranges, [
    [0, 40],
    [0, 100],
  ]);
});

test("each label of a stored sample that no class has is refused in a state from outside", () => {
  const learner = new Knn({ dimension: 1, classes: 3 });
  for (let t = 0; t < 3; t++) learner.learn([t], t);
  assert.is(learner.isSound(), true);
  learner.range.f32.bits[learner.layout.at("labels", learner.range)] = 0x030100;
  assert.is(learner.isSound(), false);
});

test.run();
