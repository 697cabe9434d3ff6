import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { type BytePort, LABEL_STATUS } from "../../src/node/ports.ts";
import type { Ranges } from "../../src/node/ranges.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { messageNames, type UpName } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import { ticksAt } from "./wrapping-clock.ts";

const learner = familyNamed("olk-c")!;
const NODE = { learner, options: { budget: 4 } };

/** The node's messages by name; it receives nothing. */
class Wire implements BytePort {
  readonly sent: UpName[] = [];
  private readonly receiver = new Receiver(messageNames("up"));

  read(): number {
    return 0;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    for (const byte of bytes.subarray(from, to)) {
      const name = this.receiver.take(byte);
      if (name) this.sent.push(name as UpName);
    }
    return to - from;
  }

  get hello() {
    return this.receiver.message("hello" as UpName) as unknown as { [name: string]: number };
  }
}

/** Counts the requests. */
class Counter implements Sensor {
  reads = 0;
  constructor(readonly channels: number) {}
  read(to: Float32Array, first: number): void {
    this.reads++;
    for (let i = 0; i < this.channels; i++) to[first + i] = 10 * this.reads + i;
  }
}

class Broken implements Sensor {
  readonly channels = 2;
  read(to: Float32Array, first: number): void {
    to[first] = 1;
    throw new Error("no answer on the bus");
  }
}

/** A machine whose time the test moves. */
function machine(more: object = {}) {
  const wire = new Wire();
  const time = { now: 0 };
  return {
    wire,
    time,
    options: {
      clock: { now: () => ticksAt(time.now) },
      transport: wire,
      memory: (bytes: number) => new PortableF32(new ArrayBuffer(bytes)),
      firmware: "test",
      boot: 7,
      selfTest: false,
      ...more,
    },
  };
}

/** Has the node take the turns that are due until `end`; returns when each was. */
function turnsUntil(node: StartedNode, time: { now: number }, end: number): number[] {
  const at: number[] = [];
  while (time.now < end) {
    at.push(time.now);
    time.now += Math.max(1, node.turn());
  }
  return at;
}

/** How often the sensor was read once the node took its turn at a time. */
const countReads = (sensor: Counter, node: StartedNode, time: { now: number }) => (now: number) => {
  time.now = now;
  node.turn();
  return sensor.reads;
};

test("samples come a period apart, the first after one, and the wire is polled every 20 ms between them", () => {
  const { options, time } = machine();
  const sensor = new Counter(1);
  const node = startNode({ ...options, node: NODE, sensors: [sensor], periodMs: 50 });
  assert.equal(turnsUntil(node, time, 101), [0, 20, 40, 50, 70, 90, 100]);
  assert.is(sensor.reads, 2);
  assert.is(node.station.node.seq, 2);
});

test("a sample that a long turn missed isn't made up for", () => {
  const { options, time } = machine();
  const sensor = new Counter(1);
  const node = startNode({ ...options, node: NODE, sensors: [sensor], periodMs: 50 });
  time.now = 1234;
  assert.is(node.turn(), 20);
  turnsUntil(node, time, 1284);
  assert.is(sensor.reads, 1);
  node.turn();
  assert.is(sensor.reads, 2, "the next is a period after that one");
});

test("a turn that is a little late puts off no sample; one that is late by a whole period restarts the schedule", () => {
  const { options, time } = machine();
  const sensor = new Counter(1);
  const node = startNode({ ...options, node: NODE, sensors: [sensor], periodMs: 50 });
  const readsAt = countReads(sensor, node, time);
  assert.equal([49, 52, 99, 100, 149, 150].map(readsAt), [0, 1, 1, 2, 2, 3]);
  assert.equal([250, 250, 299, 300].map(readsAt), [4, 4, 4, 5]);
});

test("a sample a second is the default, and one a millisecond the shortest period", () => {
  for (const [periodMs, times, reads] of [
    [undefined, [999, 1000, 1999, 2000], [0, 1, 1, 2]],
    [1, [0, 1, 2, 3], [0, 1, 2, 3]],
  ] as const) {
    const { options, time } = machine();
    const sensor = new Counter(1);
    const node = startNode({ ...options, node: NODE, sensors: [sensor], periodMs });
    assert.equal(times.map(countReads(sensor, node, time)), reads);
  }
});

test("a turn that ends late, or leaves something that came, has the next follow at once", () => {
  for (const [takes, wait] of [
    [31, 19],
    [49, 1],
    [50, 0],
    [51, 0],
    [70, 0],
  ]) {
    const { options, time } = machine();
    const read = () => {
      time.now += takes;
    };
    const slow: Sensor = { channels: 1, read };
    const node = startNode({ ...options, node: NODE, sensors: [slow], periodMs: 50 });
    time.now = 50;
    assert.is(node.turn(), wait, `after ${takes} ms`);
  }
  const encoder = new Encoder(messageNames("down"));
  const label = encoder.frame.slice(0, encoder.encode("label"));
  const coming = [...label, ...label];
  const transport = Object.assign(new Wire(), {
    read(to: Uint8Array) {
      const bytes = coming.splice(0, to.length);
      to.set(bytes);
      return bytes.length;
    },
  });
  const { options } = machine({ transport });
  const node = startNode({ ...options, node: { ...NODE, sid: 1, channels: 1 } });
  assert.equal([node.turn(), node.turn()], [0, 20]);
});

test("hello says whether the peer is to feed the node, and the self-test is made unless it is switched off", () => {
  for (const sensors of [undefined, [new Counter(1)]]) {
    const { options, wire } = machine({ selfTest: undefined });
    const own = sensors ? { node: NODE, sensors } : { node: { ...NODE, sid: 5, channels: 1 } };
    startNode({ ...options, ...own }).turn();
    assert.is(wire.hello.fed, sensors ? 0 : 1);
    assert.is.not(wire.hello.selfTest, 0);
  }
});

test("without a period each sample is asked for", () => {
  const { options, time } = machine();
  const sensor = new Counter(2);
  const node = startNode({ ...options, node: NODE, sensors: [sensor], periodMs: 0 });
  assert.equal(turnsUntil(node, time, 50), [0, 20, 40]);
  turnsUntil(node, time, 5000);
  assert.is(sensor.reads, 0);
  assert.is(node.sample(), 0, "an empty dictionary decides 0");
  assert.is(node.station.node.seq, 1);
});

test("a sample has the readings of all sensors in turn; one that throws makes its own unreadable, and no others", () => {
  const { options } = machine();
  const seen: number[][] = [];
  const before = new Counter(1);
  const after = new Counter(2);
  const spy: Sensor = {
    channels: 1,
    read: (to) => {
      seen.push([...to]);
      to[5] = 0.5;
    },
  };
  const sensors = [before, new Broken(), after, spy];
  const node = startNode({ ...options, node: NODE, sensors, periodMs: 0 });
  assert.is(node.station.node.learner.dimension, 6);
  assert.ok(Number.isNaN(node.sample()));
  assert.equal(seen, [[10, Number.NaN, Number.NaN, 10, 11, 0]]);
  assert.is(node.station.node.count("unreadable"), 1);
});

test("sensors bring the ranges of their channels; the node's own take their place", () => {
  const { options } = machine();
  const hot: Sensor = { channels: 1, ranges: [[-40, 85]], read: (to, first) => (to[first] = 200) };
  const sensors = [new Counter(2), hot];
  const unreadable = (node: typeof NODE & { ranges?: Ranges }) => {
    const started = startNode({ ...options, node, sensors, periodMs: 0 });
    started.sample();
    return started.station.node.count("unreadable");
  };
  assert.is(unreadable(NODE), 1);
  assert.is(unreadable({ ...NODE, ranges: [null, null, [-40, 250]] }), 0);
  const two = { ...hot, channels: 2 };
  assert.throws(
    () => startNode({ ...options, node: NODE, sensors: [two] }),
    /sensor: option ranges: got 1; takes .* 2$/,
  );
});

test("each start of a node with sensors is a session of its own, from 1 to 2^32-1; a fed node keeps its peer's", () => {
  const sensors = [new Counter(1)];
  const startedSid = (boot: number) =>
    startNode({ ...machine({ boot }).options, boot, node: NODE, sensors }).station.node.sid;
  assert.equal([0, 1, 0xfffffffe, 0xffffffff].map(startedSid), [1, 2, 0xffffffff, 1]);
  const fed = startNode({ ...machine().options, node: { ...NODE, sid: 5, channels: 3 } });
  assert.is(fed.station.node.sid, 5);
  assert.ok(Number.isNaN(fed.sample()), "it has no sensors");
});

test("it is restored from its flash, and says so; without flash it keeps nothing", () => {
  const layout = nodeLayout({ ...NODE, sid: 1, channels: 1 });
  const block = EmulatedFlash.ofSectors(storeBytes(layout) / 4096);
  const sensors = [new Counter(1)];
  const first = machine({ block });
  const before = startNode({ ...first.options, node: NODE, sensors, periodMs: 0 });
  before.sample();
  before.station.node.label({ number: 1, sid: before.station.node.sid, seq: 1, y: 1 });
  assert.ok(before.station.node.checkpoint());
  before.turn();
  assert.is(first.wire.hello.restore, 0, "fresh");
  const second = machine({ block, boot: 8 });
  const after = startNode({ ...second.options, node: NODE, sensors, periodMs: 0 });
  assert.is(after.station.node.learner.stateHash(), before.station.node.learner.stateHash());
  after.turn();
  assert.equal([second.wire.hello.restore, second.wire.hello.since], [1, 1], "restored");
  const without = startNode({ ...machine().options, node: NODE, sensors, periodMs: 0 });
  without.sample();
  assert.not.ok(without.station.node.checkpoint());
});

test("a sensor with a session plays the same samples after a restart: a late label finds one that waited in the checkpoint", () => {
  const layout = nodeLayout({ ...NODE, sid: 1, channels: 2 });
  const block = EmulatedFlash.ofSectors(storeBytes(layout) / 4096);
  const sensors = [new Counter(1), Object.assign(new Counter(1), { session: 77 })];
  const started = (boot: number) =>
    startNode({ ...machine({ block, boot }).options, node: NODE, sensors, periodMs: 0 }).station.node;
  const before = started(7);
  for (let i = 0; i < 3; i++) before.sample(new Float32Array([i, 2 * i]));
  before.label({ number: 1, sid: 77, seq: 1, y: 1 });
  assert.ok(before.checkpoint());
  const after = started(8);
  assert.equal([after.sid, after.seq, after.labelled], [77, 3, 1]);
  assert.is(after.label({ number: 2, sid: 77, seq: 2, y: -1 }), LABEL_STATUS.applied);
});

test("the self-test works in the node's own memory, which holds it, and leaves no trace in its state", () => {
  const asked: number[] = [];
  let fed = 0;
  const memory = (bytes: number) => {
    asked.push(bytes);
    return new PortableF32(new ArrayBuffer(bytes));
  };
  const { options, wire } = machine({ memory, feed: () => fed++ });
  const node = { ...NODE, sid: 5, channels: 1 };
  const tried = startNode({ ...options, node, selfTest: true });
  const untried = startNode({ ...machine().options, node });
  assert.is(asked.length, 1);
  assert.ok(asked[0] >= nodeLayout(node).bytes);
  assert.is(tried.station.node.stateHash(), untried.station.node.stateHash());
  assert.is(fed, 100 + 100 + 4, "batches of vectors, steps of the learner, steps of the start");
  tried.turn();
  assert.is.not(wire.hello.selfTest, 0);
});

test("what it can't take is refused by name", () => {
  const { options } = machine();
  const refused = (more: object, message: RegExp) =>
    assert.throws(() => startNode({ ...options, node: NODE, sensors: [new Counter(1)], ...more }), message);
  refused({ periodMs: -1 }, /^startNode: option periodMs: got -1; takes/);
  refused({ periodMs: 2 ** 31 }, /periodMs: got 2147483648; takes/);
  startNode({ ...options, node: NODE, sensors: [new Counter(1)], periodMs: 2 ** 31 - 1 });
  refused({ periodMs: Number.NaN }, /periodMs: got NaN/);
  refused({ sensors: [] }, /^startNode: option sensors: got \[\]; takes one at least$/);
  refused(
    { sensors: [new Counter(1), new Counter(0)] },
    /^sensor: option channels: got 0; takes a whole number >= 1$/,
  );
  refused({ sensors: [new Counter(1.5)] }, /^sensor: option channels: got 1.5; takes a whole number >= 1$/);
});

test("the watchdog is fed between the steps of the start, and at each step of the learner that is tested", () => {
  const feeds = (selfTest: boolean) => {
    let count = 0;
    const feed = () => void count++;
    const { options } = machine({ selfTest, feed });
    startNode({ ...options, node: NODE, sensors: [new Counter(1)] });
    return count;
  };
  assert.is(feeds(false), 4, "laid out, tested, surrounded, made");
  assert.ok(feeds(true) >= feeds(false) + 100 + 100, "100 batches of vectors, 100 steps of the learner");
});

test.run();
