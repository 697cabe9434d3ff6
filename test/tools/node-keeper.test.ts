import { test } from "uvu";
import * as assert from "uvu/assert";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { KeptNode } from "./kept-node.ts";

let kept: KeptNode | undefined;
test.after.each(async () => {
  await kept?.close();
  kept = undefined;
});

test("a label that comes while the line is cut reaches the node when the line is back", async () => {
  kept = await KeptNode.met("cut");
  kept.sample(3);
  await kept.cut();
  kept.give(1);
  await kept.join();
  await kept.become("the node takes the label", () => kept?.labels[0].status === LABEL_STATUS.applied);
  assert.equal([kept.labelled, kept.labels[0].number], [1, 1]);
});

test("answers that are lost on their way are asked for, also those of labels in a checkpoint", async () => {
  kept = await KeptNode.met("mute");
  const OTHER = 77;
  kept.sample(6);
  await kept.become("the gateway hears of the samples", () => kept?.keeper.reach?.seq === 6);
  kept.mute = true;
  for (const seq of [1, 2, 3, 4, 5]) kept.give(seq);
  kept.give(6, OTHER);
  await kept.become("the node takes the labels", () => kept?.labelled === 6);
  assert.equal(
    kept.labels.map(({ status }) => status),
    [null, null, null, null, null, null],
  );
  kept.mute = false;
  const { applied, session } = LABEL_STATUS;
  await kept.become("the gateway knows the last answer", () => kept?.labels[5].status === session);
  assert.equal(
    kept.labels.map(({ status, durable }) => [status, durable]),
    [...[1, 2, 3, 4].map(() => [applied, 1]), [applied, 0], [session, 0]],
  );
});

test.run();
