import { arithmetic } from "../../host/arithmetic.ts";
import { DifferentStateError } from "../../host/errors.ts";
import { LabelledRun } from "../../host-sim/prequential/labelled-run.ts";
import { scoredTruth, truthClasses } from "../../host-sim/scoring/scorer.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { NODE_OPTIONS, type NodeOptions } from "../../src/node/node-options.ts";
import { type EvaluationOptions, prepare, targetRule } from "./evaluation.ts";
import { tableFeatures, tableReadings } from "./features.ts";
import { sampleOrder } from "./one-pass.ts";

/** The session in which it learns; the node that takes its memory begins another. */
const SID = 1;

/**
 * The node that learns as the evaluation does: the one that `flash` makes of the same learner and options. Throws an OptionError where none can.
 * @param others its options besides learner, features and samples that wait.
 */
export function trainedOptions(from: EvaluationOptions, others: Partial<NodeOptions> = {}): NodeOptions {
  const { family, options } = prepare(from);
  const node: NodeOptions = {
    sid: SID,
    channels: tableReadings(from.train).dimension,
    pending: from.path?.pending ?? NODE_OPTIONS.pending.default,
    ...others,
    labelWindow: others.labelWindow ?? NODE_OPTIONS.labelWindow.default,
    features: { ...tableFeatures(from.train), standardise: from.scale === "node" },
    learner: family,
    options,
  };
  nodeLayout(node);
  return node;
}

/** The node after the evaluation's samples and labels. Throws a DifferentStateError where its learner's hash isn't `hash`, the evaluation's. */
export function trainedNode(options: NodeOptions, from: EvaluationOptions, hash: string): SensorNode {
  const { train, path, catalogue, shuffle } = from;
  const prepared = prepare(from);
  const { task, classes: names } = prepared;
  const node = loneNode(options, arithmetic().allocate(nodeLayout(options)));
  const received = (label: number, row: number) =>
    node.label({
      number: node.labelled + 1,
      sid: SID,
      seq: row + 1,
      y: Math.fround(scoredTruth(task, label)),
    });
  const classes = truthClasses(task, names?.count ?? 2);
  const run = new LabelledRun({ task, classes, path, catalogue, received });
  const toTarget = targetRule(train, prepared, from);
  tableReadings(train).each(shuffle === null ? null : sampleOrder(train.count, shuffle), (x, label) => {
    node.sample(x);
    run.sample(x, toTarget(label));
  });
  run.finish();
  const own = node.learner.stateHash();
  if (own !== hash)
    throw new DifferentStateError(
      `--save: a node comes to the learner's hash ${own}, the evaluation to ${hash}`,
    );
  return node;
}
