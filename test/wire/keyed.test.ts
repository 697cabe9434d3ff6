import { test } from "uvu";
import * as assert from "uvu/assert";
import { Station } from "../../src/node/station.ts";
import { Peer } from "../../src/peer/peer.ts";
import type { UpName } from "../../src/wire/messages.ts";
import { Disk, Ends, NODE } from "./ends.ts";
import { finished, recorded, stream, withoutWire } from "./recorded.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);

function flipped(key: Uint8Array, bit: number): Uint8Array {
  const other = key.slice();
  other[bit >> 3] ^= 1 << (bit & 7);
  return other;
}

test("over a keyed line the node ends in the state that it has without a wire; nothing is forged, stale or sent twice", () => {
  const samples = stream(1);
  const ends = new Ends({ seed: 1, rate: 0, fed: true, key: KEY, peer: recorded(samples) });
  assert.ok(ends.until(() => finished(ends), 60));
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
  assert.is(ends.uart.overruns, 0);
  const { labelsResent, samplesRefed, starts } = ends.peer.counts;
  assert.equal([labelsResent, samplesRefed, starts, ends.peer.credit.lost], [0, 0, 1, 0]);
  assert.is(ends.peer.thrown.bytes, 0);
  assert.equal(ends.peer.differences, []);
});

test("damaged, doubled and late frames are not taken for forged ones, at either end", () => {
  let thrown = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const losses = { forged: 0, crc: 0 };
    const on = (name: UpName, message: object) => void (name === "losses" && Object.assign(losses, message));
    const peer = { ...recorded(stream(seed)), on };
    const ends = new Ends({ seed, rate: 0.3, fed: true, key: KEY, peer });
    assert.ok(ends.until(() => finished(ends), 2000));
    ends.until(() => false, 12);
    assert.equal([ends.peer.thrown.forged, losses.forged], [0, 0], `seed ${seed}`);
    thrown += losses.crc + ends.peer.thrown.crc;
  }
  assert.ok(thrown > 100, `${thrown} damaged frames`);
});

test("turns of 200 ms lose no byte on a keyed line either", () => {
  for (const channels of [3, 40]) {
    const samples = stream(4, channels);
    const node = { ...NODE, channels };
    const ends = new Ends({
      seed: 4,
      rate: 0,
      fed: true,
      node,
      turn: 200,
      key: KEY,
      peer: recorded(samples),
    });
    assert.ok(ends.until(() => finished(ends), 1000));
    assert.equal([ends.uart.overruns, ends.peer.credit.lost], [0, 0]);
    assert.is(ends.station.node.stateHash(), withoutWire(samples, node).stateHash());
  }
});

test("a peer without the key, or with one bit of it wrong, is never welcomed, teaches nothing, and counts as a forger", () => {
  for (const key of [undefined, ...Array.from({ length: 128 }, (_, bit) => flipped(KEY, bit))]) {
    const ends = new Ends({ seed: 1, rate: 0, fed: true, key: KEY, peer: { ...recorded(stream(1)), key } });
    const before = ends.station.node.stateHash();
    ends.until(() => false, 4);
    assert.is(ends.peer.met, false);
    assert.is(ends.station.node.stateHash(), before);
    if (key)
      assert.ok(ends.peer.thrown.forged >= 3, "the peer knows why: the node's hellos have another key");
  }
});

test("a keyed peer doesn't take to a node that has no key", () => {
  const ends = new Ends({ seed: 1, rate: 0, fed: true, peer: { ...recorded(stream(1)), key: KEY } });
  ends.until(() => false, 4);
  assert.is(ends.peer.met, false);
  assert.ok(ends.peer.thrown.forged >= 3);
});

test("an old hello, replayed at any time, undoes nothing and locks nobody out", () => {
  const samples = stream(2);
  const ends = new Ends({ seed: 2, rate: 0, fed: true, key: KEY, peer: recorded(samples) });
  const hellos: Uint8Array[] = [];
  const send = ends.up.send.bind(ends.up);
  ends.up.send = (now, frame) => {
    if (frame[2] === 1) hellos.push(frame.slice());
    send(now, frame);
  };
  ends.restartNode();
  assert.ok(ends.until(() => ends.station.node.labelled >= 60, 60));
  ends.restartNode();
  assert.ok(ends.until(() => ends.station.node.labelled >= 90, 60));
  const { starts } = ends.peer.counts;
  const { labelled } = ends.peer.node;
  let told = 0;
  while (!finished(ends) && ends.now < 60_000) {
    if (ends.now % 20 === 0) send(ends.now, hellos[told++ % hellos.length]);
    ends.step();
    assert.ok(ends.peer.node.labelled >= labelled);
  }
  assert.ok(finished(ends) && told > 10, `${told} hellos`);
  assert.is(ends.peer.counts.starts, starts);
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
});

test("a key has 16 bytes and needs a source of random numbers, and frames that somebody else makes can't be keyed", () => {
  const port = { read: () => 0, write: () => 0 };
  const ports = { clock: { now: () => 0 }, port, storage: new Disk(), random: () => 1 };
  const options = { node: NODE, firmware: "test", boot: 1 };
  assert.throws(
    () => new Station({ ...options, key: KEY.subarray(1) }, ports),
    /option key: got 15; takes 16 bytes/,
  );
  assert.throws(
    () => new Station({ ...options, labelKey: KEY.subarray(1) }, ports),
    /option labelKey: got 15;/,
  );
  assert.throws(
    () => new Station({ ...options, key: KEY }, { ...ports, random: undefined }),
    /option random: got nothing/,
  );
  assert.throws(() => new Peer({ key: KEY, write: () => {}, id: 1, now: () => 0 }), /option key/);
});

test("the longest frames of a keyed line have 128 bytes", () => {
  const alone = new Ends({
    seed: 1,
    rate: 0,
    fed: true,
    node: { ...NODE, channels: 40 },
    key: KEY,
    peer: recorded(stream(1, 40)),
  });
  let longest = 0;
  for (const line of [alone.up, alone.down]) {
    const send = line.send.bind(line);
    line.send = (now, frame) => {
      longest = Math.max(longest, frame.length);
      send(now, frame);
    };
  }
  alone.until(() => alone.station.node.seq > 0, 5);
  alone.peer.configure({
    checkpointEvery: 0,
    statisticsEvery: 1,
    statisticsMs: 0,
    predictions: 1,
    samples: 1,
  });
  for (const what of ["schema", "statistics"] as const) alone.peer.request(what);
  alone.until(() => false, 3);
  assert.is(longest, 128);
});

test.run();
