import { groupBy } from "../../host/group-by.ts";
import type { Trial, TrialOutcome } from "./candidate-runner.ts";
import type { Candidate } from "./candidates.ts";
import { acrossPasses, estimateDifference, estimateLoss, tailLosses } from "./noise.ts";
import { byTurns } from "./turns.ts";

/** The share of a kind's candidates that stays after a prefix, and how many before the last one. */
const STAYS = 1 / 3;
const STAY_LAST = 3;
/** How many of the best candidates, and of how many kinds the best, run in several passes. */
const FINALISTS = 24;
const FINAL_KINDS = 28;
/**
 * A loss that is more than so many times the best, and so many standard errors more, is worse for sure: further passes, which may take long,
 * wouldn't change that.
 */
const FAR = 1.25;
const FAR_ERRORS = 4;
/** Passes of each, then of the best of them: a pass's luck, its start and its wrong labels, is most of an error's noise. */
const STARTS = 4;
const CONTENDERS = 16;
const STARTS_LAST = 24;
/** How many of the best always stay. */
const STAY_LEAST = 32;
/** The share of the prefix after which candidates are compared, when they have learned most. */
export const JUDGED_FROM = 0.5;

export interface Round {
  /** Samples, the first of the order. */
  readonly rows: number;
  /** Of each candidate. */
  readonly passes: number;
  readonly candidates: number;
  /** How many of them were tried: fewer only where the search was cut. */
  readonly tried: number;
  /** True if they are the previous candidates with vectors of 16 bits. */
  readonly shorter?: true;
}

/** A candidate and its result on its longest trial. */
export interface Entry {
  readonly candidate: Candidate;
  readonly tried: TrialOutcome;
}

export interface SearchResult {
  readonly entries: readonly Entry[];
  readonly rounds: readonly Round[];
}

/** Tries candidates; a stopped search leaves holes. */
export type TryAll = (trials: readonly Trial[]) => Promise<readonly (TrialOutcome | undefined)[]>;

/** The candidates that were tried, with their outcomes. */
export function triedEntries(
  candidates: readonly Candidate[],
  outcomes: readonly (TrialOutcome | undefined)[],
): Entry[] {
  return candidates.flatMap((candidate, place) => {
    const tried = outcomes[place];
    return tried ? [{ candidate, tried }] : [];
  });
}

/** A candidate's trial on so many samples, in so many passes. */
export function makeTrial(
  { learner, options, node }: Candidate,
  part: Pick<Trial, "rows" | "passes">,
): Trial {
  return { learner, options, features: node.features, pending: node.pending, ...part };
}

/** Its loss after it had learned most of its samples. */
export function lateLoss({ tried }: Entry): number {
  const { mean } = acrossPasses(tried.losses.map((losses) => estimateLoss(tailLosses(losses, JUDGED_FROM))));
  return Number.isFinite(mean) ? mean : Infinity;
}

/** Best first, by that loss; among equals the earlier one. */
export function byLoss(entries: readonly Entry[], loss: (entry: Entry) => number): Entry[] {
  const losses = new Map(entries.map((entry) => [entry, loss(entry)]));
  const of = (entry: Entry) => losses.get(entry) as number;
  return [...entries].sort((a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)));
}

const candidateKind = ({ candidate }: Entry) => candidate.kind;

const kernelSigma = ({ candidate }: Entry) =>
  (candidate.options.kernel as { readonly sigma?: number })?.sigma ?? 0;

/** The learner and its options without the width. */
function apartFromWidth({ candidate: { learner, options } }: Entry): string {
  return JSON.stringify([learner, { ...options, kernel: undefined }]);
}

/** Each candidate with the next narrower Gaussian, where there is one. */
function pairNarrower(entries: readonly Entry[]): Map<Entry, Entry> {
  const gaussian = entries.filter((each) => kernelSigma(each) > 0);
  const narrower = new Map<Entry, Entry>();
  for (const all of groupBy(gaussian, apartFromWidth).values()) {
    all.sort((a, b) => kernelSigma(a) - kernelSigma(b));
    for (const [i, entry] of all.slice(1).entries()) narrower.set(entry, all[i]);
  }
  return narrower;
}

/**
 * The candidates for the next prefix: the best third of each kind, before the last prefix the best three; and the best of all. With each the
 * same with the next narrower kernel: the more samples there are, the narrower the best is. A learner that stores no vectors stays in any
 * case: a pass costs little, and steps that shrink as it learns may make it worst on a short prefix and best on the whole file.
 */
export function survivors(entries: readonly Entry[], isLastNext: boolean): Entry[] {
  const ordered = byLoss(entries, lateLoss);
  const linear = ordered.filter(({ candidate }) => candidate.budget === null);
  const staying = new Set([...ordered.slice(0, STAY_LEAST), ...linear]);
  for (const all of groupBy(ordered, candidateKind).values()) {
    const most = isLastNext ? STAY_LAST : Math.ceil(STAYS * all.length);
    for (const entry of all.slice(0, most)) staying.add(entry);
  }
  const narrower = pairNarrower(entries);
  for (const entry of [...staying]) {
    const next = narrower.get(entry);
    if (next) staying.add(next);
  }
  return ordered.filter((entry) => staying.has(entry));
}

/** Its loss on all samples of its trial. */
export const wholeLoss = ({ tried }: Entry) => tried.loss?.mean ?? Infinity;

function isFar(entry: Entry, best: Entry): boolean {
  const [loss, least] = [wholeLoss(entry), wholeLoss(best)];
  const { standardError } = estimateDifference(entry.tried.losses[0], best.tried.losses[0]);
  return loss > FAR * least && loss > least + FAR_ERRORS * standardError;
}

/** The finalists, tried again in several orders: the best of all, and the best of each of the best kinds that aren't far from it. */
export function finalists(entries: readonly Entry[]): Entry[] {
  const kinds = new Set<string>();
  const ordered = byLoss(entries, wholeLoss);
  return ordered.filter((entry, i) => {
    const { kind } = entry.candidate;
    const isNew = !kinds.has(kind) && kinds.size < FINAL_KINDS;
    if (isNew) kinds.add(kind);
    return i < FINALISTS || (isNew && !isFar(entry, ordered[0]));
  });
}

/** Rows and passes of each round: one pass over each prefix, then a few over all samples, then many. */
export function planRounds(prefixes: readonly number[], repeat: number): Pick<Trial, "rows" | "passes">[] {
  const last = prefixes[prefixes.length - 1];
  const halving = prefixes.map((rows) => ({ rows, passes: rows === last ? repeat : 1 }));
  return repeat > 1
    ? halving
    : [...halving, ...[STARTS, STARTS_LAST].map((passes) => ({ rows: last, passes }))];
}

/** The first entry of each kind, in their order. */
export function firstOfKinds(entries: readonly Entry[]): Entry[] {
  return [...groupBy(entries, candidateKind).values()].map(([first]) => first);
}

/** The same candidate with vectors of 16 bits, if it has such. */
export type ShorterOf = (candidate: Candidate) => Candidate | undefined;

/** Candidates for several passes: the finalists, then the same with vectors of 16 bits. */
function lastCandidates(entries: readonly Entry[], shorter: ReadonlyMap<Candidate, Candidate>): Candidate[] {
  const final = finalists(entries).map(({ candidate }) => candidate);
  return [...final, ...final.flatMap((candidate) => shorter.get(candidate) ?? [])];
}

/**
 * Successive halving: all candidates on a short prefix, fewer on longer ones, each time the best first. On all samples the best of
 * each kind runs with vectors of 16 bits, too, which cost no search: what suits it suits them. Then the best of all run
 * in a few passes, each from another place of the file, and the best of those in many: one pass may be luck. What was tried in an
 * earlier round stays in the result where the search was cut before a later one.
 */
export async function search(
  candidates: readonly Candidate[],
  prefixes: readonly number[],
  repeat: number,
  tryAll: TryAll,
  shorterOf: ShorterOf = () => undefined,
): Promise<SearchResult> {
  const known = new Map<Candidate, Entry>();
  const rounds: Round[] = [];
  /** Their entries; undefined if the search was cut. */
  const round = async (
    staying: readonly Candidate[],
    { rows, passes }: Pick<Trial, "rows" | "passes">,
    kind: Pick<Round, "shorter"> = {},
  ): Promise<Entry[] | undefined> => {
    const outcomes = await tryAll(staying.map((candidate) => makeTrial(candidate, { rows, passes })));
    const entries = triedEntries(staying, outcomes);
    for (const entry of entries) known.set(entry.candidate, entry);
    rounds.push({ rows, passes, candidates: staying.length, tried: entries.length, ...kind });
    return entries.length < staying.length ? undefined : entries;
  };
  const found = () => ({ entries: [...known.values()], rounds });
  const planned = planRounds(prefixes, repeat);
  const halving = planned.slice(0, prefixes.length);
  // A search that is cut knows every learner with its defaults, which come first of each kind.
  let staying = byTurns(candidates.map(({ kind }) => kind)).map((place) => candidates[place]);
  let entries: Entry[] = [];
  for (const [i, each] of halving.entries()) {
    const tried = await round(staying, each);
    if (!tried) return found();
    entries = tried;
    if (i < halving.length - 1)
      staying = survivors(entries, i === halving.length - 2).map(({ candidate }) => candidate);
  }
  const shorter = new Map(
    firstOfKinds(byLoss(entries, wholeLoss)).flatMap(({ candidate }): [Candidate, Candidate][] => {
      const other = shorterOf(candidate);
      return other ? [[candidate, other]] : [];
    }),
  );
  if (
    shorter.size > 0 &&
    !(await round([...shorter.values()], halving[halving.length - 1], { shorter: true }))
  )
    return found();
  let last = lastCandidates(entries, shorter);
  for (const each of planned.slice(halving.length)) {
    const tried = await round(last, each);
    if (!tried) return found();
    last = byLoss(tried, wholeLoss)
      .slice(0, CONTENDERS)
      .map(({ candidate }) => candidate);
  }
  return found();
}
