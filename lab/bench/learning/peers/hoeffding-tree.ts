import type { Random } from "../../../../host/random.ts";
import { Elementary } from "../../../../src/math/elementary.ts";
import { Moments } from "./moments.ts";
import { type Peer, type PeerMethod, WORD } from "./peer.ts";

/** Labels at a leaf between two tests for a split. */
const GRACE = 50;
/** delta, the probability that a split isn't the best. */
const DELTA = 1e-4;
/** tau: below this bound two splits count as equal. */
const TIE = 0.05;
/** Thresholds that a feature is tried at, between its least and largest value. */
const THRESHOLDS = 10;
/** Two classes' weights, two counters of right predictions, the weight at the last test. */
const LEAF_WORDS = 5;
/** Of each feature: two classes' moments, least and largest value. */
const FEATURE_WORDS = 8;
/** An inner node's feature, threshold and place of its children. */
const INNER_BYTES = 2 + WORD + 2;

const elementary = new Elementary();
const LOG_TWO = elementary.log(2);
const TO_CLASS = (y: number) => (y > 0 ? 1 : 0);

function entropy(weights: readonly number[]): number {
  const whole = weights[0] + weights[1];
  return weights.reduce((sum, weight) => {
    const share = weight / whole;
    return share > 0 ? sum - (share * elementary.log(share)) / LOG_TWO : sum;
  }, 0);
}

/** What a leaf knows of one feature. */
class Feature {
  private readonly of = [new Moments(elementary), new Moments(elementary)];
  private least = Number.POSITIVE_INFINITY;
  private largest = Number.NEGATIVE_INFINITY;

  constructor(readonly index: number) {}

  add(value: number, c: number, weight: number): void {
    this.of[c].add(value, weight);
    this.least = Math.min(this.least, value);
    this.largest = Math.max(this.largest, value);
  }

  /** log of the value's density in class 1 over that in class 0; 0 until both have two values. */
  logRatio(value: number): number {
    if (Math.min(...this.of.map(({ weight }) => weight)) < 2) return 0;
    return this.of[1].logDensity(value) - this.of[0].logDensity(value);
  }

  /** The threshold with the most information gain about classes of these weights. */
  best(weights: readonly number[]): Split {
    const width = (this.largest - this.least) / (THRESHOLDS + 1);
    const whole = weights[0] + weights[1];
    const splits = Array.from({ length: width > 0 ? THRESHOLDS : 0 }, (_, i): Split => {
      const threshold = this.least + (i + 1) * width;
      const left = this.of.map((moments) => moments.below(threshold));
      const right = weights.map((weight, c) => Math.max(0, weight - left[c]));
      const parts = [left, right].map((part) => ((part[0] + part[1]) / whole) * entropy(part));
      return { feature: this.index, threshold, gain: entropy(weights) - parts[0] - parts[1], left, right };
    });
    return splits.reduce((a, b) => (b.gain > a.gain ? b : a), NO_SPLIT);
  }
}

interface Split {
  readonly feature: number;
  readonly threshold: number;
  readonly gain: number;
  /** The classes' weights on each side. */
  readonly left: readonly number[];
  readonly right: readonly number[];
}

const NO_SPLIT: Split = { feature: -1, threshold: 0, gain: 0, left: [], right: [] };

/** A leaf decides as the majority, or as naive Bayes: as what was right more often here. */
class Leaf {
  private readonly features: readonly Feature[];
  private readonly right = { majority: 0, bayes: 0 };
  private tested = 0;
  private received = 0;

  /** @param weights of the classes, as the split that made the leaf estimates them. */
  constructor(
    indices: readonly number[],
    private readonly weights: number[],
  ) {
    this.features = indices.map((index) => new Feature(index));
  }

  decide(x: Float32Array): number {
    return this.right.bayes > this.right.majority ? this.bayes(x) : this.majority;
  }

  private get majority(): number {
    return (this.weights[1] - this.weights[0]) / (this.weights[0] + this.weights[1] + 1);
  }

  private bayes(x: Float32Array): number {
    const prior = elementary.log((this.weights[1] + 1) / (this.weights[0] + 1));
    return this.features.reduce((sum, feature) => sum + feature.logRatio(x[feature.index]), prior);
  }

  learn(x: Float32Array, y: number, weight: number): void {
    if (this.majority * y > 0) this.right.majority += weight;
    if (this.bayes(x) * y > 0) this.right.bayes += weight;
    this.weights[TO_CLASS(y)] += weight;
    this.received += weight;
    for (const feature of this.features) feature.add(x[feature.index], TO_CLASS(y), weight);
  }

  /** The split that is the best by Hoeffding's bound, or undefined. */
  split(): Split | undefined {
    const { weights, received, tested } = this;
    if (received - tested < GRACE || Math.min(...weights) === 0) return undefined;
    this.tested = received;
    const bound = Math.sqrt(elementary.log(1 / DELTA) / (2 * (weights[0] + weights[1])));
    const [first, second] = [NO_SPLIT, ...this.features.map((feature) => feature.best(weights))].sort(
      (a, b) => b.gain - a.gain,
    );
    const isBest = first.gain - second.gain > bound || bound < TIE;
    return isBest && first.gain > 0 ? first : undefined;
  }
}

interface Inner {
  readonly split: Split;
  readonly children: [Node, Node];
}

type Node = Leaf | Inner;

/** The tree's shape. */
export interface TreeSize {
  readonly dimension: number;
  /** Features that a leaf draws and looks at. */
  readonly tried: number;
  readonly leaves: number;
}

function treeBytes({ dimension, tried, leaves }: TreeSize): number {
  const indices = tried < dimension ? 2 * tried : 0;
  return leaves * (WORD * (LEAF_WORDS + FEATURE_WORDS * tried) + indices) + (leaves - 1) * INNER_BYTES;
}

/** The tree of most leaves that fits. */
export function largestTree(dimension: number, tried: number, bytes: number): TreeSize {
  const one = treeBytes({ dimension, tried, leaves: 1 });
  const another = treeBytes({ dimension, tried, leaves: 2 }) - one;
  return { dimension, tried, leaves: 1 + Math.floor((bytes - one) / another) };
}

/**
 * A Hoeffding tree of two classes: a leaf is split where its best split has more information gain than the second by
 *
 *     epsilon = sqrt(R^2 ln(1 / delta) / (2 n)),   R = log2(2 classes) = 1,
 *
 * or where epsilon < tau. Domingos, Hulten, equation (1). Numeric features are Gaussians of each class, tried at ten thresholds (Pfahringer,
 * Holmes, Kirkby: Handling numeric attributes in Hoeffding trees. PAKDD 2008). A leaf decides as the majority or as naive Bayes (Holmes,
 * Kirkby, Pfahringer: Stress-testing Hoeffding trees. PKDD 2005). With its memory full it splits no more.
 */
export class HoeffdingTree implements Peer {
  readonly bytes: number;
  private root: Node;
  private leaves = 1;

  constructor(
    private readonly size: TreeSize,
    private readonly random: Random,
  ) {
    this.bytes = treeBytes(size);
    this.root = this.leaf([0, 0]);
  }

  decide(x: Float32Array): number {
    return this.find(x).leaf.decide(x);
  }

  /** @param weight so many samples alike. */
  learn(x: Float32Array, y: number, weight = 1): void {
    const { leaf, replace } = this.find(x);
    leaf.learn(x, y, weight);
    const split = this.leaves < this.size.leaves ? leaf.split() : undefined;
    if (!split) return;
    replace({ split, children: [this.leaf([...split.left]), this.leaf([...split.right])] });
    this.leaves++;
  }

  private leaf(weights: number[]): Leaf {
    const { dimension, tried } = this.size;
    const indices = Array.from({ length: dimension }, (_, j) => j);
    if (tried < dimension) this.random.shuffle(indices);
    return new Leaf(indices.slice(0, tried), weights);
  }

  /** The sample's leaf, and what puts another node into its place. */
  private find(x: Float32Array): { leaf: Leaf; replace: (node: Node) => void } {
    let node = this.root;
    let replace = (other: Node) => {
      this.root = other;
    };
    while (!(node instanceof Leaf)) {
      const { split, children } = node;
      const side = x[split.feature] <= split.threshold ? 0 : 1;
      replace = (other) => {
        children[side] = other;
      };
      node = children[side];
    }
    return { leaf: node, replace };
  }
}

/** Domingos, Hulten: Mining high-speed data streams. KDD 2000. */
export const HOEFFDING_TREE: PeerMethod = {
  name: "hoeffding-tree",
  grows: true,
  create(dimension, bytes, random) {
    const size = largestTree(dimension, dimension, bytes);
    return size.leaves > 0 ? new HoeffdingTree(size, random) : undefined;
  },
};
