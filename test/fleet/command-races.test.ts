import { test } from "uvu";
import * as assert from "uvu/assert";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { NODE } from "../tools/taught-node.ts";
import { KeptNode } from "./kept-node.ts";

let kept: KeptNode;
test.after.each(() => kept.close());

/** The gateway keeps a copy of such a node after so many labels; returns its hash. */
function keepCopy(labels: number): string {
  const node = loneNode(NODE);
  for (let k = 1; k <= labels; k++) {
    node.sample([k % 3, k % 2]);
    node.label({ number: k, sid: NODE.sid, seq: k, y: k % 2 ? 1 : -1 });
  }
  const { sid, seq, labelled, learner } = node;
  const words = new Uint32Array(node.checkpointView.slice().buffer);
  const about = { learner: NODE.learner.name, firmware: "", whole: true, from: 0 };
  const hash = learner.stateHash();
  kept.store.copy("n1", { ...about, sid, seq, labelled, hash, checkpoint: nodeSchema(NODE), words }, 9);
  return hash;
}

const restore = () =>
  kept.keeper
    .command({ do: "restore", copy: kept.store.copies("n1")[0].id, by: "" })
    .catch(({ message }: Error) => message);

test("a restoration that is refused, as another one is under way, costs no label", async () => {
  kept = await KeptNode.met("two-restores");
  kept.sample(3);
  for (const seq of [1, 2, 3]) kept.give(seq);
  await kept.become("the node takes the labels", () => kept.labels.every(({ status }) => status === 0));
  const early = 4; // it waits for its sample
  kept.give(early);
  const hash = keepCopy(8);
  const restoring = restore();
  assert.is(await restore(), "a copy is being made or restored already");
  assert.match(await restoring, /after sample 8 and label 8/);
  assert.is(kept.stateHash, hash);
  const answer = () => kept.labels.at(-1)?.status;
  await kept.become("the label that waited is answered", () => answer() === LABEL_STATUS.session);
  assert.equal([kept.labels.at(-1)?.number, kept.labelled], [9, 9]);
});

test("a label that waits while the gateway ends amid a restoration reaches the node from the next gateway", async () => {
  kept = await KeptNode.met("ended-amid");
  kept.sample(3);
  for (const seq of [1, 2, 3]) kept.give(seq);
  await kept.become("the node takes the labels", () => kept.labels.every(({ status }) => status === 0));
  const early = 4; // it waits for its sample
  kept.give(early);
  keepCopy(8);
  const isRestored = () => kept.labelled === 8;
  Object.defineProperty(kept, "mute", { get: isRestored, set() {}, configurable: true });
  const restoring = restore();
  await kept.become("the node has the copy, and the gateway doesn't hear of it", isRestored);
  const again = kept.restartGateway();
  assert.is(await restoring, "it was interrupted");
  Object.defineProperty(kept, "mute", { value: false });
  await again;
  const answer = () => kept.labels.at(-1)?.status;
  await kept.become("the label that waited is answered", () => answer() === LABEL_STATUS.session);
  assert.equal([kept.labels.at(-1)?.number, kept.labelled], [9, 9]);
});

test.run();
