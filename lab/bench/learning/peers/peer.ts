import type { Random } from "../../../../host/random.ts";

/** Bytes of a number of a peer's state, as a node would hold it. A peer computes in double precision, which favours it. */
export const WORD = 4;

/** A small method of others beside the learners, for two classes. It isn't offered to nodes. */
export interface Peer {
  /** Of its state on a node. */
  readonly bytes: number;
  /** Above 0: class +1. Changes nothing. */
  decide(x: Float32Array): number;
  /** @param y -1 or +1. */
  learn(x: Float32Array, y: number): void;
}

/** A method that makes peers of a given size. */
export interface PeerMethod {
  readonly name: string;
  /** True if it takes whatever memory it gets; false: its bytes follow from the dimension. */
  readonly grows: boolean;
  /**
   * The largest peer of at most that many bytes; undefined: even the smallest is larger.
   *
   * @param random where it draws its start and its choices.
   */
  create(dimension: number, bytes: number, random: Random): Peer | undefined;
}

/** Standard deviations that a standardised reading in 8 bits reaches. */
const REACH = 4;
const LARGEST = 127;

/** Samples in 8 bits, with their labels: the last that came. */
export class Ring {
  private readonly rows: Int8Array;
  private readonly labels: Int8Array;
  private next = 0;
  count = 0;

  /** Bytes of one sample. */
  static bytes(dimension: number): number {
    return dimension + 1;
  }

  constructor(
    private readonly dimension: number,
    private readonly capacity: number,
  ) {
    this.rows = new Int8Array(capacity * dimension);
    this.labels = new Int8Array(capacity);
  }

  /** Adds a sample in place of the oldest. */
  add(x: Float32Array, y: number): void {
    const { rows, dimension, next } = this;
    for (let j = 0; j < dimension; j++) {
      const level = Math.round((x[j] * LARGEST) / REACH);
      rows[next * dimension + j] = Math.max(-LARGEST, Math.min(LARGEST, level));
    }
    this.labels[next] = y;
    this.next = (next + 1) % this.capacity;
    this.count = Math.min(this.count + 1, this.capacity);
  }

  /** Writes a sample to x, and returns its label. */
  read(place: number, x: Float32Array): number {
    const { rows, dimension } = this;
    for (let j = 0; j < dimension; j++) x[j] = (rows[place * dimension + j] * REACH) / LARGEST;
    return this.labels[place];
  }
}

/** The derivative of the logistic loss log(1 + exp(-y f)) by f. */
export function logisticSlope(f: number, y: number, exp: (x: number) => number): number {
  return -y / (1 + exp(y * f));
}
