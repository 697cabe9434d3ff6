import { Random } from "../../host/random.ts";
import type { Learner } from "../../src/index.ts";
import { PERCENT } from "../sweep/statistics/statistics.ts";
import { makeClassifier, onePass, readSplit, type Split } from "./lib/classification.ts";
import type { PapersData } from "./lib/data.ts";
import { type Curve, drawnRow, type Experiment, type RunMeasures } from "./lib/experiment.ts";
import { kMeans } from "./lib/k-means.ts";
import { LOL_RUNS, type LolDataSet, PROTOTYPES } from "./lib/lol-methods.ts";
import { permute, type Samples, testError } from "./lib/samples.ts";
import type { Summary } from "./lib/summary.ts";
import { below, type Claim, claim } from "./lib/verdict.ts";

const COUNTS = [5, 10, 20, 40, 60, 80, 100, 200, 400, 600];
/** Algorithm 1 counts a sample after it has moved its prototype. */
const PRINTED = { budget: PROTOTYPES, C: 1, lambda: 1, count: "literal" };
const LAMBDAS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];
/** The most that the learner takes. */
const BUDGET_MOST = 4096;
/** A prototype that counts as many samples stays where it is. */
const SETTLED = 0xffffffff;

/** LOL whose prototypes are these from the start, and don't move. */
function withPrototypes(split: Split, centres: readonly ArrayLike<number>[]): Learner {
  const learner = makeClassifier("lol", split, { budget: centres.length, C: 1, lambda: 1 });
  const { layout, range } = learner;
  const { f32 } = range;
  const input = layout.at("input", range);
  centres.forEach((centre, i) => {
    f32.load(input, centre, split.dimension);
    f32.storeRow(layout.at("prototypes", range), i, input, split.dimension);
    f32.bits[layout.at("n", range) + i] = SETTLED;
  });
  f32.bits[layout.at("size", range)] = centres.length;
  return learner;
}

/** Test error after one pass of LOL with these options. */
function testRun(split: Split, train: Samples, options: object): number {
  const learner = makeClassifier("lol", split, { ...PRINTED, ...options });
  onePass(learner, train);
  return testError(learner, split.test);
}

/** Cumulative error of one pass, and the test error after it. */
function followRun(learner: Learner, split: Split, train: Samples) {
  return { curve: onePass(learner, train), error: testError(learner, split.test) };
}

async function run({ folder, inOrder }: LolDataSet, seed: number, data: PapersData): Promise<RunMeasures> {
  const split = await readSplit(data, folder);
  const train = inOrder ? split.train : permute(split.train, new Random(seed, "permutation"));
  const aClass = PROTOTYPES * split.classes;
  const most = Math.min(train.inputs.length, BUDGET_MOST);
  const counts = [...new Set([...COUNTS, aClass])].sort((a, b) => a - b).filter((k) => k <= most);
  const byCount: Curve = { at: counts, value: counts.map((budget) => testRun(split, train, { budget })) };
  const byLambda: Curve = { at: LAMBDAS, value: LAMBDAS.map((lambda) => testRun(split, train, { lambda })) };
  const online = followRun(makeClassifier("lol", split, PRINTED), split, train);
  const centres = kMeans(train.inputs, PROTOTYPES, new Random(seed, "k-means"));
  const offline = followRun(withPrototypes(split, centres), split, train);
  const curves = { k: byCount, lambda: byLambda, online: online.curve, offline: offline.curve };
  const numbers = Object.fromEntries([
    ...byCount.at.map((k, i) => [`k ${k}`, byCount.value[i]]),
    ...byLambda.at.map((lambda, i) => [`lambda ${lambda}`, byLambda.value[i]]),
    ...(counts.includes(aClass) ? [["a class", byCount.value[counts.indexOf(aClass)]]] : []),
    ["online", online.error],
    ["offline", offline.error],
  ]);
  return { numbers, curves };
}

/** The data sets for which the paper says that some number of prototypes is best. */
const PREFERRED = ["svmguide1", "ijcnn1"];

/** Where a curve of errors is least, the first on ties. */
function best({ at, value }: Curve): number {
  return at[value.indexOf(Math.min(...value))];
}

/** Figure 6: the error falls as lambda grows, and rises again. Figure 7: moving prototypes cost nothing in the end. Figure 5: k. */
function makeClaims({ folder, inOrder: exact }: LolDataSet, summary: Summary): Claim[] {
  const lambda = best(summary.curves.lambda);
  const end = (least: number, way: string) => {
    const text = `Figure 6: the error ${way} as lambda grows: lambda = ${lambda} errs less than ${least}`;
    return below(summary, `lambda ${lambda}`, `lambda ${least}`, { text, headline: true, exact });
  };
  const { at } = summary.curves.k;
  const k = best(summary.curves.k);
  const inner = k !== at[0] && k !== at[at.length - 1];
  return [
    end(LAMBDAS[0], "falls"),
    end(LAMBDAS[LAMBDAS.length - 1], "rises again"),
    below(summary, "online", "offline", {
      text: "Figure 7: prototypes that move err no more in the end than those found beforehand",
      level: true,
      exact,
    }),
    ...(PREFERRED.includes(folder)
      ? [claim(inner, `Figure 5: some k between is best (k = ${k} of ${at.join(", ")})`)]
      : []),
  ];
}

export function lolParameters(set: LolDataSet): Experiment {
  return {
    id: `lol-figures-5-7-${set.folder}`,
    paper: "LOL",
    title: `Figures 5 to 7: prototypes, lambda, and prototypes by k-means beforehand, on ${set.title}`,
    setup:
      "Training set permuted again for each run (WEBSPAM and URL in the order of the file), one pass. Figure 5: lambda = 1, beside the paper's k also 60 times the classes; Figure 6: k = 60; Figure 7: both, with prototypes " +
      "that move as samples come, or found beforehand (Lloyd's k-means, 20 rounds) and fixed. C = 1; n_i counts as Algorithm 1 prints. The paper prints curves only.",
    runs: LOL_RUNS,
    once: set.inOrder,
    files: [`${set.folder}/train.libsvm`, `${set.folder}/test.libsvm`],
    run: (seed, data) => run(set, seed, data),
    figureRange: () => PERCENT,
    rows: [
      ...COUNTS.map((k) => drawnRow(`k ${k}`, `k = ${k}, test error (%)`, { digits: 2 })),
      { name: "a class", label: "k = 60 a class, test error (%)", digits: 2 },
      ...LAMBDAS.map((lambda) =>
        drawnRow(`lambda ${lambda}`, `lambda = ${lambda}, test error (%)`, { digits: 2 }),
      ),
      { name: "online", label: "prototypes that move, test error (%)", digits: 2 },
      { name: "offline", label: "prototypes by k-means beforehand, test error (%)", digits: 2 },
    ],
    figures: [
      {
        title: "Figure 5: test error against the number of prototypes, lambda = 1",
        x: "k, prototypes",
        y: "test error (%)",
        logX: true,
        lines: [{ curve: "k", label: "LOL" }],
      },
      {
        title: "Figure 6: test error against lambda, k = 60",
        x: "lambda",
        y: "test error (%)",
        logX: true,
        lines: [{ curve: "lambda", label: "LOL" }],
      },
      {
        title: "Figure 7: error along the stream, k = 60, lambda = 1",
        x: "samples",
        y: "cumulative error (%)",
        lines: [
          { curve: "online", label: "prototypes that move" },
          { curve: "offline", label: "by k-means beforehand" },
        ],
      },
    ],
    verdict: (summary) => {
      const { at, value } = summary.curves.k;
      return {
        claims: makeClaims(set, summary),
        note: `The least error at lambda = 1 has k = ${best(summary.curves.k)} (${Math.min(...value).toFixed(2)} %), of ${at[0]} to ${at[at.length - 1]}.`,
      };
    },
  };
}
