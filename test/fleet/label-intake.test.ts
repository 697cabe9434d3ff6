import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseTarget } from "../../fleet/api/node-classes.ts";
import { LabelIntake, type LabelIntakePorts, type Reach } from "../../fleet/intake/label-intake.ts";

/** A desk for a node whose session 1 ended at sample 40, and what it does. */
function deskAt(reach: Reach, elsewhere = false) {
  const node = { reach, full: false };
  const ports: LabelIntakePorts = {
    hello: () => undefined,
    reach: () => node.reach,
    offer: () => undefined,
    awaitCommit: async () => undefined,
    place: () => undefined,
    keep: () => {},
    lastSeq: (sid) => (sid === 1 ? 40 : sid === node.reach.sid ? node.reach.seq : 0),
    elsewhere: () => elsewhere,
    full: () => node.full,
    say: () => {},
  };
  return { desk: new LabelIntake(ports, "topic"), node };
}

const label = (sid: number | undefined, seq: number) =>
  ({ sid, seq, label: 1, confidence: 255, source: 0, by: "" }) as Parameters<LabelIntake["awaitReached"]>[0];

/** True if the desk still waits after a turn of the event loop, in which it looks at the node once. */
async function waits(reached: Promise<void>): Promise<boolean> {
  const still = Symbol();
  const turn = new Promise((done) => setImmediate(() => done(still)));
  return (await Promise.race([reached, turn])) === still;
}

test("a label of a session that the gateway hasn't heard of waits for the node's hello", async () => {
  const { desk, node } = deskAt({ sid: 1, seq: 40 });
  const reached = desk.awaitReached(label(2, 3));
  assert.ok(await waits(reached));
  node.reach = { sid: 2, seq: 5 };
  await reached;
  desk.close();
});

test("a label of an earlier session, or of a sample that was taken, doesn't wait", async () => {
  const { desk } = deskAt({ sid: 2, seq: 5 });
  for (const at of [label(1, 12), label(2, 5), label(undefined, 4)])
    assert.not(await waits(desk.awaitReached(at)));
  desk.close();
});

test("a label of a session that another gateway may have heard doesn't wait", async () => {
  const { desk } = deskAt({ sid: 2, seq: 5 }, true);
  assert.not(await waits(desk.awaitReached(label(1, 41))));
  assert.not(await waits(desk.awaitReached(label(3, 1))));
  assert.ok(await waits(desk.awaitReached(label(2, 6))));
  desk.close();
});

test("a label waits until its node takes more", async () => {
  const { desk, node } = deskAt({ sid: 2, seq: 5 });
  node.full = true;
  const room = desk.room();
  assert.ok(await waits(room));
  node.full = false;
  await room;
  desk.close();
});

test("a label of the node's next samples waits, and one far ahead doesn't", async () => {
  const { desk, node } = deskAt({ sid: 2, seq: 5 });
  const next = desk.awaitReached(label(undefined, 6));
  assert.ok(await waits(next));
  assert.not(await waits(desk.awaitReached(label(2, 5 + 65_537))));
  node.reach = { sid: 2, seq: 6 };
  await next;
  desk.close();
});

test("where labels are numbers, a text is one only as a decimal number", () => {
  assert.is(parseTarget(" 0.5 ", undefined), 0.5);
  for (const text of [" ", "0x10", "1e", "Infinity"])
    assert.throws(() => parseTarget(text, undefined), /takes a number/, text);
});

test.run();
