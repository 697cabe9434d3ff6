import type { Learner } from "../../src/learn/learner.ts";
import { Layout, type MemoryRange } from "../../src/memory/layout.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../../src/node/node.ts";
import { featureDimension, featureRegions } from "../../src/signal/features.ts";
import { ReusedMemory } from "../reused-memory.ts";
import { WireRecords } from "./wire.ts";

/**
 * The parts that all nodes of a network share, made once for nodes that run one after the other. Each node
 * reuses the memory of the node before: it is in the cache, and engines call one instance of the primitives
 * faster than many.
 */
export class NodeKind {
  /** The layout of a whole node. */
  readonly layout: Layout;
  /** An untrained learner of the nodes' kind, for properties that don't depend on learning. */
  readonly learner: Learner;
  /** The layout of a shadow: features, learner and a feature vector. */
  readonly shadowLayout: Layout;
  /** The records that hold the nodes' messages. */
  readonly records = new WireRecords();
  private readonly nodes = new ReusedMemory();
  private readonly shadows = new ReusedMemory();

  /** @param options a node's; all nodes have the same. */
  constructor(options: NodeOptions) {
    const { channels, features, learner } = options;
    const dimension = featureDimension(channels, features);
    this.layout = nodeLayout(options);
    this.learner = learner.create({ ...options.options, dimension });
    this.shadowLayout = new Layout([
      ...featureRegions(channels, features),
      ...learner.layout(nodeLearner(options).options).parts("learner"),
      { name: "vector", kind: "scratch", words: dimension },
    ]);
  }

  /** Memory for the next node; the node before must no longer be used. */
  nodeMemory(): MemoryRange {
    return this.nodes.take(this.layout);
  }

  shadowMemory(): MemoryRange {
    return this.shadows.take(this.shadowLayout);
  }
}
