import { type Learner, noteWords } from "../../src/learn/learner.ts";

/** A sample that waits for its label: its number, from 0, what the learner noted of it, and the label to come. */
interface Waiting {
  readonly number: number;
  /** False for a sample that the learner refused. */
  readonly isKept: boolean;
  readonly x: Float32Array;
  readonly note: Uint32Array | undefined;
  readonly y: number;
}

/** How a run keeps samples, and who else hears its labels. */
interface PrequentialOptions {
  /**
   * Samples that may wait for a label, in a ring as a node's: sample k takes the place of sample k - pending, unless it is refused. Default: all
   * of them.
   */
  readonly pending?: number;
  /** Called with each label as it comes, and its sample's number from 0, also if the sample was discarded. */
  readonly received?: (y: number, number: number) => void;
}

/** What became of a run's labels. */
export interface LabelFates {
  /** Learned. */
  readonly applied: number;
  /** Came after their sample was discarded. */
  readonly late: number;
  /** Of a sample that the learner refused, and came before it would have been discarded. */
  readonly refused: number;
  /** Never came. */
  readonly lost: number;
}

/**
 * Predicts samples in order, and learns each label when it is due, as a node does whose line takes no time: the label of sample k, `delay`
 * samples late, after the prediction of sample k + delay, and labels due at once in the order of their samples. Without a learner it
 * delivers the labels alone.
 *
 * Dawid: Present position and potential developments: some personal views: statistical theory: the prequential approach. JRSS A 147, 1984.
 */
export class Prequential {
  private readonly fates = { applied: 0, late: 0, refused: 0, lost: 0 };
  /** By the sample after which their labels come. */
  private readonly waiting = new Map<number, Waiting[]>();
  private readonly received: (y: number, number: number) => void;
  /** Words of the learner's note of a sample, and the place of the first. */
  private readonly noteLength: number = 0;
  private readonly noteAt: number = 0;
  /** The sample at each place of the ring; undefined: all wait. */
  private readonly ring: Float64Array | undefined;
  private taken = 0;

  constructor(
    private readonly learner: Learner | undefined,
    { pending = Number.POSITIVE_INFINITY, received = () => {} }: PrequentialOptions = {},
  ) {
    if (Number.isFinite(pending)) this.ring = new Float64Array(pending).fill(Number.NaN);
    this.received = received;
    if (!learner) return;
    this.noteLength = noteWords(learner.layout);
    if (this.noteLength > 0) this.noteAt = learner.layout.at("note", learner.range);
  }

  /** Labels so far. */
  get labels(): LabelFates {
    return this.fates;
  }

  /**
   * Predicts the next sample, then learns the labels that are due. Returns the decision, NaN without one.
   *
   * @param y the label as it will be received; NaN: the sample has none.
   * @param delay samples until it comes; NaN: never.
   */
  sample(x: Float32Array, y: number, delay = 0): number {
    const number = this.taken++;
    const hasLabel = !Number.isNaN(y);
    const isDue = hasLabel && delay === 0 && !this.waiting.has(number);
    if (isDue && this.noteLength === 0) return this.learnAtOnce(x, y, number);
    const decision = this.learner ? passUnlabelled(this.learner, x) : Number.NaN;
    const isKept = this.keep(number, decision);
    if (hasLabel && Number.isNaN(delay)) this.fates.lost++;
    else if (hasLabel)
      this.hold({ number, isKept, x: x.slice(), note: this.takeNote(decision), y }, number + delay);
    this.release(number);
    return decision;
  }

  /** Learns the labels that are still under way, in their order. */
  finish(): void {
    for (const due of [...this.waiting.keys()].sort((a, b) => a - b)) this.release(due);
  }

  /** Of a learner that notes nothing: its `learn` predicts, too, at no further cost. */
  private learnAtOnce(x: Float32Array, y: number, number: number): number {
    const { learner } = this;
    const decision = learner ? learner.learn(x, asSent(y)) : Number.NaN;
    if (this.keep(number, decision)) this.fates.applied++;
    else this.fates.refused++;
    this.received(y, number);
    return decision;
  }

  /** Has the sample take its place in the ring, unless its learner refused it; whether it did. */
  private keep(number: number, decision: number): boolean {
    if (this.learner && Number.isNaN(decision)) return false;
    if (this.ring) this.ring[number % this.ring.length] = number;
    return true;
  }

  /** The learner's note of the sample just predicted, all zeros where there was no decision. */
  private takeNote(decision: number): Uint32Array | undefined {
    const { learner, noteLength, noteAt } = this;
    if (!learner || noteLength === 0) return undefined;
    if (Number.isNaN(decision)) return new Uint32Array(noteLength);
    return learner.range.f32.bits.slice(noteAt, noteAt + noteLength);
  }

  private hold(sample: Waiting, due: number): void {
    const others = this.waiting.get(due);
    if (others) others.push(sample);
    else this.waiting.set(due, [sample]);
  }

  private release(due: number): void {
    const samples = this.waiting.get(due);
    if (!samples) return;
    this.waiting.delete(due);
    for (const sample of samples) this.label(sample);
  }

  private label({ number, isKept, x, note, y }: Waiting): void {
    const { learner, ring } = this;
    this.received(y, number);
    const isThere = !ring || ring[number % ring.length] === number;
    if (!isKept || !isThere) {
      const isLate = ring && this.taken - 1 - number >= ring.length;
      this.fates[isLate ? "late" : "refused"]++;
      return;
    }
    this.fates.applied++;
    if (!learner) return;
    if (note) learner.range.f32.bits.set(note, this.noteAt);
    learner.noted = note !== undefined;
    learner.learn(x, asSent(y));
  }
}

/** A label as a line carries it, a float32. */
const asSent = Math.fround;

/** A sample whose label comes later or never: the learner predicts and notes it, as a node's does. Returns the decision. */
export function passUnlabelled(learner: Learner, x: Float32Array): number {
  const decision = learner.predict(x);
  if (!Number.isNaN(decision)) learner.note();
  return decision;
}

/** Runs `work`, in which the learner predicts samples to which no label comes, see `passUnlabelled`; its state is then as before. */
export function withoutLabels(learner: Learner, work: () => void): void {
  const { layout, range } = learner;
  const { bits } = range.f32;
  const state = bits.slice(range.state, range.state + layout.state);
  work();
  bits.set(state, range.state);
}

/** The decisions on samples in order, with all labels so many samples late. */
export function prequentialDecisions(
  learner: Learner,
  inputs: readonly Float32Array[],
  labels: ArrayLike<number>,
  delay = 0,
): number[] {
  const run = new Prequential(learner);
  return inputs.map((x, t) => run.sample(x, labels[t], delay));
}
