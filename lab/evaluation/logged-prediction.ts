import { UserError } from "../../host/errors.ts";
import { checkOptionNames } from "../../host-sim/catalogue/learner-choice.ts";
import type { Family } from "../../src/learn/family.ts";
import { NODE_OPTIONS } from "../../src/node/node-options.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import { Explainer } from "../../tools/explanation/explanation.ts";
import { featureNames, readingNames } from "../../tools/explanation/feature-names.ts";
import { labelsAsRows, NodeReplay, type ReplayedLabel } from "../../tools/explanation/node-replay.ts";
import { type LoggedSession, loggedSession } from "../../tools/record/logged-session.ts";

/** The node's learner and features, as the user names them. */
interface LoggedNode {
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly features: FeaturesOption;
}

/** The node's hello; without one, the least node that processes the log's labels as the node did. */
function settingOf({ channels, hello, labels }: LoggedSession) {
  if (hello) return hello;
  const lags = labels.map(({ seq, after }) => (after ?? seq) - seq + 1);
  const pending = lags.reduce((most, lag) => Math.max(most, lag), NODE_OPTIONS.pending.default);
  return { channels, pending, labelWindow: NODE_OPTIONS.labelWindow.default };
}

/**
 * Takes apart what a node predicted on its sample `seq`: replays the log's samples and labels in the node's order, and
 * checks each decision on the way against the one that the node sent. Throws a UserError where they differ.
 */
export async function explainLogged({ family, options, features }: LoggedNode, log: string, seq: number) {
  checkOptionNames(family, options);
  const session = await loggedSession(log, seq);
  const { sid, channels, hello } = session;
  if (hello && hello.learner !== family.name)
    throw new UserError(`--learner ${family.name}: the node of ${log} runs ${hello.learner}`);
  const names = featureNames(readingNames(channels), features);
  const replay = new NodeReplay({ hello: settingOf(session), family, options, features }, sid);
  const explainer = new Explainer(replay.learner, family, options, names);
  const labels: ReplayedLabel[] = [];
  const vector = replay.until(session, seq, (label, learned) => {
    labels.push(label);
    explainer.learned(learned, labels.length);
  });
  if (!vector)
    throw new UserError(
      `--seq ${seq}: ${log} doesn't lead to that prediction: it doesn't begin with the node's first sample and label, or the node has another budget, options or features (--budget, --options, --window, --scale)`,
    );
  const { parts, ...explained } = explainer.explain(vector, labelsAsRows(labels));
  return {
    learner: family.name,
    sid,
    seq,
    labels: replay.labelled,
    inputs: names.map((name, i) => ({ name, value: vector[i] })),
    ...explained,
    parts: parts.map((part) => ({
      ...part,
      sample: part.sample === null ? null : labels[part.sample - 1].seq,
    })),
  };
}
