import { test } from "uvu";
import * as assert from "uvu/assert";
import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { IMAGE_STATUS } from "../../src/store/paged-image.ts";
import { hearing } from "../../tools/session/session-options.ts";
import { Restored, reading, SENSING } from "./restored.ts";

const { regions } = nodeLayout({ ...SENSING, sid: 1 });
const findWord = (name: string) => regions.find((region) => region.name === name)?.offset as number;

/** A copy of a node's memory with one word changed. */
function spoilt(copy: Uint8Array, word: number, value: number): Uint8Array {
  new DataView(copy.buffer, copy.byteOffset).setUint32(4 * word, value, true);
  return copy;
}

/** A node that learned, on a line. `origins`: takes the codes for the origin of its state that its hellos had. */
function met(origins: number[] = []): Restored {
  const on = hearing((name, message) => {
    if (name === "hello") origins.push(message.restore);
  });
  const at = new Restored({ peer: { on } });
  assert.ok(at.until(() => at.ends.peer.met, 10));
  at.learn(25);
  return at;
}

/** Samples, and learns, at once. */
function goesOn({ node }: Restored): void {
  assert.not.ok(Number.isNaN(node.sample(reading(node.seq + 1))));
  const label = { number: node.labelled + 1, sid: node.sid, seq: node.seq, y: 1 };
  assert.is(node.label(label), 0);
}

for (const value of [0xffffffff, 1_000_000, 33])
  test(`a copy whose dictionary holds ${value} vectors is refused, and the node resumes from before it, now and later`, () => {
    const origins: number[] = [];
    const at = met(origins);
    const hash = at.node.learner.stateHash();
    const { sid } = at.node;
    const sender = at.send(at.image(spoilt(at.copy(), findWord("learner.count"), value)));
    assert.ok(at.until(() => sender.progress?.status === IMAGE_STATUS.unsound));
    assert.is(at.node.learner.stateHash(), hash);
    assert.is.not(at.node.sid, sid);
    assert.ok(at.until(() => at.ends.peer.met, 10));
    assert.not.ok(origins.includes(RESTORE_STATUS.copied));
    goesOn(at);
    for (let start = 0; start < 2; start++) {
      at.ends.restartNode();
      assert.is(at.node.learner.stateHash(), hash);
      goesOn(at);
    }
  });

test("a node whose flash holds hostile states alone starts fresh", () => {
  const at = met();
  assert.ok(at.node.checkpoint());
  const copy = spoilt(at.copy(), findWord("learner.coefficients"), 0x7fc00000);
  at.node.checkpointView.set(copy);
  at.node.checkpoint();
  at.node.checkpoint();
  at.ends.restartNode();
  assert.equal([at.node.labelled, at.node.learner.size, at.node.fault], [0, 0, -1]);
  goesOn(at);
});

test("a rollback to a hostile state is refused, and the newest is kept", () => {
  const at = met();
  const sound = at.copy();
  at.node.checkpointView.set(spoilt(at.copy(), findWord("learner.count"), 4000));
  at.node.checkpoint();
  at.node.checkpointView.set(sound);
  at.node.checkpoint();
  const hash = at.node.learner.stateHash();
  assert.is(at.node.rollback(), "restored");
  assert.is(at.node.learner.stateHash(), hash);
  goesOn(at);
});

test.run();
