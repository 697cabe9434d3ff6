import { numbers, type Paper } from "./page.ts";

const STEPS = { file: "learn/dual-ascent.test.ts", title: "dual ascent follows" };
const RISES = { file: "learn/dual-ascent.test.ts", title: "the dual never falls" };
const GREEDY = {
  file: "learn/dual-ascent.test.ts",
  title: "greedy gains as much as any step in the unit square",
};
const errata = (title: string) => ({ file: "learn/errata.test.ts", title });

/** Sun, Li 2014. */
export const FORGETTING: Paper = {
  title: "Forgetting dual ascent",
  citation:
    "Sun, Li: An online learning algorithmic framework with forgetting property. Journal of National University of Defense Technology 36(4), 2014",
  equations: numbers(21),
  tables: 3,
  figures: 7,
  items: [
    {
      item: "(1)-(7)",
      what: "the SVM's problem and its dual",
      file: "src/learn/dual-ascent.ts",
      test: errata("forgetting dual ascent (5)"),
    },
    {
      item: "(8)-(11), Figure 1",
      what: "the framework: a step, and forgetting",
      file: "src/learn/dual-ascent.ts",
      test: RISES,
    },
    {
      item: "(12)-(14), Figure 2",
      what: "gradient ascent, rho-GA",
      file: "src/learn/gradient-ascent.ts",
      test: STEPS,
    },
    {
      item: "(15)",
      what: "the best step along the gradient, AGA",
      file: "src/learn/gradient-ascent.ts",
      test: STEPS,
    },
    { item: "(16)", what: "greedy ascent", file: "src/learn/greedy-ascent.ts", test: GREEDY },
    { item: "(17)-(20)", what: "beside online convex programming: a comparison in words" },
    { item: "(21)", what: "the Gaussian kernel", file: "src/kernel/kernel.ts", test: STEPS },
    { item: "Table 1", what: "two moons", experiments: ["forgetting-two-moons"] },
    {
      item: "Figures 3-6",
      what: "two moons: data, dual, primal, error",
      experiments: ["forgetting-two-moons"],
    },
    { item: "Table 2", what: "Isolet", experiments: ["forgetting-isolet"] },
    { item: "Table 3, Figure 7", what: "rotating spirals", experiments: ["forgetting-spirals"] },
  ],
  errata: [
    {
      item: "(5)",
      right: "the last sum is of the conjugates of C g_i",
      test: errata("forgetting dual ascent (5)"),
    },
    {
      item: "(12), Figure 2",
      right: "x_t, y_t for x_i, y_i; |omega|^2 - C sum alpha > 0, as (13) has it",
      test: errata("forgetting dual ascent (12), Figure 2"),
    },
    { item: "(15)", right: "the Hessian is that of -D", test: errata("forgetting dual ascent (15)") },
    {
      item: "rho-GA",
      right: "an ascent only where rho is at most 2 rho_star. Option `step`: plain, safe",
      test: {
        file: "lab/experiments/forgetting.full.test.ts",
        title: "on rotating spirals forgetting helps AGA and greedy ascent, and undoes rho-GA as printed",
      },
    },
    {
      item: "Tables 1-3, in brackets",
      right: "without forgetting AGA and greedy ascent are one algorithm, so their errors can't differ",
      test: {
        file: "learn/dual-ascent.test.ts",
        title: "without forgetting, AGA and greedy are the same algorithm",
      },
    },
  ],
  data: [
    {
      data: "two moons, of a generator that isn't given",
      here: "drawn; the second half-ring raised so that a batch SVM errs as rarely as in the paper",
    },
    { data: "Isolet 1 and 5", here: "Isolet 1, in `isolet1/`; Isolet 5 too where it is in `isolet5/`" },
    {
      data: "rotating spirals, of which the paper gives the full turn",
      here: "drawn: 1.5 turns up to radius 9",
    },
  ],
  symbols: [
    { symbol: "C", option: "C", learners: ["dual-rho", "dual-aga", "dual-greedy"] },
    { symbol: "eta_t, or 0", option: "forget", learners: ["dual-rho", "dual-aga", "dual-greedy"] },
    { symbol: "rho", option: "rho", learners: ["dual-rho"] },
    { symbol: "rho, or min(rho, rho_max, rho_star)", option: "step", learners: ["dual-rho"] },
    { symbol: "sigma_k", option: "kernel", learners: ["dual-rho", "dual-aga", "dual-greedy"] },
  ],
};
