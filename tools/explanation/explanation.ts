import { UserError } from "../../host/errors.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { Auto } from "../../src/learn/auto.ts";
import { Bsgd, bsgdDecision } from "../../src/learn/bsgd.ts";
import { KernelExpansion } from "../../src/learn/expansion.ts";
import { Fogd } from "../../src/learn/fogd.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { LinearClassifier } from "../../src/learn/linear.ts";
import { ILol, Lol } from "../../src/learn/lol.ts";
import { Nogd } from "../../src/learn/nogd.ts";
import { NormaC, NormaN } from "../../src/learn/norma.ts";
import { OlkN } from "../../src/learn/olk.ts";
import { PassiveAggressive } from "../../src/learn/passive-aggressive.ts";
import { Perceptron } from "../../src/learn/perceptron.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { DECISION } from "../../src/math/primitives.ts";

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
}

/** The steps after the sum, in doubles as in the learner. */
interface Finish {
  readonly text: string;
  apply(sum: number): number;
}

const f32 = Math.fround;
const OFFSET = "offset";
/** Of `Auto`, in the order of its votes. */
const MEMBERS = ["stack", "landmarks", "kernel", "tracking", "cautious", "majority", "last label"] as const;
const STACK = MEMBERS.indexOf("stack");
/** A score of the stack beyond it has a probability of 0 or 1. */
const MOST_SCORE = 60;

/** The decision's words, as hexadecimal digits. */
export function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** Terms one after the other in doubles, as `BayesVote.decide` adds votes. */
function inDoubles(terms: readonly number[]): number {
  return terms.reduce((sum, term) => sum + term, 0);
}

/** Terms in four accumulators, as `Primitives.dot` adds products. */
function added(terms: readonly number[]): number {
  const lanes = [0, 0, 0, 0];
  terms.forEach((term, j) => {
    lanes[j % 4] = f32(lanes[j % 4] + term);
  });
  return f32(f32(lanes[0] + lanes[2]) + f32(lanes[1] + lanes[3]));
}

/** A sum of products, as `Primitives.dot` makes one: weights and their factors, and the word of each weight among those watched. */
interface Products {
  readonly weights: Float32Array;
  readonly factors: Float32Array;
  named(j: number): string;
  watched(j: number): number;
}

/** The region of an expansion's linear part. */
const LINEAR = "linear";

/** The regions of weights of a learner whose decision is a sum of products with them; none: it has vectors alone. */
function weightRegions(learner: Learner): readonly string[] {
  if (learner instanceof Auto) return ["vote.weights"];
  if (learner instanceof Lol || learner instanceof ILol) return ["w", "u"];
  if (learner instanceof Perceptron) return ["w", "bias"];
  const isLinear = learner instanceof LinearClassifier || learner instanceof PassiveAggressive;
  const own = isLinear || learner instanceof Fogd || learner instanceof Nogd ? ["w"] : [];
  return learner.layout.wordsOf(LINEAR) > 0 ? [...own, LINEAR] : own;
}

/** The key of a part's history: vectors have births, weights have places. */
interface Source {
  readonly words: Float32Array;
  readonly bits: Uint32Array;
  at(region: string): number;
}

function sourceOf({ layout, range }: Learner): Source {
  const { words, bits } = range.f32;
  return { words, bits, at: (region) => layout.at(region, range) };
}

/** `Auto` takes the vote of its members for the less, the less the stack agrees. */
function graded(learner: Auto, vote: number): Finish[] {
  const { words, at } = sourceOf(learner);
  const score = Math.max(-MOST_SCORE, Math.min(MOST_SCORE, words[at("scores") + STACK]));
  const own = 2 * (1 / (1 + learner.range.f32.exp(-score))) - 1;
  const agreement = vote < 0 ? -own : own;
  const text = `times (2 + ${agreement}) / 3, as the stack's own decision is ${own}`;
  return [{ text, apply: (sum) => (sum * (2 + agreement)) / 3 }];
}

function finishOf(learner: Learner, lambda: number, sum: number): Finish[] {
  if (learner instanceof Auto) return graded(learner, sum);
  const { words, bits, at } = sourceOf(learner);
  const add = (name: string, value: number): Finish => ({
    text: `${name} ${value}`,
    apply: (sum) => sum + value,
  });
  if (learner instanceof NormaC) return [add("offset", words[at("bias")])];
  if (learner instanceof NormaN) return [add("less rho:", -words[at("rho")])];
  if (learner instanceof OlkN && learner.width !== 0)
    return [add("less 1:", -1), add("less rho:", -words[at("rho")])];
  const t = learner instanceof Bsgd ? bits[at("steps")] : 0;
  const decision = bsgdDecision(lambda);
  const scale = (decision.scale ?? 1) * (decision.rule === DECISION.root ? Math.sqrt(t) : t);
  return t > 0 ? [{ text: `divided by ${scale}`, apply: (sum) => sum / scale }] : [];
}

/** Follows a learner through the samples, and splits one of its decisions into parts. */
export class Explainer {
  private readonly expands: boolean;
  /** The regions of its weights; none: it has vectors alone. */
  private readonly regions: readonly string[];
  /** The sample, from 1, of each birth, and of each weight's last change. */
  private readonly born: number[] = [];
  private readonly came: number[] = [];
  /** Until the kernel's width is found: the last sample of each input. */
  private readonly waiting = new Map<string, number>();
  private before = new Uint32Array(0);
  private births = 0;
  /** Whether it waited for the kernel's width when it last learned. */
  private waited: boolean;
  private readonly source: Source;

  /** Throws a UserError for a learner whose decision isn't one sum over its vectors, weights or members. */
  constructor(
    readonly learner: Learner,
    name: string,
    private readonly lambda: number,
    /** Names of the learner's inputs, where they are known. */
    private readonly inputs: readonly string[] = [],
  ) {
    this.expands = learner instanceof KernelExpansion;
    this.regions = weightRegions(learner);
    if (learner.task === "multiclass" || !(this.expands || this.regions.length > 0)) {
      throw new UserError(
        `${name}: its decision isn't one sum over stored vectors, weights or members; takes kernel expansions, linear and local learners of two classes, such as olk-c or arow, and auto`,
      );
    }
    this.source = sourceOf(learner);
    this.before = this.weights().slice();
    this.waited = this.isWaiting;
    // A loaded learner already has stored vectors.
    if (this.expands) this.births = this.source.bits[this.source.at("count") + 1];
  }

  /** Finds a loaded learner's vectors among earlier inputs; `inputs[i]` is sample i + 1. */
  recognise(inputs: readonly ArrayLike<number>[]): void {
    if (!this.expands) return;
    const { bits, at } = this.source;
    const known = new Map(inputs.map((x, i) => [this.stored(x), i + 1]));
    for (let i = 0; i < this.learner.size; i++) {
      const sample = known.get(this.row(i));
      if (sample === undefined) continue;
      if (this.isWaiting) this.waiting.set(this.row(i), sample);
      else this.born[bits[at("births") + i]] = sample;
    }
  }

  /** Learns sample number `sample`, and notes stored and changed parts. */
  learn(x: ArrayLike<number>, y: number, sample: number): void {
    this.learner.learn(x, y);
    this.learned(x, sample);
  }

  /** Notes stored and changed parts after sample number `sample` was learned, by whomever; `x` is undefined where it isn't known. */
  learned(x: ArrayLike<number> | undefined, sample: number): void {
    const isFound = this.noteWaiting(x, sample);
    if (this.expands) this.noteVectors(sample, isFound);
    if (isFound) this.waiting.clear();
    this.noteWeights(sample);
  }

  /** Whether this sample gave the kernel's width, for which inputs waited. */
  private noteWaiting(x: ArrayLike<number> | undefined, sample: number): boolean {
    const waited = this.waited;
    this.waited = this.isWaiting;
    if (waited && x) this.waiting.set(this.stored(x), sample);
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
   * Whether the learner doesn't know its kernel's width yet, and its first inputs wait in the place of vectors or frequencies.
   */
  private get isWaiting(): boolean {
    const { learner } = this;
    return (learner instanceof KernelExpansion || learner instanceof Fogd) && learner.width === 0;
  }

  /** Where the first inputs wait, or the vectors are: the rows, their form, and their labels or coefficients. */
  private get rows(): { rows: number; form: number; coefficients: number } {
    const { learner } = this;
    const { at } = this.source;
    if (learner instanceof Fogd)
      return { rows: at("frequencies"), form: learner.dimension, coefficients: at("w") };
    const { rows, form } = (learner as KernelExpansion).dictionary;
    return { rows, form, coefficients: at("coefficients") };
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

  /** The values of a row that stores x. */
  private stored(x: ArrayLike<number>): string {
    const { words } = this.source;
    const { dimension } = this.learner;
    const { rows: own, form } = this.rows;
    const given = Float32Array.from(x);
    if (form > 0) return given.join();
    const scratch = new PortableF32(new ArrayBuffer(4 * (2 + 8 * dimension)));
    const rows = 2 + dimension;
    const [end, to] = [rows + 4 * dimension, rows + 5 * dimension];
    scratch.words.set(words.subarray(own - rows, own));
    scratch.words.set(given, end);
    scratch.storeRow(rows, 0, end, form);
    scratch.fetchRow(to, rows, 0, form);
    return scratch.words.subarray(to, to + dimension).join();
  }

  /** The words of all weights, region after region. */
  private weights(): Uint32Array {
    const { layout } = this.learner;
    const { bits, at } = this.source;
    const words = this.regions.map((region) =>
      bits.subarray(at(region), at(region) + layout.wordsOf(region)),
    );
    return Uint32Array.from(words.flatMap((each) => [...each]));
  }

  /** Explains the decision for x. Throws an Error if its parts don't give its bits. */
  explain(x: ArrayLike<number>, train: DataSet): Explanation {
    const decision = this.learner.predict(x);
    if (Number.isNaN(decision)) throw new UserError("the learner refuses this sample: it isn't finite");
    const parts = this.partsOf(train);
    const terms = parts.map(({ part }) => part);
    const sum = this.sumOf(terms);
    const finish = finishOf(this.learner, this.lambda, sum);
    const total = finish.reduce((value, step) => step.apply(value), sum);
    const bits = bitsOf(decision);
    if (bitsOf(total) !== bits) throw new Error(`parts come to ${total}, the decision is ${decision}`);
    return { decision, parts, sum, after: finish.map(({ text }) => text), total, bits };
  }

  /** The terms' sum as the learner makes it. */
  private sumOf(terms: readonly number[]): number {
    const { learner } = this;
    if (learner instanceof Auto) return inDoubles(terms);
    if (learner.layout.wordsOf(LINEAR) > 0 && !this.isWaiting) {
      const main = terms.length - learner.dimension - 1;
      return added(terms.slice(0, main)) + added(terms.slice(main, -1)) + terms[terms.length - 1];
    }
    if (learner instanceof Perceptron) return added(terms.slice(0, -1)) + terms[terms.length - 1];
    if (!(learner instanceof Lol || learner instanceof ILol)) return added(terms);
    const shared = terms.slice(0, learner.dimension);
    return f32(added(shared) + added(terms.slice(learner.dimension)));
  }

  private partsOf(train: DataSet): Part[] {
    const { learner } = this;
    if (learner instanceof Auto) return this.members(train);
    if (this.isWaiting) return this.nearest(train);
    if (learner instanceof Perceptron) return [...this.components(train), this.bias(train)];
    if (!this.expands) return this.components(train);
    const hasFeatures = learner instanceof Nogd && learner.hasFeatures;
    const main = hasFeatures ? this.components(train) : this.vectors(train);
    return this.regions.includes(LINEAR) ? [...main, ...this.linearPart(train)] : main;
  }

  /** The offset that the perceptron has beside its weights. */
  private bias(train: DataSet): Part {
    const { words, at } = this.source;
    return this.part(OFFSET, words[at("bias")], 1, this.came[this.learner.dimension], train);
  }

  /** The weights and the offset that an expansion has beside its vectors. */
  private linearPart(train: DataSet): Part[] {
    const { words, at } = this.source;
    const { dimension } = this.learner;
    const [w, x] = [at(LINEAR), at("input")];
    const before = this.weights().length - dimension - 1;
    return Array.from({ length: dimension + 1 }, (_, j) => {
      const [of, by] = j < dimension ? [`weight ${j + 1}`, words[x + j]] : [OFFSET, 1];
      const part = this.part(of, words[w + j], by, this.came[before + j], train);
      return this.withInput(part, j);
    });
  }

  /** The part of weight j, with its input's name where inputs have names. */
  private withInput(part: Part, j: number): Part {
    const input = part.of === `weight ${j + 1}` ? this.inputs[j] : undefined;
    return input === undefined ? part : { ...part, input };
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

  private vectors(train: DataSet): Part[] {
    const { words, bits, at } = this.source;
    const [coefficients, row, births] = [at("coefficients"), at("row"), at("births")];
    return Array.from({ length: this.learner.size }, (_, i) =>
      this.part(`vector ${i}`, words[coefficients + i], words[row + i], this.born[bits[births + i]], train),
    );
  }

  /** Each member's weight in the vote, and what it voted. */
  private members(train: DataSet): Part[] {
    const scores = this.source.at("scores");
    const weights = new Float32Array(this.weights().buffer);
    return MEMBERS.map((name, i) => {
      const vote = this.source.words[scores + i] > 0 ? 1 : -1;
      return this.part(`member ${name}`, weights[i], vote, this.came[i], train);
    });
  }

  private components(train: DataSet): Part[] {
    return this.products().flatMap(({ weights, factors, named, watched }) =>
      Array.from(weights, (weight, j) => {
        const part = this.part(named(j), weight, factors[j], this.came[watched(j)], train);
        return this.withInput(part, j);
      }),
    );
  }

  /** The sums of products that make the decision, as `predict` left them. */
  private products(): Products[] {
    const { learner } = this;
    if (learner instanceof Fogd)
      return [
        this.productsWith("z", (j) => `${j % 2 === 0 ? "cosine" : "sine"} of frequency ${1 + (j >> 1)}`),
      ];
    if (learner instanceof Nogd) return [this.productsWith("z", (j) => `feature ${j + 1}`)];
    const { dimension } = learner;
    const linear = this.productsWith("input", (j) => (j < dimension ? `weight ${j + 1}` : OFFSET));
    return learner instanceof Lol || learner instanceof ILol ? [linear, this.local(linear)] : [linear];
  }

  /** w times that region. */
  private productsWith(region: string, named: Products["named"]): Products {
    const { words, at } = this.source;
    const count = this.learner.layout.wordsOf("w");
    const [w, factors] = [at("w"), at(region)];
    return {
      weights: words.slice(w, w + count),
      factors: words.slice(factors, factors + count),
      named,
      watched: (j) => j,
    };
  }

  /** Of LOL, the weights of the nearest prototype, stored in fours. */
  private local({ factors }: Products): Products {
    const { words, bits, at } = this.source;
    const { dimension } = this.learner;
    const [i, u] = [bits[at("nearest")], at("nextU")];
    return {
      weights: words.slice(u, u + dimension),
      factors,
      named: (j) => `weight ${j + 1} of prototype ${i}`,
      watched: (j) => dimension + 4 * dimension * (i >> 2) + 4 * j + (i & 3),
    };
  }

  private part(of: string, weight: number, by: number, sample: number | undefined, train: DataSet): Part {
    const row = sample === undefined ? undefined : sample - 1;
    const { labels, labelNames, provenance } = train;
    const label = row === undefined ? null : labelNames ? labelNames[labels[row]] : labels[row];
    const source = row === undefined ? null : (provenance?.source?.[row] ?? 0);
    return { of, part: f32(weight * by), weight, by, sample: sample ?? null, label, source };
  }
}
