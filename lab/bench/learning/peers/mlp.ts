import type { Random } from "../../../../host/random.ts";
import { Elementary } from "../../../../src/math/elementary.ts";
import { logisticSlope, type Peer, type PeerMethod, Ring, WORD } from "./peer.ts";

const HIDDEN_MOST = 64;
const HIDDEN_LEAST = 2;
/** The most samples that are kept: of older ones a moving boundary makes wrong ones. */
const STORED_MOST = 256;
/** The most of the memory that the weights take. */
const WEIGHTS_SHARE = 0.5;
const RATE = 0.05;
/** Stored samples that are learned again at each label. */
const REPLAYED = 4;

interface Size {
  readonly hidden: number;
  readonly stored: number;
}

/** Words of a hidden unit: its weights, its offset, its weight in the output. */
const unitWords = (dimension: number) => dimension + 2;

function networkBytes(dimension: number, { hidden, stored }: Size): number {
  return WORD * (hidden * unitWords(dimension) + 1) + stored * Ring.bytes(dimension);
}

function largestSize(dimension: number, bytes: number): Size {
  const most = Math.floor((WEIGHTS_SHARE * bytes - WORD) / (WORD * unitWords(dimension)));
  const hidden = Math.min(HIDDEN_MOST, Math.max(HIDDEN_LEAST, most));
  const left = bytes - networkBytes(dimension, { hidden, stored: 0 });
  return { hidden, stored: Math.min(STORED_MOST, Math.floor(left / Ring.bytes(dimension))) };
}

/**
 * A network with one hidden layer, f(x) = a . max(0, W x + b) + c, by stochastic gradient descent on the logistic loss. At each label it
 * learns that sample, and four that it draws from the last ones, which it keeps in 8 bits.
 */
class Mlp implements Peer {
  readonly bytes: number;
  private readonly inner: Float64Array;
  private readonly outer: Float64Array;
  private readonly active: Float64Array;
  private readonly ring: Ring;
  private readonly replayed: Float32Array;
  private readonly elementary = new Elementary();
  private offset = 0;

  constructor(
    private readonly dimension: number,
    private readonly size: Size,
    private readonly random: Random,
  ) {
    const { hidden, stored } = size;
    this.bytes = networkBytes(dimension, size);
    // He et al., 2015, equation (10): variance 2 / n of a unit of n inputs. The offsets begin at 0.
    const drawWeight = (inputs: number) => random.normal() * Math.sqrt(2 / inputs);
    this.inner = Float64Array.from({ length: hidden * (dimension + 1) }, (_, i) =>
      i % (dimension + 1) === dimension ? 0 : drawWeight(dimension),
    );
    this.outer = Float64Array.from({ length: hidden }, () => drawWeight(hidden));
    this.active = new Float64Array(hidden);
    this.ring = new Ring(dimension, stored);
    this.replayed = new Float32Array(dimension);
  }

  decide(x: Float32Array): number {
    const { inner, outer, active, dimension } = this;
    let f = this.offset;
    for (let h = 0; h < active.length; h++) {
      const at = h * (dimension + 1);
      let sum = inner[at + dimension];
      for (let j = 0; j < dimension; j++) sum += inner[at + j] * x[j];
      active[h] = Math.max(0, sum);
      f += outer[h] * active[h];
    }
    return f;
  }

  learn(x: Float32Array, y: number): void {
    const { ring, random, replayed } = this;
    this.step(x, y);
    for (let i = 0; i < REPLAYED && ring.count > 0; i++) {
      const label = ring.read(random.below(ring.count), replayed);
      this.step(replayed, label);
    }
    if (this.size.stored > 0) ring.add(x, y);
  }

  private step(x: Float32Array, y: number): void {
    const { inner, outer, active, dimension } = this;
    const step = -RATE * logisticSlope(this.decide(x), y, (z) => this.elementary.exp(z));
    for (let h = 0; h < active.length; h++) {
      if (active[h] === 0) continue;
      const at = h * (dimension + 1);
      const back = step * outer[h];
      outer[h] += step * active[h];
      for (let j = 0; j < dimension; j++) inner[at + j] += back * x[j];
      inner[at + dimension] += back;
    }
    this.offset += step;
  }
}

/** Lin: Self-improving reactive agents based on reinforcement learning, planning and teaching. Machine Learning 8, 1992 (replay). */
export const MLP: PeerMethod = {
  name: "mlp",
  grows: true,
  create(dimension, bytes, random) {
    const size = largestSize(dimension, bytes);
    return networkBytes(dimension, size) <= bytes && size.stored >= 0
      ? new Mlp(dimension, size, random)
      : undefined;
  },
};
