import { numbers, type Paper } from "./page.ts";

const STEPS = { file: "learn/oskm.test.ts", title: "osKM follows" };
const errata = (title: string) => ({ file: "learn/errata.test.ts", title });

/** Raj. */
export const OSKM: Paper = {
  title: "osKM: an online stochastic kernel machine",
  citation: "Raj: An online stochastic kernel machine for robust signal classification",
  equations: numbers(15, [14]),
  tables: 0,
  figures: 2,
  items: [
    {
      item: "(1)-(4)",
      what: "NORMA, to compare with",
      file: "src/learn/norma.ts",
      test: { file: "learn/norma.test.ts", title: "NORMA for classification follows norma_c" },
    },
    {
      item: "(5)",
      what: "an agent's loss",
      file: "src/learn/oskm.ts",
      test: {
        file: "learn/oskm.test.ts",
        title: "one agent without agreement is NORMA that replays its window",
      },
    },
    {
      item: "(6)-(8)",
      what: "agents and their agreement, the problem",
      file: "src/learn/oskm.ts",
      test: STEPS,
    },
    { item: "(9)-(11)", what: "windows, points of agreement, norm", file: "src/learn/oskm.ts", test: STEPS },
    {
      item: "(12), (13)",
      what: "alternating directions: (12a) to (12c)",
      file: "src/learn/oskm.ts",
      test: STEPS,
    },
    { item: "(15)", what: "the step. The paper has no (14)", file: "src/learn/oskm.ts", test: STEPS },
    { item: "Section 3.3", what: "the algorithm", file: "src/learn/oskm.ts", test: STEPS },
    { item: "Section 3.4", what: "bound on the regret: its proof is a sketch; not rerun" },
    {
      item: "Figure 1",
      what: "(a) labels; (b) SNR; (c) wrong labels, classes that last shortly",
      experiments: ["oskm-figure-1"],
    },
    {
      item: "Figure 2",
      what: "(a) labels; (b) SNR; (c) wrong labels, classes that last long",
      experiments: ["oskm-figure-2"],
    },
  ],
  errata: [
    { item: "(7)", right: "K alpha lacks y_m: the coefficients are signed", test: errata("osKM (7), (8)") },
    { item: "(11)", right: "n - j - tau + k + 1", test: errata("osKM (11)") },
    { item: "v in R^tau", right: "v has tau_e entries, as many as points of agreement", test: STEPS },
    {
      item: "(12a), (12b)",
      right: "K alpha - v + u, with (12c) and (13)",
      test: errata("osKM (12a), (12b)"),
    },
    {
      item: "(15), K",
      right: "the agreement's gradient has K'",
      test: errata("osKM (15): the agreement's gradient"),
    },
    { item: "(15), eta", right: "eta stands at the agreement too", test: errata("osKM (15): without eta") },
    { item: "(14)", right: "there is none", test: STEPS },
  ],
  data: [
    {
      data: "MSTAR chips of BMP2 and BTR-70, 128 wavelet features",
      here: "generated samples of 64 features; or your own features, in `mstar/features.libsvm`",
    },
  ],
  symbols: [
    { symbol: "tau + tau_p - 1", option: "budget", learners: ["oskm"] },
    { symbol: "tau_p", option: "agents", learners: ["oskm"] },
    { symbol: "tau_e", option: "agreementPoints", learners: ["oskm"] },
    { symbol: "eta", option: "eta", learners: ["oskm"] },
    { symbol: "lambda", option: "lambda", learners: ["oskm"] },
    { symbol: "rho", option: "rho", learners: ["oskm"] },
    { symbol: "ADMM iterations", option: "rounds", learners: ["oskm"] },
    { symbol: "s_j of (9)", option: "norm", learners: ["oskm"] },
    { symbol: "loss, (8) or (15)", option: "loss", learners: ["oskm"] },
  ],
};
