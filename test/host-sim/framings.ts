import * as assert from "uvu/assert";
import { network } from "./lines.ts";

export const SCENE = {
  stream: { type: "scene", nodes: 2, samples: 400, channels: 3 },
  labels: { delayMean: 5, delaySpread: 4, loss: 0.1, noise: { symmetric: { rate: 0.1 } } },
  node: { pending: 40, checkpointEvery: 9 },
  tasks: [{ name: "t", task: "classification", learners: [{ learner: "olk-c", options: { budget: 12 } }] }],
};
export const HARM = {
  loss: 0.2,
  duplicates: 0.05,
  reorder: 1,
  byteErrors: 0.001,
  stalls: { rate: 0.01, lengthMs: 300 },
  cuts: { count: 2, lengthMs: 1500 },
};
export const POWER = { count: 5, off: 2, duringSave: 0.5 };

export const SHORT = { ...SCENE, stream: { ...SCENE.stream, samples: 150 } };

/** A link, its power, and whether nodes are fed. */
type LineCase = readonly [link: object, power: object, fed: boolean];

/** Records behave like bytes: the same states, counts and times under the same damage. */
export async function checkRecords(cases: readonly LineCase[], samples: number): Promise<void> {
  const stream = { ...SCENE.stream, samples };
  for (const [link, power, fed] of cases) {
    const run = async (framing: string) => {
      const node = { ...SCENE.node, fed, turnMs: 12 };
      const { nodes, replays } = await network({ ...SCENE, stream, node, link: { ...link, framing }, power });
      return { nodes, applied: replays.map(({ applied }) => applied) };
    };
    const [records, bytes] = [await run("records"), await run("bytes")];
    assert.equal(records, bytes);
    const { up, down } = records.nodes[0].result.link;
    if (link !== HARM) continue;
    for (const { lost, doubled, damaged, stalls } of [up, down])
      assert.ok(lost > 0 && doubled > 0 && damaged > 0 && stalls > 0);
  }
}

/** An undamaged keyed line ends with the states of a line without a key, and has longer frames. */
export async function checkKeyed(nodes: readonly object[]): Promise<void> {
  for (const node of nodes) {
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
}
