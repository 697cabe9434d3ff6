import { Random } from "../../../host/random.ts";
import { labelledRows, selectRows } from "../../../host/streams/replay.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { chooseFamily } from "../../../host-sim/catalogue/learner-choice.ts";
import { truthClasses } from "../../../host-sim/scoring/scorer.ts";
import { LastLabel, MajorityClass } from "../../../host-sim/scoring/trivial.ts";
import { type Family, takesBudget, type UserOptions, withBudget } from "../../../src/learn/family.ts";
import { asksForRanges } from "../../../src/learn/storage.ts";
import { OptionError } from "../../../src/memory/option-error.ts";
import { featureRanges } from "../../../src/signal/features.ts";
import { medianGamma } from "../../choice/units.ts";
import { computeTargets, prepare } from "../../evaluation/evaluation.ts";
import { makeSamples, sampleOrder } from "../../evaluation/one-pass.ts";
import { STANDARDISED, scaleRows } from "../../evaluation/scaling.ts";
import { flipRates } from "./conditions.ts";
import { type Entrant, isTrivial } from "./entrants.ts";
import { peerNamed } from "./peers/peers.ts";
import type { Run, Setting } from "./plan.ts";
import { type Outcome, runLearner, runPeer, runTrivial, type Stream, unfit } from "./run.ts";
import { type LearningSet, listSets } from "./sets.ts";

/** A learner with which a set's classes are counted. */
const ANY_CLASSIFIER = "pa";

/** Performs a bench's runs one at a time, and keeps data that the next run probably needs. */
export class Performer {
  private readonly sets: readonly LearningSet[];
  private readonly loaded = new Map<string, { readonly data: DataSet; readonly seed: number }>();
  private stream: { readonly key: string; readonly data: DataSet; readonly stream: Stream } | undefined;

  constructor(private readonly setting: Setting) {
    this.sets = listSets(setting.sources);
  }

  /** Rejects with a StreamError for an unusable set, an OptionError for options that a learner refuses. */
  async perform(run: Run): Promise<Outcome> {
    const { data, stream } = await this.openStream(run);
    const { entrant } = run;
    if (isTrivial(entrant.name)) {
      const [first] = truthClasses(stream.task, stream.classes);
      const predictor = entrant.name === "last" ? new LastLabel(first) : new MajorityClass(first);
      return runTrivial(predictor, stream, run, this.setting);
    }
    if (entrant.isPeer) return this.performPeer(run, stream);
    const kernel = entrant.width === null ? {} : this.scaledKernel(data, entrant.width);
    const named = chooseFamily(entrant.learner as string);
    const rates = entrant.knowsFlips ? { sources: [flipRates(run.flips)] } : {};
    const own = { ...entrant.options, ...kernel, ...rates };
    const { family, options } = prepare({ family: named, options: own, train: data });
    const ranges = this.setting.scale === "node" ? featureRanges(undefined, STANDARDISED) : undefined;
    const known = ranges && asksForRanges(family, options) ? { ranges } : {};
    const all = { ...options, ...known };
    const sized = this.setting.inBytes ? withMemory(family, all, run.budget) : undefined;
    if (sized === null) return unfit(stream.classes);
    const fitted = sized ?? withBudget(family, all, run.budget ?? 0);
    return runLearner(family, fitted, stream, run, this.setting);
  }

  private performPeer(run: Run, stream: Stream): Outcome {
    const { entrant, budget, seed } = run;
    const [{ length: dimension }] = stream.inputs;
    const random = new Random(seed, `bench/${entrant.name}`);
    const bytes = budget ?? Number.POSITIVE_INFINITY;
    const peer = stream.classes > 2 ? undefined : peerNamed(entrant.name)?.create(dimension, bytes, random);
    if (!peer) return unfit(stream.classes);
    return { ...runPeer(peer, stream, run, this.setting), bytes: peer.bytes };
  }

  /**
   * A Gaussian of that width, in median distances between the prefix's inputs as the learner gets them; the
   * learner's default where all are equal.
   */
  private scaledKernel(data: DataSet, width: Entrant["width"] & number): object {
    const count = Math.min(this.setting.prefix, data.count);
    if (count < 2) return {};
    const gamma = medianGamma({ ...data, count });
    return gamma === null ? {} : { kernel: { type: "gaussian", gamma: gamma / (2 * width * width) } };
  }

  /** The learner's inputs in the run's order, and the same as a stream. */
  private async openStream({ set, seed, order }: Run): Promise<{ data: DataSet; stream: Stream }> {
    const key = JSON.stringify([set, seed, order]);
    if (this.stream?.key === key) return this.stream;
    const read = await this.load(set, seed);
    const ordered = order === "time" ? read : selectRows(read, [...sampleOrder(read.count, seed)]);
    const data = { ...ordered, rows: ordered.rows.slice() };
    if (this.setting.scale === "node") scaleRows(data, "node");
    const prepared = prepare({ family: chooseFamily(ANY_CLASSIFIER), options: {}, train: data });
    const { task, classes } = prepared;
    const targets = computeTargets(data, prepared, { train: data });
    const samples = makeSamples(data, targets, classes?.count ?? 0);
    const inputs = Array.from({ length: data.count }, (_, row) => samples.input(row));
    this.stream = { key, data, stream: { ...samples, inputs, place: set, seed, task } };
    return this.stream;
  }

  /** The set's used rows in the order of the file, scaled unless as a node does. Data from files are the same for every seed. */
  private async load(name: string, seed: number): Promise<DataSet> {
    const set = this.sets.find((each) => each.name === name) as LearningSet;
    const known = this.loaded.get(name);
    if (known && (known.seed === seed || set.files.length > 0)) return known.data;
    const { rows, scale } = this.setting;
    const read = labelledRows(await set.read(seed, rows));
    const chosen = read.count <= rows ? read : selectRows(read, firstRows(set, read.count, rows));
    const data = { ...chosen, rows: chosen.rows.slice() };
    if (scale !== "node") scaleRows(data, scale);
    this.loaded.set(name, { data, seed });
    return data;
  }
}

const VECTORS_MOST = 4096;
/** The option of a learner that fits itself to a memory. */
const BYTES = "bytes";

/** Bytes of the learner; Infinity for options that it refuses. */
function layoutBytes(family: Family, options: UserOptions): number {
  try {
    return family.layout(options).bytes;
  } catch (error) {
    if (error instanceof OptionError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** The options with the most vectors that fit the memory; null: not even one does. */
function withMemory(family: Family, options: UserOptions, memory: number | null): UserOptions | null {
  if (memory === null || !takesBudget(family)) return options;
  if (family.options[BYTES] && options[BYTES] === undefined) {
    const sized = { ...options, [BYTES]: memory };
    return layoutBytes(family, sized) <= memory ? sized : null;
  }
  const fits = (budget: number) => layoutBytes(family, { ...options, budget }) <= memory;
  let [most, beyond] = [0, VECTORS_MOST + 1];
  while (beyond - most > 1) {
    const budget = (most + beyond) >> 1;
    if (fits(budget)) most = budget;
    else beyond = budget;
  }
  return most === 0 ? null : { ...options, budget: most };
}

/** The first rows in time; without a time order a random choice, the same for every seed. */
function firstRows({ name, timed }: LearningSet, count: number, rows: number): number[] {
  const all = Array.from({ length: count }, (_, i) => i);
  if (!timed) new Random(0, `bench/${name}/rows`).shuffle(all);
  return all.slice(0, rows);
}
