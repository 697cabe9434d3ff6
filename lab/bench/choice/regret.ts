import { cpuTime } from "../../../host/cpu-time.ts";
import { average } from "../../../host/statistics.ts";
import type { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import { pendingForDelay } from "../../../host-sim/labels/late-labels.ts";
import type { LabelPath } from "../../../host-sim/prequential/labelled-run.ts";
import type { TrialOutcome } from "../../choice/candidate-runner.ts";
import {
  type Candidate,
  type CandidateRules,
  type ChoiceTask,
  candidatesFor,
  withShortVectors,
} from "../../choice/candidates.ts";
import { knownRanges } from "../../choice/ranges.ts";
import { bestOfKinds } from "../../choice/result.ts";
import { type SearchOf, searchOnThreads, searchThreads } from "../../choice/searcher.ts";
import { measureUnits } from "../../choice/units.ts";
import { meanWithError } from "../../sweep/statistics/statistics.ts";
import { labelOptions } from "../learning/conditions.ts";
import { type ChoiceSet, drawSet } from "./sets.ts";

/** How labels come in a case, on files and fresh samples alike. */
interface LabelCase {
  /** Samples between a sample and its label. */
  readonly delay: number;
  /** Share of wrong labels, of classes. */
  readonly wrong: number;
}

/** How many of the best candidates on one draw compete with the choice on other draws. */
export const SHORTLIST = 24;
/** Passes over each draw, each from another place of the order: one pass varies by more than the bound. */
const PASSES = 4;
/** So many of the best compete with the choice again, in so many passes: after few the least error of many is a lucky one. */
const RIVALS = 6;
const RIVAL_PASSES = 24;

/** The result of one choice on fresh samples. */
export interface Regret extends LabelCase {
  readonly set: string;
  readonly seed: number;
  readonly candidates: number;
  /** CPU time of the search, with its candidates and threads. */
  readonly cpuSeconds: number;
  readonly taken: string;
  /**
   * Mean over the draws, for the choice and for the best candidate: error in %, or squared error in % of the
   * labels' variance.
   */
  readonly fresh: number;
  readonly best: number;
  readonly bestIs: string;
  /**
   * Regret in points: the mean over the draws; its standard error, null for one draw; and each draw's,
   * against the same best.
   */
  readonly regret: number;
  readonly standardError: number | null;
  readonly regretOfDraws: readonly number[];
  /** The error of each learner, with the best of its candidates on the draw that makes the shortlist; the least first. It is of fewer passes. */
  readonly learners: readonly { readonly learner: string; readonly error: number }[];
  /** The choice's error in these passes. */
  readonly amongLearners: number;
}

function candidateName({ learner, options }: Candidate): string {
  return `${learner} ${JSON.stringify(options)}`;
}

function labelVariance(labels: Float64Array): number {
  const mean = labels.reduce((sum, label) => sum + label / labels.length, 0);
  return labels.reduce((sum, label) => sum + (label - mean) ** 2 / labels.length, 0);
}

const meanLoss = (tried: TrialOutcome | undefined) => tried?.loss?.mean ?? Infinity;
/** The candidates' errors on one draw of fresh samples, each untrained at first, in %. */
async function errorsOn(candidates: readonly Candidate[], of: SearchOf, passes: number): Promise<number[]> {
  const pool = searchThreads(of);
  try {
    const { train, task } = of;
    const unit = task === "regression" ? labelVariance(train.labels) : 1;
    const trials = candidates.map(({ learner, options }) => ({
      learner,
      options,
      rows: train.count,
      passes,
    }));
    return (await pool.perform(trials, {})).map((tried) => (100 * meanLoss(tried)) / unit);
  } finally {
    await pool.close();
  }
}

/** Their errors on each draw, and each one's mean. */
async function errorsOnDraws(candidates: readonly Candidate[], draws: readonly SearchOf[], passes: number) {
  const errors: number[][] = [];
  for (const draw of draws) errors.push(await errorsOn(candidates, draw, passes));
  return { errors, means: candidates.map((_, i) => average(errors.map((of) => of[i]))) };
}

/** The same samples, whose wrong labels are others than in a few passes. */
function withOtherLabels({ order, ...of }: SearchOf): SearchOf {
  const { path } = order;
  return { ...of, order: { ...order, ...(path && { path: { ...path, seed: path.seed + PASSES } }) } };
}

/** Labels by that case; other draws for each part of the samples. */
function labelPath({ delay, wrong }: LabelCase, task: ChoiceTask, part: number): LabelPath | undefined {
  const isWrong = wrong > 0 && task !== "regression";
  if (delay === 0 && !isWrong) return undefined;
  const labels = labelOptions({ delay, flips: isWrong ? wrong : 0 }, 0, 0);
  return { labels, horizon: 0, pending: pendingForDelay(delay), place: "labels", index: 0, seed: part };
}

/** The measurements to make. */
export interface RegretSetup {
  readonly budgets: readonly number[];
  /** Samples of a file, and of each draw of fresh ones. */
  readonly samples: number;
  /** Draws of fresh samples over which errors are averaged, besides the one that makes the shortlist. */
  readonly draws: number;
}

interface RegretOptions extends RegretSetup {
  readonly labels: LabelCase;
  readonly catalogue: Catalogue;
  readonly threads: number;
}

/**
 * The choice of `choose` on a file of the set, against the best of its candidates on fresh samples of the
 * same concept. All candidates run on one draw. The best there may be lucky, so the best of them and the choice
 * compete on other draws, and the best few of these in many passes with other wrong labels.
 */
export async function measureRegret(
  set: ChoiceSet,
  seed: number,
  { catalogue, labels, budgets, samples, draws, threads }: RegretOptions,
): Promise<Regret> {
  const before = cpuTime();
  const { task } = set;
  const train = drawSet(set, seed, "file", samples);
  const partOrder = (part: number) => ({ shuffle: null, repeat: 1, path: labelPath(labels, task, part) });
  const of: SearchOf = { train, task, order: partOrder(0), plugins: [], threads };
  const [units, known] = [measureUnits(train, task), knownRanges(train, "none", {})];
  const rules = {
    catalogue,
    train,
    task,
    pendings: [pendingForDelay(labels.delay)],
    features: {},
    channels: train.dimension,
    budgets,
    options: {},
    units,
    known,
  };
  const wanted: CandidateRules = { ...rules, limits: { target: "esp32c3" }, mustFit: false };
  const all = candidatesFor(wanted);
  const { candidates } = all;
  const choice = { sets: [{}], candidatesWith: () => all };
  const found = await searchOnThreads(choice, { ...of, shorterOf: (each) => withShortVectors(each, wanted) });
  const chosen = bestOfKinds(found.entries)[0].candidate;
  const cpuSeconds = (cpuTime() - before) / 1e6;
  const drawPart = (part: string, number: number) => ({
    ...of,
    order: partOrder(number),
    train: drawSet(set, seed, part, samples),
  });
  const first = await errorsOn(candidates, drawPart("fresh", 100), 1);
  const ordered = [...candidates.keys()].sort((a, b) => first[a] - first[b]).map((i) => candidates[i]);
  const others = ordered.filter((each) => each !== chosen);
  const ofLearners = new Map([...ordered].reverse().map((each) => [each.learner, each]));
  const listed = [...new Set([chosen, ...others.slice(0, SHORTLIST), ...ofLearners.values()])];
  const fresh = Array.from({ length: draws }, (_, draw) => drawPart(`fresh ${draw}`, 200 + 100 * draw));
  const few = await errorsOnDraws(listed, fresh, PASSES);
  const rivals = [...listed.keys()].slice(1).sort((i, k) => few.means[i] - few.means[k]);
  const final = [chosen, ...rivals.slice(0, RIVALS).map((i) => listed[i])];
  const { errors, means } = await errorsOnDraws(final, fresh.map(withOtherLabels), RIVAL_PASSES);
  const best = means.indexOf(Math.min(...means));
  const learners = [...ofLearners].map(([learner, each]) => ({
    learner,
    error: few.means[listed.indexOf(each)],
  }));
  const regretOfDraws = errors.map((of) => of[0] - of[best]);
  return {
    set: set.name,
    ...labels,
    seed,
    candidates: candidates.length,
    cpuSeconds,
    taken: candidateName(chosen),
    fresh: means[0],
    best: means[best],
    bestIs: candidateName(final[best]),
    regret: means[0] - means[best],
    standardError: meanWithError(regretOfDraws).standardError,
    regretOfDraws,
    learners: learners.sort((a, b) => a.error - b.error),
    amongLearners: few.means[0],
  };
}
