import { arithmetic } from "../../host/arithmetic.ts";
import { ReusedMemory } from "../../host/reused-memory.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { Layout, type MemoryRange } from "../../src/memory/layout.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import { featureDimension, featureRegions } from "../../src/signal/features.ts";

// Each node reuses the memory of the node before, of whatever network: it is in the cache, and engines call one
// instance of the primitives faster than many.
const NODES = new ReusedMemory();
const SHADOWS = new ReusedMemory();

/** The parts that all nodes of a network share, made once for nodes that run one after the other; nodes that run side by side have one each. */
export class NodeKind {
  readonly layout: Layout;
  /** An untrained learner of the nodes' kind, for properties that don't depend on learning. */
  readonly learner: Learner;
  /** The layout of a shadow: features, learner and a feature vector. */
  readonly shadowLayout: Layout;

  /** @param options a node's; all nodes have the same. @param isShared false: the memory is one node's alone */
  constructor(
    options: NodeOptions,
    private readonly isShared = true,
  ) {
    const { channels, features, learner } = options;
    const { options: given } = nodeLearner(options);
    this.layout = nodeLayout(options);
    this.learner = learner.create(given);
    this.shadowLayout = new Layout([
      ...featureRegions(channels, features),
      ...learner.layout(given).parts("learner"),
      { name: "vector", kind: "scratch", words: featureDimension(channels, features) },
    ]);
  }

  /** Memory for the next node; the node before must no longer be used. */
  nodeMemory(): MemoryRange {
    return this.isShared ? NODES.take(this.layout) : arithmetic().allocate(this.layout);
  }

  shadowMemory(): MemoryRange {
    return this.isShared ? SHADOWS.take(this.shadowLayout) : arithmetic().allocate(this.shadowLayout);
  }
}
