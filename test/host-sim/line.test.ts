import { test } from "uvu";
import * as assert from "uvu/assert";
import { network } from "./lines.ts";

const SCENE = {
  stream: { type: "scene", nodes: 2, samples: 400, channels: 3 },
  labels: { delayMean: 5, delaySpread: 4, loss: 0.1, noise: { symmetric: { rate: 0.1 } } },
  node: { pending: 40, checkpointEvery: 9 },
  tasks: [{ name: "t", task: "classification", learners: [{ learner: "olk-c", options: { budget: 12 } }] }],
};
const HARM = {
  loss: 0.2,
  duplicates: 0.05,
  reorder: 1,
  byteErrors: 0.001,
  stalls: { rate: 0.01, lengthMs: 300 },
  cuts: { count: 2, lengthMs: 1500 },
};
const POWER = { count: 5, off: 2, duringSave: 0.5 };

test("messages as records fare as their bytes do: the same states, counts and times under the same harm", async () => {
  for (const [link, power, fed] of [
    [{}, {}, false],
    [HARM, POWER, false],
    [HARM, POWER, true],
    [{ ...HARM, baud: 2400 }, {}, false],
  ] as const) {
    const run = async (framing: string) => {
      const node = { ...SCENE.node, fed, turnMs: 12 };
      const { nodes, replays } = await network({ ...SCENE, node, link: { ...link, framing }, power });
      return { nodes, applied: replays.map(({ applied }) => applied) };
    };
    const [records, bytes] = [await run("records"), await run("bytes")];
    assert.equal(records, bytes);
    const { up, down } = records.nodes[0].result.link;
    if (link !== HARM) continue;
    for (const { lost, doubled, damaged, stalls } of [up, down])
      assert.ok(lost > 0 && doubled > 0 && damaged > 0 && stalls > 0);
  }
});

const SHORT = { ...SCENE, stream: { ...SCENE.stream, samples: 150 } };

test("a keyed line under no harm ends with the states of one without a key, fed, asleep or awake, and has longer frames", async () => {
  for (const node of [{}, { fed: true }, { periodMs: 60_000, sleep: { talkEvery: 3 } }]) {
    const run = (framing: string) =>
      network({ ...SHORT, node: { ...SCENE.node, ...node }, link: { framing } });
    const [plain, keyed] = [await run("bytes"), await run("keyed")];
    keyed.nodes.forEach(({ result }, i) => {
      const other = plain.nodes[i].result;
      assert.equal([result.stateHash, result.nodeHash], [other.stateHash, other.nodeHash]);
      assert.equal([result.labels.applied, result.labels.late], [other.labels.applied, other.labels.late]);
      const { frames, bytes } = result.link.down;
      assert.ok(bytes / frames >= 8 + other.link.down.bytes / other.link.down.frames - 1);
    });
  }
});

test("a keyed line under harm loses no label of a node that is fed, through cuts of its power", async () => {
  const node = { ...SCENE.node, fed: true, pending: 128 };
  const link = { ...HARM, framing: "keyed" };
  const calm = await network({ ...SHORT, node });
  const { nodes } = await network({ ...SHORT, node, link, power: POWER });
  nodes.forEach(({ result }, i) => {
    assert.is(result.power.cuts, 5);
    assert.is(result.labels.applied, result.labels.issued);
    assert.is(result.stateHash, calm.nodes[i].result.stateHash);
  });
});

test("what a long turn leaves in the FIFO waits, and what finds no room there is sent again", async () => {
  const { nodes } = await network({ ...SCENE, node: { ...SCENE.node, turnMs: 400 } });
  const { labels } = nodes[0].result;
  assert.ok((labels.lagMean as number) > 6, `${labels.lagMean}`);
  assert.is(labels.applied + labels.late, labels.issued);
});

test.run();
