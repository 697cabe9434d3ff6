import { LOL_DATA } from "../../../lab/experiments/lib/lol-methods.ts";
import { numbers, type Paper } from "./page.ts";

const STACKED = { file: "learn/lol.test.ts", title: "LOL with lambda" };
const STEPS = { file: "learn/lol.test.ts", title: "LOL follows" };
const SECOND_ORDER = {
  file: "learn/confidence.test.ts",
  title: "AROW's Sigma is the inverse of I + X' X / r",
};
const errata = (title: string) => ({ file: "learn/errata.test.ts", title });
const tables = (number: 3 | 4) =>
  LOL_DATA.filter(({ table }) => table === number).map(({ folder }) => `lol-table-${number}-${folder}`);
const FIGURES_5_7 = LOL_DATA.map(({ folder }) => `lol-figures-5-7-${folder}`);

/** Zhou et al. 2016. */
export const LOL: Paper = {
  title: "LOL: local online learning",
  citation: "Zhou, Zheng, Hu, Xu, You: One-pass online learning: a local approach. Pattern Recognition, 2016",
  equations: numbers(27),
  tables: 4,
  figures: 7,
  items: [
    {
      item: "(1)-(4)",
      what: "PA",
      file: "src/learn/passive-aggressive.ts",
      test: { file: "learn/passive-aggressive.test.ts", title: "PA-I follows pa1" },
    },
    { item: "(5), (6)", what: "CW, SCW, AROW", file: "src/learn/confidence-weighted.ts", test: SECOND_ORDER },
    {
      item: "(7)",
      what: "FOGD",
      file: "src/learn/fogd.ts",
      test: { file: "learn/fogd.test.ts", title: "FOGD follows fogd" },
    },
    {
      item: "(8)",
      what: "NOGD",
      file: "src/learn/nogd.ts",
      test: { file: "learn/nogd.test.ts", title: "NOGD follows nogd" },
    },
    { item: "(9), (10)", what: "a linear model for each prototype", file: "src/learn/lol.ts", test: STEPS },
    { item: "(11)-(13)", what: "LOL, its problem", file: "src/learn/lol.ts", test: STACKED },
    { item: "(14)-(19)", what: "LOL, the step", file: "src/learn/lol.ts", test: STACKED },
    {
      item: "(20)",
      what: "prototypes that move",
      file: "src/learn/lol.ts",
      test: {
        file: "learn/lol.test.ts",
        title: "with count macqueen a prototype is the mean of its samples",
      },
    },
    { item: "Algorithm 1", what: "LOL", file: "src/learn/lol.ts", test: STEPS },
    {
      item: "(21)-(27), Theorem 1",
      what: "bound on the loss: analysis; (23), which it needs, doesn't hold",
      test: errata("LOL (23)"),
    },
    {
      item: "Table 1",
      what: "the eleven methods",
      file: "lab/experiments/lib/lol-methods.ts",
      experiments: [tables(3)[0]],
    },
    { item: "Table 2", what: "the data sets", file: "lab/experiments/lib/lol-methods.ts" },
    {
      item: "Table 3, Figure 4",
      what: "two classes: test error, and error along the stream",
      experiments: tables(3),
    },
    { item: "Table 4, Figure 4", what: "several classes", experiments: tables(4) },
    { item: "Figures 1-3", what: "sketches" },
    { item: "Figures 5-7", what: "k, lambda, prototypes found beforehand", experiments: FIGURES_5_7 },
  ],
  errata: [
    {
      item: "(6)",
      right: "Sigma - beta Sigma x x' Sigma",
      test: errata("LOL (6)"),
    },
    {
      item: "(17), (18)",
      right: "the constraint's term has the other sign; the step is eta y x",
      test: errata("LOL (17), (18)"),
    },
    {
      item: "Algorithm 1, line 10",
      right: "the first x is divided by sqrt(lambda), as in (14)",
      test: errata("LOL, Algorithm 1: line 10"),
    },
    { item: "Algorithm 1, kd", right: "the stacked vector has (k + 1) d entries", test: STACKED },
    {
      item: "Algorithm 1, line 8",
      right:
        "with n_i counted after the step the first hit replaces the prototype; (20) needs it counted before. Option `count`: literal, macqueen",
      test: {
        file: "learn/lol.test.ts",
        title: "with count macqueen a prototype is the mean of its samples",
      },
    },
    { item: "(23)", right: "LOL's loss is above PA's at some steps", test: errata("LOL (23)") },
  ],
  data: [
    {
      data: "SVMGUIDE1, LETTER and the other sets of Tables 3 and 4",
      here: "the same, where they are in the folder of `--data`",
    },
    { data: "URL, by ten random projections that aren't given", here: "your own projection, in `url/`" },
  ],
  symbols: [
    { symbol: "k", option: "budget", learners: ["lol", "i-lol"] },
    { symbol: "lambda", option: "lambda", learners: ["lol", "pegasos"] },
    { symbol: "C", option: "C", learners: ["lol", "i-lol", "pa", "scw-1", "scw-2"] },
    { symbol: "n_i, counted before or after", option: "count", learners: ["lol", "i-lol"] },
    { symbol: "eta of (5)", option: "confidence", learners: ["cw", "scw-1", "scw-2"] },
    { symbol: "B", option: "budget", learners: ["bsgd", "nogd"] },
    { symbol: "D = 10 B", option: "budget", learners: ["fogd"] },
    { symbol: "k of (8)", option: "rank", learners: ["nogd"] },
    { symbol: "learning rate", option: "eta", learners: ["fogd", "nogd"] },
    { symbol: "bandwidth", option: "kernel", learners: ["bsgd", "fogd", "nogd"] },
  ],
};
