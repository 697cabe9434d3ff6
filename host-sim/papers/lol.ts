import { Random } from "../random.ts";
import {
  chooseOptions,
  HALF_MOST,
  makeClassifier,
  onePass,
  permuted,
  readSplit,
  testError,
} from "./classification.ts";
import type { PapersData } from "./data.ts";
import type { Curve, Experiment, Measured, Row, Verdict } from "./experiment.ts";
import { LOL_DATA, LOL_METHODS, type LolDataSet } from "./lol-methods.ts";
import { lolParameters } from "./lol-parameters.ts";
import { outside, type Summary } from "./summary.ts";

const PAPER = "LOL";

const SETUP =
  "Training set permuted anew each run, one pass; error (%) on the test set, and cumulative error on the way. Data as the " +
  "files have them, unscaled. LOL and I-LOL: k = 60, lambda = C = 1, n_i counted as Algorithm 1 prints. PA, SCW: C from 2^-4, 2^-2, ..., 2^4; CW: eta from .55, " +
  ".7, .8, .9, .95; SCW: .55, .75, .95; Pegasos: lambda from 1e-4, ..., 1e3; BSGD (lambda 1e-4), NOGD (rank 200) with 200 " +
  "vectors, FOGD with 1000 frequencies, which is 2000 features, at the rate 1e-4, NOGD also at 0.5, bandwidths 1, 10, 100, " +
  `1000. The paper chooses by ten random halves of the training set and a finer grid; here each run by one, of at most ${HALF_MOST} ` +
  "rows each half. One-vs-all where there are more than two classes: BSGD so has 200 vectors a class.";

async function run({ folder }: LolDataSet, seed: number, data: PapersData): Promise<Measured> {
  const split = await readSplit(data, folder);
  const train = permuted(split.train, new Random(seed, "permutation"));
  const numbers: { [name: string]: number } = {};
  const curves: { [name: string]: Curve } = {};
  for (const { name, grid } of LOL_METHODS) {
    const learner = makeClassifier(name, split, chooseOptions(name, split, grid, new Random(seed, "halves")));
    const cumulative = onePass(learner, train);
    curves[name] = cumulative;
    numbers[`${name}/cumulative`] = cumulative.value.at(-1) as number;
    numbers[name] = testError(learner, split.test);
  }
  return { numbers, curves };
}

/** LOL's own figure isn't reached on LETTER: what is known of it. */
const KNOWN: { readonly [folder: string]: string } = {
  letter:
    " Algorithm 1 as printed doesn't reach the paper's figure for LOL with k = 60; with 60 a class it would be passed (see Figure 5 below), but Section 5.3 says 60 for all tasks.",
};

function verdict({ folder, errors }: LolDataSet, rows: readonly Row[], summary: Summary): Verdict {
  const lol = summary.mean("lol");
  const belowPa = lol < summary.mean("pa");
  const belowIndependent = lol < summary.mean("i-lol");
  const better = LOL_METHODS.filter(({ name }) => summary.mean(name) < lol).map(({ label }) => label);
  const publishedBetter = LOL_METHODS.filter((_, i) => errors[i][0] < errors[errors.length - 1][0]);
  const far = outside(summary, rows).map(({ label }) => label);
  const text = [
    `LOL ${belowPa ? "errs less" : "doesn't err less"} than PA and ${belowIndependent ? "less" : "not less"} than I-LOL.`,
    better.length === 0 ? "No method errs less than LOL." : `Less than LOL err: ${better.join(", ")}`,
    better.length === 0
      ? ""
      : `(in the paper: ${publishedBetter.map(({ label }) => label).join(", ") || "none"}).`,
    far.length === 0
      ? "Every mean lies within one published standard deviation."
      : `Farther than one published standard deviation: ${far.join(", ")}.`,
  ];
  const holds = belowPa && belowIndependent && better.length <= publishedBetter.length;
  const outcome = holds ? "holds" : belowPa ? "partly" : "fails";
  return { outcome, text: text.filter((each) => each !== "").join(" ") + (KNOWN[folder] ?? "") };
}

function table(set: LolDataSet): Experiment {
  const rows = LOL_METHODS.map(({ name, label }, i): Row => {
    const [mean, deviation] = set.errors[i];
    return { name, label, digits: 2, published: deviation === undefined ? mean : { mean, deviation } };
  });
  return {
    id: `lol-table-${set.table}-${set.folder}`,
    paper: PAPER,
    title: `Table ${set.table} and Figure 4: test error (%) of eleven methods on ${set.title}`,
    setup: SETUP,
    runs: 20,
    files: [`${set.folder}/train.libsvm`, `${set.folder}/test.libsvm`],
    run: (seed, data) => run(set, seed, data),
    rows,
    figures: [
      {
        title: `Figure 4, ${set.title}`,
        x: "samples",
        y: "cumulative error (%)",
        lines: LOL_METHODS.map(({ name, label }) => ({ curve: name, label })),
      },
    ],
    verdict: (summary) => verdict(set, rows, summary),
  };
}

/** What the LOL paper shows, data set by data set. */
export const LOL: readonly Experiment[] = LOL_DATA.flatMap((set) => [table(set), lolParameters(set)]);
