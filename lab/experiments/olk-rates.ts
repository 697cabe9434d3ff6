import type { UserOptions } from "../../src/index.ts";
import { PERCENT } from "../sweep/statistics/statistics.ts";
import { rotatingSpirals } from "./lib/drawn-classes.ts";
import type { Experiment, Findings, Row, RunMeasures } from "./lib/experiment.ts";
import { makeLearner } from "./lib/learner.ts";
import { onlineError, type Samples } from "./lib/samples.ts";
import type { Summary } from "./lib/summary.ts";
import { below, claim } from "./lib/verdict.ts";

const SAMPLES = 4000;
const RUNS = 10;
const STREAMS = [
  { key: "turns", label: "turning once in 2,000 samples", turn: 2000 },
  { key: "still", label: "still", turn: Number.POSITIVE_INFINITY },
] as const;
/** The usual r, the fast one that suits a turn, and those between and beyond. */
const USUAL = "3e-5";
const FAST = "0.01";
const RATES = [USUAL, "3e-4", "0.001", "0.003", FAST, "0.03"] as const;
const FOUND = "found";

function error(stream: Samples, name: string, options: UserOptions): number {
  return onlineError(makeLearner(name, { dimension: 2, budget: 64, ...options }), stream);
}

function run(seed: number): RunMeasures {
  const numbers: { [name: string]: number } = {};
  for (const { key, turn } of STREAMS) {
    const stream = rotatingSpirals(seed, turn, SAMPLES);
    for (const r of RATES) numbers[`${key}/${r}`] = error(stream, "olk-c", { regularization: Number(r) });
    numbers[`${key}/${FOUND}`] = error(stream, "olk-drift", {});
  }
  return { numbers };
}

const ROWS: readonly Row[] = STREAMS.flatMap(({ key, label }) => [
  ...RATES.map((r) => ({
    name: `${key}/${r}`,
    label: `${label}: OLK_C, r = ${r}, error in per cent`,
    digits: 2,
  })),
  { name: `${key}/${FOUND}`, label: `${label}: olk-drift, error in per cent`, digits: 2 },
]);

function verdict(summary: Summary): Findings {
  const best = Math.min(...RATES.map((r) => summary.mean(`turns/${r}`)));
  const found = summary.mean(`turns/${FOUND}`);
  return {
    claims: [
      below(summary, `turns/${FAST}`, `turns/${USUAL}`, {
        text: `where the spirals turn, r = ${FAST} errs less than r = ${USUAL}`,
        headline: true,
      }),
      below(summary, `still/${USUAL}`, `still/${FAST}`, {
        text: `where they stand still, r = ${USUAL} errs less than r = ${FAST}`,
        headline: true,
      }),
      claim(
        found <= Math.max(1.1 * best, best + 0.5),
        `olk-drift errs at most 1.1 times, or 0.5 points more than, the best r where they turn (${found.toFixed(2)}, ${best.toFixed(2)})`,
      ),
      below(summary, `still/${FOUND}`, `still/${USUAL}`, {
        text: `where they stand still, olk-drift isn't shown to err more than r = ${USUAL}`,
        level: true,
      }),
    ],
    note: "No fixed r suits both: the paper leaves its choice under drift for later work.",
  };
}

/** OLK_C's r where the boundary moves and where it stands still, and the learner that finds it. */
export const OLK_RATES: Experiment = {
  id: "olk-rates",
  paper: "OLK",
  ours: true,
  title: "r under drift",
  setup:
    `${SAMPLES.toLocaleString("en")} samples of two spirals of 1.5 turns up to radius 9, which turn once in 2,000 samples, or stand still; ` +
    "budget 64, the width from the inputs, C from the errors. The learner predicts each sample, then learns its label, once.",
  runs: RUNS,
  run,
  rows: ROWS,
  figureRange: () => PERCENT,
  figures: [],
  verdict,
};
