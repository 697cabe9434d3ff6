import type { PapersData } from "./lib/data.ts";
import { drawnRow, type Experiment } from "./lib/experiment.ts";
import { compare, errorFigure } from "./lib/kernel-filters.ts";
import { type Method, method } from "./lib/learner.ts";
import { embed } from "./lib/mackey-glass.ts";
import { below } from "./lib/verdict.ts";

const FILE = "sunspot/wolf-1700-2011.csv";
const PAST = 4;
const FIRST_YEAR = 1700;
const FIRST_TEST_YEAR = 1980;
const WIDTHS = [0.5, 1];

function methods(sigma: number): Method[] {
  const shared = { epsilon: 0.1, kernel: { type: "gaussian", sigma } };
  const prefix = `sigma ${sigma}`;
  return [
    method(`${prefix}/qklms`, "QKLMS", "qklms", { ...shared, eta: 0.2 }),
    method(`${prefix}/qkapa`, "QKAPA", "qkapa", { ...shared, eta: 0.08, windowSize: 20 }),
    method(`${prefix}/qkrls`, "QKRLS", "qkrls", { ...shared, regularization: 0.01 }),
  ];
}

async function run(_: number, data: PapersData) {
  const { rows } = await data.table(FILE, { label: false, columns: ["ssn_v1"] });
  const most = rows.reduce((a, b) => Math.max(a, b));
  const series = Float64Array.from(rows, (value) => value / most);
  const split = FIRST_TEST_YEAR - FIRST_YEAR;
  const train = embed(series, PAST, PAST, split);
  const test = embed(series, PAST, split, series.length);
  const { numbers, curves, timings } = compare(WIDTHS.flatMap(methods), train, test);
  const years = Array.from(series, (_, i) => FIRST_YEAR + i);
  return { numbers, timings, curves: { ...curves, sunspots: { at: years, value: Array.from(series) } } };
}

/** Figures 7 to 9. */
export const SUNSPOTS: Experiment = {
  id: "qkrls-figures-7-9",
  paper: "QKRLS",
  title: "Figures 7 to 9: yearly sunspot numbers",
  setup: `Wolf numbers divided by their maximum; four past years predict the next; 1700-1979 to train, 1980-2011 to test; epsilon 0.1; QKLMS step 0.2; QKAPA (KAPA-1) step 0.08, window 20; QKRLS regularization 0.01. Kernel exp(-|u-v|^2/(2 sigma^2)). The paper prints curves only.`,
  runs: 1,
  once: true,
  files: [FILE],
  run,
  rows: WIDTHS.flatMap((sigma) =>
    methods(sigma).map(({ key, label }) => drawnRow(`${key}/mse`, `${label}, sigma ${sigma}, test MSE`)),
  ),
  figures: [
    {
      title: "Figure 7: the series",
      x: "year",
      y: "normalised sunspot number",
      lines: [{ curve: "sunspots", label: "Wolf numbers" }],
    },
    ...WIDTHS.map((sigma, i) =>
      errorFigure(`Figure ${8 + i}: learning curves, sigma = ${sigma}`, methods(sigma)),
    ),
  ],
  verdict: (summary) => ({
    claims: WIDTHS.flatMap((sigma) =>
      methods(sigma)
        .slice(0, -1)
        .map(({ key, label }) => {
          const text = `at sigma ${sigma} QKRLS ends with less test MSE than ${label}`;
          const comparison = { text, digits: 4, headline: true, exact: true };
          return below(summary, `sigma ${sigma}/qkrls/mse`, `${key}/mse`, comparison);
        }),
    ),
  }),
};
