import { test } from "uvu";
import * as assert from "uvu/assert";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";

const SCENARIO = parseScenario(
  JSON.stringify({
    schema: "motelearn.scenario/1",
    name: "late",
    title: "labels that often come too late, over a link that loses a third",
    seed: 3,
    stream: { type: "scene", nodes: 2, samples: 400, channels: 2 },
    node: { pending: 8, window: 2, standardise: true },
    labels: { noise: { symmetric: { rate: 0.1 } }, delayMean: 5, delaySpread: 4, delayMax: 20, loss: 0.1 },
    link: { loss: 0.3, duplicates: 0.1, reorder: 3 },
    outages: { count: 2, lengthMean: 10 },
    tasks: [
      {
        name: "event",
        task: "classification",
        learners: [{ learner: "olk-c", options: { budget: 8 } }],
      },
    ],
  }),
  "late",
);

/** Feeds a separate node from the replay, with samples or labels as early as possible. */
function replayed({ options, samples, after, labels }: NodeReplay, samplesFirst: boolean): SensorNode {
  const node = loneNode(options);
  const { channels } = options;
  const mayLabel = () => {
    const label = labels[node.labelled];
    return label !== undefined && node.seq >= label.due && node.seq >= label.seq;
  };
  const maySample = () => node.seq < after.length && node.labelled >= after[node.seq];
  while (node.seq < after.length || node.labelled < labels.length) {
    assert.ok(maySample() || mayLabel(), "it never waits for ever");
    if (maySample() && (samplesFirst || !mayLabel())) {
      node.sample(samples.subarray(node.seq * channels, (node.seq + 1) * channels));
    } else {
      node.label(labels[node.labelled]);
    }
  }
  return node;
}

test("what a simulated node was given leads any node to the same state, however early samples and labels come", async () => {
  const prepared = await prepare(SCENARIO, "late", 0);
  const { nodes, replays = [] } = runNetwork({
    scenario: SCENARIO,
    prepared,
    task: 0,
    learner: 0,
    keepJournals: true,
  });
  assert.is(replays.length, 2);
  replays.forEach((replay, i) => {
    const { result } = nodes[i];
    assert.ok(result.nodeCounters.expired > 10, "the case tells: some labels come too late");
    for (const samplesFirst of [true, false]) {
      const node = replayed(replay, samplesFirst);
      assert.is(node.learner.stateHash(), result.stateHash);
      assert.is(node.stateHash(), result.nodeHash);
      assert.is(node.count("applied"), result.nodeCounters.applied);
      assert.is(node.count("expired"), result.nodeCounters.expired);
    }
  });
});

test("journals are kept only where they are asked for", async () => {
  const prepared = await prepare(SCENARIO, "late", 0);
  assert.is(runNetwork({ scenario: SCENARIO, prepared, task: 0, learner: 0 }).replays, undefined);
});

test.run();
