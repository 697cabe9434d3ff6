import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Outbox, outboxBytes } from "../../src/node/outbox.ts";

/** A port that takes at most `most` bytes at once, and what it took. */
function newPort(most = Number.POSITIVE_INFINITY) {
  const sent: number[] = [];
  const write = (bytes: Uint8Array, from: number, to: number) => {
    const count = Math.min(most, to - from);
    sent.push(...bytes.subarray(from, from + count));
    return count;
  };
  return { read: () => 0, write, sent };
}

test("droppable frames leave 64 bytes free, to the byte; urgent ones may fill the outbox", () => {
  const outbox = new Outbox(256, new ArrayBuffer(outboxBytes(256)));
  assert.equal([outbox.hasRoom(192, false), outbox.hasRoom(193, false)], [true, false]);
  assert.equal([outbox.hasRoom(256, true), outbox.hasRoom(257, true)], [true, false]);
  assert.ok(outbox.put(100, false));
  assert.ok(outbox.put(92, false));
  assert.not.ok(outbox.put(1, false), "the rest is kept for what the peer waits for");
  assert.ok(outbox.put(64, true));
  assert.not.ok(outbox.put(1, true));
  assert.is(outbox.dropped, 2, "each frame that wasn't taken is counted");
});

test("every frame taken leaves whole and in order, however it lies in the ring and however little the port takes", () => {
  for (const most of [1, 7, 1000]) {
    const random = new Random(most, "outbox");
    const outbox = new Outbox(256, new ArrayBuffer(outboxBytes(256)));
    const port = newPort(most);
    const taken: number[] = [];
    for (let k = 0; k < 300; k++) {
      const bytes = 1 + random.below(128);
      for (let i = 0; i < bytes; i++) outbox.frame[i] = random.below(256);
      const frame = [...outbox.frame.subarray(0, bytes)];
      if (outbox.put(bytes, random.below(2) === 0)) taken.push(...frame);
      if (random.below(3) === 0) outbox.flush(port);
    }
    outbox.flush(port);
    assert.equal(port.sent, taken, `${most} bytes at once`);
    assert.ok(taken.length > 10 * 256 && outbox.dropped > 10);
  }
});

test("a port that takes nothing ends the flush, and nothing is lost", () => {
  const outbox = new Outbox(256, new ArrayBuffer(outboxBytes(256)));
  outbox.frame.set([1, 2, 3]);
  outbox.put(3, true);
  outbox.flush(newPort(0));
  const port = newPort();
  outbox.flush(port);
  outbox.flush(port);
  assert.equal(port.sent, [1, 2, 3]);
});

test.run();
