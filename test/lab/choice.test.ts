import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { selectRows } from "../../host/streams/replay.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { LabelPath } from "../../host-sim/prequential/labelled-run.ts";
import { prequentialDecisions } from "../../host-sim/prequential/prequential.ts";
import { advise } from "../../lab/choice/advice.ts";
import { CandidateRunner, type Trial, type TrialOutcome } from "../../lab/choice/candidate-runner.ts";
import {
  type Candidate,
  type CandidateRules,
  candidatesFor,
  withShortVectors,
} from "../../lab/choice/candidates.ts";
import { withBestFeatures } from "../../lab/choice/feature-search.ts";
import {
  acrossPasses,
  estimateDifference,
  estimateLoss,
  type Losses,
  LossSums,
  staysIn,
  stretchesOfStays,
} from "../../lab/choice/noise.ts";
import { noteLines } from "../../lab/choice/notes.ts";
import type { BoardLimits } from "../../lab/choice/on-board.ts";
import { pendingsFor } from "../../lab/choice/pendings.ts";
import { choosePrefixes } from "../../lab/choice/prefixes.ts";
import { knownRanges } from "../../lab/choice/ranges.ts";
import { bestOfKinds, type Choice, type ChoiceResult } from "../../lab/choice/result.ts";
import { finalists, search, survivors } from "../../lab/choice/search.ts";
import { listSettings } from "../../lab/choice/settings.ts";
import { medianDistance, medianGamma } from "../../lab/choice/units.ts";
import { judgeBest, learningCurve } from "../../lab/choice/verdict.ts";
import { choiceCells, setupLines } from "../../lab/choice/wording.ts";
import { prepare } from "../../lab/evaluation/evaluation.ts";
import { sampleOrder } from "../../lab/evaluation/one-pass.ts";
import { scaleRows } from "../../lab/evaluation/scaling.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";

const UNITS = { distance: 2, labels: 10 };

function sumLosses(count: number, loss: (place: number) => number): Losses {
  const sums = new LossSums(count);
  for (let place = 0; place < count; place++) sums.add(place, loss(place));
  return sums;
}

function makeData(rows: readonly number[], labels: readonly number[]) {
  const [values, targets] = [Float32Array.from(rows), Float64Array.from(labels)];
  return { rows: values, dimension: 1, count: labels.length, labels: targets, source: "" };
}

test("the standard error of independent losses is that of their mean", () => {
  const random = new Random(3);
  const { mean, standardError } = estimateLoss(sumLosses(20_000, () => (random.uniform() < 0.2 ? 1 : 0)));
  assert.ok(Math.abs(mean - 0.2) < 0.01);
  const binomial = Math.sqrt((0.2 * 0.8) / 20_000);
  assert.ok(standardError > 0.7 * binomial && standardError < 1.4 * binomial, `${standardError}`);
});

test("the standard error of losses that depend on whole stays is that of the stays, and of others as before", () => {
  const random = new Random(6);
  const [count, stay] = [4000, 100];
  const labels = Array.from({ length: count }, (_, place) => Math.floor(place / stay) % 2);
  const rates = Array.from({ length: count / stay }, () => (random.uniform() < 0.5 ? 0.9 : 0.1));
  const sums = new LossSums(count, stretchesOfStays(labels));
  for (let place = 0; place < count; place++)
    sums.add(place, random.uniform() < rates[Math.floor(place / stay)] ? 1 : 0);
  const ofStays = 0.4 / Math.sqrt(count / stay);
  const { mean, standardError } = estimateLoss(sums);
  const { stays: _, ...even } = { sums: sums.sums, counts: sums.counts, stays: sums.stays };
  assert.ok(standardError > 0.7 * ofStays && standardError < 1.4 * ofStays, `${standardError}, ${ofStays}`);
  assert.ok(estimateLoss(even).standardError < standardError, "stretches that cut stays hide it");
  assert.ok(Math.abs(mean - estimateLoss(even).mean) < 1e-12);
  const short = stretchesOfStays(Array.from({ length: 1000 }, (_, place) => place % 2));
  assert.is(new Set(short).size, 50);
  assert.is(new LossSums(1000, short).stays, undefined, "stays that end within a stretch join none");
  assert.is(new Set(stretchesOfStays([1, 1, 1])).size, 1);
  assert.is(staysIn(Float64Array.of(1, 1, Number.NaN, 1, 0, 1)), 3);
});

test("what a learner gains as it learns isn't noise, and a single sample has none that is known", () => {
  const falling = estimateLoss(sumLosses(1000, (place) => 1 - place / 1000));
  assert.ok(falling.standardError < 0.01, `${falling.standardError}`);
  assert.equal(estimateLoss(sumLosses(1, () => 1)), { mean: 1, standardError: 0 });
});

test("losses that two have on the same samples aren't noise of their difference", () => {
  const random = new Random(4);
  const common = Array.from({ length: 5000 }, () => (random.uniform() < 0.3 ? 1 : 0));
  const first = sumLosses(5000, (place) => common[place]);
  const second = sumLosses(5000, (place) => (place % 100 === 0 ? 1 : common[place]));
  const { mean, standardError } = estimateDifference(second, first);
  assert.ok(mean > 0 && mean < 0.01);
  assert.ok(standardError < estimateLoss(first).standardError / 3);
});

test("passes in several orders add the order's noise to the samples'", () => {
  const one = { mean: 0.1, standardError: 0.01 };
  assert.equal(acrossPasses([one]), one);
  const { mean, standardError } = acrossPasses([one, { mean: 0.2, standardError: 0.01 }]);
  assert.ok(Math.abs(mean - 0.15) < 1e-12);
  assert.ok(Math.abs(standardError - Math.sqrt(0.01 ** 2 + 0.05 ** 2)) < 1e-12);
});

test("each learner that ships is searched by options that it has, its default among the values", () => {
  for (const family of FAMILIES) {
    for (const { option, values, unit } of family.traits?.searched ?? []) {
      const { accepts, default: usual } = family.options[option];
      assert.ok(values.every(accepts), `${family.name} ${option}`);
      if (unit === undefined) assert.ok(values.includes(usual), `${family.name} ${option}: ${usual}`);
    }
    const { sizes } = family.traits ?? {};
    assert.ok(sizes?.values.every(family.options[sizes.option].accepts) ?? true, family.name);
  }
});

test("settings: the learner's defaults first, widths in median distances, and what is given isn't searched", () => {
  const family = familyNamed("olk-c");
  assert.ok(family);
  const settings = listSettings(family, UNITS, {});
  assert.equal(settings[0], { kernel: { type: "gaussian", sigma: 1 } });
  assert.is(settings.length, 40);
  assert.ok(settings.some(({ C }) => C === 2) && !settings.some(({ C }) => C === 0));
  const options = { C: 0.7, kernel: { type: "linear" } };
  assert.equal(listSettings(family, UNITS, options), [options, { ...options, regularization: 0.003 }]);
  assert.is(listSettings(family, { distance: null, labels: null }, {}).length, 8);
});

test("the median heuristic: of distances, and one over their squares; null where that is 0", () => {
  // Squared distances 1, 4, 9.
  assert.is(medianDistance(makeData([0, 1, 3], [0, 0, 0])), 2);
  assert.is(medianGamma(makeData([0, 1, 3], [0, 0, 0])), 0.25);
  assert.is(medianDistance(makeData([1, 1, 1, 1, 2], [0, 0, 0, 0, 0])), null);
  assert.is(medianGamma(makeData([1], [0])), null);
});

test("samples that lack a reading leave the median distance to the others", () => {
  const whole = medianDistance(makeData([1, 2, 4, 9], [0, 0, 0, 0]));
  assert.is(medianDistance(makeData([1, Number.NaN, 2, 4, 9, Number.NaN], [0, 0, 0, 0, 0, 0])), whole);
  assert.is(medianDistance(makeData([Number.NaN, 1], [0, 0])), null);
});

test("prefixes grow fourfold from 500 samples whose labels come in time; one that lacks a class judges nothing", () => {
  const mixed = makeData(
    new Array(10_000).fill(0),
    Array.from({ length: 10_000 }, (_, i) => i % 2),
  );
  const order = sampleOrder(10_000, null);
  assert.equal(choosePrefixes(mixed, "classification", order), [625, 2500, 10_000]);
  const sorted = { ...mixed, labels: mixed.labels.map((_, i) => (i < 5000 ? 0 : 1)) };
  assert.equal(choosePrefixes(sorted, "classification", order), [10_000]);
  assert.equal(choosePrefixes(sorted, "classification", sampleOrder(10_000, 1)), [625, 2500, 10_000]);
  assert.equal(choosePrefixes(sorted, "regression", order), [625, 2500, 10_000]);
  assert.equal(choosePrefixes(mixed, "classification", order, 125), [625, 2500, 10_000]);
  assert.equal(choosePrefixes(mixed, "classification", order, 126), [2500, 10_000]);
});

const NODE: NodeOptions = { sid: 1, channels: 1, learner: FAMILIES[0], options: {} };

/** Candidates of kinds a, b, ... whose losses are known. */
function makeCandidates(kinds: number, each: number): Candidate[] {
  return Array.from({ length: kinds * each }, (_, i) => ({
    learner: `l${i}`,
    kind: `k${Math.floor(i / each)}`,
    budget: 16,
    options: {},
    node: NODE,
    bytes: i,
    board: { costed: `l${i}`, instructions: null, misfits: [], beyond: [] },
  }));
}

function triedAs(mean: number, { rows, passes }: Pick<Trial, "rows" | "passes">): TrialOutcome {
  const losses = Array.from({ length: passes }, () => sumLosses(rows, () => mean));
  return { rows, passes, loss: { mean, sd: 0 }, losses } as unknown as TrialOutcome;
}

/** Two classes of one feature; `visited` are the places of the rows that were made, `listed` counts readings of all labels. */
function watchedData(count: number) {
  const seen = { visited: [] as number[], listed: 0 };
  class Rows extends Float32Array<ArrayBuffer> {
    override subarray(begin = 0, end = this.length): Float32Array<ArrayBuffer> {
      seen.visited.push(begin);
      return new Float32Array(this.buffer, 4 * begin, end - begin);
    }
  }
  class Labels extends Float64Array<ArrayBuffer> {
    override [Symbol.iterator]() {
      seen.listed++;
      return super[Symbol.iterator]();
    }
  }
  const rows = new Rows(new Float32Array(count).map((_, i) => (i % 7) - 3).buffer);
  const labels = new Labels(new Float64Array(count).map((_, i) => (i % 2 === 0 ? 1 : -1)).buffer);
  return { data: { rows, labels, dimension: 1, count, source: "" }, seen };
}

test("a trial on a prefix of a long file visits no other row, and the file's classes are looked for once", () => {
  const { data, seen } = watchedData(5000);
  const family = familyNamed("pa");
  assert.ok(family);
  for (const C of [0.1, 1]) prepare({ family, options: { C }, train: data });
  assert.is(seen.listed, 1);
  const tryer = new CandidateRunner(Catalogue.shipped, data, { shuffle: null, repeat: 1 });
  for (const C of [0.1, 1])
    assert.is(tryer.try({ learner: "pa", options: { C }, rows: 40, passes: 1 }).rows, 40);
  assert.equal(
    seen.visited,
    Array.from({ length: 40 }, (_, i) => i),
  );
  assert.is(seen.listed, 2, "once for the classes, once for the targets");
});

test("each kind keeps its best third, then its best three; and the best of all stay", () => {
  const entries = makeCandidates(20, 9).map((candidate, i) => ({
    candidate,
    tried: triedAs(i / 180, { rows: 500, passes: 1 }),
  }));
  const third = survivors(entries, false);
  const three = survivors(entries, true);
  for (let kind = 0; kind < 20; kind++) {
    const of = (list: typeof entries) => list.filter(({ candidate }) => candidate.kind === `k${kind}`);
    assert.ok(of(third).length >= 3 && of(three).length >= 3);
    assert.is(of(three)[0].candidate.learner, `l${9 * kind}`);
  }
  assert.equal(
    three.slice(0, 32).map(({ candidate }) => candidate.learner),
    Array.from({ length: 32 }, (_, i) => `l${i}`),
  );
  assert.is(three.length, 32 + 16 * 3);
});

test("who stores no vectors stays for all samples: it takes little, and may be slow to begin", () => {
  const entries = makeCandidates(20, 9).map((candidate, i) => ({
    candidate: i % 9 === 8 ? { ...candidate, budget: null } : candidate,
    tried: triedAs(i / 180, { rows: 500, passes: 1 }),
  }));
  const linear = entries.filter(({ candidate }) => candidate.budget === null);
  for (const isLastNext of [false, true]) {
    const staying = survivors(entries, isLastNext);
    assert.is(linear.filter((entry) => staying.includes(entry)).length, 20);
    assert.ok(staying.length < 0.6 * entries.length);
  }
});

test("with a candidate that stays stays the same with the next narrower kernel: more samples want it", () => {
  const settings = [0.1, 1].flatMap((C) => [1, 2, 4, 8].map((sigma) => ({ C, kernel: { sigma } })));
  const kinds = Array.from({ length: 40 }, (_, kind) => `k${kind}`);
  const entries = kinds.flatMap((kind) =>
    settings.map((options) => {
      const [first] = makeCandidates(1, 1);
      const loss = 0.5 - options.kernel.sigma / 100 + options.C / 1000;
      const candidate = { ...first, learner: kind, kind, options };
      return { candidate, tried: triedAs(loss, { rows: 500, passes: 1 }) };
    }),
  );
  const of = (kind: string) =>
    survivors(entries, true)
      .filter(({ candidate }) => candidate.kind === kind)
      .map(({ candidate }) => candidate.options);
  // The first are among the best of all.
  assert.equal(of("k39"), [
    { C: 0.1, kernel: { sigma: 8 } },
    { C: 1, kernel: { sigma: 8 } },
    { C: 0.1, kernel: { sigma: 4 } },
    { C: 1, kernel: { sigma: 4 } },
    { C: 0.1, kernel: { sigma: 2 } },
  ]);
});

test("the last round has the best of all, and the best of each of the best kinds that aren't far from it", () => {
  const random = new Random(5);
  const rankCandidates = (worst: number, noise = 0) => {
    const entries = makeCandidates(60, 9).map((candidate, i) => {
      const mean = 0.2 + (i / 540) * (worst - 0.2);
      const losses = [sumLosses(500, () => mean + noise * random.normal() * Math.sqrt(10))];
      return { candidate, tried: { ...triedAs(mean, { rows: 500, passes: 1 }), losses } };
    });
    return finalists(entries).map(({ candidate }) => Number(candidate.learner.slice(1)));
  };
  const places = rankCandidates(0.22);
  assert.equal(places.slice(0, 24), [...places.keys()].slice(0, 24));
  assert.equal(
    places.slice(24),
    Array.from({ length: 25 }, (_, i) => 9 * (i + 3)),
  );
  // Place 90 of 540 has 1.25 times the least loss, and losses without noise are sure.
  assert.is(Math.max(...rankCandidates(0.5)), 90);
  assert.is(Math.max(...rankCandidates(0.5, 0.3)), 9 * 27);
});

test("a search that is cut in its first round has tried each kind before it tries one twice", async () => {
  const candidates = makeCandidates(10, 20);
  const cut = (trials: readonly Trial[]) => trials.slice(0, 10).map((trial) => triedAs(0.5, trial));
  const { entries } = await search(candidates, [500], 1, async (trials) => cut(trials));
  assert.equal(
    entries.map(({ candidate }) => candidate.learner),
    Array.from({ length: 10 }, (_, kind) => `l${20 * kind}`),
  );
});

test("a search that is stopped keeps what it knew, and begins no other round", async () => {
  const candidates = makeCandidates(3, 20);
  const asked: number[] = [];
  const found = await search(candidates, [500, 2000], 1, async (trials) => {
    asked.push(trials.length);
    const some = asked.length === 1 ? trials : trials.slice(0, 2);
    return some.map((trial) => triedAs(Number(trial.learner.slice(1)), trial));
  });
  assert.equal(asked, [60, 35]);
  assert.equal(
    found.rounds.map(({ rows, tried }) => [rows, tried]),
    [
      [500, 60],
      [2000, 2],
    ],
  );
  assert.is(found.entries.length, 60);
  assert.equal(
    found.entries.filter(({ tried }) => tried.rows === 2000).map(({ candidate }) => candidate.learner),
    ["l0", "l1"],
  );
});

test("on all samples the best of each kind runs with vectors of 16 bits too, and again with the finalists", async () => {
  const candidates = makeCandidates(3, 20);
  const shorter = new Map(
    candidates.map((each) => [each, { ...each, learner: `${each.learner}/q15`, kind: `${each.kind}/q15` }]),
  );
  const asked: string[][] = [];
  const found = await search(
    candidates,
    [500, 2000],
    1,
    async (trials) => {
      asked.push(trials.map(({ learner }) => learner));
      return trials.map((trial) => triedAs(1 + Number(/\d+/.exec(trial.learner)?.[0]) / 1000, trial));
    },
    // Kind k1 has none.
    (candidate) => (candidate.kind === "k1" ? undefined : shorter.get(candidate)),
  );
  assert.equal(asked[2], ["l0/q15", "l40/q15"]);
  assert.equal(asked[3].slice(-2), ["l0/q15", "l40/q15"]);
  assert.equal(
    found.rounds.map((round) => [round.rows, round.passes, round.shorter === true]),
    [
      [500, 1, false],
      [2000, 1, false],
      [2000, 1, true],
      [2000, 4, false],
      [2000, 24, false],
    ],
  );
});

test("the sixteen best of four passes run in 24, which decide: four may be lucky", async () => {
  const candidates = makeCandidates(60, 1);
  const loss = (place: number, passes: number) => 0.2 + (passes === 24 && place < 15 ? 0.1 : place / 1000);
  const asked: Trial[][] = [];
  const { entries } = await search(candidates, [500], 1, async (trials) => {
    asked.push([...trials]);
    return trials.map((trial) => triedAs(loss(Number(trial.learner.slice(1)), trial.passes), trial));
  });
  const [, few, many] = asked;
  assert.equal(
    asked.map(([{ passes }]) => passes),
    [1, 4, 24],
  );
  assert.ok(few.length > 16);
  assert.equal(
    many.map(({ learner }) => learner),
    Array.from({ length: 16 }, (_, i) => `l${i}`),
  );
  const places = bestOfKinds(entries).map(({ candidate }) => candidate.learner);
  assert.equal(places.slice(0, 17), ["l15", ...Array.from({ length: 15 }, (_, i) => `l${i}`), "l16"]);
});

test("ranges for vectors of 16 bits are the file's, rounded outwards; a node that standardises has its own", () => {
  const data = { ...makeData([1.23456, -0.0011, 7.00049, 12.3456, 3, 0.5], [1, -1]), dimension: 3, count: 2 };
  const { ranges, from } = knownRanges(data, "none", {});
  assert.is(from, "file");
  assert.equal(ranges, [
    [1.2, 12.4],
    [-0.01, 3],
    [0.5, 7.01],
  ]);
  assert.equal(knownRanges(makeData([2, 2], [1, -1]), "none", {}).ranges, [[2, 3]]);
  assert.equal(knownRanges(makeData([-1, 1, -1, 1], [1, -1]), "minmax", {}).ranges, [[-1, 1]]);
  assert.equal(knownRanges(data, "standard", {}), { ranges: [[-5, 5]], from: "node" });
  assert.equal(knownRanges(data, "none", { ranges: [[0, 9]] }), { ranges: [[0, 9]], from: "options" });
});

function rulesFor(options: object): CandidateRules {
  const labels = Array.from({ length: 40 }, (_, i) => (i % 7 > 3 ? 1 : -1));
  const rows = labels.flatMap((_, i) => Array.from({ length: 4 }, (_, j) => (i + 3 * j) % 7));
  const train = { ...makeData(rows, labels), dimension: 4 };
  return {
    catalogue: Catalogue.shipped,
    train,
    task: "classification",
    budgets: [16],
    options: { ...options },
    ...{ features: {}, channels: 4, pendings: [64] },
    units: UNITS,
    known: knownRanges(train, "none", options),
    limits: { target: "esp32c3" },
    mustFit: false,
  };
}

const LATE: LabelPath = {
  labels: {
    noise: {},
    nodeRates: [],
    ...{ delayMean: 100, delaySpread: 20, delayMax: 1000, loss: 0, budget: 1 },
  },
  ...{ horizon: 0, pending: 200, place: "labels", index: 0, seed: 1 },
};

test("samples that may wait: what the path has, then less room to spare, then what loses labels; what is given stands", () => {
  assert.equal(pendingsFor(undefined, undefined), [64]);
  assert.equal(pendingsFor(LATE, undefined), [200, 150, 130, 120]);
  assert.equal(pendingsFor({ ...LATE, horizon: 300, pending: 310 }, undefined), [310]);
  assert.equal(pendingsFor(LATE, 7), [7]);
});

test("a learner gets the most waiting samples for which its board has room, and is left out where none fits", () => {
  const wanted = { ...rulesFor({}), mustFit: true };
  const listPendings = (pendings: readonly number[]) =>
    candidatesFor({ ...wanted, pendings })
      .candidates.filter(({ learner }) => learner === "pa")
      .map(({ node }) => node.pending);
  assert.is(listPendings([1000, 200, 100])[0], 1000);
  assert.is(listPendings([60_000, 200, 100])[0], 200);
  assert.throws(
    () => candidatesFor({ ...wanted, pendings: [60_000] }),
    /^no learner is left to try: auto: RAM needs [\d]+ B/,
  );
  const bytes = ({ candidates: [{ bytes }] }: ReturnType<typeof candidatesFor>) => bytes;
  assert.ok(
    bytes(candidatesFor({ ...wanted, pendings: [200] })) >
      bytes(candidatesFor({ ...wanted, pendings: [100] })),
  );
});

test("of several classes a board takes learners that its firmware has: none is one-vs-all", () => {
  const train = makeData(
    Array.from({ length: 80 }, (_, i) => i % 9),
    Array.from({ length: 40 }, (_, i) => i % 3),
  );
  const wanted: CandidateRules = { ...rulesFor({}), train: { ...train, dimension: 2 }, channels: 2 };
  const isOneVsAll = ({ node }: Candidate) => node.learner.name.startsWith("ova:");
  assert.ok(candidatesFor(wanted).candidates.some(isOneVsAll));
  const { candidates, leftOut } = candidatesFor({ ...wanted, mustFit: true });
  assert.is(candidates.find(isOneVsAll), undefined);
  assert.equal([...new Set(candidates.map(({ learner }) => learner))].sort(), [
    "auto",
    "fogd",
    "i-lol",
    "knn",
    "lol",
    "pa",
  ]);
  assert.ok(
    leftOut.some(({ learner, why }) => learner === "arow" && why === "the firmware has no one-vs-all"),
  );
});

test("a period and a battery leave out learners whose node takes too long, or lasts too few days", () => {
  const budgets = [128];
  const of = (limits: BoardLimits) => {
    const { candidates } = candidatesFor({ ...rulesFor({}), budgets, limits, mustFit: true });
    return new Set(
      candidates.filter(({ board }) => board.instructions !== null).map(({ learner }) => learner),
    );
  };
  const target = "esp32c3";
  assert.ok(of({ target }).has("auto") && !of({ target, periodMs: 2 }).has("auto"));
  assert.ok(of({ target, periodMs: 2 }).has("pa"));
  const lasting = of({ target, periodMs: 60_000, battery: { mAh: 2000, days: 30 } });
  assert.ok(lasting.has("pa"));
  const battery = { mAh: 2000, days: 4000 };
  const limits: BoardLimits = { target, periodMs: 60_000, battery };
  assert.throws(
    () => candidatesFor({ ...rulesFor({}), limits, mustFit: true }),
    /a battery of 2000 mAh lasts [\d.]+ days, 4000 are wanted/,
  );
});

/** A trial whose losses have a deviation of a third, as of a third of wrong classes. */
function noisy(mean: number, { rows, passes }: Trial): TrialOutcome {
  const random = new Random(Math.round(1000 * mean));
  const losses = [sumLosses(rows, () => mean + 0.33 * random.normal())];
  return { ...triedAs(mean, { rows, passes }), losses };
}

test("features are those of the judges' best learner, and the readings unless they are worse for sure", async () => {
  const lossesWith = (losses: readonly number[]) => async () => {
    const sets = losses.map((loss) => ({ window: Math.round(100 * loss) }));
    const choice = {
      sets,
      candidatesWith: (features: FeaturesOption) => ({
        candidates: makeCandidates(2, 2).map((each) => ({ ...each, node: { ...NODE, features } })),
        leftOut: [],
      }),
    };
    const found = await withBestFeatures(choice, 500, async (trials) =>
      trials.map((trial) => noisy((trial.features?.window ?? 0) / 100, trial)),
    );
    return found.features.filter(({ kept }) => kept).map(({ features }) => features.window);
  };
  assert.equal(await lossesWith([0.2, 0.3, 0.5])(), [20]);
  assert.equal(await lossesWith([0.5, 0.1, 0.3])(), [10]);
  assert.ok((await lossesWith([0.11, 0.1])()).includes(11));
});

test("a learner that has vectors of 16 bits is tried with them: fewer bytes, a kind of its own", () => {
  const wanted = rulesFor({});
  const { candidates } = candidatesFor(wanted);
  const of = (name: string) => candidates.find(({ learner }) => learner === name) as Candidate;
  const own = of("olk-c");
  const other = withShortVectors(own, wanted) as Candidate;
  assert.equal(other.options, { ...own.options, storage: "q15", ranges: [[0, 6]] });
  assert.ok(other.bytes < own.bytes && other.kind !== own.kind);
  assert.ok(withShortVectors(of("lol"), wanted));
  assert.is(withShortVectors(of("pa"), wanted), undefined);
  assert.is(withShortVectors(own, rulesFor({ storage: "float32" })), undefined);
});

test("--options that ask for vectors of 16 bits get the ranges, too; ranges alone are for those vectors", () => {
  const asked = candidatesFor(rulesFor({ storage: "q15" })).candidates;
  const stored = asked.filter(({ learner }) => learner === "bsgd");
  assert.ok(stored.length > 0 && stored.every(({ options }) => options.storage === "q15"));
  assert.equal(stored[0].options.ranges, [[0, 6]]);
  const wanted = rulesFor({ ranges: [[0, 9]] });
  const [own] = candidatesFor(wanted).candidates.filter(({ learner }) => learner === "bsgd");
  assert.is(own.options.ranges, undefined);
  assert.equal(withShortVectors(own, wanted)?.options.ranges, [[0, 9]]);
});

/** A choice of that loss, whose difference from the best may be noise. */
function makeChoice(bytes: number, instructions: number, withinNoise = true, mean = 0.1): Choice {
  const behindBest = { mean: mean - 0.1, standardError: 1, withinNoise };
  return { bytes, instructions, loss: { mean, sd: 0 }, behindBest } as unknown as Choice;
}

const TRIVIAL = { majority: 0.5, last: 0.4 };

test("a choice within noise of the best is named where it takes 1.5 times less, the cheapest of them", () => {
  const best = makeChoice(8000, 900);
  assert.equal(
    advise([best, makeChoice(7000, 800)], TRIVIAL).map(({ why }) => why),
    ["best"],
  );
  const others = [makeChoice(100, 10_000), makeChoice(4000, 90), makeChoice(10, 10, false)];
  const advised = advise([best, ...others], TRIVIAL);
  assert.equal(
    advised.map(({ why, choice: place }) => [why, place]),
    [
      ["best", 0],
      ["instructions", 2],
      ["bytes", 1],
    ],
  );
  assert.is(advised[1].times.instructions, 10);
  assert.is(advised[2].times.bytes, 80);
});

test("however large the noise, none is named that loses over 1.25 times the best, or more than a trivial predictor", () => {
  const best = makeChoice(8000, 900);
  const places = (loss: number, trivial = TRIVIAL) =>
    advise([best, makeChoice(10, 10, true, loss)], trivial).map(({ choice }) => choice);
  assert.equal(places(0.124), [0, 1]);
  assert.equal(places(0.126), [0]);
  assert.equal(places(0.12, { majority: 0.11, last: 0.4 }), [0]);
  assert.equal(places(0.12, { majority: 0.5, last: 0.11 }), [0]);
  assert.equal(places(0.12, { majority: 0.12, last: 0.12 }), [0, 1]);
  const perfect = { ...best, loss: { mean: 0, sd: 0 } } as Choice;
  const near = advise([perfect, makeChoice(10, 10, true, 0.001)], TRIVIAL);
  assert.is(near.length, 1, "of a best without an error");
});

test("several passes are standardised each in its own order, as evaluate's are", () => {
  const random = new Random(5, "passes");
  const rows = Array.from({ length: 300 }, (_, i) => (i / 30) * random.normal());
  const labels = rows.map((x, i) => (x > (i / 60) * random.normal() ? 1 : -1));
  const data = makeData(rows, labels);
  const family = familyNamed("pa")!;
  const order = { shuffle: 3, repeat: 2, standardises: true };
  const tried = new CandidateRunner(Catalogue.shipped, data, order).try({
    ...{ learner: "pa", options: {}, rows: 300, passes: 2 },
  });
  const alone = [3, 4].map((shuffle) => {
    const ordered = selectRows(data, [...sampleOrder(300, shuffle)]);
    scaleRows(ordered, "node");
    const learner = family.create({ dimension: 1 });
    const inputs = Array.from({ length: 300 }, (_, i) => ordered.rows.subarray(i, i + 1));
    const decisions = prequentialDecisions(learner, inputs, ordered.labels);
    return decisions.filter((decision, i) => decision >= 0 !== ordered.labels[i] >= 0).length / 300;
  });
  assert.is(tried.loss?.mean, (alone[0] + alone[1]) / 2);
});

test("the first passes of a trial are those of a shorter one, starts and wrong labels alike; all start elsewhere", () => {
  const random = new Random(8, "passes");
  const rows = Array.from({ length: 400 }, () => random.normal());
  const data = makeData(
    rows,
    rows.map((x) => (x > 0.3 * random.normal() ? 1 : -1)),
  );
  const path = { ...LATE, labels: { ...LATE.labels, delayMean: 3, noise: { symmetric: { rate: 0.2 } } } };
  const runner = new CandidateRunner(Catalogue.shipped, data, { shuffle: null, repeat: 1, path });
  const [few, many] = [4, 24].map((passes) =>
    runner.try({ learner: "pa", options: {}, rows: 400, passes }).losses.map(({ sums }) => sums),
  );
  assert.equal(many.slice(0, 4), few);
  assert.is(new Set(many.map((sums) => sums.join())).size, 24);
});

test("balanced baselines lose the mean over the classes that the file has, as learners do", () => {
  const labels = Array.from({ length: 60 }, (_, i) => (i % 10 < 7 ? 0 : 1 + (i % 2)));
  const rows = labels.map((label, i) => label + Math.sin(i));
  const order = { shuffle: null, repeat: 1, balanced: true };
  const tried = [3, 4].map((count) => {
    const classes = Array.from({ length: count }, (_, k) => `${k}`);
    const runner = new CandidateRunner(Catalogue.shipped, { ...makeData(rows, labels), classes }, order);
    return runner.trivial({ learner: "pa", options: {} });
  });
  assert.equal(tried[1], tried[0]);
  assert.ok(Math.abs(tried[0].majority - 2 / 3) < 1e-12, `${tried[0].majority}`);
});

test("of so few labels that their noise isn't known, no loss is said to fall", () => {
  const falls = (count: number) =>
    learningCurve(
      [sumLosses(count, (place) => (place < 0.75 * count ? 1 : 0))],
      Array.from({ length: count }, (_, i) => i + 1),
    ).isFalling;
  assert.equal([falls(4), falls(7), falls(8)], [false, false, true]);
});

test("a learning curve says after how many labels the loss is that of the second half, and whether it still falls", () => {
  // Of 1000 such streams that don't fall, 4 seem to.
  const random = new Random(7);
  const at = (rate: (place: number) => number) =>
    sumLosses(5000, (place) => (random.uniform() < rate(place) ? 1 : 0));
  const learned = Array.from({ length: 50 }, (_, i) => 60 * (i + 1));
  const resolved = learningCurve([at((place) => (place < 1000 ? 0.5 : 0.1))], learned);
  assert.ok(resolved.needed >= 480 && resolved.needed <= 600, `${resolved.needed}`);
  assert.is(resolved.isFalling, false);
  assert.equal(resolved.labels, [60, 120, 240, 480, 960, 1920, 3000]);
  assert.ok(resolved.loss[0] > 0.3 && resolved.loss[6] < 0.15);
  const falling = learningCurve([at((place) => 0.6 - place / 10_000)], learned);
  assert.is(falling.isFalling, true);
  assert.ok(falling.needed > 1000);
});

/** A result whose best choice loses that, by that measure, where the majority of the labels loses 0.06. */
function makeResult(measure: ChoiceResult["measure"], mean: number, standardError: number): ChoiceResult {
  const best = { loss: { mean, sd: 0 }, standardError } as unknown as Choice;
  const trivial = { majority: 0.06, last: 0.11 };
  return {
    measure,
    task: measure === "mse" ? "regression" : "classification",
    train: { file: "rare.csv", count: 2500, dimension: 3 },
    ...{ scale: "none", shuffle: null, repeat: 1, target: null },
    trivial,
    search: { rounds: [{ rows: 2500, passes: 4, candidates: 1, tried: 1 }], cut: null },
    choices: [best],
    verdict: judgeBest(best, trivial),
  } as unknown as ChoiceResult;
}

test("a file of few, long stays is said to be one", () => {
  const said = (stays: number | undefined) =>
    setupLines({ ...makeResult("error", 0.01, 0.004), stays }).filter((line) => line.includes("stays"));
  assert.match(said(8)[0], /the labels change 7 times: .* record more of them/);
  assert.match(said(2)[0], /the labels change once: /);
  assert.equal([...said(undefined), ...said(30), ...said(2000)], []);
});

test("a lead that no figure shows is said to be none", () => {
  const leads = (mean: number) =>
    setupLines(makeResult("mse", mean, 0.001)).find((line) => line.includes("the best loses"));
  assert.match(leads(0.06 + 1e-17) ?? "", /loses 0\.05 less than .*, and as much as the mean .* \(0\.06\)/);
  assert.match(leads(0.0601) ?? "", /0\.0001 more than the mean/);
});

test("an error from fewer places of the file than the best's is marked, and a note explains the mark", () => {
  const choiceFrom = (passes: number) => ({
    ...makeChoice(10, 10),
    options: {},
    features: {},
    beyond: [],
    passes,
  });
  const result = { ...makeResult("error", 0.1, 0), unmeasured: [], leftOut: [] };
  const of = (...passes: number[]) =>
    ({ ...result, choices: passes.map(choiceFrom) }) as unknown as ChoiceResult;
  const errorIn = (each: ChoiceResult, place: number) =>
    choiceCells(each, each.choices[place], [new Map(), new Map()])[2];
  const mixed = of(4, 1);
  assert.equal([errorIn(mixed, 0), errorIn(mixed, 1)], ["10.00", "10.00 *"]);
  assert.match(
    noteLines(mixed).join("\n"),
    /^\* ran from the file's beginning alone, those without it from 4 places/,
  );
  assert.equal([errorIn(of(1, 1), 1), noteLines(of(1, 1))], ["10.00", []]);
  assert.match(
    noteLines(of(24, 4, 1, 4)).join("\n"),
    /^\* ran from 4 places of the file, or the file's beginning alone, those without it from 24 places/,
  );
});

test("where the best may be no better than the majority of the labels, that is said, with what shows a rare class", () => {
  const said = (result: ChoiceResult) =>
    setupLines(result).filter((line) => line.includes("2 standard errors"));
  assert.equal(said(makeResult("error", 0.05, 0.004)), []);
  const [line, ...more] = said(makeResult("error", 0.053, 0.004));
  assert.equal(more, []);
  assert.match(line, /ahead of the majority of the labels so far/);
  assert.match(line, /bal\. acc\..*--balanced/);
  const [regression] = said(makeResult("mse", 0.06, 0.001));
  assert.match(regression, /the mean of the labels so far/);
  assert.not.match(regression, /bal\. acc\./);
  const balanced = setupLines(makeResult("balanced", 0.06, 0.001)).join("\n");
  assert.match(balanced, /balanced error, % of the majority of the labels so far 6\.00/);
  assert.not.match(balanced, /hardly counts/);
});

test.run();
