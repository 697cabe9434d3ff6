import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { FramePort, PortLimits } from "../../src/node/ports.ts";
import { Station } from "../../src/node/station.ts";
import { stationBytes } from "../../src/node/station-options.ts";
import { SELF_TEST_ITEMS } from "../../src/selftest/self-test.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { type Message, messageNames, type UpName } from "../../src/wire/messages.ts";
import { Receiver, readText } from "../../src/wire/receiver.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { Disk, Ends, NODE } from "./ends.ts";
import { COUNT, finished, recorded, stream, survivesStarts, withoutWire } from "./recorded.ts";

test("over a line that loses nothing, the node ends in the state that it has without a wire, and nothing is sent twice", () => {
  const samples = stream(1);
  const ends = new Ends({ seed: 1, rate: 0, fed: true, peer: recorded(samples) });
  assert.ok(ends.until(() => finished(ends), 60));
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
  assert.is(ends.uart.overruns, 0);
  assert.is(ends.peer.counts.labelsResent, 0);
  assert.is(ends.peer.counts.samplesRefed, 0);
  assert.is(ends.peer.credit.lost, 0);
  assert.equal(ends.peer.differences, []);
});

test("with 30 % of frames lost, doubled, put off or damaged both ways, the final state is the same", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const samples = stream(seed);
    const ends = new Ends({ seed, rate: 0.3, fed: true, peer: recorded(samples) });
    assert.ok(
      ends.until(() => finished(ends), 2000),
      `seed ${seed}: it gets through`,
    );
    assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash(), `seed ${seed}`);
    assert.is(ends.station.node.count("applied"), COUNT, `seed ${seed}: each label once`);
    assert.ok(ends.down.spoilt > 0.2 * ends.down.frames && ends.up.spoilt > 0.2 * ends.up.frames);
  }
});

test("the same with starts of node and peer in the middle", () => {
  for (let seed = 1; seed <= 20; seed++) survivesStarts(seed);
});

test("a node that lost its checkpoints gets all samples and labels again, if their source has them", () => {
  const samples = stream(3);
  const ends = new Ends({ seed: 3, rate: 0.3, fed: true, peer: recorded(samples) });
  assert.ok(ends.until(() => ends.station.node.labelled >= 60, 2000));
  ends.disk.load = () => "fresh";
  ends.restartNode();
  assert.is(ends.station.node.labelled, 0);
  assert.ok(ends.until(() => finished(ends), 2000));
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
});

test("turns of 200 ms lose no byte: the FIFO of 128 never overflows at 115200 baud", () => {
  for (const channels of [3, 40]) {
    const samples = stream(4, channels);
    const node = { ...NODE, channels };
    const ends = new Ends({ seed: 4, rate: 0, fed: true, node, turn: 200, peer: recorded(samples) });
    assert.ok(ends.until(() => finished(ends), 1000));
    assert.is(ends.uart.overruns, 0);
    assert.is(ends.peer.credit.lost, 0);
    assert.is(ends.station.node.stateHash(), withoutWire(samples, node).stateHash());
  }
});

test("without credit the same turns do lose bytes, so the model of the FIFO detects it", () => {
  const ends = new Ends({ seed: 4, rate: 0, fed: true, turn: 200, peer: recorded(stream(4)) });
  ends.peer.credit.allows = () => true;
  ends.until(() => finished(ends), 20);
  assert.ok(ends.uart.overruns > 0);
});

test("in the field: lost samples are counted, their labels refused by name, no label reaches another sample", () => {
  for (let seed = 1; seed <= 5; seed++) {
    const truth = (x: ArrayLike<number>) => (x[0] > 0 ? 1 : -1);
    const random = new Random(seed, "readings");
    const labels = new LabelQueue();
    const readings = new Map<string, Float32Array>();
    const answered = new Set<string>();
    const on = (name: UpName, message: { sid?: number; seq?: number }) => {
      if (name !== "prediction") return;
      const { sid, seq } = message as { sid: number; seq: number };
      const key = `${sid} ${seq}`;
      if (!answered.has(key)) labels.add({ sid, seq, y: truth(readings.get(key)!) });
      answered.add(key);
    };
    // The learner sees the readings as they are, so that it can be checked what a label was taken for.
    const node = { ...NODE, features: {}, pending: 64, checkpointEvery: 25 };
    const ends = new Ends({ seed, rate: 0.3, fed: false, node, peer: { labels, on: on as never } });
    const watch = () => {
      const { learner } = ends.station.node;
      const learn = learner.learn.bind(learner);
      learner.learn = (x, y) => {
        assert.is(y, truth(x), "the label of this very sample");
        return learn(x, y);
      };
    };
    const sampleFor = (count: number) => {
      for (let i = 0; i < count; i++) {
        const x = Float32Array.from({ length: 3 }, () => random.normal());
        readings.set(`${ends.station.node.sid} ${ends.station.node.seq + 1}`, x);
        ends.station.sample(x);
        for (let k = 0; k < 20; k++) ends.step();
      }
    };
    watch();
    sampleFor(70);
    const before = ends.station.node.seq;
    ends.restartNode();
    watch();
    const restored = ends.station.node.seq;
    sampleFor(60);
    assert.ok(
      ends.until(
        () => ends.peer.node.labelled > 0 && labels.at(ends.peer.node.labelled + 1) === undefined,
        500,
      ),
    );
    assert.ok(restored < before, "samples were lost");
    assert.ok(ends.station.node.count("session") > 0, "labels of lost samples are refused by name");
    assert.ok(ends.peer.counts.samplesLost > 0 && ends.peer.counts.samplesLost <= before - restored);
    assert.is(labels.lost, 0);
  }
});

/** Asks for a rollback, again each second, until the node did it. */
function rollBack(ends: Ends): void {
  const { sid } = ends.station.node;
  for (let tries = 0; ends.station.node.sid === sid; tries++) {
    assert.ok(tries < 100);
    ends.peer.rollback();
    ends.until(() => ends.station.node.sid !== sid, 1);
  }
}

test("a rollback resumes from the older checkpoint, in a new session; labels of abandoned samples are refused by name", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const truth = (x: ArrayLike<number>) => (x[0] > 0 ? 1 : -1);
    const random = new Random(seed, "readings");
    const labels = new LabelQueue();
    const node = { ...NODE, features: {}, pending: 64, checkpointEvery: 10 };
    const ends = new Ends({ seed, rate: 0.3, fed: false, node, peer: { labels } });
    const { learner } = ends.station.node;
    const learn = learner.learn.bind(learner);
    learner.learn = (x, y) => {
      assert.is(y, truth(x), "the label of this very sample");
      return learn(x, y);
    };
    const states = new Map<number, string>();
    const save = ends.disk.save.bind(ends.disk);
    ends.disk.save = (bytes) => {
      states.set(ends.station.node.labelled, learner.stateHash());
      return save(bytes);
    };
    const sampleFor = (count: number) => {
      for (let i = 0; i < count; i++) {
        const x = Float32Array.from({ length: 3 }, () => random.normal());
        const { sid, seq } = ends.station.node;
        ends.station.sample(x);
        labels.add({ sid, seq: seq + 1, y: truth(x) });
        for (let k = 0; k < 20; k++) ends.step();
      }
    };
    sampleFor(75);
    const { seq, durable } = ends.station.node;
    assert.ok(durable >= 20, `seed ${seed}`);
    const { starts } = ends.peer.counts;
    rollBack(ends);
    assert.is(ends.station.node.labelled, ends.station.node.durable);
    assert.ok([durable - 10, durable].includes(ends.station.node.durable), "one checkpoint back, not more");
    assert.is(learner.stateHash(), states.get(ends.station.node.durable));
    assert.ok(ends.station.node.seq < seq);
    assert.is(ends.peer.counts.starts, starts);
    sampleFor(60);
    assert.ok(ends.until(() => labels.at(ends.peer.node.labelled + 1) === undefined, 500));
    assert.is(ends.peer.counts.starts, starts + 1, "a start of its own, and only one");
    assert.ok(ends.station.node.count("session") > 0, "labels of abandoned samples are refused by name");
    assert.is(ends.peer.node.sid, ends.station.node.sid);
  }
});

test("a fed node that rolled back is fed again what it abandoned, and ends as if nothing had been", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const samples = stream(seed);
    const feed = recorded(samples);
    const at = (number: number) => {
      const label = feed.labels.at(number);
      return label && { ...label, sid: ends.peer.node.sid };
    };
    const ends = new Ends({ seed, rate: 0.3, fed: true, peer: { ...feed, labels: { at } } });
    assert.ok(ends.until(() => ends.station.node.labelled >= 57, 2000));
    rollBack(ends);
    assert.ok(
      ends.until(() => finished(ends), 2000),
      `seed ${seed}: it gets through`,
    );
    assert.is(
      ends.station.node.learner.stateHash(),
      withoutWire(samples).learner.stateHash(),
      `seed ${seed}`,
    );
    assert.is(ends.station.node.count("applied"), COUNT);
  }
});

test("tables that differ are reported by the messages' names, and the other messages still pass", () => {
  const samples = stream(5);
  const ends = new Ends({ seed: 5, rate: 0, fed: true, peer: recorded(samples) });
  // The node's table as another version would have it.
  const { wire } = ends.station as unknown as { wire: FramePort };
  const send = wire.send.bind(wire);
  wire.send = (name, urgent) => {
    const { first, seeds } = wire.outgoing("schema");
    if (name === "schema") {
      for (let k = 0; k < seeds.length; k++) {
        if (first + k === 7) seeds[k] ^= 1;
        else if (first + k === 16) seeds[k] = 0;
      }
    }
    return send(name, urgent);
  };
  wire.outgoing("hello").table ^= 1;
  assert.ok(ends.until(() => finished(ends), 60));
  assert.equal(ends.peer.differences, ["prediction: its fields differ", "log: the node doesn't have it"]);
});

test("the node answers requests and takes a configuration", () => {
  const heard: string[] = [];
  const values: Record<string, unknown> = {};
  const on = (name: UpName, message: object) => {
    heard.push(name);
    values[name] = { ...message };
  };
  const samples = stream(6);
  const ends = new Ends({ seed: 6, rate: 0, fed: true, peer: { ...recorded(samples), on: on as never } });
  assert.ok(ends.until(() => finished(ends), 60));
  heard.length = 0;
  for (const what of ["state", "statistics", "schema", "checkpoint", "configuration"] as const)
    ends.peer.request(what);
  const options = { checkpointEvery: 3, statisticsEvery: 5, statisticsMs: 0, predictions: 0, samples: 1 };
  ends.peer.configure(options);
  assert.ok(ends.until(() => ends.station.node.checkpointEvery === 3, 5));
  ends.until(() => false, 1);
  for (const name of ["state", "statistics", "learning", "losses", "schema", "configuration"]) {
    assert.ok(heard.includes(name), name);
  }
  assert.equal(values.configuration, { ...options, length: 0 });
  assert.is(ends.station.node.durable, COUNT);
  assert.is(ends.peer.node.durable, COUNT);
  const hash = ends.station.node.learner.stateHash();
  const { learnerHigh, learnerLow } = values.state as { learnerHigh: number; learnerLow: number };
  assert.is([learnerHigh, learnerLow].map((word) => word.toString(16).padStart(8, "0")).join(""), hash);
  const { applied, capacity, mistaken } = values.statistics as { [name: string]: number };
  const { node } = ends.station;
  assert.equal([applied, capacity, mistaken], [COUNT, 8, node.count("mistaken")]);
  assert.ok(mistaken > 0);
});

test("raw samples go up in parts that make the sample again", () => {
  const samples = stream(7, 40);
  const node = { ...NODE, channels: 40 };
  const came = new Map<number, number[]>();
  const on = (name: UpName, message: object) => {
    if (name !== "sample") return;
    const { seq, first, total, x, length } = message as Message<"sample">;
    const list = came.get(seq) ?? [];
    assert.is(first, list.length, "parts come in order");
    assert.is(total, 40);
    came.set(seq, [...list, ...x.subarray(0, length)]);
  };
  const peer = { ...recorded(samples), on: on as never };
  const ends = new Ends({ seed: 7, rate: 0, fed: true, node, peer });
  ends.peer.configure({
    checkpointEvery: 0,
    statisticsEvery: 0,
    statisticsMs: 0,
    predictions: 0,
    samples: 1,
  });
  assert.ok(ends.until(() => finished(ends), 100));
  ends.until(() => false, 1);
  assert.ok(came.size > COUNT - 10, "from the configuration on");
  for (const [seq, x] of came) assert.equal(x, [...samples[seq - 1].x]);
});

test("self-test hashes, log lines and why the node started come to the peer", () => {
  const messages: string[] = [];
  const on = (name: UpName, message: object) => {
    if (name === "self-test") messages.push(...Array.from((message as Message<"self-test">).hashes, String));
    else if (name === "log" || name === "reset") {
      const { text, length } = message as Message<"log">;
      messages.push(`${name} ${readText(text, length)}`);
    }
  };
  const selfTest = Uint32Array.from({ length: SELF_TEST_ITEMS.length }, (_, i) => 100 + i);
  const ends = new Ends({ seed: 1, rate: 0, fed: true, selfTest, peer: { on: on as never } });
  ends.station.announceReset(6, "a watchdog");
  ends.station.log(1, "low on power");
  assert.ok(ends.until(() => ends.peer.met && ends.peer.credit.largest > 0, 5));
  assert.equal(messages, ["reset a watchdog", "log low on power"]);
  messages.length = 0;
  ends.peer.request("selfTest");
  ends.until(() => false, 1);
  assert.equal(messages.slice(0, selfTest.length), Array.from(selfTest, String));
});

/** Bytes of all buffers that an object holds, directly or not; not the ones of `except`. */
function bufferBytes(from: object, ...except: object[]): number {
  const seen = new Set<unknown>(except);
  const buffers = new Set<ArrayBufferLike>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else Object.values(value).forEach(visit);
  };
  visit(from);
  return [...buffers].reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

test("a station's buffers are what stationBytes says, to the byte", () => {
  const key = { labelKey: new Uint8Array(16) };
  for (const beside of [{ fed: false }, { fed: true }, key]) {
    const options = { node: NODE, firmware: "test", boot: 1, outbox: 600, ...beside };
    const ports = { clock: { now: () => 0 }, port: { read: () => 0, write: () => 0 }, storage: new Disk() };
    const layout = nodeLayout(NODE);
    const memory = layout.range(new PortableF32(new ArrayBuffer(layout.bytes)));
    const station = new Station(options, ports, memory);
    assert.is(bufferBytes(station, station.node, memory.f32), stationBytes(options));
  }
});

test("a transport with other room than a UART's says so: its window is granted, and no frame is longer than it takes", () => {
  const limits = { fifoBytes: 256, uncreditedBytes: 56, frameBytes: 100 };
  const coming: number[] = [];
  const receiver = new Receiver(messageNames("up"));
  const came: string[] = [];
  let longest = 0;
  let length = 0;
  const port = {
    ...limits,
    read: (to: Uint8Array) => {
      const bytes = coming.splice(0, to.length);
      to.set(bytes);
      return bytes.length;
    },
    write: (bytes: Uint8Array, from: number, to: number) => {
      for (let i = from; i < to; i++) {
        length++;
        if (bytes[i] !== 0) continue;
        longest = Math.max(longest, length + 1);
        length = 0;
      }
      for (let i = from; i < to; i++) came.push(receiver.take(bytes[i]) ?? "");
      return to - from;
    },
  };
  const node = { ...NODE, channels: 60 };
  const options = { node, firmware: "test", boot: 1, samples: true, statisticsEvery: 1 };
  const layout = nodeLayout(node);
  const memory = layout.range(new PortableF32(new ArrayBuffer(layout.bytes)));
  const station = new Station(options, { clock: { now: () => 0 }, port, storage: new Disk() }, memory);
  assert.is(bufferBytes(station, station.node, memory.f32), stationBytes(options, limits));
  const encoder = new Encoder(["welcome", "request"]);
  const come = (name: "welcome" | "request") =>
    coming.push(...encoder.frame.subarray(0, encoder.encode(name)));
  station.begin("fresh");
  Object.assign(encoder.message("welcome"), { boot: 1, peer: 2 });
  come("welcome");
  encoder.message("request").what = 2;
  come("request");
  station.poll();
  assert.is(receiver.message("credit").window, 200);
  station.sample(new Float32Array(60));
  for (let turn = 0; turn < 4; turn++) station.poll();
  for (const name of ["hello", "credit", "schema", "sample", "prediction", "statistics"])
    assert.ok(came.includes(name), name);
  assert.ok(longest > 90 && longest <= 100, `${longest}`);
});

test("if nothing is taken from the output, droppable frames are dropped and counted, and the node continues", () => {
  const samples = stream(8);
  const ports = { clock: { now: () => 0 }, port: { read: () => 0, write: () => 0 }, storage: new Disk() };
  const station = new Station({ node: NODE, firmware: "test", boot: 1 }, ports);
  station.begin("fresh");
  for (const { x } of samples) {
    station.sample(x);
    station.poll();
  }
  assert.is(station.node.seq, COUNT);
  const { wire } = station as unknown as { wire: { dropped: number } };
  assert.ok(wire.dropped > COUNT - 20 && wire.dropped < COUNT);
});

test("options are refused by name", () => {
  const ports = { clock: { now: () => 0 }, port: { read: () => 0, write: () => 0 }, storage: new Disk() };
  const make = (options: object) => new Station({ node: NODE, firmware: "test", boot: 1, ...options }, ports);
  assert.throws(() => make({ outbox: 100 }), /station: option outbox: got 100; takes a whole number >= 256/);
  assert.throws(
    () => make({ selfTest: new Uint32Array(65) }),
    /station: option selfTest: got 65; takes at most 64 hashes/,
  );
  const on = (limits: PortLimits) =>
    new Station({ node: NODE, firmware: "test", boot: 1 }, { ...ports, port: { ...ports.port, ...limits } });
  assert.throws(
    () => on({ fifoBytes: 64 }),
    /port: option fifoBytes: got 64; takes a whole number 73..65535/,
  );
  assert.throws(
    () => on({ uncreditedBytes: 100 }),
    /port: option uncreditedBytes: got 100; takes a whole number 33..88/,
  );
  assert.throws(
    () => on({ frameBytes: 129 }),
    /port: option frameBytes: got 129; takes a whole number 100..128/,
  );
});

test.run();
