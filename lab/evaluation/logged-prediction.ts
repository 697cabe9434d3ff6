import { UserError } from "../../host/errors.ts";
import { checkOptionNames } from "../../host-sim/catalogue/learner-choice.ts";
import type { Family } from "../../src/learn/family.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import type { Ranges } from "../../src/node/ranges.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Explanation, Part } from "../../tools/explanation/explanation.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import {
  describeVote,
  explainModel,
  type FleetMemory,
  largestModel,
  readVector,
} from "../../tools/explanation/fleet-vote.ts";
import { labelsAsRows, NodeReplay, type ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import { chooseExplainer } from "../../tools/explanation/one-vs-all-explainer.ts";
import { type LoggedSession, loggedSession } from "../../tools/record/logged-session.ts";

/** The node's learner and features, as the user names them. */
interface LoggedNode {
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly features: FeaturesOption;
  readonly ranges?: Ranges;
}

/** The node's hello; without one, the least node that processes the log's labels as the node did. */
function sessionSetting({ channels, hello, labels }: LoggedSession) {
  if (hello) return hello;
  const lags = labels.map(({ seq, after }) => (after ?? seq) - seq + 1);
  const pending = lags.reduce((most, lag) => Math.max(most, lag), NODE_OPTIONS.pending.default);
  return { channels, pending, labelWindow: NODE_OPTIONS.labelWindow.default };
}

/** A label that was learned, and its sample as the learner saw it, where that is known. */
interface LearnedLabel {
  readonly label: ReplayedLabel;
  readonly vector: Float32Array | undefined;
}

/** The decision of the fleet's model on that sample, taken apart: a vector is a labelled sample of this node, if one has the same features. */
function modelExplained(
  memory: FleetMemory,
  vector: Float32Array,
  names: readonly string[],
  learned: readonly LearnedLabel[],
): Explanation {
  const places = new Map(learned.flatMap(({ vector }, i) => (vector ? [[vector.join(), i]] : [])));
  const vectors = Array.from({ length: memory.fleet.model.size }, (_, i) => readVector(memory, i).join());
  const samples = new Map(vectors.map((text, i) => [`vector ${i}`, places.get(text)]));
  const { parts, ...explained } = explainModel(memory, vector, names);
  const named = parts.map((part) => {
    const at = samples.get(part.of);
    if (at === undefined) return part;
    const { y, source } = learned[at].label;
    return { ...part, sample: at + 1, label: y, source };
  });
  return { ...explained, parts: named };
}

/**
 * Takes apart what a node predicted on its sample `seq`: replays the log's samples, labels and models in the node's order, and
 * checks each decision on the way against the one that the node sent. Throws a UserError where they differ.
 */
export async function explainLogged(
  { family, options, features, ranges }: LoggedNode,
  log: string,
  seq: number,
) {
  checkOptionNames(family, options);
  const session = await loggedSession(log, seq);
  const { sid, channels, hello, ofModel } = session;
  if (hello && hello.learner !== family.name)
    throw new UserError(`--learner ${family.name}: the node of ${log} runs ${hello.learner}`);
  const names = featureNames(readingNames(channels), features);
  const models = session.labels.flatMap(({ isLost, model }) => (model && !isLost ? [model] : []));
  const fleetBudget = models.length > 0 ? largestModel(models, names.length) : undefined;
  const replay = new NodeReplay(
    { hello: sessionSetting(session), family, options, features, ranges, fleetBudget },
    sid,
  );
  const explainer = ofModel ? undefined : chooseExplainer(replay.learner, family, options, names);
  const learned: LearnedLabel[] = [];
  const vector = replay.until(session, seq, (label, vector) => {
    learned.push({ label, vector });
    explainer?.learned(vector, learned.length);
  });
  const { fleet } = replay;
  if (!vector || (fleet && fleet.fleet.judges !== ofModel))
    throw new UserError(
      `--seq ${seq}: ${log} doesn't lead to that prediction: it doesn't begin with the node's first sample and label, or the node has another budget, options or features (--budget, --options, --window, --scale)`,
    );
  const labels = learned.map(({ label }) => label);
  const inNode = (parts: readonly Part[]) =>
    parts.map((part) => ({ ...part, sample: part.sample === null ? null : labels[part.sample - 1].seq }));
  const { parts, against, ...explained } = explainer
    ? explainer.explain(vector, labelsAsRows(labels))
    : modelExplained(fleet as FleetMemory, vector, names, learned);
  return {
    learner: family.name,
    sid,
    seq,
    labels: replay.labelled,
    ...(fleet && fleet.fleet.model.size >= 0 && { vote: describeVote(fleet.fleet) }),
    inputs: names.map((name, i) => ({ name, value: vector[i] })),
    ...explained,
    parts: inNode(parts),
    ...(against && { against: { ...against, parts: inNode(against.parts) } }),
  };
}
