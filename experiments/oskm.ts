import { SHARE } from "../host-sim/sweep/statistics.ts";
import { classOf, type GivenOptions } from "../src/index.ts";
import type { Experiment, Figure, Row, Verdict } from "./lib/experiment.ts";
import { makeLearner } from "./lib/learner.ts";
import {
  type PersistentTarget,
  type PersistentTargetOptions,
  persistentTarget,
} from "./lib/persistent-target.ts";
import { isAbove, type Summary } from "./lib/summary.ts";

const PAPER = "osKM";
const SNR_DB = [-10, -5, 0, 5, 10, 15, 20];
const FLIPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
/** Shares of flips that leave labels telling something. */
const INFORMATIVE = FLIPS.filter((flips) => flips < 0.5);
/** The point that both sweeps share. */
const SNR_KEPT = 10;
/** Streams of seeds of their own on which a setting of NORMA is chosen. */
const TUNING_STREAMS = 3;

/** What is swept: the name of its numbers, and the streams' option at a value. */
const SWEEPS = [
  { name: "snr", values: SNR_DB, x: "SNR, dB", at: (snr: number) => ({ snr, flips: 0 }) },
  {
    name: "flips",
    values: FLIPS,
    x: "share of labels flipped",
    at: (flips: number) => ({ snr: SNR_KEPT, flips }),
  },
] as const;

const METHODS = [
  { key: "oskm", label: "osKM" },
  { key: "norma", label: "NORMA, the paper's parameters" },
  { key: "tuned", label: "NORMA, tuned" },
] as const;

/** Nine settings of NORMA, each a step size and a weight of the norm. */
const NORMA_SETTINGS = [0.05, 0.2, 0.7].flatMap((eta) =>
  [0.001, 0.01, 0.1].map((lambda) => ({ eta, lambda })),
);

/** Share of correct predictions, each made before the sample's label is learned. */
function accuracy(name: string, options: GivenOptions, { inputs, labels, truth }: PersistentTarget): number {
  const dimension = inputs[0].length;
  const learner = makeLearner(name, { dimension, kernel: { type: "linear" }, ...options });
  let right = 0;
  inputs.forEach((x, t) => {
    if (classOf(learner.task, learner.learn(x, labels[t])) === truth[t]) right++;
  });
  return right / inputs.length;
}

function normaAccuracy(setting: { readonly eta: number; readonly lambda: number }, stream: PersistentTarget) {
  return accuracy("norma-c", { budget: stream.inputs.length, ...setting }, stream);
}

/** The setting of the best mean accuracy over the streams. */
function tunedSetting(streams: readonly PersistentTarget[]) {
  const sums = NORMA_SETTINGS.map((setting) =>
    streams.reduce((sum, stream) => sum + normaAccuracy(setting, stream), 0),
  );
  return NORMA_SETTINGS[sums.indexOf(Math.max(...sums))];
}

/** The accuracy of every method on one stream; NORMA is tuned on streams of other seeds. */
export function accuracies(seed: number, options: PersistentTargetOptions) {
  const stream = persistentTarget(seed, options);
  const others = Array.from({ length: TUNING_STREAMS }, (_, i) =>
    persistentTarget(-(TUNING_STREAMS * seed + i), options),
  );
  return {
    oskm: accuracy("oskm", { budget: 109, agents: 10, agreementPoints: 10 }, stream),
    norma: normaAccuracy({ eta: 0.7, lambda: 0.1 }, stream),
    tuned: normaAccuracy(tunedSetting(others), stream),
  };
}

/**
 * One stream a point of either sweep, all of one scene: `method/sweep value` is an accuracy against clean
 * labels.
 */
function sweep(seed: number, persistence: number) {
  const numbers: { [name: string]: number } = {};
  for (const { name, values, at } of SWEEPS) {
    for (const value of values) {
      const measured = accuracies(seed, { persistence, ...at(value) });
      for (const { key } of METHODS) numbers[`${key}/${name} ${value}`] = measured[key];
    }
  }
  const curves = Object.fromEntries(
    METHODS.flatMap(({ key }) =>
      SWEEPS.map(({ name, values }) => [
        `${key}/${name}`,
        { at: values, value: values.map((value) => numbers[`${key}/${name} ${value}`]) },
      ]),
    ),
  );
  return { numbers, curves };
}

const ROWS: readonly Row[] = [
  ...FLIPS.flatMap((flips) =>
    METHODS.map(({ key, label }) => ({
      name: `${key}/flips ${flips}`,
      label: `${label}, ${100 * flips} % of labels flipped, 10 dB`,
      published: "drawn only",
      digits: 3,
    })),
  ),
  ...SNR_DB.flatMap((snr) =>
    METHODS.map(({ key, label }) => ({
      name: `${key}/snr ${snr}`,
      label: `${label}, ${snr} dB`,
      published: "drawn only",
      digits: 3,
    })),
  ),
];

function figures(number: number): Figure[] {
  return SWEEPS.map(({ name, x }, i) => ({
    title: `Figure ${number}(${"bc"[i]}): accuracy against ${i === 0 ? "noise" : "label noise"}`,
    x,
    y: "accuracy against clean labels",
    lines: METHODS.map(({ key, label }) => ({ curve: `${key}/${name}`, label })),
  }));
}

/** The values of a sweep at which osKM is ahead of the other: the 95 % interval of the paired difference lies above 0. */
function ahead(summary: Summary, other: string, name: string, values: readonly number[]): number[] {
  return values.filter((value) =>
    isAbove(summary.difference(`oskm/${name} ${value}`, `${other}/${name} ${value}`)),
  );
}

/** Where osKM is ahead of the other: "at flips of 0, 10 % and nowhere over SNR". */
function aheadText(summary: Summary, other: string): string {
  const listed = (values: readonly (string | number)[], unit: string) =>
    values.length === 0 ? "nowhere" : `at ${values.join(", ")} ${unit}`;
  const flips = ahead(summary, other, "flips", INFORMATIVE).map((share) => Math.round(100 * share));
  const snrs = ahead(summary, other, "snr", SNR_DB);
  return `${listed(flips, "% of labels flipped")}, and with clean labels ${listed(snrs, "dB")}`;
}

/**
 * The claim: shown to be better than NORMA at every SNR and wherever labels tell
 * something, that is below 50 % flips. Holds if it does against NORMA tuned too.
 */
function verdict(summary: Summary, persistence: number): Verdict {
  const slow =
    persistence > 10
      ? " Agents that look back 10 samples are slow to follow a class that changes after long."
      : "";
  const points = (other: string) =>
    ahead(summary, other, "flips", INFORMATIVE).length + ahead(summary, other, "snr", SNR_DB).length;
  const all = INFORMATIVE.length + SNR_DB.length;
  return {
    outcome:
      points("norma") === all && points("tuned") === all ? "holds" : points("norma") > 0 ? "partly" : "fails",
    text:
      "osKM is ahead of NORMA with the paper's parameters (95 % intervals without 0, paired by seed) " +
      `${aheadText(summary, "norma")}; ahead of NORMA tuned over nine settings ` +
      `${aheadText(summary, "tuned")}. Runs beside this one showed why: what it gains at the paper's step and weight comes ` +
      "from replaying the window of 100 samples, the agreement itself being worth at most two points, and a NORMA that " +
      `forgets less has the window's use without it.${slow}`,
  };
}

function experiment(number: number, persistence: number, label: string): Experiment {
  return {
    id: `oskm-figure-${number}`,
    paper: PAPER,
    title: `Figure ${number}: accuracy against noise and label noise, ${label} persistence`,
    setup:
      "Generated in the place of the MSTAR chips: 64 features, 800 samples, mean power 1, base, direction " +
      `of the class and four poses drawn for each run; the class is constant on blocks of ${persistence} ` +
      "samples, drawn at random; white noise, flipped labels (no flips where noise is swept, 10 dB where " +
      "flips are). Linear kernel; eta 0.7, lambda 0.1, rho 0.1, tau 100, tau_p = tau_e = 10, 3 rounds a " +
      "sample, in a consistent reading: the printed equations don't fit together. NORMA with the same eta " +
      "and lambda, and with the best of eta 0.05, 0.2, 0.7 and lambda 0.001, 0.01, 0.1 on " +
      `${TUNING_STREAMS} streams of other seeds. Told before taught, scored against clean labels. The ` +
      "chips themselves aren't run: the paper doesn't say how its 128 features come of the 3072 numbers of " +
      "three bands.",
    runs: 20,
    run: (seed) => sweep(seed, persistence),
    rows: ROWS,
    rangeOf: () => SHARE,
    figures: figures(number),
    verdict: (summary) => verdict(summary, persistence),
  };
}

/** Raj: An online stochastic kernel machine for robust signal classification. */
export const OSKM: readonly Experiment[] = [experiment(1, 10, "short"), experiment(2, 100, "long")];
