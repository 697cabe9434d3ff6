import { Random } from "../../host/random.ts";
import { NOT_NEGATIVE, PERCENT } from "../sweep/statistics/statistics.ts";
import { trainSvm } from "./lib/batch/svm.ts";
import { makeClassifier, onePass, readSplit } from "./lib/classification.ts";
import type { PapersData } from "./lib/data.ts";
import type { Experiment, RunMeasures } from "./lib/experiment.ts";
import { compare } from "./lib/kernel-filters.ts";
import { method } from "./lib/learner.ts";
import { embed } from "./lib/mackey-glass.ts";
import { permute, type Samples, testError } from "./lib/samples.ts";
import { claim } from "./lib/verdict.ts";

const SEGMENTS = "mackey-glass/ten_noisy_segments_seed1.csv";
/** Test MSE on each segment by KAFBOX, NumPy (and dlib for KRLS-ALD), which agree. */
const EXPECTED = [
  {
    method: method("qklms", "QKLMS", "qklms", { epsilon: 0.4, eta: 0.5 }),
    errors: [
      0.050046, 0.025807, 0.049766, 0.027208, 0.057701, 0.024553, 0.041064, 0.02739, 0.016444, 0.049651,
    ],
  },
  {
    method: method("krls-ald", "KRLS-ALD", "krls-ald", { nu: 0.04 }),
    errors: [
      0.020123, 0.01931, 0.012537, 0.023999, 0.018467, 0.020429, 0.019017, 0.022576, 0.019702, 0.034487,
    ],
  },
  {
    method: method("qkrls", "QKRLS", "qkrls", { epsilon: 0.4, regularization: 0.01 }),
    errors: [0.021182, 0.0185, 0.014662, 0.027004, 0.022392, 0.022573, 0.02812, 0.019956, 0.02015, 0.02813],
  },
] as const;
const PAST = 7;
const TRAIN = 500;
const TOLERANCE = 0.001;

async function segments(_: number, data: PapersData): Promise<RunMeasures> {
  const { rows, dimension, count } = await data.table(SEGMENTS, { label: false });
  const numbers: { [name: string]: number } = {};
  for (let segment = 0; segment < count; segment++) {
    const series = rows.subarray(segment * dimension, (segment + 1) * dimension);
    const train = embed(series, PAST, PAST, PAST + TRAIN);
    const test = embed(series, PAST, PAST + TRAIN, dimension);
    const methods = EXPECTED.map(({ method }) => method);
    const measured = compare(methods, train, test).numbers;
    for (const { method } of EXPECTED)
      numbers[`${method.key}/${segment + 1}`] = measured[`${method.key}/mse`];
  }
  return { numbers };
}

const mackeyGlass: Experiment = {
  id: "agreement-mackey-glass",
  paper: "Agreement",
  title: "QKLMS, KRLS-ALD and QKRLS on ten Mackey-Glass segments, with KAFBOX and NumPy",
  setup:
    "Ten given noisy segments; seven past values predict the next, 500 to train, the last 50 to test; kernel exp(-|u-v|^2); " +
    "QKLMS: epsilon 0.4, step 0.5; KRLS-ALD: 0.04; QKRLS: epsilon 0.4, regularization 0.01. The others' test MSE is in doubles.",
  runs: 1,
  once: true,
  ours: true,
  files: [SEGMENTS],
  run: segments,
  rows: EXPECTED.flatMap(({ method, errors }) =>
    errors.map((published, i) => ({
      name: `${method.key}/${i + 1}`,
      label: `${method.label}, segment ${i + 1}, test MSE`,
      published,
      digits: 6,
    })),
  ),
  figures: [],
  verdict: (summary) => ({
    claims: EXPECTED.map(({ method, errors }) => {
      const apart = Math.max(
        ...errors.map((error, i) => Math.abs(summary.mean(`${method.key}/${i + 1}`) - error)),
      );
      return claim(
        apart < TOLERANCE,
        `${method.label} agrees on every segment (apart by ${apart.toFixed(6)}; to come out, ${TOLERANCE})`,
      );
    }),
  }),
};

/** Each component brought to -1..1 as over the training set. */
function scaleRows(train: Samples, rows: Samples): Samples {
  const of = (choose: (...values: number[]) => number, j: number) =>
    train.inputs.reduce((found, x) => choose(found, x[j]), train.inputs[0][j]);
  const least = Array.from(train.inputs[0], (_, j) => of(Math.min, j));
  const most = Array.from(train.inputs[0], (_, j) => of(Math.max, j));
  const inputs = rows.inputs.map((x) =>
    x.map((value, j) => (2 * (value - least[j])) / (most[j] - least[j]) - 1),
  );
  return { inputs, labels: rows.labels };
}

const FOLDER = "svmguide1";
/** KOL's eta isn't known. With the least of these nearly every mistake is stored, with 0.5 fewer than half. */
const ETAS = [0.001, 0.1, 0.5];

function projections(name: string, label: string, published: number) {
  return ETAS.map((eta) => ({
    name,
    label: `${label}, eta ${eta}`,
    options: { budget: 200, projectionThreshold: eta },
    published,
  }));
}

const BUDGETED = [
  { name: "kernel-perceptron", label: "kernel perceptron", options: { budget: 1000 }, published: 4.28 },
  { name: "forgetron", label: "Forgetron", options: { budget: 200 }, published: 4.58 },
  ...projections("projectron", "Projectron", 4.75),
  ...projections("projectron-pp", "Projectron++", 3.78),
];

async function measureBudgeted(seed: number, data: PapersData): Promise<RunMeasures> {
  const split = await readSplit(data, FOLDER);
  const train = permute(scaleRows(split.train, split.train), new Random(seed, "permutation"));
  const test = scaleRows(split.train, split.test);
  const numbers: { [name: string]: number } = {};
  for (const { name, label, options } of BUDGETED) {
    const learner = makeClassifier(name, split, { ...options, kernel: { type: "gaussian", gamma: 10 } });
    onePass(learner, train);
    numbers[label] = testError(learner, test);
    numbers[`${label}/size`] = learner.size;
  }
  return { numbers };
}

const svmguide1: Experiment = {
  id: "agreement-svmguide1",
  paper: "Agreement",
  title: "Kernel perceptron, Forgetron and Projectron on scaled svmguide1, with KOL",
  setup:
    "Components scaled to -1..1, training set permuted again for each run, one pass; kernel exp(-10 |u-v|^2); 200 vectors, the kernel " +
    "perceptron as many as it makes mistakes; Projectron's eta 0.001, with which it stores nearly every mistake, 0.1 and 0.5. KOL's figures (C++) are " +
    "of one permutation, the best of a small grid read off the test set, its eta unknown; ours are means over permutations, and eta 0.5 " +
    "was the best of a scan that was read off the test set too.",
  runs: 20,
  publishedRuns: 1,
  ours: true,
  files: [`${FOLDER}/train.libsvm`, `${FOLDER}/test.libsvm`],
  run: measureBudgeted,
  figureRange: (name) => (name.endsWith("/size") ? NOT_NEGATIVE : PERCENT),
  rows: [
    ...BUDGETED.map(({ label, published }) => ({
      name: label,
      label: `${label}, test error (%)`,
      published,
      digits: 2,
    })),
    ...BUDGETED.map(({ name, label }) => ({
      name: `${label}/size`,
      label: `${label}, vectors`,
      published: name === "kernel-perceptron" ? 203 : "at most 200",
      digits: 0,
    })),
  ],
  figures: [],
  verdict: (summary) => ({
    claims: [
      claim(
        BUDGETED.every(
          ({ name, label }) => name === "kernel-perceptron" || summary.mean(`${label}/size`) <= 200,
        ),
        "no learner stores more than 200 vectors",
      ),
    ],
    note:
      "Projectron++ also learns from samples within the margin, but only where the loss exceeds delta / eta, delta being the distance from the " +
      "span: with a small eta it hardly ever does, and so is all but the Projectron.",
  }),
};

/** Another package's test error of a batch SVM, %, and one test sample of 4,000, %. */
const SVM_PUBLISHED = 3.55;
const ONE_SAMPLE = 0.025;

async function batchSvm(_seed: number, data: PapersData): Promise<RunMeasures> {
  const split = await readSplit(data, FOLDER);
  const { inputs, labels } = scaleRows(split.train, split.train);
  const test = scaleRows(split.train, split.test);
  const machine = await trainSvm(inputs, labels, { C: 10, kernel: { type: "gaussian", gamma: 10 } });
  return { numbers: { svm: testError(machine, test) } };
}

const svm: Experiment = {
  id: "agreement-svm",
  paper: "Agreement",
  title: "Batch SVM on scaled svmguide1, with another LIBSVM",
  setup:
    "Components scaled to -1..1; C-SVC with C 10, kernel exp(-10 |u-v|^2), by the LIBSVM that the papers' experiments use; " +
    "that of another package on the same files.",
  runs: 1,
  once: true,
  ours: true,
  files: [`${FOLDER}/train.libsvm`, `${FOLDER}/test.libsvm`],
  run: batchSvm,
  figureRange: () => PERCENT,
  rows: [{ name: "svm", label: "SVM, test error (%)", published: SVM_PUBLISHED, digits: 2 }],
  figures: [],
  verdict: (summary) => {
    const apart = Math.round(Math.abs(summary.mean("svm") - SVM_PUBLISHED) / ONE_SAMPLE);
    return {
      claims: [claim(apart === 0, `the test errors are equal (apart by ${apart} of the 4,000 test samples)`)],
    };
  },
};

/** Where other packages ran what we run, on the same files: no experiment of a paper. */
export const AGREEMENTS: readonly Experiment[] = [mackeyGlass, svmguide1, svm];
