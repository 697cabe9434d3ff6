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

test.run();
