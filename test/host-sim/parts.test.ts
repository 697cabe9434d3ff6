import { test } from "uvu";
import * as assert from "uvu/assert";
import { fuseNetwork, prepare, runNetwork, runPart } from "../../host-sim/network/network.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";

const SCENE = {
  schema: "motelearn.scenario/1",
  stream: { type: "scene", nodes: 5, samples: 120, channels: 2 },
  signal: { noise: { snrDb: 10 }, dropout: { rate: 0.02 } },
  labels: { delayMean: 9, delaySpread: 5, loss: 0.1, noise: { symmetric: { rate: 0.2 } } },
  link: { loss: 0.1, duplicates: 0.05, reorder: 2, byteErrors: 0.001 },
  power: { count: 1 },
  outages: { count: 1, lengthMean: 10 },
  node: { checkpointEvery: 20 },
  tasks: [{ name: "presence", task: "classification", learners: [{ learner: "pa" }] }],
};

const CONDITIONS = {
  "each with labels of its own": {},
  "labels by most votes": { fusion: { rule: "majority" } },
  "labels by the optimal rule": { fusion: { rule: "chair-varshney" } },
  "nodes that are fed": { node: { fed: true, checkpointEvery: 20 } },
  "faults, each node at other times": {
    tasks: [{ name: "f", task: "faults", learners: [{ learner: "pa" }], faults: { episodes: 3, length: 9 } }],
    fusion: { rule: "majority" },
  },
  machines: { stream: { type: "bearings", nodes: 5, samples: 60, channels: 2 } },
};

for (const [name, given] of Object.entries(CONDITIONS)) {
  test(`the nodes of a network's parts equal the whole network's: ${name}`, async () => {
    const scenario = parseScenario(JSON.stringify({ ...SCENE, ...given }), "test");
    const options = { scenario, prepared: await prepare(scenario, "test", 0), task: 0, learner: 0 };
    const whole = runNetwork(options);
    const fused = fuseNetwork(options)?.labels;
    for (const of of [2, 5]) {
      const parts = Array.from({ length: of }, (_, part) => runPart(options, { part, of }, fused).nodes);
      parts.reverse(); // whichever runs first
      const nodes = whole.nodes.map((_, i) => parts[of - 1 - (i % of)][Math.floor(i / of)]);
      assert.equal(nodes, whole.nodes);
    }
  });
}

test("what a node comes to depends on no other node, unless votes are fused", async () => {
  const alone = { ...SCENE, stream: { ...SCENE.stream, nodes: 1 }, power: {} };
  const results = [];
  for (const options of [alone, { ...alone, stream: SCENE.stream }]) {
    const scenario = parseScenario(JSON.stringify(options), "test");
    const prepared = await prepare(scenario, "test", 0);
    results.push(runNetwork({ scenario, prepared, task: 0, learner: 0 }).nodes[0]);
  }
  assert.equal(results[1], results[0]);
});

test.run();
