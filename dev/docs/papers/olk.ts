import { numbers, type Paper } from "./page.ts";

const CLASSIFICATION = { file: "learn/olk.test.ts", title: "OLK_C follows" };
const REGRESSION = { file: "learn/olk.test.ts", title: "OLK_R follows olk_r" };
const NOVELTY = { file: "learn/olk.test.ts", title: "OLK_N follows" };
const errata = (title: string) => ({ file: "learn/errata.test.ts", title });

/** Li et al. 2013. */
export const OLK: Paper = {
  title: "OLK: online learning with kernels",
  citation: "Li, Wen, Li, Zhang, Yang, Mao: Model-based online learning with kernels. IEEE TNNLS 24(3), 2013",
  equations: numbers(69),
  tables: 1,
  figures: 13,
  items: [
    { item: "(1)-(4)", what: "Lagrangian duality: background" },
    {
      item: "(5)-(13)",
      what: "batch SVM, to compare with",
      file: "lab/experiments/lib/batch/svm.ts",
      test: { file: "lab/experiments/batch.test.ts", title: "SVM," },
    },
    { item: "(14)", what: "f as a kernel expansion", file: "src/learn/expansion.ts", test: CLASSIFICATION },
    {
      item: "(15)",
      what: "OLK_C, its problem",
      file: "src/learn/olk.ts",
      test: { file: "learn/olk-properties.test.ts", title: "OLK_C's closed form is the minimum of (15)" },
    },
    {
      item: "(16)-(31)",
      what: "OLK_C, its dual and solution",
      file: "src/learn/olk.ts",
      test: CLASSIFICATION,
    },
    { item: "(32), (33)", what: "OLK_C, the step", file: "src/learn/olk.ts", test: CLASSIFICATION },
    {
      item: "(34)",
      what: "OLK_R, its problem",
      file: "src/learn/olk.ts",
      test: { file: "learn/olk-properties.test.ts", title: "OLK_R's closed form is the minimum of (34)" },
    },
    { item: "(35)-(50)", what: "OLK_R, its dual and solution", file: "src/learn/olk.ts", test: REGRESSION },
    { item: "(51), (52)", what: "OLK_R, the step", file: "src/learn/olk.ts", test: REGRESSION },
    { item: "(53), (54)", what: "one-class SVM: background" },
    { item: "(55)-(65)", what: "OLK_N, its problem and dual", file: "src/learn/olk.ts", test: NOVELTY },
    { item: "(66), (67)", what: "OLK_N, the step", file: "src/learn/olk.ts", test: NOVELTY },
    { item: "(68), (69)", what: "OLK_N, two rules for rho", file: "src/learn/olk.ts", test: NOVELTY },
    {
      item: "Table I",
      what: "parameters of Example 1",
      experiments: ["olk-example-1"],
    },
    { item: "Figure 1", what: "multipliers of OLK_R against epsilon", experiments: ["olk-example-2"] },
    { item: "Figures 2, 3", what: "Example 1: support vectors, mistakes", experiments: ["olk-example-1"] },
    { item: "Figure 4", what: "Example 1: time, printed and not judged", experiments: ["olk-example-1"] },
    {
      item: "Figure 5",
      what: "Example 2: fits, drawn as errors over samples",
      experiments: ["olk-example-2"],
    },
    { item: "Figure 6", what: "Example 2: RMSE against samples", experiments: ["olk-example-2"] },
    { item: "Figures 7, 8", what: "Example 3: novelties found, ROC", experiments: ["olk-example-3"] },
    { item: "Figures 9-11", what: "Example 4: moving water", experiments: ["olk-example-4"] },
    {
      item: "Figures 12, 13",
      what: "Example 5: a room, whole and in nine frames",
      experiments: ["olk-example-5-1", "olk-example-5-2"],
    },
  ],
  errata: [
    {
      item: "(52), last line",
      right: "the coefficient is (alpha - alpha~) / (1 + r), as (42) has it",
      test: errata("OLK (52): its last line has the wrong sign"),
    },
    {
      item: "(43), (44), (48)",
      right: "f_t(x_t) is f_t(x_(t+1)), and carries the factor 1 / (1 + r), as in (49)",
      test: errata("OLK (43), (44), (48)"),
    },
    {
      item: "(50), (52)",
      right: "the comparison of L_1 and L_2 is a clip of the stationary point to 0..C",
      test: errata("OLK (50), (52)"),
    },
    {
      item: "(69)",
      right:
        "where nu < alpha < C, f(x) = 1 exactly, so that rho stays 0; (68) is the optimum. Options: `rule` fixed, optimal",
      test: { file: "lab/experiments/olk.full.test.ts", title: "Example 3: OLK_N by rule (69)" },
    },
    {
      item: "Figures 2, 3, axes",
      right: "150 support vectors and 45 mistakes can't hold for classes of standard deviation 1",
      test: { file: "lab/experiments/olk.full.test.ts", title: "Example 1: mistakes and support vectors" },
    },
    {
      item: "Remark 4",
      right: "at r = 0.001 no threshold drops a coefficient C within 1500 samples",
      test: { file: "lab/experiments/olk.full.test.ts", title: "Example 1: r = 0.001 is too slow" },
    },
  ],
  open: ["olk-rates"],
  data: [
    { data: "Examples 1 to 3: drawn", here: "drawn likewise" },
    {
      data: "Examples 4, 5: clips Jug and DSCF6721, not to be had",
      here: "a generated scene with a striped object and an even one; or your own clip in `frames/`",
    },
  ],
  symbols: [
    { symbol: "C", option: "C", learners: ["olk-c", "olk-r", "olk-n"] },
    { symbol: "r", option: "regularization", learners: ["olk-c", "olk-r", "olk-n"] },
    { symbol: "epsilon", option: "epsilon", learners: ["olk-r"] },
    { symbol: "nu (v)", option: "nu", learners: ["olk-n"] },
    { symbol: "rho, by (68) or (69)", option: "rule", learners: ["olk-n"] },
    { symbol: "Thr_sv", option: "forgetThreshold", learners: ["olk-c", "olk-r", "olk-n"] },
    { symbol: "p", option: "kernel", learners: ["olk-c", "olk-r", "olk-n"] },
  ],
};
