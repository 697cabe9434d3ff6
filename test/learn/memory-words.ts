// Each learner's words: two tables, which edges.test.ts and targets/minimum.test.ts compare with the layouts.

/** Words of state, counters and scratch of each family with its defaults, for inputs of 6 components. */
export const LAID_OUT: { readonly [name: string]: readonly number[] } = {
  auto: [1726, 20, 351],
  "auto-r": [1435, 20, 383],
  "olk-c": [529, 10, 76],
  "olk-drift": [1270, 20, 182],
  "olk-r": [527, 10, 76],
  "olk-n": [528, 10, 76],
  qkrls: [2996, 10, 332],
  qklms: [660, 10, 140],
  qkapa: [703, 10, 224],
  "krls-ald": [4884, 10, 332],
  "krls-novelty": [2804, 10, 204],
  "krls-surprise": [2804, 10, 204],
  "krls-ald-discard": [2804, 10, 204],
  "krls-t": [4032, 10, 1082],
  lol: [841, 10, 84],
  "i-lol": [841, 10, 84],
  pa: [9, 10, 15],
  perceptron: [12, 10, 6],
  pegasos: [8, 10, 14],
  cw: [39, 10, 21],
  "cw-var": [39, 10, 21],
  "scw-1": [39, 10, 21],
  "scw-2": [39, 10, 21],
  arow: [39, 10, 21],
  rls: [44, 10, 27],
  nlms: [15, 10, 13],
  "rff-klms": [521, 10, 134],
  logistic: [11, 10, 20],
  "naive-bayes": [50, 10, 25],
  knn: [585, 10, 29],
  oskm: [5297, 10, 1789],
  "rls-hmm": [427, 10, 220],
  "dual-rho": [532, 10, 79],
  "dual-aga": [532, 10, 79],
  "dual-greedy": [532, 10, 79],
  "norma-c": [531, 10, 76],
  "norma-r": [528, 10, 76],
  "norma-n": [528, 10, 76],
  "robust-z": [17, 10, 6],
  "kernel-perceptron": [527, 10, 76],
  "kernel-perceptron-r": [527, 10, 76],
  forgetron: [528, 10, 76],
  projectron: [2736, 10, 140],
  "projectron-pp": [2736, 10, 140],
  bsgd: [528, 10, 76],
  nogd: [3909, 10, 412],
  fogd: [527, 10, 328],
};

/** Vectors and a coefficient each. */
export const expansion = (d: number, m: number) => m * (d + 1);
/** That, and the width that was found. */
const found = (d: number, m: number) => expansion(d, m) + 1;
/** Weights, and half of their symmetric covariance. */
const belief = (d: number) => d + (d * (d + 1)) / 2;
/** A packed symmetric matrix or triangle. */
const triangle = (m: number) => (m * (m + 1)) / 2;
/** KRLS-T's. */
const tracker = (d: number, m: number) => found(d, m) + 4 * triangle(m + 1) + (m + 1) + 4;
/** QKAPA's default window. */
const WINDOW = 20;
/** osKM's defaults. */
const AGENTS = 10;
const POINTS = 10;
const CLASSES = 3;
/** Auto's defaults, and its members. */
const LANDMARKS = 22;
/** Rows are stored by fours. */
const LANDMARK_ROWS = 24;
const LABELS = 12;
const MEMBERS = 11;
const NEIGHBOURS = 4;
const FILTERED = 2;
const STACK = 7;
const CELLS = 150;
/** Functions that OlkDrift keeps beside the steady one. */
const TRACKING = 3;
/** RLS-HMM's default. */
const LAG = 8;
/** The present silence, and the longest of late. */
const SILENCE = 2;
/** NOGD's default. */
const RANK = 16;

/** Words that each algorithm's numbers come to, from its paper: dimension d, budget m. */
export const PUBLISHED: { readonly [name: string]: (d: number, m: number) => number } = {
  // Two beliefs about x, one about landmarks, too; landmarks; the expansion with its width, and its samples; bytes of the neighbours, and their labels; the stack;
  // losses and weights of the members; two numbers of each hidden Markov model, and seven means; the window's labels with x, and what left it; a belief of each
  // member that is filtered; 11 running numbers; two of silences.
  auto: (d, m) =>
    2 * belief(d + 1) +
    belief(d + LANDMARKS + 1) +
    LANDMARK_ROWS * d +
    (found(d, m) + 1) +
    m * (NEIGHBOURS * Math.ceil(d / 4) + 1) +
    belief(STACK) +
    (2 * MEMBERS + 1) +
    (2 * CELLS + 7) +
    (LABELS * (d + 1) + 2) +
    FILTERED +
    11 +
    SILENCE,
  // Three linear members with an offset and one of changes, KRLS-T of 20 vectors, a loss and a weight of each member, the latest input and the one
  // at the last label, that label, and the weight of all losses; two numbers of silences.
  "auto-r": (d, m) => 3 * (belief(d + 1) + 1) + belief(d) + 1 + tracker(d, m) + 2 * 6 + 2 * d + 5 + SILENCE,
  "olk-c": found,
  // With a width given there is none to be found.
  "olk-c/given": expansion,
  // Vectors of 16 bits, two components a word.
  "olk-c/q15": (d, m) => expansion(Math.ceil(d / 2), m),
  "qkrls/q15": (d, m) => expansion(Math.ceil(d / 2), m) + triangle(m) + 2 * m,
  "lol/q15": (d, m) => m * (Math.ceil(d / 2) + 1 + d) + d,
  "norma-c/given": (d, m) => expansion(d, m) + 2,
  "norma-r/given": (d, m) => expansion(d, m) + 1,
  "norma-n/given": (d, m) => expansion(d, m) + 1,
  "dual-rho/given": (d, m) => expansion(d, m) + 2,
  "dual-greedy/given": (d, m) => expansion(d, m) + 2,
  "bsgd/given": (d, m) => expansion(d, m) + 1,
  "qkrls/given": (d, m) => expansion(d, m) + triangle(m) + 2 * m,
  // A second dictionary with its width, whose vectors have a coefficient for each tracking function and for their mixture; the losses, weights and mean squares of
  // all, and the weight of all labels; lead, labels that differed, and the gate.
  "olk-drift": (d, m) => found(d, m) + (m * (d + TRACKING + 1) + 1) + 3 * (TRACKING + 1) + 1 + 3,
  "olk-r": found,
  // Threshold rho.
  "olk-n": (d, m) => found(d, m) + 1,
  // Bias and rho; epsilon; rho.
  "norma-c": (d, m) => found(d, m) + 2,
  "norma-r": (d, m) => found(d, m) + 1,
  "norma-n": (d, m) => found(d, m) + 1,
  // Median and deviation of each input.
  "robust-z": (d) => 2 * d,
  // The linear learners have an offset, so that their vectors have a component more.
  pa: (d) => d + 1,
  // Bias, and the number of the sample; that number.
  perceptron: (d) => d + 2,
  pegasos: (d) => d + 2,
  cw: (d) => belief(d + 1),
  "cw-var": (d) => belief(d + 1),
  "scw-1": (d) => belief(d + 1),
  "scw-2": (d) => belief(d + 1),
  arow: (d) => belief(d + 1),
  // The factor, and whose turn it is.
  rls: (d) => belief(d + 1) + 1,
  nlms: (d) => d + 1,
  // Frequencies; a weight of the cosine and of the sine of each; the offset.
  "rff-klms": (d, m) => m * d + 2 * m + 1,
  logistic: (d) => d + 1,
  // Of two classes means, variances and a count; the share; what they give: the middle of the means, and weights of features, squares and the offset.
  "naive-bayes": (d) => 4 * d + 2 + 1 + d + 2 * d + 1,
  // Four components, and four labels, a word.
  knn: (d, m) => m * Math.ceil(d / 4) + Math.ceil(m / 4),
  "arow/diagonal": (d) => 2 * (d + 1),
  // W = |omega|^2 and S, the sum of all alpha.
  "dual-rho": (d, m) => found(d, m) + 2,
  "dual-aga": (d, m) => found(d, m) + 2,
  "dual-greedy": (d, m) => found(d, m) + 2,
  "kernel-perceptron": found,
  "kernel-perceptron-r": found,
  // The slack that M and Q leave.
  forgetron: (d, m) => found(d, m) + 1,
  // The factor of the kernel matrix.
  projectron: (d, m) => found(d, m) + (m * (m + 1)) / 2,
  "projectron-pp": (d, m) => found(d, m) + (m * (m + 1)) / 2,
  // Samples so far.
  bsgd: (d, m) => found(d, m) + 1,
  // Features of the rank that is kept, w.
  nogd: (d, m) => found(d, m) + RANK * m + RANK,
  // Frequencies; w has a cosine and a sine of each; the width that was found.
  fogd: (d, m) => m * d + 2 * m + 1,
  // Prototypes with a count and a vector u each, and w; a w and a u for each class.
  lol: (d, m) => m * (d + 1 + d) + d,
  "i-lol": (d, m) => m * (d + 1 + d) + d,
  [`lol/${CLASSES}`]: (d, m) => m * (d + 1 + CLASSES * d) + CLASSES * d,
  // The frequencies once.
  [`fogd/${CLASSES}`]: (d, m) => m * d + CLASSES * 2 * m + 1,
  [`ova:olk-c/${CLASSES}`]: (d, m) => CLASSES * found(d, m),
  // Samples with labels, a coefficient for each agent; the agreement v, u.
  oskm: (d, m) => m * (d + 1 + AGENTS) + POINTS + AGENTS * POINTS,
  // w and half of P, with the offset; two numbers of each hidden Markov model, and seven means; the window's labels with x, and what left it;
  // Of each vector the norm, a block of four coefficients for three classes, and the label; the factor, and the number of samples.
  "ova:olk-c/3/shared": (d, m) => found(d, m) + 5 * m + 2,
  "ova:olk-c/26/shared": (d, m) => found(d, m) + 29 * m + 2,
  // s and 1/R of each; R and the number of samples; errors, labels, whether flips are refuted, and the newest number.
  "rls-hmm": (d) => belief(d + 1) + (2 * CELLS + 7) + (LAG * (d + 1) + 2) + 2 * LAG + 2 + 4,
  qklms: found,
  // The symmetric S, Lambda and the sum of targets of each centre.
  qkrls: (d, m) => found(d, m) + triangle(m) + 2 * m,
  // Index and target of each of the window's samples.
  qkapa: (d, m) => found(d, m) + 2 * WINDOW,
  // The Cholesky factor of K, and P.
  "krls-ald": (d, m) => found(d, m) + 2 * triangle(m),
  // The Cholesky factor of K + reg I.
  "krls-novelty": (d, m) => found(d, m) + triangle(m),
  "krls-surprise": (d, m) => found(d, m) + triangle(m),
  "krls-ald-discard": (d, m) => found(d, m) + triangle(m),
  // With room for one vector more, the factor of K and the diagonal of its inverse; three models' covariances and likelihoods; the scale of errors.
  "krls-t": tracker,
};
