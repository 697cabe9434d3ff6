import { Random } from "../../host/random.ts";
import { Auc } from "../../host-sim/scoring/auc.ts";
import type { UserOptions } from "../../src/index.ts";
import { PERCENT, SHARE } from "../sweep/statistics/statistics.ts";
import { twoNormals } from "./lib/drawn-classes.ts";
import {
  type Curve,
  type Experiment,
  eachLine,
  type Findings,
  type Row,
  type RunMeasures,
} from "./lib/experiment.ts";
import { type Method, makePublished, method } from "./lib/learner.ts";
import type { Samples } from "./lib/samples.ts";
import type { Summary } from "./lib/summary.ts";
import { below, claim } from "./lib/verdict.ts";

const POINTS = 100;
/** False positive rates at which the ROC is read. */
const RATES = Array.from({ length: 51 }, (_, i) => i / 50);

const OLK_N = { C: 0.2, nu: 0.1, regularization: 0.001 };
const NORMA = [0.01, 0.1].flatMap((eta) =>
  [0.1, 0.5].map((nu) => method(`norma ${eta} ${nu}`, `NORMA, eta ${eta}, nu ${nu}`, "norma-n", { eta, nu })),
);
const METHODS: readonly Method[] = [
  method("olk", "OLK_N, rule (69)", "olk-n", { ...OLK_N, rule: "fixed" }),
  method("olk-68", "OLK_N, rule (68)", "olk-n", { ...OLK_N, rule: "optimal" }),
  ...NORMA,
];

/**
 * Normal samples around (2, 2), labelled 1, and with probability 0.05 novelties around (-2, -2), labelled -1.
 */
const rareNovelties = (seed: number) => twoNormals(new Random(seed, "olk-3"), POINTS, 0.05, 2, 1);

/** Scores of all samples by a detector that learned all of them, without labels. */
function scores(learner: string, options: UserOptions, { inputs }: Samples): number[] {
  const kernel = { type: "gaussian", p: 1 };
  const made = makePublished(learner, { dimension: 2, budget: POINTS, kernel, ...options });
  for (const x of inputs) made.learn(x, 0);
  return inputs.map((x) => made.predict(x));
}

/**
 * The largest share of novelties found by a threshold that calls no more than each rate of the normal samples
 * novel.
 */
function roc(values: readonly number[], labels: readonly number[]): Curve {
  const normal = values.filter((_, i) => labels[i] > 0).sort((a, b) => a - b);
  const novel = values.filter((_, i) => labels[i] < 0);
  const found = (rate: number) => {
    const allowed = Math.floor(rate * normal.length + 1e-9);
    const threshold = allowed < normal.length ? normal[allowed] : Number.POSITIVE_INFINITY;
    return novel.filter((value) => value < threshold).length / novel.length;
  };
  return { at: RATES, value: RATES.map(found) };
}

function run(seed: number): RunMeasures {
  const samples = rareNovelties(seed);
  const { labels } = samples;
  const novelties = labels.filter((y) => y < 0).length;
  const numbers: { [name: string]: number } = {};
  const curves: { [name: string]: Curve } = {};
  for (const { key, learner, options } of METHODS) {
    const values = scores(learner, options, samples);
    const countFlagged = (y: number) => values.filter((value, i) => value < 0 && labels[i] === y).length;
    numbers[`${key}/false alarms`] = (100 * countFlagged(1)) / (POINTS - novelties);
    if (novelties === 0) continue;
    const auc = new Auc();
    values.forEach((value, i) => {
      auc.add(labels[i], value);
    });
    numbers[`${key}/auc`] = auc.value as number;
    numbers[`${key}/found`] = (100 * countFlagged(-1)) / novelties;
    curves[`${key}/roc`] = roc(values, labels);
  }
  return { numbers, curves };
}

const ROWS: readonly Row[] = METHODS.flatMap(({ key, label }) => [
  { name: `${key}/auc`, label: `${label}, AUC`, published: "drawn only", digits: 3 },
  {
    name: `${key}/found`,
    label: `${label}, novelties found, %`,
    ...(key === "olk" && { published: 100, own: true, more: true }),
    digits: 1,
  },
  {
    name: `${key}/false alarms`,
    label: `${label}, normal samples called novel, %`,
    ...(key === "olk" && { published: "a few" }),
    digits: 1,
  },
]);

function verdict(summary: Summary): Findings {
  const best = NORMA.map(({ key, label }) => ({ key, label, auc: summary.mean(`${key}/auc`) })).reduce(
    (a, b) => (b.auc > a.auc ? b : a),
  );
  const alarms = summary.mean("olk/false alarms");
  return {
    claims: [
      below(summary, `${best.key}/auc`, "olk/auc", {
        text: `OLK_N's AUC is above that of the best NORMA, ${best.label.slice(7)}`,
        digits: 3,
        headline: true,
      }),
      claim(
        alarms < 10,
        `a few normal samples are called novel (${summary.text("olk/false alarms", 1)} %; to come out, fewer than 10)`,
      ),
    ],
    note:
      `By rule (68), the exact optimum of its problem, ${summary.mean("olk-68/false alarms").toFixed(0)} % of the normal samples are called ` +
      "novel; by (69) rho stays 0.",
  };
}

/** Li et al.: Model-based online learning with kernels, 2013, Example 3. */
export const OLK_NOVELTY: Experiment = {
  id: "olk-example-3",
  paper: "OLK",
  title: "Example 3, Figures 7 and 8: novelties found, ROC against NORMA",
  setup:
    "100 points in the plane, normal with standard deviation 1 around (2, 2) or, with probability 0.05, " +
    "around (-2, -2): these are the novelties. Learned once without labels, then scored. OLK_N p 1, C 0.2, " +
    "nu 0.1, r 0.001. NORMA's parameters aren't given: p 1, four settings of eta and nu: the best " +
    "counts.",
  runs: 20,
  run,
  rows: ROWS,
  figureRange: (name) => (name.endsWith("/auc") ? SHARE : PERCENT),
  figures: [
    {
      title: "Figure 8: ROC, mean over the runs",
      x: "false positive rate",
      y: "true positive rate",
      lines: eachLine(
        METHODS.filter(({ key }) => key !== "olk-68"),
        "roc",
      ),
    },
  ],
  verdict,
};
