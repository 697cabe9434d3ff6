import { type Family, takesBudget, type UserOptions, withBudget } from "../../../src/learn/family.ts";
import type { Learner } from "../../../src/learn/learner.ts";
import type { Primitives } from "../../../src/math/primitives.ts";
import { SensorNode } from "../../../src/node/node.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../../src/node/ports.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { installWhole } from "../../../src/node/whole-install.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import type { Traffic } from "./hour-loop.ts";
import { Installs } from "./installs.ts";
import { MemoryFlash, SECTOR } from "./memory-flash.ts";
import { type Place, Stream } from "./stream.ts";
import { forgets, type Subject, subjectNamed } from "./subjects.ts";

/** Makes a program's arithmetic over its own memory of that many bytes. */
export type Arithmetic = (bytes: number) => Primitives;

/** A workload that runs step by step, in its own memory, without allocation. */
export interface Loop {
  readonly bytes: number;
  /** Makes test-only objects, once memory was measured. */
  begin?(): void;
  /** Brings the next sample. */
  next(): void;
  /** Learns from it; a node predicts it, too. */
  step(): void;
  /** Predicts without learning, with the last sample; undefined where there is no such call. */
  readonly learner?: Learner;
  readonly x?: Float32Array;
  /** Vectors that the learner stores now. */
  readonly size: number;
  /** The traffic of its line, where it has one. */
  readonly traffic?: Traffic;
  hash(): string;
}

class LearnerLoop implements Loop {
  private y = 0;

  constructor(
    readonly learner: Learner,
    private readonly stream: Stream,
    /** Rows in its computation though it stores no vectors: FOGD's features. */
    private readonly rows: number,
  ) {}

  get x(): Float32Array {
    return this.stream.x;
  }

  get bytes(): number {
    return this.learner.layout.bytes;
  }

  get size(): number {
    return this.learner.capacity > 0 ? this.learner.size : this.rows;
  }

  next(): void {
    this.y = this.stream.next(this.learner.task);
  }

  step(): void {
    this.learner.learn(this.stream.x, this.y);
  }

  hash(): string {
    return this.learner.stateHash();
  }
}

/**
 * Options that make a learner forget with each sample: vectors are stale at once; a codebook with few centres
 * takes each sample for one.
 */
function forgetting({ options }: Family, { storage }: UserOptions): UserOptions {
  return { staleAfter: 1, ...(options.epsilon && storage && { epsilon: 0 }) };
}

/** The options with that size: of a budget, or of the option that the subject has in its place. */
function withSize({ family, sizedBy }: Subject, options: UserOptions, size: number): UserOptions {
  return sizedBy ? { ...options, [sizedBy]: size } : withBudget(family, options, size);
}

/**
 * The named learner on the stream; where its samples aren't the usual ones, it forgets with each. Throws a
 * RangeError if there is none of that name.
 */
export function learnerLoop(
  name: string,
  dimension: number,
  budget: number,
  arithmetic: Arithmetic,
  place?: Place,
): Loop {
  const subject = subjectNamed(name);
  const { family, given } = subject;
  const beside = place && forgets(family) ? forgetting(family, given) : {};
  const options = withSize(subject, { ...given, ...beside, dimension }, budget);
  const layout = family.layout(options);
  const memory = layout.range(arithmetic(layout.bytes));
  const learner = family.create({ ...options, memory });
  const stream = new Stream(dimension, place, given.classes as number | undefined);
  return new LearnerLoop(learner, stream, takesBudget(family) ? budget : 0);
}

/** The node options of a program's argument. */
export interface NodeShape {
  readonly learner: string;
  readonly options: UserOptions;
  readonly channels: number;
  readonly window: number;
  readonly standardise: boolean;
  /** The options of a spectrum, where it has one. */
  readonly bands?: number;
  readonly lines?: readonly number[];
  readonly burst?: number;
  /** Its optional parts, see `NodeOptions`. */
  readonly labelBudget?: number;
  readonly coverage?: number;
  readonly drift?: NodeOptions["drift"];
  /** Models of its fleet come in place of some labels. */
  readonly fleetBudget?: number;
}

/** Windows, standardisation, and few enough support vectors that the budget isn't reached at once. */
const USUAL: NodeShape = {
  learner: "olk-c",
  options: { C: 0.5, regularization: 0.05, kernel: { type: "gaussian", p: 1 } },
  channels: 3,
  window: 8,
  standardise: true,
};

export const SESSION = 7;
const RING = 32;
/**
 * Labels come in groups of four, in this order, this many samples late; one in so many names a sample that
 * expired.
 */
const ORDER = [2, 0, 3, 1];
const LATE = 8;
const LOST = 50;

class NodeLoop implements Loop {
  readonly bytes: number;
  private readonly node: SensorNode;
  private readonly stream: Stream;
  private readonly labels = new Float32Array(RING);
  private readonly given = { number: 0, sid: SESSION, seq: 0, y: 0 };
  /** Made with the first label, so that what a node without it takes can be counted. */
  private installs: Installs | undefined;

  constructor(optionsOf: () => NodeOptions, arithmetic: Arithmetic, begins: () => void) {
    const clock = { now: () => 0 };
    const link = { predicted() {}, acknowledge() {} };
    const { bytes, channels, flash } = nodeSizes(optionsOf());
    const block = new MemoryFlash(flash);
    this.bytes = bytes;
    this.stream = new Stream(channels);
    begins();
    const options = optionsOf();
    const layout = nodeLayout(options);
    const memory = layout.range(arithmetic(bytes));
    const storage = nodeStore(options, block, clock, 0, memory.f32);
    this.node = new SensorNode(options, clock, link, storage, memory);
  }

  next(): void {
    this.labels[(this.node.seq + 1) % RING] = this.stream.next(this.node.learner.task);
  }

  get size(): number {
    return this.node.learner.size;
  }

  step(): void {
    this.node.sample(this.stream.x);
    const last = this.node.seq - LATE;
    if (last >= 4 && last % 4 === 0) for (let k = 0; k < 4; k++) this.label(last - ORDER[k]);
  }

  private label(number: number): void {
    const { fleet } = this.node;
    if (fleet) this.installs ??= new Installs(fleet.model.dimension, fleet.model.capacity);
    if (this.installs?.isDue(number)) {
      this.installs.next();
      const { model, crc } = this.installs;
      const status = installWhole(this.node, number, model, crc);
      if (status !== LABEL_STATUS.applied)
        throw new Error(`model in place of label ${number}: status ${status}`);
      return;
    }
    const lost = number % LOST === 0;
    const { given } = this;
    given.number = number;
    given.seq = lost ? number - LOST + 1 : number;
    given.y = this.labels[number % RING];
    this.node.label(given);
  }

  hash(): string {
    return this.node.stateHash();
  }
}

/** The options of a program's node: features, late labels out of order, checkpoints. */
export function nodeOptions(shape: Partial<NodeShape>, budget: number): NodeOptions {
  const { learner, options, channels, window, standardise, bands, lines, burst, ...beside } = {
    ...USUAL,
    ...shape,
  };
  const subject = subjectNamed(learner);
  const node = { sid: SESSION, channels, pending: RING, labelWindow: 8, checkpointEvery: 300, ...beside };
  const features = { window, standardise, bands, lines, burst };
  const own = withSize(subject, { ...subject.given, ...options }, budget);
  return { ...node, features, learner: subject.family, options: own };
}

/** Bytes of a node's range, its readings in a sample, and bytes of flash for its checkpoints. */
export function nodeSizes(options: NodeOptions): { bytes: number; channels: number; flash: number } {
  const layout = nodeLayout(options);
  return { bytes: layout.bytes, channels: options.channels, flash: storeBytes(layout, SECTOR) };
}

/**
 * A whole sensor node.
 * @param begins called when its surroundings exist, before the node is made.
 */
export function nodeLoop(
  shape: Partial<NodeShape>,
  budget: number,
  arithmetic: Arithmetic,
  begins: () => void,
): Loop {
  return new NodeLoop(() => nodeOptions(shape, budget), arithmetic, begins);
}
