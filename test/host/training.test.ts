import { test } from "uvu";
import * as assert from "uvu/assert";
import { arithmetic } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { CANDIDATES, chooseModel, NodeCandidates, noExperience } from "../../host/training/candidates.ts";
import { bestPasses, Folds } from "../../host/training/folds.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import {
  installable,
  type Lesson,
  type ModelForm,
  makeModel,
  modelLayout,
  trainModel,
} from "../../host/training/model.ts";
import { GroupTrust } from "../../host/training/trust.ts";
import { decodeModel, modelCrc } from "../../src/learn/model-bytes.ts";

const PLANE: ModelForm = { dimension: 2, vectors: 0 };
const VECTORS: ModelForm = { dimension: 2, vectors: 16 };

const isBeyondLine = (x: Float32Array) => x[0] - x[1] / 2 > 0;
const isInRing = (x: Float32Array) => x[0] * x[0] + x[1] * x[1] > 1.4;

/** Lessons of a node; `rightness` is -1 where its labels are reversed. */
function drawLessons(
  seed: number,
  count: number,
  { rightness = 1, flips = 0, of = isBeyondLine } = {},
): Lesson[] {
  const random = new Random(seed, "lessons");
  return Array.from({ length: count }, () => {
    const x = Float32Array.of(random.normal(), random.normal());
    const y = of(x) ? rightness : -rightness;
    return { x, y: random.uniform() < flips ? -y : y };
  });
}

/** Errors on a hundred new samples, of a model as a node has it. */
function countWrong({ dimension, vectors }: ModelForm, bytes: Uint8Array, of = isBeyondLine): number {
  const score = decodeModel(bytes, dimension, vectors);
  return drawLessons(999, 100, { of }).filter(({ x, y }) => score(x) > 0 !== y > 0).length;
}

const judgeGroup = (form: ModelForm, nodes: readonly (readonly Lesson[])[]) =>
  new GroupTrust(form, nodes.length).judge(nodes, "seed", 60);

const memoryFor = (form: ModelForm) => arithmetic().allocate(modelLayout(form));

test("a plane is the mean of the weights that each order of the lessons leads to", () => {
  const lessons = drawLessons(1, 6);
  const weights = [0, 1].map((run) => {
    const random = new Random(5, "orders");
    const order = lessons.slice();
    for (let i = 0; i <= run; i++) {
      order.splice(0, order.length, ...lessons);
      random.shuffle(order);
    }
    const single = makeModel(PLANE, memoryFor(PLANE));
    for (const { x, y } of order) single.learn(x, y);
    return [0, 1, 2].map((j) => single.range.f32.words[single.layout.at("w", single.range) + j]);
  });
  const plane = trainModel(PLANE, memoryFor(PLANE), lessons, new Random(5, "orders"), {
    passes: 2,
    steps: 3000,
  });
  const at = plane.layout.at("w", plane.range);
  for (const j of [0, 1, 2]) {
    assert.is(plane.range.f32.words[at + j], Math.fround(weights[0][j] / 2 + weights[1][j] / 2));
  }
});

test("an expansion takes as many passes as the steps allow, at least one", () => {
  const trainOn = (count: number) => {
    const effort = { passes: 10, steps: 100 };
    return trainModel(VECTORS, memoryFor(VECTORS), drawLessons(1, count), new Random(1), effort).count(
      "learned",
    );
  };
  assert.equal([5, 40, 300].map(trainOn), [50, 120, 300]);
});

test("a node computes with the installed model what the gateway's learner does, but for rounding", () => {
  for (const form of [PLANE, VECTORS]) {
    const learner = trainModel(form, memoryFor(form), drawLessons(1, 60), new Random(1));
    const score = decodeModel(installable(form, learner), form.dimension, form.vectors);
    for (const { x } of drawLessons(2, 20)) assert.ok(Math.abs(score(x) - learner.predict(x)) < 1e-6);
  }
  const nothing = installable(VECTORS, makeModel(VECTORS, memoryFor(VECTORS)));
  assert.is(decodeModel(nothing, 2, 16)([1, 2]), 0);
});

test("of nodes that are alike all are trusted, of others the one is left out that differs", () => {
  const alike = Array.from({ length: 8 }, (_, j) => drawLessons(j, 30));
  assert.ok(judgeGroup(PLANE, alike).every(({ isTrusted }) => isTrusted));
  const reversed = [...alike.slice(0, 7), drawLessons(7, 30, { rightness: -1 })];
  const trust = judgeGroup(PLANE, reversed);
  assert.equal(
    trust.map(({ isTrusted }) => isTrusted),
    [true, true, true, true, true, true, true, false],
  );
  assert.ok((trust[7].error as number) > 0.8, "nearly all of its labels are on the other side");
});

test("a poisoner is left out with a hundred labels, and the limit is the rule's", () => {
  const nodes = Array.from({ length: 7 }, (_, j) => drawLessons(j, 100));
  const trust = judgeGroup(VECTORS, [...nodes, drawLessons(7, 100, { flips: 0.4 })]);
  assert.is(trust.filter(({ isTrusted }) => !isTrusted).length, 1);
  assert.not(trust[7].isTrusted);
  const errors = trust.map(({ error }) => error as number).sort((a, b) => a - b);
  const m = Math.max(errors[4], 0.02);
  assert.is(trust[7].limit, m + 0.08 + 2 * Math.sqrt((m * (1 - m)) / 100));
});

test("nobody is judged by less than five labels, nor among less than three nodes, nor left out where no majority agrees", () => {
  const few = [drawLessons(1, 4), drawLessons(2, 4), drawLessons(3, 4, { rightness: -1 })];
  const two = [drawLessons(1, 30), drawLessons(2, 30, { rightness: -1 })];
  const split = [1, 1, 1, -1, -1, -1].map((rightness, j) => drawLessons(j, 60, { rightness }));
  for (const nodes of [few, two]) {
    assert.ok(judgeGroup(PLANE, nodes).every(({ isTrusted, error }) => isTrusted && error === undefined));
  }
  const left = judgeGroup(PLANE, split).filter(({ isTrusted }) => isTrusted).length;
  assert.ok(2 * left >= split.length, `${left} of ${split.length} are trusted`);
});

test("a fold's lessons are judged by a model that didn't learn them", () => {
  const odd = drawLessons(9, 40, { rightness: -1 });
  const groups = [drawLessons(1, 40), drawLessons(2, 40), odd];
  const folds = new Folds(PLANE, groups.length);
  folds.train(groups, (j) => j !== 2, "seed", { learned: 60, passes: 1, steps: 3000 });
  const errors = groups.map((lessons, j) => folds.countErrors(j, lessons));
  assert.ok(errors[0] < 8 && errors[1] < 8 && errors[2] > 30, `${errors}`);
});

test("right labels take ten passes, wrong ones fewer; a plane always takes ten orders", () => {
  const nodes = (flips: number) => Array.from({ length: 8 }, (_, j) => drawLessons(j, 40, { flips }));
  const best = (form: ModelForm, flips: number) => bestPasses(form, nodes(flips), () => true, "seed", 60);
  assert.is(best(VECTORS, 0), 10);
  assert.ok(best(VECTORS, 0.2) < 10);
  assert.is(best(PLANE, 0.3), 10);
});

test("the choice adds handicap, own errors and the others' experience as at most fifty labels", () => {
  const own = { errors: Float64Array.of(3, 1, 2, 0, 0), labels: 5 };
  assert.is(CANDIDATES[chooseModel(own, noExperience())], "strong"); // 3, 1.3, 2.6, 1, 1.5
  const others = { errors: Float64Array.of(0, 0, 0, 40, 40), labels: 200 };
  assert.is(CANDIDATES[chooseModel(own, others)], "light"); // k = 50 / 200: 3, 1.3, 2.6, 11, 11.5
  const few = { errors: Float64Array.of(0, 0, 0, 1, 1), labels: 4 };
  assert.is(CANDIDATES[chooseModel(own, few)], "light"); // k = 2 / 4: 3, 1.3, 2.6, 1.5, 2
});

test("experience fades by .995 a label", () => {
  const candidates = new NodeCandidates(PLANE);
  candidates.judge({ x: Float32Array.of(1, 0), y: 1 });
  assert.is(candidates.experience.labels, 0, "nothing is judged before there is a candidate");
  candidates.train(makeModel(PLANE, memoryFor(PLANE)), drawLessons(1, 50), "seed");
  const wrong = { x: Float32Array.of(3, 0), y: -1 };
  candidates.judge(wrong);
  candidates.judge(wrong);
  const { errors, labels } = candidates.experience;
  assert.is(labels, 1.995);
  assert.is(errors[CANDIDATES.indexOf("own")], 1.995);
  assert.is(errors[CANDIDATES.indexOf("group")], 0, "an untrained model says -1");
});

/** A group's models as texts, after each label of each node in turn. */
function trainRounds(form: ModelForm, nodes: readonly (readonly Lesson[])[], seed = 1): string[] {
  const trainer = new GroupTrainer(nodes.length, { ...form, seed });
  return nodes[0].flatMap((_, k) => {
    nodes.forEach((lessons, node) => {
      trainer.take(node, lessons[k]);
    });
    return trainer
      .models()
      .map(({ node, candidate, bytes }) => `${k + 1} ${node} ${candidate} ${modelCrc(bytes)}`);
  });
}

test("the same lessons and seed give the same models, another seed others", () => {
  const nodes = Array.from({ length: 4 }, (_, j) => drawLessons(j, 12));
  const once = trainRounds(VECTORS, nodes);
  assert.equal(trainRounds(VECTORS, nodes), once);
  assert.not.equal(trainRounds(VECTORS, nodes, 2), once);
});

test("a node gets a model when its labels have grown by half", () => {
  const models = trainRounds(PLANE, [drawLessons(1, 45), drawLessons(2, 45)]);
  const counts = models.filter((text) => text.split(" ")[1] === "0").map((text) => Number.parseInt(text, 10));
  assert.equal(counts, [1, 2, 3, 4, 6, 9, 13, 19, 28, 42]);
});

test("one label of each of eight alike nodes, and a node without any, learn more than a node alone", () => {
  const trainer = new GroupTrainer(9, PLANE);
  for (let node = 0; node < 8; node++) for (const lesson of drawLessons(node, 3)) trainer.take(node, lesson);
  const alone = trainModel(PLANE, memoryFor(PLANE), drawLessons(0, 3), new Random(1));
  const models = trainer.models();
  assert.is(models.length, 9, "the newcomer, too");
  const newcomer = models.find(({ node }) => node === 8);
  assert.is(newcomer?.candidate, "group");
  assert.ok(
    newcomer && countWrong(PLANE, newcomer.bytes) < countWrong(PLANE, installable(PLANE, alone)),
    "24 labels are more than 3",
  );
  assert.equal(trainer.standing(8), { isTrusted: true, labels: 0, isAlike: true, candidate: "group" });
});

test("a node without labels gets the group's model, though the others do better with models that followed their own labels", () => {
  const trainer = new GroupTrainer(4, PLANE);
  const nodes = [-2, 0, 2].map((shift, j) =>
    drawLessons(j, 60, { of: (x: Float32Array) => x[0] - x[1] / 2 > shift }),
  );
  for (let k = 0; k < 60; k++) {
    nodes.forEach((lessons, node) => {
      trainer.take(node, lessons[k]);
    });
    for (const { node, candidate } of trainer.models()) if (node === 3) assert.is(candidate, "group");
  }
  assert.not([0, 2].some((node) => trainer.standing(node).candidate === "group"));
});

test("a newcomer gets the group's model until its first labels contradict it", () => {
  const newcomer = (rightness: number, labels: number) => {
    const trainer = new GroupTrainer(9, PLANE);
    for (let node = 0; node < 8; node++)
      for (const lesson of drawLessons(node, 30)) trainer.take(node, lesson);
    trainer.models();
    for (const lesson of drawLessons(8, labels, { rightness })) trainer.take(8, lesson);
    return [trainer.models()[0]?.candidate, trainer.standing(8).isAlike] as const;
  };
  assert.is(newcomer(-1, 0)[1], true, "without a label none contradicts");
  assert.equal(newcomer(-1, 2), ["own", false]);
  assert.is(newcomer(1, 2)[1], true);
  assert.is.not(newcomer(1, 2)[0], "own");
});

test("a node without fellows is like its group", () => {
  const trainer = new GroupTrainer(1, PLANE);
  for (const lesson of drawLessons(1, 9)) trainer.take(0, lesson);
  trainer.models();
  assert.ok(trainer.standing(0).isAlike);
});

test("a node that differs ends with a model of its own labels, and doesn't train the others'", () => {
  const nodes = Array.from({ length: 8 }, (_, j) => drawLessons(j, 60, { rightness: j === 7 ? -1 : 1 }));
  const trainer = new GroupTrainer(8, PLANE);
  for (let k = 0; k < 60; k++) {
    nodes.forEach((lessons, node) => {
      trainer.take(node, lessons[k]);
    });
    for (const { node, bytes } of trainer.models()) {
      if (k < 30) continue;
      const errors = countWrong(PLANE, bytes);
      assert.ok(node === 7 ? errors > 85 : errors < 15, `node ${node} at ${k}: ${errors}`);
    }
  }
  assert.not(trainer.standing(7).isTrusted);
  assert.is(trainer.lessons.length, 7 * 60);
});

test("a single node is a group, and gains by learning its labels several times", () => {
  const errors = [1, 2, 3, 4, 5, 6].map((seed) => {
    const lessons = drawLessons(seed, 40, { of: isInRing });
    const trainer = new GroupTrainer(1, VECTORS);
    for (const lesson of lessons) trainer.take(0, lesson);
    const once = makeModel(VECTORS, memoryFor(VECTORS));
    for (const { x, y } of lessons) once.learn(x, y);
    const models = [trainer.models()[0].bytes, installable(VECTORS, once)];
    return models.map((bytes) => countWrong(VECTORS, bytes, isInRing));
  });
  const [often, once] = [0, 1].map((i) => errors.reduce((sum, each) => sum + each[i], 0));
  assert.ok(often < 0.8 * once, `${often} errors, ${once} after one pass`);
});

test.run();
