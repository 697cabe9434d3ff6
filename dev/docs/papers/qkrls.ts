import { numbers, type Paper } from "./page.ts";

const BATCH = {
  file: "learn/qkrls.test.ts",
  title: "at every step the coefficients are the batch solution (10)",
};
const STEPS = { file: "learn/qkrls.test.ts", title: "QKRLS follows" };

/** Chen et al. 2013. */
export const QKRLS: Paper = {
  title: "QKRLS: quantized kernel recursive least squares",
  citation:
    "Chen, Zhao, Zhu, Principe: Quantized kernel recursive least squares algorithm. IEEE TNNLS 24(9), 2013",
  equations: numbers(18),
  tables: 5,
  figures: 9,
  items: [
    { item: "(1)-(5)", what: "kernel least squares: background" },
    {
      item: "(6)-(9)",
      what: "quantized least squares, its problem",
      file: "src/learn/qkrls.ts",
      test: BATCH,
    },
    { item: "(10), (11)", what: "its solution", file: "src/learn/qkrls.ts", test: BATCH },
    {
      item: "(12)-(14)",
      what: "the input's nearest centre is near",
      file: "src/learn/qkrls.ts",
      test: STEPS,
    },
    { item: "(15)-(18)", what: "the input becomes a centre", file: "src/learn/qkrls.ts", test: STEPS },
    {
      item: "Table I",
      what: "online vector quantization",
      file: "src/learn/kernel-regression.ts",
      test: { file: "learn/qkrls.test.ts", title: "an input at exactly epsilon from a centre" },
    },
    { item: "Table II", what: "QKRLS", file: "src/learn/qkrls.ts", test: STEPS },
    { item: "Table III", what: "growth of costs", experiments: ["qkrls-table-3"] },
    { item: "Table IV, Figure 2", what: "with QKLMS and KRLS-ALD", experiments: ["qkrls-table-4"] },
    { item: "Table V, Figure 3", what: "with KRLS that discards", experiments: ["qkrls-table-5"] },
    { item: "Figure 1", what: "size against error", experiments: ["qkrls-figure-1"] },
    { item: "Figure 4", what: "widths of the kernel", experiments: ["qkrls-figure-4"] },
    { item: "Figures 5, 6", what: "a polynomial kernel", experiments: ["qkrls-figures-5-6"] },
    { item: "Figures 7-9", what: "sunspots, with QKAPA", experiments: ["qkrls-figures-7-9"] },
  ],
  errata: [
    {
      item: "(13), (17)",
      right:
        "P isn't symmetric, S = P Lambda is; in float32 both recursions diverge on smooth inputs. Kept here: a factor of K + gamma Lambda^-1",
      test: {
        file: "learn/qkrls.test.ts",
        title: "smooth inputs and a wide kernel, under which both recursions diverge",
      },
    },
    {
      item: "Table V, ALD",
      right:
        "the threshold 0.2 gives the published size where it is read as one of the residual's root, so 0.04 here",
      test: { file: "lab/experiments/papers.release.test.ts", title: "Table V in ten runs" },
    },
  ],
  data: [
    { data: "Mackey-Glass series", here: "integrated anew, noise of variance 0.01 on the whole series" },
    { data: "yearly sunspot numbers", here: "`sunspot/wolf-1700-2011.csv`, version 1" },
  ],
  symbols: [
    { symbol: "epsilon", option: "epsilon", learners: ["qkrls", "qklms", "qkapa"] },
    {
      symbol: "gamma",
      option: "regularization",
      learners: ["qkrls", "qkapa", "krls-novelty", "krls-surprise", "krls-ald-discard"],
    },
    { symbol: "eta, step", option: "eta", learners: ["qklms", "qkapa"] },
    { symbol: "window length", option: "windowSize", learners: ["qkapa"] },
    { symbol: "ALD threshold", option: "nu", learners: ["krls-ald", "krls-ald-discard"] },
    { symbol: "delta_1", option: "noveltyDistance", learners: ["krls-novelty"] },
    { symbol: "delta_2", option: "noveltyError", learners: ["krls-novelty"] },
    { symbol: "T_1", option: "abnormalAbove", learners: ["krls-surprise"] },
    { symbol: "T_2", option: "redundantBelow", learners: ["krls-surprise"] },
    { symbol: "sigma", option: "kernel", learners: ["qkrls", "qklms", "qkapa"] },
  ],
};
