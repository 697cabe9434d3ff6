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

/** These options with each bandwidth. */
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

/** A data set of Tables 3 and 4; `errors` are its test errors (%), mean and deviation, in the methods' order. */
export interface LolDataSet {
  /** Its folder, with train.libsvm and test.libsvm. */
  readonly folder: string;
  readonly title: string;
  readonly table: 3 | 4;
  readonly errors: readonly (readonly [mean: number, deviation?: number])[];
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
    errors: [
      [30.35, 10.7],
      [37.49, 12.6],
      [50.09, 24.3],
      [21.42, 1.0],
      [22.63, 0.2],
      [21.51, 0.2],
      [5.73, 0.9],
      [7.68, 1.3],
      [5.75, 0.9],
      [6.54, 2.1],
      [5.26, 1.4],
    ],
  },
  {
    folder: "cbcl-face",
    title: "CBCL Face",
    table: 3,
    errors: [
      [7.12, 5.9],
      [20.84, 18.2],
      [3.64, 0.3],
      [3.2, 0.1],
      [3.08, 0.1],
      [3.22, 0.1],
      [2.14, 0.4],
      [6.47, 3.7],
      [6.38, 1.7],
      [5.34, 1.0],
      [3.68, 1.4],
    ],
  },
  {
    folder: "ijcnn1",
    title: "IJCNN1",
    table: 3,
    errors: [
      [34.98, 3.8],
      [25.48, 6.8],
      [46.41, 2.8],
      [46.96, 7.9],
      [61.59, 31.4],
      [34.27, 0.5],
      [4.36, 0.0],
      [11.48, 7.0],
      [11.99, 6.3],
      [4.1, 0.6],
      [3.15, 0.6],
    ],
  },
  {
    folder: "kddcup2008",
    title: "KDDCUP2008",
    table: 3,
    errors: [
      [38.74, 4.7],
      [45.75, 3.0],
      [34.52, 3.0],
      [25.95, 10.3],
      [44.89, 2.2],
      [43.98, 1.1],
      [0.57, 0.1],
      [0.7, 0.1],
      [0.73, 0.3],
      [0.65, 0.1],
      [0.69, 0.2],
    ],
  },
  {
    folder: "webspam",
    title: "WEBSPAM",
    table: 3,
    inOrder: true,
    errors: [[7.56], [11.58], [10.66], [6.58], [7.77], [7.25], [5.27], [5.68], [14.82], [5.56], [4.95]],
  },
  {
    folder: "url",
    title: "URL",
    table: 3,
    inOrder: true,
    setup:
      "The paper's figures are of ten random projections of 3.2 million features to 100; the given files are one.",
    errors: [
      [15.99, 5.2],
      [16.1, 2.3],
      [36.46, 8.9],
      [9.01, 1.9],
      [9.31, 1.9],
      [9.28, 2.0],
      [20.0, 2.3],
      [9.72, 1.3],
      [10.56, 1.2],
      [8.7, 0.7],
      [7.2, 0.7],
    ],
  },
  {
    folder: "usps",
    title: "USPS",
    table: 4,
    errors: [
      [12.36, 1.5],
      [20.87, 8.1],
      [10.78, 0.4],
      [9.73, 0.3],
      [9.29, 0.2],
      [9.06, 0.4],
      [14.03, 0.8],
      [9.84, 2.4],
      [9.29, 1.5],
      [10.19, 0.8],
      [7.88, 0.8],
    ],
  },
  {
    folder: "letter",
    title: "LETTER",
    table: 4,
    errors: [
      [34.17, 1.7],
      [60.74, 4.9],
      [93.57, 3.8],
      [37.33, 1.9],
      [26.34, 0.3],
      [33.03, 0.7],
      [29.28, 5.9],
      [19.24, 1.6],
      [23.16, 1.5],
      [20.83, 1.2],
      [17.69, 1.1],
    ],
  },
  {
    folder: "mnist",
    title: "MNIST",
    table: 4,
    errors: [
      [12.31, 1.1],
      [21.73, 8.2],
      [12.56, 0.3],
      [19.59, 0.8],
      [12.04, 0.4],
      [29.26, 9.0],
      [4.33, 0.2],
      [6.57, 0.2],
      [10.07, 0.5],
      [4.82, 0.2],
      [3.03, 0.1],
    ],
  },
  {
    folder: "multi-pie-pose",
    title: "Multi-PIE Pose",
    table: 4,
    errors: [
      [4.22, 0.3],
      [15.01, 2.5],
      [4.26, 0.1],
      [4.37, 0.0],
      [3.54, 0.0],
      [6.63, 0.1],
      [8.99, 0.0],
      [3.58, 0.4],
      [10.78, 1.2],
      [3.48, 0.2],
      [2.15, 0.1],
    ],
  },
  {
    folder: "multi-pie-identity",
    title: "Multi-PIE Identity",
    table: 4,
    errors: [
      [43.64, 0.3],
      [83.35, 1.3],
      [31.17, 0.1],
      [78.43, 0.4],
      [29.04, 0.2],
      [31.49, 0.2],
      [46.18, 10.2],
      [18.17, 0.7],
      [79.45, 1.4],
      [31.95, 0.9],
      [4.62, 0.3],
    ],
  },
];
