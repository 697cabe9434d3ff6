import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Basis } from "../../host/training/basis.ts";
import {
  candidateShares,
  mainCandidate,
  makeCandidates,
  meanWeights,
  widenPriors,
} from "../../host/training/candidates.ts";
import { Folds } from "../../host/training/folds.ts";
import { GroupTrainer } from "../../host/training/group-trainer.ts";
import { dot, isotropicBelief } from "../../host/training/logistic.ts";
import {
  fitLessons,
  installable,
  type Lesson,
  likeliestNature,
  type ModelForm,
} from "../../host/training/model.ts";
import { GroupTrust } from "../../host/training/trust.ts";
import { decodeModel, modelCrc } from "../../src/learn/model-bytes.ts";
import { OlkC } from "../../src/learn/olk.ts";

const PLANE: ModelForm = { dimension: 2, vectors: 0 };
const VECTORS: ModelForm = { dimension: 2, vectors: 16 };
/** Of labels that are right. */
const RIGHT = { variance: 10, flips: 0 };

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
  new GroupTrust(nodes.length).judge(new Basis(form, nodes.flat()), nodes, 60, RIGHT);

/** A model of lessons alone. */
function alone(form: ModelForm, lessons: readonly Lesson[]): Uint8Array {
  const basis = new Basis(form, lessons);
  return installable(form, basis, fitLessons(basis, lessons, RIGHT).mean);
}

test("a basis of vectors has the Gaussians' inner products, and as few vectors as it takes", () => {
  const lessons = drawLessons(1, 12);
  const basis = new Basis({ dimension: 2, vectors: 64 }, [...lessons, ...lessons]);
  assert.ok(basis.vectors.length <= 12, "no vector twice");
  for (const one of lessons)
    for (const other of lessons) {
      const square = (one.x[0] - other.x[0]) ** 2 + (one.x[1] - other.x[1]) ** 2;
      const product = dot(basis.row(one), basis.row(other)) - 1;
      assert.ok(Math.abs(product - Math.exp(-basis.gamma * square)) < 0.002);
    }
  assert.is(new Basis(VECTORS, drawLessons(1, 200)).vectors.length, 16);
});

test("a node computes with the installed model what the gateway does, but for rounding", () => {
  for (const form of [PLANE, VECTORS]) {
    const lessons = drawLessons(1, 60);
    const basis = new Basis(form, lessons);
    const { mean } = fitLessons(basis, lessons, RIGHT);
    const score = decodeModel(installable(form, basis, mean), form.dimension, form.vectors);
    for (const lesson of drawLessons(2, 20))
      assert.ok(Math.abs(score(lesson.x) - dot(basis.row(lesson), mean)) < 1e-4);
  }
});

test("a group's nature is what makes its labels likeliest: right ones, or a share of wrong ones", () => {
  const nature = (flips: number) => {
    const lessons = drawLessons(1, 200, { flips });
    return likeliestNature(new Basis(VECTORS, lessons), lessons);
  };
  assert.equal(nature(0), { variance: 100, flips: 0 });
  assert.ok(nature(0.2).flips > 0);
});

test("a model that supposes wrong labels errs less where labels are wrong", () => {
  const errors = [0, 0.25].map((flips) =>
    [1, 2, 3, 4].reduce((sum, seed) => {
      const lessons = drawLessons(seed, 200, { flips: 0.25 });
      const basis = new Basis(PLANE, lessons);
      const { mean } = fitLessons(basis, lessons, { variance: 10, flips });
      return sum + countWrong(PLANE, installable(PLANE, basis, mean));
    }, 0),
  );
  assert.ok(errors[1] < 0.8 * errors[0], `${errors}`);
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

/** The probability that a node is unlike its group by the rule's formula, from the scores of its labels and of the others'. */
function unlikenessBy(own: readonly number[], others: readonly number[]): number {
  const probability = (scores: readonly number[], slope: number, flips: number) =>
    scores.reduce((all, score) => all * (flips + (1 - 2 * flips) / (1 + Math.exp(-slope * score))), 1);
  let [like, unlike] = [0, 0];
  for (const slope of [4, 2, 1, 0.5, 0.25, 0.125]) {
    for (const flips of [0.02, 0.1, 0.25]) {
      const weight = probability(others, slope, flips);
      like += weight * (0.95 * probability(own, slope, flips) + 0.05 * probability(own, slope, 0.4));
      unlike += weight * probability(own, -slope, Math.max(flips, 0.15));
    }
  }
  return (0.1 * unlike) / (0.1 * unlike + like);
}

test("the probability that a node is unlike its group is the rule's: a label says little where the others' model isn't sure", () => {
  const nodes = [drawLessons(1, 20), drawLessons(2, 20), drawLessons(3, 20), drawLessons(4, 4)];
  const basis = new Basis(PLANE, nodes.flat());
  const trust = new GroupTrust(4);
  trust.judge(basis, nodes, 60, RIGHT);
  const scores = (j: number, lessons = nodes[j]) => trust.folds.scores(basis, j, lessons);
  const others = [0, 1, 2].flatMap((j) => scores(j));
  const unlikeness = (own: readonly Lesson[]) => trust.unlikeness(basis, 3, own);
  const reversed = nodes[3].map(({ x, y }) => ({ x, y: -y }));
  for (const own of [nodes[3], reversed, []])
    assert.ok(Math.abs(unlikeness(own) - unlikenessBy(scores(3, own), others)) < 1e-5);
  assert.ok(unlikeness(reversed) > 0.8);
  const wrong = (x: number): Lesson => ({ x: Float32Array.of(x, 0), y: -1 });
  assert.ok(unlikeness([wrong(0.02)]) < 0.12, "about the odds before any label");
  const [once, twice] = [unlikeness([wrong(2)]), unlikeness([wrong(2), wrong(2)])];
  assert.ok(once > 0.5 && once < 0.75, `${once}: one label may be wrong`);
  assert.ok(twice > 0.85, `${twice}`);
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
  const basis = new Basis(PLANE, groups.flat());
  const folds = new Folds(groups.length);
  folds.train(basis, groups, (j) => j !== 2, 60, RIGHT);
  const errors = groups.map((its, j) => folds.scores(basis, j, its).filter((score) => score < 0).length);
  assert.ok(errors[0] < 8 && errors[1] < 8 && errors[2] > 30, `${errors}`);
});

/** The candidates' merits of a node beside others that learned a hundred right labels. */
function judgeCandidates(lessons: readonly Lesson[]): readonly number[] {
  const others = drawLessons(50, 100);
  const basis = new Basis(PLANE, others);
  return makeCandidates(basis, widenPriors(fitLessons(basis, others, RIGHT)), lessons, RIGHT).merits;
}

test("a node whose labels others predict is like its group; one whose labels are reversed is mirrored, one of another rule neither", () => {
  const main = (options: Parameters<typeof drawLessons>[2]) =>
    mainCandidate(candidateShares(judgeCandidates(drawLessons(1, 12, options)), [], 0));
  assert.ok(["group", "light"].includes(main({})));
  assert.is(main({ rightness: -1 }), "mirrored");
  const sure: Lesson = { x: Float32Array.of(2, -1), y: -1 };
  const [mirrored, ...own] = candidateShares(judgeCandidates([sure, sure]), [], 0.9).slice(4);
  assert.ok(
    own.every((share) => share < mirrored),
    `${mirrored} by two sure labels, ${own}`,
  );
  assert.is(candidateShares(judgeCandidates([sure]), [], 0.9)[4], 0, "one may be wrong");
  assert.ok(["strong", "own"].includes(main({ of: (x) => x[0] / 2 + x[1] > 0 })));
});

test("where the other nodes have nothing in common, a node that shows nothing yet is supposed to have nothing, either", () => {
  const nothing = [0, 0, 0, 0, 0, 0, 0, 0];
  const apart = [-9, -9, -9, -9, -9, 0, 0, 0];
  const alike = [0, -3, -6, -9, -9, -9, -9, -9];
  const fellows = (merits: readonly number[]) => Array.from({ length: 7 }, () => merits);
  assert.is(mainCandidate(candidateShares(nothing, fellows(apart), 0)), "own");
  assert.is(mainCandidate(candidateShares(nothing, fellows(alike), 0)), "group");
  const sum = candidateShares(nothing, fellows(alike), 0).reduce((all, each) => all + each, 0);
  assert.ok(Math.abs(sum - 1) < 1e-12);
});

test("a node's model is the mean of its candidates by their shares", () => {
  const models = [isotropicBelief(2, 1), { ...isotropicBelief(2, 1), mean: Float64Array.of(4, 8) }];
  assert.equal([...meanWeights(models, [0.75, 0.25])], [1, 2]);
});

test("what makes a node unlike its group gives the mirrored model and its own labels that share", () => {
  const merits = [0, -1, -2, -3, -2, -1, -2, -4];
  const apart = (unlike: number) =>
    candidateShares(merits, [], unlike)
      .slice(4)
      .reduce((sum, each) => sum + each, 0);
  assert.ok(Math.abs(apart(0.5) - (0.5 + apart(0) / 2)) < 1e-12);
  assert.ok(Math.abs(apart(1) - 1) < 1e-12);
});

/** A group's models as texts, after each label of each node in turn. */
function trainRounds(form: ModelForm, nodes: readonly (readonly Lesson[])[]): string[] {
  const trainer = new GroupTrainer(nodes.length, form);
  return nodes[0].flatMap((_, k) => {
    nodes.forEach((lessons, node) => {
      trainer.take(node, lessons[k]);
    });
    return trainer
      .models()
      .map(({ node, candidate, bytes }) => `${k + 1} ${node} ${candidate} ${modelCrc(bytes)}`);
  });
}

test("the same lessons give the same models", () => {
  const nodes = Array.from({ length: 4 }, (_, j) => drawLessons(j, 12));
  const once = trainRounds(VECTORS, nodes);
  assert.equal(trainRounds(VECTORS, nodes), once);
});

test("a node gets a model when its labels have grown by half", () => {
  const models = trainRounds(PLANE, [drawLessons(1, 45), drawLessons(2, 45)]);
  const counts = models.filter((text) => text.split(" ")[1] === "0").map((text) => Number.parseInt(text, 10));
  assert.equal(counts, [1, 2, 3, 4, 6, 9, 13, 19, 28, 42]);
});

test("one label of each of eight alike nodes, and a node without any, learn more than a node alone", () => {
  const trainer = new GroupTrainer(9, PLANE);
  for (let node = 0; node < 8; node++) for (const lesson of drawLessons(node, 3)) trainer.take(node, lesson);
  const models = trainer.models();
  assert.is(models.length, 9, "the newcomer, too");
  const newcomer = models.find(({ node }) => node === 8);
  assert.is(newcomer?.candidate, "group");
  assert.ok(
    newcomer && countWrong(PLANE, newcomer.bytes) < countWrong(PLANE, alone(PLANE, drawLessons(0, 3))),
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

/** Trains a newcomer's model beside eight nodes of 30 labels each. */
function trainNewcomer(lessons: readonly Lesson[], flips = 0) {
  const trainer = new GroupTrainer(9, PLANE);
  for (let node = 0; node < 8; node++)
    for (const lesson of drawLessons(node, 30, { flips })) trainer.take(node, lesson);
  trainer.models();
  for (const lesson of lessons) trainer.take(8, lesson);
  const [model] = trainer.models();
  return { model, isAlike: trainer.standing(8).isAlike };
}

test("a newcomer gets the group's model until its first labels contradict it, and then that model mirrored", () => {
  const reversed = trainNewcomer(drawLessons(8, 3, { rightness: -1 }));
  assert.is(reversed.model.candidate, "mirrored");
  assert.not(reversed.isAlike);
  assert.ok(countWrong(PLANE, reversed.model.bytes) > 85, "of a hundred labels that aren't reversed");
  assert.is(
    trainNewcomer(drawLessons(8, 2, { rightness: -1 })).model.candidate,
    "own",
    "two don't show that much",
  );
  assert.ok(trainNewcomer([]).isAlike, "without a label none contradicts");
  const alike = trainNewcomer(drawLessons(8, 3));
  assert.ok(alike.isAlike);
  assert.ok(["group", "light"].includes(alike.model.candidate));
});

test("where a quarter of the labels is wrong, two wrong ones of three mirror no node", () => {
  const lessons = drawLessons(8, 3).map(({ x, y }, i) => ({ x, y: i < 2 ? -y : y }));
  const { model } = trainNewcomer(lessons, 0.25);
  assert.is.not(model.candidate, "mirrored");
  assert.ok(countWrong(PLANE, model.bytes) < 30);
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

test("a node with huge features harms nobody else", () => {
  for (const form of [PLANE, VECTORS])
    for (const factor of [1e3, 1e20, 1e38]) {
      const nodes = Array.from({ length: 5 }, (_, j) => drawLessons(j, 30));
      const trainer = new GroupTrainer(5, form);
      nodes.forEach((lessons, node) => {
        for (const { x, y } of lessons)
          trainer.take(node, { x: node === 4 ? x.map((each) => each * factor) : x, y });
      });
      for (const { node, bytes } of trainer.models())
        if (node < 4)
          assert.ok(countWrong(form, bytes) < 15, `node ${node}, features ${factor} times as large`);
    }
});

test("a node whose features aren't finite, or are of another number, changes nothing for the others", () => {
  const bad = [[Number.NaN, 1], [1, Number.POSITIVE_INFINITY], [1], [1, 1, 1, 1, 1, 1]];
  const nodes = Array.from({ length: 4 }, (_, j) => drawLessons(j, 12));
  for (const form of [PLANE, VECTORS]) {
    const [harmed, unharmed] = [new GroupTrainer(5, form), new GroupTrainer(5, form)];
    for (let k = 0; k < 12; k++) {
      for (const trainer of [harmed, unharmed])
        nodes.forEach((lessons, node) => {
          trainer.take(node, lessons[k]);
        });
      harmed.take(4, { x: Float32Array.from(bad[k % bad.length]), y: 1 });
      assert.equal(harmed.models(), unharmed.models());
    }
    assert.is(harmed.standing(4).labels, 0);
  }
});

test("a single node is a group, and gains by a model that is fitted to all its labels", () => {
  const errors = [1, 2, 3, 4, 5, 6].map((seed) => {
    const lessons = drawLessons(seed, 40, { of: isInRing });
    const trainer = new GroupTrainer(1, VECTORS);
    for (const lesson of lessons) trainer.take(0, lesson);
    const once = new OlkC({ dimension: 2, budget: 16, kernel: { type: "gaussian", gamma: 1 / 1.4 } });
    for (const { x, y } of lessons) once.learn(x, y);
    const onceErrs = drawLessons(999, 100, { of: isInRing }).filter(
      ({ x, y }) => once.predict(x) > 0 !== y > 0,
    );
    return [countWrong(VECTORS, trainer.models()[0].bytes, isInRing), onceErrs.length];
  });
  const [fitted, once] = [0, 1].map((i) => errors.reduce((sum, each) => sum + each[i], 0));
  assert.ok(fitted < 0.8 * once, `${fitted} errors, ${once} of a learner that saw each label once`);
});

test.run();
