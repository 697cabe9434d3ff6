import { Random } from "../../host/random.ts";
import type { Learner, UserOptions } from "../../src/index.ts";
import { Elementary } from "../../src/math/elementary.ts";
import { trainLsSvm } from "./lib/batch/ls-svm.ts";
import {
  type Curve,
  drawnRow,
  type Experiment,
  eachLine,
  type Findings,
  type Row,
  type RunMeasures,
} from "./lib/experiment.ts";
import { makePublished, method } from "./lib/learner.ts";
import { meanSquaredError, type Samples } from "./lib/samples.ts";
import type { Summary } from "./lib/summary.ts";
import { below, claim } from "./lib/verdict.ts";

const L = 700;
const PI = 3.1415927410125732; // the float32 nearest to pi
/**
 * Samples after which the RMSE is taken; LS-SVM, trained again at each, only where it is a multiple of 100.
 */
const STOPS = [10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 600, 700];
const EPSILONS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const KERNEL = { type: "gaussian", p: 0.5 } as const;

const METHODS = [
  method("olk", "OLK_R", "olk-r", { epsilon: 0.5, C: 1, regularization: 0.001 }),
  method("norma", "NORMA, epsilon 0.5", "norma-r", { epsilon: 0.5, lambda: 0.01, eta: 0.1 }),
  method("norma-narrow", "NORMA, epsilon 0.1", "norma-r", { epsilon: 0.1, lambda: 0.01, eta: 0.1 }),
  method("kernel-perceptron", "kernel perceptron", "kernel-perceptron-r", { epsilon: 0, eta: 0.02 }),
  method("krls", "KRLS", "krls-ald", { nu: 0.001 }),
] as const;

/** 0.2 sin 5x + 0.5 sin x at inputs uniform on (-pi, pi), with noise uniform on (-noise, noise). */
export function waves(seed: number, label: string, n: number, noise: number): Samples {
  const random = new Random(seed, label);
  const elementary = new Elementary();
  const inputs = Array.from({ length: n }, () => Float32Array.of(PI * (2 * random.uniform() - 1)));
  const labels = inputs.map(
    ([x]) => 0.2 * elementary.sin(5 * x) + 0.5 * elementary.sin(x) + noise * (2 * random.uniform() - 1),
  );
  return { inputs, labels };
}

const rmse = (machine: Pick<Learner, "predict">, samples: Samples) =>
  Math.sqrt(meanSquaredError(machine, samples));

function make(learner: string, options: UserOptions): Learner {
  return makePublished(learner, { dimension: 1, budget: L, kernel: KERNEL, ...options });
}

/** The RMSE on the test samples at each stop. */
function follow(learner: Learner, train: Samples, test: Samples): Curve {
  const value: number[] = [];
  let learned = 0;
  for (const stop of STOPS) {
    for (; learned < stop; learned++) learner.learn(train.inputs[learned], train.labels[learned]);
    value.push(rmse(learner, test));
  }
  return { at: STOPS, value };
}

function followLsSvm({ inputs, labels }: Samples, test: Samples): Curve {
  const at = STOPS.filter((stop) => stop % 100 === 0);
  const train = (n: number) =>
    trainLsSvm(inputs.slice(0, n), labels.slice(0, n), { gamma: 10, kernel: KERNEL });
  return { at, value: at.map((n) => rmse(train(n), test)) };
}

/** Non-zero multipliers after all samples. */
function multipliers(epsilon: number, { inputs, labels }: Samples): number {
  const learner = make("olk-r", { epsilon, C: 1, regularization: 0.001 });
  inputs.forEach((x, i) => {
    learner.learn(x, labels[i]);
  });
  return learner.size;
}

function run(seed: number): RunMeasures {
  const train = waves(seed, "olk-2/train", L, 0.5);
  const test = waves(seed, "olk-2/test", L, 0);
  const curves: { [name: string]: Curve } = {};
  for (const { key, learner, options } of METHODS) {
    curves[`${key}/rmse`] = follow(make(learner, options), train, test);
  }
  curves["ls-svm/rmse"] = followLsSvm(train, test);
  curves.multipliers = { at: EPSILONS, value: EPSILONS.map((epsilon) => multipliers(epsilon, train)) };
  const numbers = Object.fromEntries([
    ...COMPARED.map(({ key }) => [`${key}/rmse`, curves[`${key}/rmse`].value.at(-1) as number]),
    ...EPSILONS.map((epsilon, i) => [`multipliers ${epsilon}`, curves.multipliers.value[i]]),
  ]);
  return { numbers, curves };
}

const COMPARED = [...METHODS, { key: "ls-svm", label: "LS-SVM (batch)" }];

const ROWS: readonly Row[] = [
  ...COMPARED.map(({ key, label }) => drawnRow(`${key}/rmse`, `${label}, RMSE after 700 samples`)),
  ...EPSILONS.map((epsilon) => ({
    name: `multipliers ${epsilon}`,
    label: `OLK_R, non-zero multipliers of 700, epsilon = ${epsilon}`,
    published: epsilon === 0 ? 700 : "drawn only",
    own: true,
    more: true,
    digits: 0,
  })),
];

function verdict(summary: Summary): Findings {
  const counts = EPSILONS.map((epsilon) => summary.mean(`multipliers ${epsilon}`));
  const falls = counts.every((count, i) => i === 0 || count <= counts[i - 1]);
  const than = (key: string, text: string, more: { headline?: boolean; level?: boolean }) =>
    below(summary, "olk/rmse", `${key}/rmse`, { text, digits: 4, ...more });
  return {
    claims: [
      than("norma", "OLK_R's RMSE is below that of a NORMA of the same tube", { headline: true }),
      than("kernel-perceptron", "OLK_R's RMSE is below that of the kernel perceptron", { headline: true }),
      than("norma-narrow", "OLK_R's RMSE is below that of a NORMA with epsilon 0.1", {}),
      than("ls-svm", "OLK_R's RMSE is no larger than that of LS-SVM", { level: true }),
      than("krls", "OLK_R's RMSE is no larger than that of KRLS", { level: true }),
      claim(
        falls,
        `multipliers fall as epsilon grows (from ${counts[0].toFixed(0)} to ${counts.at(-1)?.toFixed(0)})`,
      ),
    ],
    note: "NORMA's tube isn't given in the paper.",
  };
}

/** Li et al.: Model-based online learning with kernels, 2013, Example 2. */
export const OLK_REGRESSION: Experiment = {
  id: "olk-example-2",
  paper: "OLK",
  title: "Example 2, Figures 6 and 1: RMSE against the number of samples, multipliers against epsilon",
  setup:
    "f(x) = 0.2 sin 5x + 0.5 sin x, x uniform on (-pi, pi); noise uniform on (-0.5, 0.5) on what is " +
    "learned, none on the 700 test samples. Gaussian kernel, p 0.5. OLK_R epsilon 0.5, C 1, r 0.001; " +
    "LS-SVM C 10; NORMA lambda 0.01, eta 0.1; kernel perceptron eta 0.02; KRLS nu 0.001. NORMA's tube " +
    "isn't given: with OLK_R's, and with a narrower one; the kernel perceptron has none.",
  runs: 20,
  run,
  rows: ROWS,
  figures: [
    {
      title: "Figure 6: RMSE on noise-free test samples",
      x: "samples",
      y: "RMSE",
      logY: true,
      lines: eachLine(COMPARED, "rmse"),
    },
    {
      title: "Figure 1: non-zero multipliers of OLK_R after 700 samples",
      x: "epsilon",
      y: "multipliers",
      lines: [{ curve: "multipliers", label: "OLK_R" }],
    },
  ],
  verdict,
};
