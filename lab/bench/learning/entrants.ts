import { UserError } from "../../../host/errors.ts";
import { checkOptions, chooseFamily, learnerFromText } from "../../../host-sim/catalogue/learner-choice.ts";
import { type Family, takesBudget, type UserOptions } from "../../../src/learn/family.ts";
import { FAMILIES } from "../../../src/learn/registry.ts";
import { asksForRanges } from "../../../src/learn/storage.ts";
import { OptionError } from "../../../src/memory/option-error.ts";
import { gaussianDefault, WIDTH_IMPLIED } from "../../choice/settings.ts";
import { PEERS, peerNamed } from "./peers/peers.ts";

/** Predictors that know only the labels received; always among the entrants. */
const TRIVIAL = ["majority", "last"] as const;
type TrivialName = (typeof TRIVIAL)[number];

const WIDTH = "width";
/** The value of `sources` that means the cell's true rates of wrong labels. */
const KNOWN = "known";
/** The name's suffix for the same learner with known rates. */
export const KNOWS_FLIPS = `:sources=${KNOWN}`;

/** An entrant: a learner with options, or a trivial predictor. */
export interface Entrant {
  /** In the form of --learners: "arow:noiseVariance=10". */
  readonly name: string;
  /** Undefined: a trivial predictor. */
  readonly learner?: string;
  readonly options: UserOptions;
  /**
   * Standard deviation of its Gaussian kernel, in median distances of the prefix's inputs; null: its own
   * default.
   */
  readonly width: number | null;
  /** True if it knows the rates of wrong labels. */
  readonly knowsFlips?: boolean;
  /** True for a method of others; see `PEERS`. */
  readonly isPeer?: boolean;
  readonly takesBudget: boolean;
  readonly refuses?: readonly number[];
  /** For an entrant of a small grid: the learner whose options it varies. It competes in few conditions. */
  readonly gridOf?: string;
}

/** Entrants by default, where the learner exists. */
const USUAL = [
  "auto",
  "arow:noiseVariance=1",
  "arow:noiseVariance=10",
  "pa",
  "bsgd",
  "olk-c",
  "norma-c",
  "dual-greedy",
  "kernel-perceptron",
  "lol",
  "rls-hmm",
];

/** Entrants by default where memory is given: those, more of the learners, and all methods of others. */
const USUAL_BY_MEMORY = [
  ...["auto", "olk-c", "olk-drift", "bsgd", "norma-c", "dual-greedy", "fogd", "lol", "arow", "rls-hmm"],
  ...["logistic", "naive-bayes", "knn"],
  ...PEERS.map(({ name }) => name),
];

export function isTrivial(name: string): name is TrivialName {
  return (TRIVIAL as readonly string[]).includes(name);
}

/** True if the learner has a Gaussian kernel with a fixed default width. */
function needsWidth(family: Family): boolean {
  const usual = gaussianDefault(family);
  return usual !== undefined && !Object.values(usual).includes("auto");
}

/** Options that the bench gives each learner, and the flags that say them. */
const GIVEN = { budget: "--budget", dimension: "--only", classes: "--only" };

/** NAME[:OPTION=VALUE]..., `width` being a Gaussian's in median distances, or `auto`. Throws a UserError. */
export function parseEntrant(name: string, gridOf?: string): Entrant {
  if (isTrivial(name)) return { name, options: {}, width: null, takesBudget: false };
  const peer = peerNamed(name);
  if (peer) return { name, options: {}, width: null, isPeer: true, takesBudget: peer.grows };
  const { learner, options: parsed } = learnerFromText(name, "--learners");
  const family = chooseFamily(learner);
  if (family.task !== "classification") {
    throw new UserError(`--learners ${learner}: it is for ${family.task}; takes learners for classification`);
  }
  const { [WIDTH]: width, ...others } = parsed;
  // A kernel's word is its type.
  if (typeof others.kernel === "string") others.kernel = { type: others.kernel };
  const knowsFlips = others.sources === KNOWN;
  if (knowsFlips) others.sources = [];
  const options = width === "auto" ? { ...others, kernel: { type: "gaussian", width } } : others;
  for (const [option, flag] of Object.entries(GIVEN))
    if (options[option] !== undefined)
      throw new UserError(`--learners ${name}: ${option} follows from ${flag}`);
  checkOptions(family, options, "--learners");
  const isNumber = typeof width === "number" && width > 0;
  if (width !== undefined && width !== "auto" && !(isNumber && gaussianDefault(family))) {
    throw new UserError(
      `--learners ${name}: width takes a number > 0 or auto, of a learner with a Gaussian kernel`,
    );
  }
  const isImplied = options.kernel === undefined && needsWidth(family);
  return {
    name,
    learner,
    options,
    width: isNumber ? width : isImplied ? WIDTH_IMPLIED : null,
    ...(knowsFlips && { knowsFlips }),
    takesBudget: takesBudget(family),
    ...(gridOf !== undefined && { gridOf }),
  };
}

/** Options that a node supplies. */
const ANY_RANGES = [[-1, 1]];

/** The budgets that it refuses with its options, and why: for example a rank larger than the budget. */
export function listRefusals({ learner, options, takesBudget }: Entrant, budgets: readonly number[]) {
  if (learner === undefined || !takesBudget) return [];
  const family = chooseFamily(learner);
  const ranges = asksForRanges(family, options) ? { ranges: ANY_RANGES } : {};
  return budgets.flatMap((budget) => {
    try {
      family.layout({ ...options, ...ranges, dimension: 1, budget });
      return [];
    } catch (error) {
      if (!(error instanceof OptionError)) throw error;
      return [{ budget, why: error.message }];
    }
  });
}

/** The trivial predictors, then those that --learners names; `all` means every classifier, and with memory every method of others. */
export function chooseEntrants(names: readonly string[] | undefined, byMemory = false): Entrant[] {
  const classifiers = FAMILIES.filter(({ task }) => task === "classification").map(({ name }) => name);
  const peers = byMemory ? PEERS.map(({ name }) => name) : [];
  const known = [...classifiers, ...peers];
  const usual = (byMemory ? USUAL_BY_MEMORY : USUAL).filter((name) => known.includes(name.split(":")[0]));
  const wanted = (names ?? usual).flatMap((name) =>
    name === "all" ? [...new Set([...usual, ...known])] : name,
  );
  const peer = byMemory ? undefined : wanted.find(peerNamed);
  if (peer) throw new UserError(`--learners ${peer}: a method of others is compared by --memory`);
  return [...new Set([...TRIVIAL, ...wanted])].map((name) => parseEntrant(name));
}

const WIDTHS = [0.25, 0.5, 1, 2];
const VALUES_MOST = 2;
/** The options to vary, by name; a learner's first ones up to a limit. */
const VALUES: { readonly [option: string]: readonly number[] } = {
  C: [0.1, 0.4, 2],
  eta: [0.02, 0.1, 0.5],
  lambda: [1e-4, 1e-3, 1e-2],
  noiseVariance: [0.1, 1, 10],
  regularization: [3e-5, 1e-3, 1e-2],
};

/**
 * A small grid of each learner that competes with its defaults: widths, and one or two options that matter.
 */
export function listGrids(entrants: readonly Entrant[]): Entrant[] {
  return entrants.filter(({ name, learner }) => name === learner).flatMap(({ name }) => gridEntrants(name));
}

function gridEntrants(learner: string): Entrant[] {
  const family = chooseFamily(learner);
  const varied = Object.keys(VALUES).filter((name) => Object.hasOwn(family.options, name));
  const axes = [
    ...(gaussianDefault(family) ? [{ name: WIDTH, values: WIDTHS }] : []),
    ...varied.slice(0, VALUES_MOST).map((name) => ({
      name,
      values: VALUES[name].filter((value) => family.options[name].accepts(value)),
    })),
  ];
  const points = axes.reduce(
    (names, { name, values }) => names.flatMap((at) => values.map((value) => `${at}:${name}=${value}`)),
    [learner],
  );
  return points.filter((name) => name !== learner).map((name) => parseEntrant(name, learner));
}
