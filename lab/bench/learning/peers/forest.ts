import type { Random } from "../../../../host/random.ts";
import { Elementary } from "../../../../src/math/elementary.ts";
import { HoeffdingTree, largestTree, type TreeSize } from "./hoeffding-tree.ts";
import type { Peer, PeerMethod } from "./peer.ts";

/** The most trees, and the least bytes of one. */
const TREES_MOST = 10;
const TREE_BYTES = 1024;
const TREES_LEAST = 3;
/** The mean weight of a sample in a tree: Gomes et al. */
const MEAN_WEIGHT = 6;
const NONE = new Elementary().exp(-MEAN_WEIGHT);

/** A Poisson draw of that mean (Knuth): how many uniform draws until their product is below e^-6. */
function poisson(random: Random): number {
  let product = random.uniform();
  let count = 0;
  while (product > NONE) {
    product *= random.uniform();
    count++;
  }
  return count;
}

/** A vote of Hoeffding trees. Each tree takes a sample with a weight drawn from Poisson(6); each leaf looks at sqrt(d) + 1 features. */
class Forest implements Peer {
  readonly bytes: number;
  private readonly trees: readonly HoeffdingTree[];

  constructor(
    count: number,
    size: TreeSize,
    private readonly random: Random,
  ) {
    this.trees = Array.from({ length: count }, () => new HoeffdingTree(size, random));
    this.bytes = count * this.trees[0].bytes;
  }

  decide(x: Float32Array): number {
    return this.trees.reduce((votes, tree) => votes + Math.sign(tree.decide(x)), 0);
  }

  learn(x: Float32Array, y: number): void {
    for (const tree of this.trees) {
      const weight = poisson(this.random);
      if (weight > 0) tree.learn(x, y, weight);
    }
  }
}

/** Gomes et al.: Adaptive random forests for evolving data stream classification. Machine Learning 106, 2017, without its drift detectors. */
export const FOREST: PeerMethod = {
  name: "forest",
  grows: true,
  create(dimension, bytes, random) {
    const count = Math.min(TREES_MOST, Math.max(TREES_LEAST, Math.floor(bytes / TREE_BYTES)));
    const tried = Math.min(dimension, Math.floor(Math.sqrt(dimension)) + 1);
    const size = largestTree(dimension, tried, Math.floor(bytes / count));
    return size.leaves > 0 ? new Forest(count, size, random) : undefined;
  },
};
