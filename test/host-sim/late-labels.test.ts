import { test } from "uvu";
import * as assert from "uvu/assert";
import { lateText, pendingFor } from "../../host-sim/labels/late-labels.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type NodeOptions, nodeLayout } from "../../src/node/node.ts";

const NODE: NodeOptions = { sid: 1, channels: 6, pending: 64, learner: familyNamed("pa")!, options: {} };

test("the pending that late labels need holds all but one in a hundred, rounded up to two digits", () => {
  for (const [distances, pending] of [
    [[64], 65],
    [[99, 100], 110],
    [[1, 2, 796], 800],
    [[...Array.from({ length: 199 }, () => 700), 60_000], 710],
    [[65_534], 65_535],
    [[65_535], Number.POSITIVE_INFINITY],
  ] as const)
    assert.is(pendingFor(distances), pending);
});

test("the sentence has the share, the pending and its bytes, where the node's options are known", () => {
  const late = { late: 198, labels: 200, distances: Array.from({ length: 198 }, () => 790) };
  const bytes = nodeLayout({ ...NODE, pending: 800 }).bytes - nodeLayout(NODE).bytes;
  const what = "99 % of the labels came after their sample was discarded: set pending to about 800";
  assert.is(lateText(late), what);
  assert.is(lateText({ ...late, node: NODE }), `${what}, ${(bytes / 1000).toFixed(1)} KB more`);
  assert.match(lateText({ late: 1, labels: 900, distances: [70] }), /^less than 1 % /);
  assert.match(lateText({ late: 9, labels: 9, distances: [70_000] }), /no node keeps samples so long/);
});

test.run();
