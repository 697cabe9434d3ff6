import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { Around } from "../../src/learn/around.ts";
import { KernelExpansion } from "../../src/learn/expansion.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import type { Learner, Task } from "../../src/learn/learner.ts";
import { LinearClassifier } from "../../src/learn/linear.ts";
import { SharedClasses } from "../../src/learn/shared-classes.ts";
import {
  type DecisionTerms,
  findProbe,
  LINEAR_TERMS,
  linearTerms,
  regionValues,
  type Step,
  type Term,
} from "../../src/learn/terms.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { classCoefficients, sharedTerms } from "./shared-terms.ts";
import { addInLanes, addInTurn, checkedBits, firstTwo } from "./sums.ts";

/** What a stored vector, a weight or a member gave to a decision. */
export interface Part {
  /** "vector 3", "weight 2", "offset", "member kernel". */
  readonly of: string;
  /** Of a weight, the input that it is for, where inputs have names. */
  readonly input?: string;
  /**
   * Coefficient times kernel, weight times component, or a member's weight times its vote; rounded to
   * float32.
   */
  readonly part: number;
  /** Coefficient or weight, and its factor: kernel value or component. */
  readonly weight: number;
  readonly by: number;
  /** The sample, from 1, at which the vector was stored or the weight last changed; null: never. */
  readonly sample: number | null;
  /** That sample's label as the file has it, and who gave it: 0 where the file doesn't say. */
  readonly label: string | number | null;
  readonly source: number | null;
}

/** A decision split into its parts. */
export interface Explanation {
  readonly decision: number;
  readonly parts: readonly Part[];
  /** The sum of the parts in the learner's order and arithmetic, and the steps after it. */
  readonly sum: number;
  readonly after: readonly string[];
  /** The decision, and its bits as binary64. */
  readonly total: number;
  readonly bits: string;
  /** Of several classes: the value of the decided class, which the parts come to; the decision is the class. */
  readonly score?: number;
  /** Of several classes: the class of the second largest value, taken apart, too. */
  readonly against?: ClassValue;
}

/** A class's value split into its parts. */
export interface ClassValue extends Omit<Explanation, "decision" | "score" | "against"> {
  readonly target: number;
  readonly score: number;
}

/** Follows a learner through the samples, and splits one of its decisions into parts. */
export interface DecisionExplainer {
  /** Finds a loaded learner's vectors among earlier inputs; `inputs[i]` is sample i + 1. */
  recognise(inputs: readonly ArrayLike<number>[]): void;
  /** Learns sample number `sample`, and notes stored and changed parts. */
  learn(x: ArrayLike<number>, y: number, sample: number): void;
  /** Notes stored and changed parts after sample number `sample` was learned, by whomever; `x` is undefined where it isn't known. */
  learned(x: ArrayLike<number> | undefined, sample: number): void;
  /** Explains the decision for x. Throws an Error if its parts don't give its bits, a UserError for an x that is refused. */
  explain(x: ArrayLike<number>, train: DataSet): Explanation;
}

const f32 = Math.fround;

/** The region of an expansion's linear part. */
const LINEAR = "linear";

/** What a learner around another adds to its decision, by the task. */
const OFFSETS: { readonly [task in Task]: string } = {
  classification: "less the threshold that balances the classes:",
  multiclass: "",
  novelty: "less the level of alarms:",
  regression: "the baseline",
};

/** How a learner's decision is made of terms: as its family says, else as its base class does; undefined for any other. */
function decisionTerms(learner: Learner, { traits = {} }: Family): DecisionTerms | undefined {
  if (learner instanceof SharedClasses) return sharedTerms(traits.decision);
  const usual = learner instanceof KernelExpansion ? { weights: [] } : undefined;
  const own = traits.decision ?? (learner instanceof LinearClassifier ? LINEAR_TERMS : usual);
  if (!own || learner.layout.regionWords(LINEAR) === 0) return own;
  return { ...own, weights: [...own.weights, LINEAR] };
}

/** The learner's decision. Throws a UserError for an x that it refuses. */
export function decide(learner: Learner, x: ArrayLike<number>): number {
  const decision = learner.predict(x);
  if (Number.isNaN(decision)) throw new UserError("the learner refuses this sample: it isn't finite");
  return decision;
}

/** The key of a part's history: vectors have births, weights have places. */
interface Source {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  at(region: string): number;
}

function makeSource({ layout, range }: Learner): Source {
  const { words, bits } = range.f32;
  return { words, bits, at: (region) => layout.at(region, range) };
}

/** Products with their sum, as the learner adds them. */
interface Sums {
  readonly parts: readonly Part[];
  readonly sum: number;
}

/** Explains any learner but one-vs-all with a learner for each class. */
export class Explainer implements DecisionExplainer {
  private readonly expands: boolean;
  /** The learner of what a baseline leaves, or the learner itself. */
  private readonly inner: Learner;
  private readonly decision: DecisionTerms;
  /** The sample, from 1, of each birth, and of each weight's last change. */
  private readonly born: number[] = [];
  private readonly came: number[] = [];
  /** Until the kernel's width is found: the last sample of each input. */
  private readonly waiting = new Map<string, number>();
  private before = new Uint32Array(0);
  private births = 0;
  /** True if it waited for the kernel's width when it last learned. */
  private waited: boolean;
  private readonly source: Source;

  /** Throws a UserError for a learner whose decision isn't one sum over its vectors, weights or members. */
  constructor(
    readonly learner: Learner,
    family: Family,
    private readonly options: UserOptions,
    /** Names of the learner's inputs, where they are known. */
    private readonly inputs: readonly string[] = [],
  ) {
    this.inner = learner instanceof Around ? learner.inner : learner;
    this.expands = "dictionary" in this.inner;
    const decision = decisionTerms(this.inner, family);
    if (!decision) {
      throw new UserError(
        `${family.name}: its decision isn't one sum over stored vectors, weights or members; takes kernel expansions, linear and local learners, such as olk-c or arow, and auto`,
      );
    }
    this.decision = decision;
    this.source = makeSource(learner);
    this.before = this.weights().slice();
    this.waited = this.isWaiting;
    // A loaded learner already has stored vectors.
    if (this.expands) this.births = this.source.bits[this.source.at("count") + 1];
  }

  recognise(inputs: readonly ArrayLike<number>[]): void {
    if (!this.expands) return;
    const { bits, at } = this.source;
    const known = new Map(inputs.map((x, i) => [this.storedValues(x), i + 1]));
    for (let i = 0; i < this.learner.size; i++) {
      const sample = known.get(this.row(i));
      if (sample === undefined) continue;
      if (this.isWaiting) this.waiting.set(this.row(i), sample);
      else this.born[bits[at("births") + i]] = sample;
    }
  }

  learn(x: ArrayLike<number>, y: number, sample: number): void {
    this.learner.learn(x, y);
    this.learned(x, sample);
  }

  learned(x: ArrayLike<number> | undefined, sample: number): void {
    const isFound = this.noteWaiting(x, sample);
    if (this.expands) this.noteVectors(sample, isFound);
    if (isFound) this.waiting.clear();
    this.noteWeights(sample);
  }

  /** True if this sample gave the kernel's width, for which inputs waited. */
  private noteWaiting(x: ArrayLike<number> | undefined, sample: number): boolean {
    const waited = this.waited;
    this.waited = this.isWaiting;
    if (waited && x) this.waiting.set(this.storedValues(x), sample);
    return waited && !this.waited;
  }

  private noteVectors(sample: number, isFound: boolean): void {
    const births = this.source.bits[this.source.at("count") + 1];
    for (; this.births < births; this.births++) this.born[this.births] = sample;
    if (isFound) this.findWaited();
  }

  private noteWeights(sample: number): void {
    const weights = this.weights();
    weights.forEach((word, j) => {
      if (word !== this.before[j]) this.came[j] = sample;
    });
    this.before = weights.slice();
  }

  /**
   * True if the learner doesn't know its kernel's width yet, and its first inputs wait in the place of vectors or frequencies.
   */
  private get isWaiting(): boolean {
    return findProbe(this.learner)?.width === 0;
  }

  /** Where the first inputs wait, or the vectors are: the rows, their form, and their labels or coefficients. */
  private get rows(): { rows: number; form: number; coefficients: number } {
    const { learner, decision, source } = this;
    const { waiting } = decision;
    if (waiting)
      return {
        rows: source.at(waiting.inputs),
        form: learner.dimension,
        coefficients: source.at(waiting.labels),
      };
    const { rows, form } = (this.inner as KernelExpansion).dictionary;
    return { rows, form, coefficients: source.at("coefficients") };
  }

  /**
   * When the width was found, the first inputs were learned at once: each of their vectors belongs to its own
   * sample.
   */
  private findWaited(): void {
    const { bits, at } = this.source;
    for (let i = 0; i < this.learner.size; i++) {
      const sample = this.waiting.get(this.row(i));
      if (sample !== undefined) this.born[bits[at("births") + i]] = sample;
    }
  }

  /** The vector in row i, copied through the learner's scratch. */
  private row(i: number): string {
    const { words, at } = this.source;
    const { range, dimension } = this.learner;
    const { rows, form } = this.rows;
    const spare = at("spare");
    range.f32.fetchRow(spare, rows, i, form);
    return words.subarray(spare, spare + dimension).join();
  }

  private storedValues(x: ArrayLike<number>): string {
    const { words } = this.source;
    const { dimension } = this.learner;
    const { rows: own, form } = this.rows;
    const vector = Float32Array.from(x);
    if (form > 0) return vector.join();
    const scratch = new PortableF32(new ArrayBuffer(4 * (2 + 8 * dimension)));
    const rows = 2 + dimension;
    const [end, to] = [rows + 4 * dimension, rows + 5 * dimension];
    scratch.words.set(words.subarray(own - rows, own));
    scratch.words.set(vector, end);
    scratch.storeRow(rows, 0, end, form);
    scratch.fetchRow(to, rows, 0, form);
    return scratch.words.subarray(to, to + dimension).join();
  }

  /** The words of all weights, region after region. */
  private weights(): Uint32Array {
    const { layout } = this.learner;
    const { bits, at } = this.source;
    const words = this.decision.weights.map((region) =>
      bits.subarray(at(region), at(region) + layout.regionWords(region)),
    );
    return Uint32Array.from(words.flatMap((each) => [...each]));
  }

  explain(x: ArrayLike<number>, train: DataSet): Explanation {
    const { learner, options } = this;
    const decision = decide(learner, x);
    // The label of the nearest first input is a class.
    if (learner.task !== "multiclass" || this.isWaiting)
      return { decision, ...this.takeApart(decision, 0, train) };
    const values = regionValues(learner, "scores").subarray(0, options.classes);
    const [own, against] = firstTwo(values, decision).map((target) => {
      const score = values[target];
      return { target, score, ...this.takeApart(score, target, train) };
    });
    const { target: _, ...parts } = own;
    return { decision, ...parts, against };
  }

  /** A decision, or the value of class c. */
  private takeApart(value: number, c: number, train: DataSet) {
    const { parts, sum } = this.sums(c, train);
    const steps = this.stepsAfter(sum);
    const total = steps.reduce((value, step) => step.apply(value), sum);
    const bits = checkedBits(total, value);
    return { parts, sum, after: steps.map(({ text }) => text), total, bits };
  }

  private sums(c: number, train: DataSet): Sums {
    const sums = this.isWaiting ? [this.nearest(train)] : this.listParts(c, train);
    const add = this.decision.inTurn?.(this.learner) ? addInTurn : addInLanes;
    const each = sums.map((parts) => add(parts.map(({ part }) => part)));
    const sum = each.reduce((all, one) => all + one, 0);
    return { parts: sums.flat(), sum: this.decision.rounds ? f32(sum) : sum };
  }

  private listParts(c: number, train: DataSet): Part[][] {
    const { learner, decision } = this;
    const own = decision
      .terms?.(learner, c)
      ?.map((terms) => terms.map((term) => this.weightedPart(term, train)));
    const main = own ?? [this.vectors(c, train)];
    return decision.weights.includes(LINEAR) ? [...main, ...this.linearPart(train)] : main;
  }

  /** The sums of the weights and the offset that an expansion has beside its vectors. */
  private linearPart(train: DataSet): Part[][] {
    const { dimension } = this.learner;
    const first = this.before.length - dimension - 1;
    const parts = linearTerms(this.learner, 0, LINEAR, first).map((term) => this.weightedPart(term, train));
    return [parts.slice(0, dimension), parts.slice(dimension)];
  }

  /** What the learner does to the sum. */
  private stepsAfter(sum: number): Step[] {
    const { learner, options, source } = this;
    const { addends = [], last } = this.decision;
    const own = last?.(learner, sum, options);
    const adding = this.isWaiting ? [] : addends;
    const steps = adding.map(({ text, region, times }): Step => {
      const value = region === undefined ? times : times * source.words[source.at(region)];
      return { text: `${text} ${value}`, apply: (sum) => sum + value };
    });
    const all = own ? [...steps, own] : steps;
    if (!(learner instanceof Around)) return all;
    const { offset } = learner;
    return [...all, { text: `${OFFSETS[learner.task]} ${offset}`, apply: (sum) => f32(sum + offset) }];
  }

  private weightedPart({ of, weight, by, place, input }: Term, train: DataSet): Part {
    const part = this.part(of, weight, by, this.came[place], train);
    const name = input === undefined ? undefined : this.inputs[input];
    return name === undefined ? part : { ...part, input: name };
  }

  /** Before there is a width: the label of the nearest waiting input, where labels are decisions. */
  private nearest(train: DataSet): Part[] {
    const { words, bits, at } = this.source;
    const held = bits[at("probe")];
    if (held === 0 || this.learner.task === "novelty") return [];
    const { coefficients } = this.rows;
    const distances = words.subarray(at("row"), at("row") + held);
    const i = distances.indexOf(Math.min(...distances));
    const sample = this.waiting.get(this.row(i));
    return [this.part("nearest first input", words[coefficients + i], 1, sample, train)];
  }

  private vectors(c: number, train: DataSet): Part[] {
    const { learner } = this;
    const { words, bits, at } = this.source;
    const [row, births] = [at("row"), at("births")];
    const shared = learner instanceof SharedClasses ? classCoefficients(learner, c) : undefined;
    return Array.from({ length: learner.size }, (_, i) => {
      const coefficient = shared?.(i) ?? words[at("coefficients") + i];
      return this.part(`vector ${i}`, coefficient, words[row + i], this.born[bits[births + i]], train);
    });
  }

  private part(of: string, weight: number, by: number, sample: number | undefined, train: DataSet): Part {
    const row = sample === undefined ? undefined : sample - 1;
    const { labels, labelNames, provenance } = train;
    const label = row === undefined ? null : labelNames ? labelNames[labels[row]] : labels[row];
    const source = row === undefined ? null : (provenance?.source?.[row] ?? 0);
    return { of, part: f32(weight * by), weight, by, sample: sample ?? null, label, source };
  }
}
