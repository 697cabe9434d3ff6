import { DoesNotFitError } from "../../host/errors.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Candidate, LeftOut } from "./candidates.ts";
import { type Estimate, estimateDifference, tailLosses } from "./noise.ts";
import { byLoss, type Entry, JUDGED_FROM, lateLoss, makeTrial, type TryAll, triedEntries } from "./search.ts";
import { NOISE } from "./verdict.ts";

const JUDGES_BUDGET = 32;

/** The candidates with features; `leftOut` are learners that refuse them, or don't fit the board. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly leftOut: readonly LeftOut[];
}

/** Features that were tried before the search of learners. */
export interface FeaturesTried {
  readonly features: FeaturesOption;
  /** The least loss of a learner with its defaults, late in the first samples, and that learner. */
  readonly loss: number;
  readonly learner: string;
  /** True if all learners were then tried with them. */
  readonly kept: boolean;
}

/** The candidates that are searched, and the features from which theirs were chosen, best first. */
export interface FeaturesFound extends Candidates {
  readonly features: readonly FeaturesTried[];
  /** What the judges of the features came to, for a search that is stopped before its own first candidate. */
  readonly judges: readonly Entry[];
}

/** Features to try, and what makes candidates of them. */
export interface FeatureChoice {
  readonly sets: readonly FeaturesOption[];
  /** Throws a DoesNotFitError where no learner fits the board. */
  candidatesWith(features: FeaturesOption): Candidates;
  /** Further features to try beside the best. */
  refine?(best: FeaturesOption): readonly FeaturesOption[];
}

/** Each learner with its defaults and one budget. */
function chooseJudges(candidates: readonly Candidate[]): Candidate[] {
  const judges = new Map<string, Candidate>();
  const isNearer = (one: Candidate, other: Candidate) =>
    Math.abs((one.budget ?? Infinity) - JUDGES_BUDGET) < Math.abs((other.budget ?? Infinity) - JUDGES_BUDGET);
  for (const candidate of candidates) {
    const known = judges.get(candidate.learner);
    if (!known || isNearer(candidate, known)) judges.set(candidate.learner, candidate);
  }
  return [...judges.values()];
}

/** Candidates with the same features, and the best of their judges. */
interface JudgedFeatures extends Candidates {
  readonly features: FeaturesOption;
  readonly best: Entry;
  readonly entries: readonly Entry[];
}

/** The candidates with each features, the best features first; a stopped search leaves none. */
async function judgeSets(
  sets: readonly (Candidates & { readonly features: FeaturesOption })[],
  rows: number,
  tryAll: TryAll,
): Promise<JudgedFeatures[]> {
  if (sets.length === 0) return [];
  const judges = sets.map(({ candidates }) => chooseJudges(candidates));
  const outcomes = await tryAll(judges.flat().map((candidate) => makeTrial(candidate, { rows, passes: 1 })));
  const tried = triedEntries(judges.flat(), outcomes);
  const all = sets.flatMap((set, i): JudgedFeatures[] => {
    const entries = tried.filter(({ candidate }) => judges[i].includes(candidate));
    const [best] = byLoss(entries, lateLoss);
    return best ? [{ ...set, best, entries }] : [];
  });
  return bestFirst(all);
}

function bestFirst(all: readonly JudgedFeatures[]): JudgedFeatures[] {
  const order = byLoss(
    all.map(({ best }) => best),
    lateLoss,
  );
  return [...all].sort((a, b) => order.indexOf(a.best) - order.indexOf(b.best));
}

/** How much more one's judges lose than another's, late in the first samples. */
function differenceOfBests({ best: { tried } }: JudgedFeatures, { best }: JudgedFeatures): Estimate {
  const [own, other] = [tried, best.tried].map(({ losses }) => tailLosses(losses[0], JUDGED_FROM));
  return estimateDifference(own, other);
}

/** Those to search: the best, where it beats the plainest by more than its error; and the plainest, unless it is worse for sure. */
function keepBest(all: readonly JudgedFeatures[], plainest: FeaturesOption): JudgedFeatures[] {
  const [best] = all;
  const plain = all.find(({ features }) => features === plainest) ?? best;
  const { mean, standardError } = differenceOfBests(plain, best);
  return [
    ...(mean > standardError || plain === best ? [best] : []),
    ...(mean <= NOISE * standardError && plain !== best ? [plain] : []),
  ];
}

/** The features with their candidates; none where no learner with them fits the board. */
function fitting(choice: FeatureChoice, features: FeaturesOption) {
  try {
    return [{ features, ...choice.candidatesWith(features) }];
  } catch (error) {
    if (error instanceof DoesNotFitError) return [];
    throw error;
  }
}

/** Candidates of several features together. */
function joinCandidates(all: readonly Candidates[]): Candidates {
  const candidates = all.flatMap((each) => each.candidates);
  const isTried = ({ learner, budget, size = {} }: LeftOut) =>
    candidates.some(
      (each) =>
        each.learner === learner &&
        each.budget === budget &&
        Object.entries(size).every(([option, value]) => each.options[option] === value),
    );
  return { candidates, leftOut: all[0].leftOut.filter((each) => !isTried(each)) };
}

/**
 * The candidates with the best features, and with the plainest if they are as good within noise. All learners judge the features with their
 * defaults on the first samples: to search all options with all features would take as many times longer.
 */
export async function withBestFeatures(
  choice: FeatureChoice,
  rows: number,
  tryAll: TryAll,
): Promise<FeaturesFound> {
  const { sets } = choice;
  const known = sets.length > 1 ? sets.flatMap((features) => fitting(choice, features)) : [];
  if (known.length === 0) return { ...choice.candidatesWith(sets[0]), features: [], judges: [] };
  const first = await judgeSets(known, rows, tryAll);
  if (first.length === 0) return { ...known[0], features: [], judges: [] };
  const more = choice.refine?.(first[0].features) ?? [];
  const finer = await judgeSets(
    more.flatMap((features) => fitting(choice, features)),
    rows,
    tryAll,
  );
  const all = bestFirst([...first, ...finer]);
  const kept = keepBest(all, sets[0]);
  const toJson = ({ features, best }: JudgedFeatures) => ({
    features,
    loss: lateLoss(best),
    learner: best.tried.learner,
  });
  return {
    ...joinCandidates(kept),
    features: all.map((each) => ({ ...toJson(each), kept: kept.includes(each) })),
    judges: all.flatMap(({ entries }) => entries),
  };
}
