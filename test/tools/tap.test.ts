import { test } from "uvu";
import * as assert from "uvu/assert";
import { Encoder } from "../../src/wire/encoder.ts";
import { type MessageName, namesOf } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { Tap } from "../../tools/monitor/tap.ts";

/** A tap between two ends that read what comes to them. */
function tapped() {
  const heard = { node: [] as string[], peer: [] as string[], monitor: [] as string[] };
  const [node, peer] = [new Receiver(namesOf("down")), new Receiver(namesOf("up"))];
  const bytes = { node: 0, peer: 0 };
  const tap = new Tap({
    toNode: (some) => {
      bytes.node += some.length;
      for (const byte of some) heard.node.push(...[node.take(byte) ?? []].flat());
    },
    toPeer: (some) => {
      bytes.peer += some.length;
      for (const byte of some) heard.peer.push(...[peer.take(byte) ?? []].flat());
    },
    message: (name) => heard.monitor.push(name),
  });
  return { tap, heard, node, peer, bytes };
}

function frameOf(name: MessageName, fields: object): Uint8Array {
  const encoder = new Encoder([name]);
  Object.assign(encoder.message(name), fields);
  return encoder.frame.slice(0, encoder.encode(name));
}

test("credits come to the peer without the bytes of the tap's own requests, until the peer is welcomed anew", () => {
  const { tap, heard, node, peer, bytes } = tapped();
  const credit = frameOf("credit", { boot: 3, received: 1000, window: 88, seq: 12 });
  tap.fromNode(credit);
  assert.is(peer.message("credit").received, 1000);
  assert.ok(tap.request("statistics"));
  assert.equal([heard.node, node.message("request").what], [["request"], 6]);
  const own = bytes.node;
  tap.fromNode(credit);
  const { boot, received, window, seq } = peer.message("credit");
  assert.equal([boot, received, window, seq], [3, 1000 - own, 88, 12]);
  tap.fromPeer(frameOf("welcome", { boot: 3, peer: 9, sent: 24 }));
  tap.fromNode(credit);
  assert.is(peer.message("credit").received, 1000);
  assert.equal(heard.monitor, ["credit", "credit", "credit"]);
});

test("the tap's own frames go between the peer's, never into one; what a peer leaves unended is ended", () => {
  const { tap, heard } = tapped();
  const label = frameOf("label", { number: 1, sid: 2, seq: 3, y: -1 });
  tap.fromPeer(label.subarray(0, 10));
  assert.not.ok(tap.request("checkpoint"));
  tap.fromPeer(label.subarray(10));
  assert.ok(tap.request("checkpoint"));
  assert.equal(heard.node, ["label", "request"]);
  tap.fromPeer(label.subarray(0, 10));
  tap.peerLeft();
  assert.ok(tap.request("hello"));
  assert.equal(heard.node, ["label", "request", "request"]);
});

test("everything passes byte by byte, garbage included", () => {
  const { tap, heard, bytes } = tapped();
  const prediction = frameOf("prediction", { sid: 1, seq: 2, decision: 0.5 });
  const garbage = Uint8Array.from({ length: 300 }, (_, i) => 1 + ((i * 7) % 255));
  for (const part of [garbage, prediction]) for (const byte of part) tap.fromNode(Uint8Array.of(byte));
  assert.is(bytes.peer, garbage.length + prediction.length);
  assert.equal([heard.peer, heard.monitor], [["prediction"], ["prediction"]]);
  assert.is(tap.receiver.thrown.wrongLength, 1);
});

test.run();
