import type { Learner } from "../../src/learn/learner.ts";
import { Layout, type MemoryRange } from "../../src/memory/layout.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../../src/node/node.ts";
import { featureDimension, featureRegions } from "../../src/signal/features.ts";
import { ReusedMemory } from "../reused-memory.ts";
import { WireRecords } from "./wire.ts";

/**
 * The parts that all nodes of a network share, made once for nodes that run one after the other. A node's memory is that of the node
 * before: it is in the cache, and engines call one instance of the primitives faster than many.
 */
export class NodeKind {
  /** Of a whole node. */
  readonly layout: Layout;
  /** A learner as the nodes', untaught: what it is whatever it learns. */
  readonly learner: Learner;
  /** Of a shadow: features, learner and a feature vector. */
  readonly shadowLayout: Layout;
  /** What the nodes' messages are made in. */
  readonly records = new WireRecords();
  private readonly nodes = new ReusedMemory();
  private readonly shadows = new ReusedMemory();

  /** @param options of any node. */
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

  /** Memory of the next node, and of its shadow: those of the node before are no longer to be used. */
  nodeMemory(): MemoryRange {
    return this.nodes.take(this.layout);
  }

  shadowMemory(): MemoryRange {
    return this.shadows.take(this.shadowLayout);
  }
}
