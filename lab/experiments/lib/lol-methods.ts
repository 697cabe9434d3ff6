import type { UserOptions } from "../../../src/index.ts";

/** One of the eleven methods, with the options that it is tried with. */
interface LolMethod {
  /** The learner's name, and the key of its numbers. */
  readonly name: string;
  readonly label: string;
  readonly grid: readonly UserOptions[];
}

const C = [0.0625, 0.25, 1, 4, 16];
const ETA = [0.55, 0.7, 0.8, 0.9, 0.95];
const SOFT = C.flatMap((each) => [0.55, 0.75, 0.95].map((confidence) => ({ C: each, confidence })));
const BANDWIDTHS = [1, 10, 100, 1000];

function kernels(options: UserOptions): UserOptions[] {
  return BANDWIDTHS.map((sigma) => ({ ...options, kernel: { type: "gaussian", sigma } }));
}

/** These options of a linear method, which in the paper has no offset. */
function linear(grid: readonly UserOptions[]): UserOptions[] {
  return grid.map((options) => ({ ...options, bias: false }));
}

/** Prototypes of LOL and I-LOL. */
export const PROTOTYPES = 60;

/** Permutations of the training set. */
export const LOL_RUNS = 10;

/** The paper's methods in its order, each with the paper's grid, thinned where it is fine. */
export const LOL_METHODS: readonly LolMethod[] = [
  { name: "pa", label: "PA", grid: linear(C.map((each) => ({ C: each }))) },
  {
    name: "pegasos",
    label: "Pegasos",
    grid: linear([0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000].map((lambda) => ({ lambda }))),
  },
  { name: "cw", label: "CW", grid: linear(ETA.map((confidence) => ({ confidence }))) },
  { name: "scw-1", label: "SCW-I", grid: linear(SOFT) },
  { name: "scw-2", label: "SCW-II", grid: linear(SOFT) },
  { name: "arow", label: "AROW", grid: linear([{ noiseVariance: 1 }]) },
  { name: "bsgd", label: "BSGD", grid: kernels({ budget: 200, lambda: 0.0001 }) },
  { name: "fogd", label: "FOGD", grid: kernels({ budget: 2000, eta: 0.0001 }) },
  {
    name: "nogd",
    label: "NOGD",
    grid: [0.0001, 0.5].flatMap((eta) =>
      kernels({ budget: 200, rank: 200, eta, etaFeatures: eta, eigenproblem: "once" }),
    ),
  },
  { name: "i-lol", label: "I-LOL", grid: [{ budget: PROTOTYPES, C: 1, count: "literal" }] },
  { name: "lol", label: "LOL", grid: [{ budget: PROTOTYPES, C: 1, lambda: 1, count: "literal" }] },
];

/** A data set of Tables 3 and 4; `errors` are the means of its test errors (%), in the methods' order, with their deviations. */
export interface LolDataSet {
  /** Its folder, with train.libsvm and test.libsvm. */
  readonly folder: string;
  readonly title: string;
  readonly table: 3 | 4;
  readonly errors: readonly number[];
  /** None where the training set isn't permuted, and without deviations. */
  readonly deviations?: readonly number[];
  /** The training set isn't permuted: one run. */
  readonly inOrder?: boolean;
  /** What else is to be known of the data. */
  readonly setup?: string;
}

export const LOL_DATA: readonly LolDataSet[] = [
  {
    folder: "svmguide1",
    title: "SVMGUIDE1",
    table: 3,
    errors: [30.35, 37.49, 50.09, 21.42, 22.63, 21.51, 5.73, 7.68, 5.75, 6.54, 5.26],
    deviations: [10.7, 12.6, 24.3, 1.0, 0.2, 0.2, 0.9, 1.3, 0.9, 2.1, 1.4],
  },
  {
    folder: "cbcl-face",
    title: "CBCL Face",
    table: 3,
    errors: [7.12, 20.84, 3.64, 3.2, 3.08, 3.22, 2.14, 6.47, 6.38, 5.34, 3.68],
    deviations: [5.9, 18.2, 0.3, 0.1, 0.1, 0.1, 0.4, 3.7, 1.7, 1.0, 1.4],
  },
  {
    folder: "ijcnn1",
    title: "IJCNN1",
    table: 3,
    errors: [34.98, 25.48, 46.41, 46.96, 61.59, 34.27, 4.36, 11.48, 11.99, 4.1, 3.15],
    deviations: [3.8, 6.8, 2.8, 7.9, 31.4, 0.5, 0.0, 7.0, 6.3, 0.6, 0.6],
  },
  {
    folder: "kddcup2008",
    title: "KDDCUP2008",
    table: 3,
    errors: [38.74, 45.75, 34.52, 25.95, 44.89, 43.98, 0.57, 0.7, 0.73, 0.65, 0.69],
    deviations: [4.7, 3.0, 3.0, 10.3, 2.2, 1.1, 0.1, 0.1, 0.3, 0.1, 0.2],
  },
  {
    folder: "webspam",
    title: "WEBSPAM",
    table: 3,
    inOrder: true,
    errors: [7.56, 11.58, 10.66, 6.58, 7.77, 7.25, 5.27, 5.68, 14.82, 5.56, 4.95],
  },
  {
    folder: "url",
    title: "URL",
    table: 3,
    inOrder: true,
    setup:
      "The paper's figures are of ten random projections of 3.2 million features to 100; the given files are one.",
    errors: [15.99, 16.1, 36.46, 9.01, 9.31, 9.28, 20.0, 9.72, 10.56, 8.7, 7.2],
    deviations: [5.2, 2.3, 8.9, 1.9, 1.9, 2.0, 2.3, 1.3, 1.2, 0.7, 0.7],
  },
  {
    folder: "usps",
    title: "USPS",
    table: 4,
    errors: [12.36, 20.87, 10.78, 9.73, 9.29, 9.06, 14.03, 9.84, 9.29, 10.19, 7.88],
    deviations: [1.5, 8.1, 0.4, 0.3, 0.2, 0.4, 0.8, 2.4, 1.5, 0.8, 0.8],
  },
  {
    folder: "letter",
    title: "LETTER",
    table: 4,
    errors: [34.17, 60.74, 93.57, 37.33, 26.34, 33.03, 29.28, 19.24, 23.16, 20.83, 17.69],
    deviations: [1.7, 4.9, 3.8, 1.9, 0.3, 0.7, 5.9, 1.6, 1.5, 1.2, 1.1],
  },
  {
    folder: "mnist",
    title: "MNIST",
    table: 4,
    errors: [12.31, 21.73, 12.56, 19.59, 12.04, 29.26, 4.33, 6.57, 10.07, 4.82, 3.03],
    deviations: [1.1, 8.2, 0.3, 0.8, 0.4, 9.0, 0.2, 0.2, 0.5, 0.2, 0.1],
  },
  {
    folder: "multi-pie-pose",
    title: "Multi-PIE Pose",
    table: 4,
    errors: [4.22, 15.01, 4.26, 4.37, 3.54, 6.63, 8.99, 3.58, 10.78, 3.48, 2.15],
    deviations: [0.3, 2.5, 0.1, 0.0, 0.0, 0.1, 0.0, 0.4, 1.2, 0.2, 0.1],
  },
  {
    folder: "multi-pie-identity",
    title: "Multi-PIE Identity",
    table: 4,
    errors: [43.64, 83.35, 31.17, 78.43, 29.04, 31.49, 46.18, 18.17, 79.45, 31.95, 4.62],
    deviations: [0.3, 1.3, 0.1, 0.4, 0.2, 0.2, 10.2, 0.7, 1.4, 0.9, 0.3],
  },
];
