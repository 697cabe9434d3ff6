import { test } from "uvu";
import * as assert from "uvu/assert";
import { first, run, SCENE } from "./small-scene.ts";

test("with a budget of labels the centre labels what the node asks for, never more, and the node learns nearly as well", async () => {
  const stream = { ...SCENE.stream, samples: 3000 };
  const all = await run({ stream });
  const some = await run({ stream, labels: { budget: 0.25 } });
  const bytes = await run({ stream, labels: { budget: 0.25 }, link: { framing: "bytes" } });
  assert.is(first(all).labels.asked, undefined);
  some.nodes.forEach(({ learners: [{ labels, metrics, stateHash, nodeBytes }] }, i) => {
    assert.is(labels.asked, labels.issued);
    assert.is(labels.applied, labels.issued);
    assert.ok(labels.issued > 600 && labels.issued <= 0.25 * 3000 + 21, `${labels.issued}`);
    const lost = (metrics.error as number) - (all.nodes[i].learners[0].metrics.error as number);
    assert.ok(lost < 0.02, `${lost}`);
    assert.is(nodeBytes, all.nodes[i].learners[0].nodeBytes + 8);
    assert.is(stateHash, bytes.nodes[i].learners[0].stateHash);
  });
  let refused = "";
  await run({ node: { fed: true }, labels: { budget: 0.25 } }).catch(({ message }) => {
    refused = message;
  });
  assert.match(refused, /labels\.budget: samples are recorded before a fed node/);
});

test("nodes that sleep between samples end with the hashes of nodes that don't, labels lost and late", async () => {
  const options = (sleep?: object) => ({
    stream: { ...SCENE.stream, nodes: 1, samples: 150 },
    labels: { delayMean: 8, loss: 0.1 },
    node: { periodMs: 60_000, checkpointEvery: 50, ...(sleep && { sleep }) },
  });
  const awake = await run(options());
  for (const sleep of [{}, { talkEvery: 7 }]) {
    const asleep = await run(options(sleep));
    for (const [i, { learners }] of asleep.nodes.entries()) {
      const [node] = learners;
      const [other] = awake.nodes[i].learners;
      assert.equal([node.labels.applied, node.labels.died], [other.labels.applied, 0]);
      assert.is(node.samples, 150);
      assert.equal([node.stateHash, node.nodeHash], [other.stateHash, other.nodeHash]);
    }
  }
});

test("a node whose power fails while it sleeps restores its checkpoint and begins a new session", async () => {
  const node = { periodMs: 60_000, checkpointEvery: 20, sleep: { talkEvery: 3 } };
  const { power, samples, labels } = first(await run({ node, power: { count: 4 } }));
  assert.is(power.cuts, 4);
  assert.ok(power.restored >= 3 && samples > 350, JSON.stringify({ power, samples }));
  assert.is(labels.issued, labels.applied + labels.late + labels.died + labels.open + labels.refused);
});

test("a node too large for its sleep memory saves before each sleep, and survives a power cut within that", async () => {
  const node = { periodMs: 60_000, sleep: { talkEvery: 3 } };
  const learners = [{ learner: "olk-c", options: { budget: 1024 } }];
  const tasks = [{ name: "presence", task: "classification", learners }];
  const { power, samples, labels } = first(await run({ node, tasks, power: { count: 4, duringSave: 1 } }));
  assert.equal([power.cuts, power.duringSave, power.fresh], [4, 4, 1]);
  assert.ok(samples > 390, `${samples}`);
  assert.ok(labels.applied > 380, JSON.stringify(labels));
});

test.run();
