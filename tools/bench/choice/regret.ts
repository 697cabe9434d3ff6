import type { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import { type Candidate, candidatesFor, shorterOf, type Wanted } from "../../choice/candidates.ts";
import { knownRanges } from "../../choice/ranges.ts";
import { bestOfKinds } from "../../choice/result.ts";
import { cpuSeconds, type SearchOf, searchOnThreads, searchThreads } from "../../choice/searcher.ts";
import type { Tried } from "../../choice/try.ts";
import { unitsOf } from "../../choice/units.ts";
import { type ChoiceSet, drawSet } from "./sets.ts";

/** Samples of a file, and of each draw of fresh ones. */
export const SAMPLES = 10_000;
/** The budgets that `choose` tries. */
const BUDGETS = [16, 32, 64, 128];

/** What one choice came to on samples that it wasn't made on. */
export interface Regret {
  readonly set: string;
  readonly seed: number;
  readonly candidates: number;
  /** CPU time of the search, its candidates and its threads included. */
  readonly cpuSeconds: number;
  readonly taken: string;
  /** Of what was taken, and of the best of all candidates there: error in %, or squared error in % of the labels' variance. */
  readonly fresh: number;
  readonly best: number;
  readonly bestIs: string;
  /** In points of that: the mean over the draws; and with the best of each draw by itself, which is luck in part. */
  readonly regret: number;
  readonly regretOfDraws: readonly number[];
}

function named({ learner, options }: Candidate): string {
  return `${learner} ${JSON.stringify(options)}`;
}

function varianceOf(labels: Float64Array): number {
  const mean = labels.reduce((sum, label) => sum + label / labels.length, 0);
  return labels.reduce((sum, label) => sum + (label - mean) ** 2 / labels.length, 0);
}

const lossOf = (tried: Tried | undefined) => tried?.loss?.mean ?? Infinity;
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every candidate's error on one draw of fresh samples, each from nothing, in %. */
async function exhaustive(candidates: readonly Candidate[], of: SearchOf): Promise<number[]> {
  const pool = searchThreads(of);
  try {
    const { train, task } = of;
    const unit = task === "regression" ? varianceOf(train.labels) : 1;
    const trials = candidates.map(({ learner, options }) => ({
      learner,
      options,
      rows: train.count,
      passes: 1,
    }));
    return (await pool.perform(trials, {})).map((tried) => (100 * lossOf(tried)) / unit);
  } finally {
    await pool.close();
  }
}

/** What is measured, and on what. */
export interface RegretOptions {
  readonly catalogue: Catalogue;
  /** Draws of fresh samples, over which errors are averaged. */
  readonly draws: number;
  readonly threads: number;
}

/** What `choose` takes on a file of the set, against the best of the same candidates on fresh samples of the same concept. */
export async function regretOf(
  set: ChoiceSet,
  seed: number,
  { catalogue, draws: drawn, threads }: RegretOptions,
): Promise<Regret> {
  const before = cpuSeconds();
  const { task } = set;
  const train = drawSet(set, seed, "file", SAMPLES);
  const of: SearchOf = { train, task, order: { shuffle: null, repeat: 1 }, plugins: [], threads };
  const [units, known] = [unitsOf(train, task), knownRanges(train, "none", {})];
  const given = { catalogue, train, task, budgets: BUDGETS, options: {}, units, known };
  const wanted: Wanted = { ...given, target: undefined, costsOf: "esp32c3" };
  const searched = candidatesFor(wanted).candidates;
  const found = await searchOnThreads(searched, { ...of, shorterOf: (each) => shorterOf(each, wanted) });
  const best = bestOfKinds(found.entries)[0].candidate;
  // One with vectors of 16 bits is a candidate only once the search has come to it.
  const candidates = searched.includes(best) ? searched : [...searched, best];
  const taken = candidates.indexOf(best);
  const cpu = cpuSeconds() - before;
  const draws: number[][] = [];
  for (let draw = 0; draw < drawn; draw++)
    draws.push(await exhaustive(candidates, { ...of, train: drawSet(set, seed, `fresh ${draw}`, SAMPLES) }));
  const means = candidates.map((_, i) => meanOf(draws.map((errors) => errors[i])));
  const least = Math.min(...means);
  return {
    set: set.name,
    seed,
    candidates: candidates.length,
    cpuSeconds: cpu,
    taken: named(candidates[taken]),
    fresh: means[taken],
    best: least,
    bestIs: named(candidates[means.indexOf(least)]),
    regret: means[taken] - least,
    regretOfDraws: draws.map((errors) => errors[taken] - Math.min(...errors)),
  };
}
