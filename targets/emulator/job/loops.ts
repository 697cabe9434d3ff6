import type { Learner } from "../../../src/learn/learner.ts";
import { familyNamed } from "../../../src/learn/registry.ts";
import type { Primitives } from "../../../src/math/primitives.ts";
import { type NodeOptions, nodeLayout, SensorNode } from "../../../src/node/node.ts";
import type { Storage } from "../../../src/node/ports.ts";
import { Stream } from "./stream.ts";
import { subjects } from "./subjects.ts";

/** How a job's arithmetic is made over a memory. */
export type Arithmetic = (buffer: ArrayBuffer) => Primitives;

/** Something that goes on step by step, in memory of its own, without allocation. */
export interface Loop {
  readonly bytes: number;
  /** Brings the next sample. */
  next(): void;
  /** Learns from it; a node predicts it, too. */
  step(): void;
  /** A prediction alone; undefined where there is none. */
  predict?(): void;
  hash(): string;
}

class LearnerLoop implements Loop {
  private y = 0;

  constructor(
    private readonly learner: Learner,
    private readonly stream: Stream,
  ) {}

  get bytes(): number {
    return this.learner.layout.bytes;
  }

  next(): void {
    this.y = this.stream.next(this.learner.task);
  }

  step(): void {
    this.learner.learn(this.stream.x, this.y);
  }

  predict(): void {
    this.learner.predict(this.stream.x);
  }

  hash(): string {
    return this.learner.stateHash();
  }
}

/** The named learner on the stream. Throws a RangeError if there is none of that name. */
export function learnerLoop(name: string, dimension: number, budget: number, arithmetic: Arithmetic): Loop {
  const subject = subjects().find((subject) => subject.name === name);
  if (!subject) throw new RangeError(`no learner ${name}`);
  const options = { ...subject.given, dimension, budget };
  const layout = subject.family.layout(options);
  const memory = layout.range(arithmetic(new ArrayBuffer(layout.bytes)));
  return new LearnerLoop(subject.family.create({ ...options, memory }), new Stream(dimension));
}

/** One checkpoint, in memory. */
class Disk implements Storage {
  private readonly kept: Uint8Array;
  constructor(bytes: number) {
    this.kept = new Uint8Array(bytes);
  }
  save(checkpoint: Uint8Array): boolean {
    this.kept.set(checkpoint);
    return true;
  }
  load(checkpoint: Uint8Array): boolean {
    checkpoint.set(this.kept);
    return true;
  }
}

const CHANNELS = 3;
const SESSION = 7;
const RING = 32;
/** Labels come in groups of four, in this order, this many samples late; one in so many names a sample that expired. */
const ORDER = [2, 0, 3, 1];
const LATE = 8;
const LOST = 50;

class NodeLoop implements Loop {
  readonly bytes: number;
  private readonly node: SensorNode;
  private readonly stream = new Stream(CHANNELS);
  private readonly labels = new Int8Array(RING);

  constructor(options: NodeOptions, arithmetic: Arithmetic) {
    const layout = nodeLayout(options);
    const memory = layout.range(arithmetic(new ArrayBuffer(layout.bytes)));
    const clock = { now: () => 0 };
    const link = { predicted() {}, acknowledge() {} };
    const disk = new Disk(4 * (layout.state + layout.counters));
    this.bytes = layout.bytes;
    this.node = new SensorNode(options, clock, link, disk, memory);
  }

  next(): void {
    this.labels[(this.node.seq + 1) % RING] = this.stream.next("classification");
  }

  step(): void {
    this.node.sample(this.stream.x);
    const last = this.node.seq - LATE;
    if (last >= 4 && last % 4 === 0) for (let k = 0; k < 4; k++) this.label(last - ORDER[k]);
  }

  private label(number: number): void {
    const lost = number % LOST === 0;
    this.node.label(number, SESSION, lost ? number - LOST + 1 : number, this.labels[number % RING]);
  }

  hash(): string {
    return this.node.stateHash();
  }
}

/** A whole sensor node: windows, standardisation, late labels out of order, checkpoints. */
export function nodeLoop(budget: number, arithmetic: Arithmetic): Loop {
  const learner = familyNamed("olk-c");
  if (!learner) throw new RangeError("no learner olk-c");
  const features = { window: 8, standardise: true };
  const options = { budget, C: 0.5, r: 0.05 };
  const given = { sid: SESSION, channels: CHANNELS, pending: RING, window: 8, checkpointEvery: 200 };
  return new NodeLoop({ ...given, features, learner, options }, arithmetic);
}
