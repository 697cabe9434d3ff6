import { test } from "uvu";
import * as assert from "uvu/assert";
import { COUNTERS } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import { NODE_COUNTERS, nodeLayout } from "../../src/node/node.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { REQUEST, type StationOptions, stationBytes } from "../../src/node/station.ts";
import { combinedHash } from "../../src/selftest/self-test.ts";
import { FRAME_MAX, MESSAGES, restMax, seedsById, tableHash } from "../../src/wire/messages.ts";
import { textOf } from "../../src/wire/receiver.ts";
import { NODE } from "../wire/ends.ts";
import { Alone, type Came } from "./alone.ts";

const SID = NODE.sid;
const QUIET = { statisticsMs: 0 };

function named(list: readonly Came[]): string[] {
  return list.map(({ name }) => name);
}

/** The one message of that name. */
function only(list: readonly Came[], name: string): Came {
  const found = list.filter((came) => came.name === name);
  assert.is(found.length, 1, `${name}: one of ${named(list)}`);
  return found[0];
}

function learn(alone: Alone, count: number): void {
  const { station } = alone;
  for (let k = 0; k < count; k++) {
    const y = k % 3 === 0 ? -1 : 1;
    station.sample([y, k % 5, y * (k % 2)]);
    const seq = station.node.seq;
    alone.come("label", { start: 3, number: station.node.labelled + 1, sid: SID, seq, y });
    station.poll();
  }
}

test("hello says who the node is and where it goes on, each field its own", () => {
  const selfTest = Uint32Array.of(5, 6, 7);
  const options = { node: NODE, firmware: "firmware 1.2", boot: 0xfffffff1, reset: 4, fed: true, selfTest };
  const before = new Alone().met();
  learn(before, 13);
  const alone = new Alone(options);
  alone.disk.save(new Uint8Array(before.station.node.range.f32.words.buffer, 0, checkpointLength()));
  assert.is(alone.station.node.restore(), "restored");
  alone.station.begin("fallback");
  const hello = only(alone.polled(), "hello");
  const texts = [hello.firmware, hello.learner].map((text) => textOf(Uint8Array.from(text as number[])));
  assert.equal(texts, ["firmware 1.2", "olk-c"]);
  assert.equal(
    { ...hello, firmware: 0, learner: 0 },
    {
      name: "hello",
      length: 0,
      protocol: 1,
      restore: 2,
      reset: 4,
      fed: 1,
      boot: 0xfffffff1,
      sid: SID,
      seq: 13,
      labelled: 13,
      durable: 10,
      since: 13,
      channels: 3,
      dimension: alone.station.node.learner.dimension,
      plan: nodeLayout(NODE).bytes + stationBytes(options),
      selfTest: combinedHash(selfTest),
      table: tableHash(),
      firmware: 0,
      learner: 0,
    },
  );
});

function checkpointLength(): number {
  const { state, counters } = nodeLayout(NODE);
  return 4 * (state + counters);
}

test("hello of a station that is told nothing more says 0: no reason, no self-test, not fed", () => {
  const alone = new Alone();
  alone.station.begin("fresh");
  const { restore, reset, fed, selfTest, seq, since } = only(alone.polled(), "hello");
  assert.equal([restore, reset, fed, selfTest, seq, since], [0, 0, 0, 0, 0, 0]);
});

test("frames that were dropped are counted in every report after them", () => {
  const alone = new Alone({ ...QUIET, samples: true }).met();
  alone.takes = 0;
  for (let k = 0; k < 30; k++) alone.station.log(2, "x".repeat(90));
  alone.takes = 1000;
  alone.polled();
  alone.station.sample([1, 2, 3]);
  alone.station.log(2, "");
  alone.come("request", { what: REQUEST.statistics });
  const heard = alone.polled();
  const reports = ["prediction", "sample", "log", "statistics", "learning", "losses"];
  const dropped = reports.map((name) => only(heard, name).dr);
  assert.equal(dropped, new Array(6).fill(26), "4 lines of 104 bytes fit 512 less 64");
});

test("a node that isn't fed goes on in its own session, one that is fed in the restored one", () => {
  for (const [fed, sid] of [
    [false, 9],
    [true, 8],
  ] as const) {
    const { station } = new Alone({ node: { ...NODE, sid: 9 }, fed });
    station.node.renew(8);
    station.begin("restored");
    assert.is(station.node.sid, sid);
  }
});

test("hello is repeated every second until a peer welcomes it, and again when one asks", () => {
  const alone = new Alone(QUIET);
  alone.station.begin("fresh");
  const hellos = (now: number) => {
    alone.now = now;
    return alone.polled().filter(({ name }) => name === "hello").length;
  };
  assert.equal([0, 999, 1000, 1001, 1999, 2000].map(hellos), [1, 0, 1, 0, 0, 1]);
  alone.come("welcome", { boot: 2, peer: 5 });
  assert.equal([2001, 3000].map(hellos), [0, 1], "a welcome to another start");
  alone.come("welcome", { boot: 1, peer: 2 });
  assert.equal([3001, 4000, 5000].map(hellos), [0, 0, 0]);
  alone.come("request", { what: REQUEST.hello });
  assert.equal([5001, 6000, 6001].map(hellos), [1, 0, 1], "a welcome is awaited anew");
  alone.come("welcome", { boot: 1, peer: 9 });
  assert.equal([6002, 7500].map(hellos), [0, 0]);
  assert.is(alone.polled().length, 0);
});

test("a welcome that no hello awaits, as one that was sent twice, changes nothing", () => {
  const alone = new Alone(QUIET).met();
  alone.come("welcome", { boot: 1, peer: 77, sent: 1000 });
  const { peer, received } = only(alone.polled(), "credit");
  assert.equal([peer, received], [2, 28 + 24]);
});

test("credit goes up after the welcome, 250 ms, and every quarter of the window that came", () => {
  const alone = new Alone(QUIET);
  alone.station.begin("fresh");
  alone.polled();
  alone.now = 100;
  alone.come("welcome", { boot: 1, peer: 0xfffffffe, sent: 0xfffffff0 });
  const credit = { boot: 1, peer: 0xfffffffe, window: 88, sid: SID, seq: 0, labelled: 0, durable: 0 };
  const told = (received: number) => ({ ...credit, received, length: 0, name: "credit" });
  assert.equal(alone.polled(), [told(0xfffffff0)]);
  const bytes = (count: number) => {
    for (let i = 0; i < count; i++) alone.fifo.push(0);
    return alone.polled();
  };
  assert.equal(bytes(21), []);
  assert.equal(bytes(1), [told(6)], "22 of 88, and counted on mod 2^32");
  assert.equal(bytes(22), [told(28)]);
  alone.now = 349;
  assert.equal(bytes(1), []);
  alone.now = 350;
  assert.equal(bytes(0), [told(29)]);
});

test("what came behind a welcome in the same bytes is counted beyond its `sent`", () => {
  const alone = new Alone(QUIET);
  alone.station.begin("fresh");
  alone.come("welcome", { boot: 1, peer: 2, sent: 500 });
  const behind = alone.come("request", { what: REQUEST.state });
  assert.is(only(alone.polled(), "credit").received, 500 + behind);
});

test("another port's limits are those that credit and frames keep to", () => {
  const alone = new Alone(QUIET, { fifoBytes: 1000, uncreditedBytes: 60 }).met();
  alone.now = 250;
  assert.is(only(alone.polled(), "credit").window, 940);
  const make = (limits: object) => () => new Alone({}, limits);
  for (const [option, wrong, right] of [
    ["fifoBytes", [79, 65536, 100.5], [80, 65535]],
    ["uncreditedBytes", [39, 89], [40, 88]],
    ["frameBytes", [95, 129], [96, 128]],
  ] as const) {
    for (const value of wrong)
      assert.throws(make({ [option]: value }), new RegExp(`option ${option}: got ${value}`));
    for (const value of right) make({ [option]: value })();
  }
});

test("statistics go up every so many samples or milliseconds; 0 is never, 10 s the default", () => {
  const three = ["statistics", "learning", "losses"];
  const alone = new Alone().met();
  const reports = (now: number) => {
    alone.now = now;
    return named(alone.polled()).filter((name) => three.includes(name));
  };
  assert.equal([9999, 10_000, 10_001, 19_999].map(reports), [[], three, [], []]);
  assert.equal(reports(20_000), three);
  const configuration = { checkpointEvery: 0, statisticsMs: 0, predictions: 0, samples: 0 };
  alone.come("configuration", { ...configuration, statisticsMs: 1 });
  assert.equal([20_001, 20_001, 20_002].map(reports), [three, [], three]);
  alone.come("configuration", { ...configuration, statisticsEvery: 3 });
  assert.equal(reports(99_999), []);
  const after = [1, 2, 3, 4, 5, 6].map(() => {
    alone.station.sample([1, 2, 3]);
    return reports(99_999).length;
  });
  assert.equal(after, [0, 0, 3, 0, 0, 3]);
  alone.come("configuration", { ...configuration, statisticsEvery: 0 });
  reports(100_000);
  for (let k = 0; k < 6; k++) alone.station.sample([1, 2, 3]);
  assert.equal(reports(200_000), []);
});

test("statistics and learning say what node and learner counted, and begin lag and error anew", () => {
  const alone = new Alone({ ...QUIET, predictions: false }).met();
  const { node } = alone.station;
  learn(alone, 25);
  alone.station.sample([1, Number.NaN, 1]);
  for (let k = 0; k < 5; k++) alone.station.sample([k, 1, 1]);
  alone.come("label", { start: 3, number: 26, sid: SID, seq: 28, y: 1 });
  alone.come("label", { start: 3, number: 26, sid: SID, seq: 28, y: 1 });
  alone.come("label", { start: 3, number: 28, sid: SID, seq: 30, y: 1 });
  alone.come("label", { start: 3, number: 27, sid: SID, seq: 5, y: 1 });
  alone.now = 1234;
  alone.come("request", { what: REQUEST.statistics });
  const heard = alone.polled();
  const header = { sid: SID, seq: 31, ts: 1234, dr: 0, length: 0 };
  assert.equal(only(heard, "statistics"), {
    ...header,
    name: "statistics",
    ...Object.fromEntries(NODE_COUNTERS.map((name) => [name, node.count(name)])),
    lag: 3,
    error: 0,
    waiting: 3,
    size: node.learner.size,
    capacity: 8,
  });
  assert.equal(
    (["sampled", "unreadable", "applied", "duplicate", "held", "expired", "saved"] as const).map((name) =>
      node.count(name),
    ),
    [30, 1, 27, 1, 1, 1, 2],
  );
  assert.equal(only(heard, "learning"), {
    ...header,
    name: "learning",
    ...Object.fromEntries(COUNTERS.map((name) => [name, node.learner.count(name)])),
  });
  alone.come("request", { what: REQUEST.statistics });
  assert.is(only(alone.polled(), "statistics").lag, 0);
});

test("statistics of a regression have the mean of its absolute errors since the last", () => {
  const node = { ...NODE, features: undefined, learner: familyNamed("qklms")!, options: { budget: 8 } };
  const alone = new Alone({ ...QUIET, node }).met();
  const errorOf = (labels: readonly number[]) => {
    for (const y of labels) {
      alone.station.sample([50 * alone.station.node.seq, 0, 0]);
      const { seq, labelled } = alone.station.node;
      alone.come("label", { start: 3, number: labelled + 1, sid: SID, seq, y });
      alone.station.poll();
    }
    alone.come("request", { what: REQUEST.statistics });
    return only(alone.polled(), "statistics").error;
  };
  assert.is(errorOf([3, -4, 8]), 5, "nothing is known of far inputs: each estimate is 0");
  assert.is(errorOf([2]), 2);
  assert.is(errorOf([]), 0);
});

test("losses say what was thrown away, came out of turn, the engine's figures and the longest turn", () => {
  const alone = new Alone({ ...QUIET, fed: true }).met();
  const garbage = (...bytes: number[]) => alone.fifo.push(0, ...bytes, 0);
  garbage(1, 2, 3);
  garbage(9, 9, 9, 9, 9, 9, 9);
  garbage(9, 99, 1, 1, 1, 1, 1, 1, 1);
  garbage(9, 13, 1, 1, 1, 1, 1, 1, 1);
  garbage(9, 13, 1, 1, 1, 1, 1, 1, 1);
  const sample = { start: 3, sid: SID, seq: 1, first: 1, total: 3, x: [1, 2], length: 2 };
  alone.come("sample", sample);
  alone.come("sample", { ...sample, seq: 2 });
  alone.come("label", { start: 4, number: 1, sid: SID, seq: 1, y: 1 });
  alone.come("label", { start: 4, number: 1, sid: SID, seq: 1, y: 1 });
  alone.polled();
  const { fetch } = Object.getPrototypeOf(Reflect.get(alone.station, "wire"));
  for (const turn of [30, 70, 20]) {
    Reflect.get(alone.station, "wire").fetch = function (this: unknown) {
      alone.now += turn;
      fetch.call(this);
    };
    alone.station.poll();
  }
  Reflect.deleteProperty(Reflect.get(alone.station, "wire"), "fetch");
  alone.come("request", { what: REQUEST.statistics });
  assert.equal(only(alone.polled(), "losses"), {
    name: "losses",
    length: 0,
    sid: SID,
    ts: 120,
    dr: 0,
    bytes: 3 + 7 + 9 + 9 + 9,
    wrongLength: 1,
    cobs: 1,
    crc: 2,
    unknown: 1,
    part: 1,
    stale: 3,
    slots: 70_001,
    chunks: 70_002,
    turn: 70,
  });
});

test("the state goes up on request: both hashes, high words first", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, 9);
  alone.station.sample([1, 2, 3]);
  alone.come("request", { what: REQUEST.state });
  const { node } = alone.station;
  const words = (hash: string) =>
    [hash.slice(0, 8), hash.slice(8)].map((digits) => Number.parseInt(digits, 16));
  const [learnerHigh, learnerLow] = words(node.learner.stateHash());
  const [nodeHigh, nodeLow] = words(node.stateHash());
  const state = { sid: SID, seq: 10, labelled: 9, learnerHigh, learnerLow, nodeHigh, nodeLow };
  assert.equal(only(alone.polled(), "state"), { name: "state", length: 0, ...state });
});

test("a configuration is taken and answered, and each of its options is its own", () => {
  const node = { ...NODE, checkpointEvery: 11 };
  const alone = new Alone({ node, statisticsEvery: 12, statisticsMs: 13_000, samples: true }).met();
  alone.come("request", { what: REQUEST.configuration });
  const told = { statisticsEvery: 12, statisticsMs: 13_000, predictions: 1, samples: 1, checkpointEvery: 11 };
  assert.equal(only(alone.polled(), "configuration"), { name: "configuration", length: 0, ...told });
  for (const given of [
    { statisticsEvery: 1, statisticsMs: 2, predictions: 0, samples: 1, checkpointEvery: 3 },
    { statisticsEvery: 4, statisticsMs: 5, predictions: 1, samples: 0, checkpointEvery: 6 },
  ]) {
    alone.come("configuration", given);
    assert.equal(only(alone.polled(), "configuration"), { name: "configuration", length: 0, ...given });
    assert.is(alone.station.node.checkpointEvery, given.checkpointEvery);
    alone.station.sample([1, 2, 3]);
    const names = named(alone.polled());
    assert.is(names.includes("prediction"), given.predictions === 1);
    assert.is(names.includes("sample"), given.samples === 1);
  }
});

test("a station that is told nothing more reports predictions, statistics every 10 s, and no lag yet", () => {
  const alone = new Alone().met();
  alone.come("request", { what: REQUEST.configuration });
  alone.come("request", { what: REQUEST.statistics });
  const heard = alone.polled();
  const told = { statisticsEvery: 0, statisticsMs: 10_000, predictions: 1, samples: 0, checkpointEvery: 10 };
  assert.equal(only(heard, "configuration"), { name: "configuration", length: 0, ...told });
  assert.is(only(heard, "statistics").lag, 0);
});

test("a prediction, a label's answer, a line and a reset are sent as they are", () => {
  const alone = new Alone(QUIET).met();
  alone.now = 77;
  const decision = alone.station.sample([1, 2, 3]);
  alone.come("label", { start: 3, number: 1, sid: SID, seq: 1, y: 1 });
  alone.station.log(2, "a line");
  alone.station.announceReset(5, "brownout");
  const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
  const heard = alone.polled();
  const about = { sid: SID, seq: 1, ts: 77, dr: 0, length: 0 };
  assert.equal(only(heard, "prediction"), { name: "prediction", ...about, decision });
  const line = { ts: 77, dr: 0, level: 2, text: ascii("a line"), length: 6 };
  assert.equal(only(heard, "log"), { name: "log", ...line });
  const reset = { boot: 1, reason: 5, text: ascii("brownout"), length: 8 };
  assert.equal(only(heard, "reset"), { name: "reset", ...reset });
  const answer = { boot: 1, number: 1, status: 0, labelled: 1, durable: 0, length: 0 };
  assert.equal(only(heard, "acknowledgement"), { name: "acknowledgement", ...answer });
});

test("a start whose number has the highest bit set is welcomed by it", () => {
  const alone = new Alone({ ...QUIET, boot: 0x80000003 });
  alone.station.begin("fresh");
  alone.come("welcome", { boot: 0x80000003, peer: 0x80000001 });
  only(alone.polled(), "credit");
  alone.come("label", { start: 2, number: 1, sid: SID, seq: 1, y: 1 });
  assert.is(only(alone.polled(), "acknowledgement").boot, 0x80000003);
});

test("an answer to a label says what is durable", () => {
  const alone = new Alone({ ...QUIET, node: { ...NODE, checkpointEvery: 2 } }).met();
  learn(alone, 5);
  const answers = alone.polled().filter(({ name }) => name === "acknowledgement");
  assert.equal(
    answers.map(({ labelled, durable }) => [labelled, durable]),
    [
      [1, 0],
      [2, 2],
      [3, 2],
      [4, 4],
      [5, 4],
    ],
  );
});

test("what the peer waits for may fill the outbox to the last byte", () => {
  const line = "x".repeat(111);
  for (const what of ["hello", "schema", "selfTest"] as const) {
    const alone = new Alone({ ...QUIET, selfTest: new Uint32Array(20) }).met();
    alone.takes = 0;
    for (let k = 0; k < 3; k++) alone.station.log(2, line);
    alone.come("request", { what: REQUEST[what] });
    alone.polled();
    alone.takes = 1000;
    assert.equal(named(alone.polled()).slice(3), [what === "selfTest" ? "self-test" : what]);
  }
  const alone = new Alone(QUIET).met();
  alone.station.sample([1, 2, 3]);
  alone.polled();
  alone.takes = 0;
  for (const text of [line, line, line, line.slice(64)]) alone.station.log(2, text);
  alone.come("label", { start: 3, number: 1, sid: SID, seq: 1, y: 1 });
  alone.polled();
  alone.takes = 1000;
  only(alone.polled(), "acknowledgement");
});

test("codes on the wire are those that the table of messages names", () => {
  const named = (doc: string) =>
    Object.fromEntries(Array.from(doc.matchAll(/(\d+) ([\w-]+)/g), ([, code, name]) => [name, Number(code)]));
  const camel = { ...named(MESSAGES.request.fields.what.doc) };
  camel.selfTest = camel["self-test"];
  delete camel["self-test"];
  assert.equal(camel, REQUEST);
  assert.equal(named(MESSAGES.acknowledgement.fields.status.doc), LABEL_STATUS);
  assert.equal(named(MESSAGES.hello.fields.restore.doc), RESTORE_STATUS);
});

test("a checkpoint asked for is kept, and the credit behind it says so", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, 4);
  alone.polled();
  alone.come("request", { what: REQUEST.checkpoint });
  assert.is(only(alone.polled(), "credit").durable, 4);
});

test("raw samples go up whole, cut into the parts that a frame holds", () => {
  const node = { ...NODE, channels: 50, features: undefined };
  const alone = new Alone({ ...QUIET, node, samples: true, predictions: false }).met();
  alone.now = 5;
  const readings = Array.from({ length: 50 }, (_, i) => i + 1);
  alone.station.sample(readings);
  const most = restMax(MESSAGES.sample);
  const header = { name: "sample", start: 3, sid: SID, seq: 1, ts: 5, dr: 0, total: 50 };
  const part = (first: number) => {
    const x = readings.slice(first, first + most);
    return { ...header, first, x, length: x.length };
  };
  assert.equal(alone.polled(), [part(0), part(most), part(2 * most)]);
});

test("schema and self-test go up in parts, from the first to the last, once", () => {
  const selfTest = Uint32Array.from({ length: 64 }, (_, i) => 1000 + i);
  const alone = new Alone({ ...QUIET, selfTest }).met();
  for (const [what, name, list, field] of [
    [REQUEST.schema, "schema", seedsById(), "seeds"],
    [REQUEST.selfTest, "self-test", selfTest, "hashes"],
  ] as const) {
    alone.come("request", { what });
    const parts = alone.polled().filter((came) => came.name === name);
    assert.equal(
      parts.flatMap((part) => part[field] as number[]),
      [...list],
    );
    let first = 0;
    for (const part of parts) {
      assert.equal([part.first, part.total], [first, list.length]);
      first += part.length as number;
    }
    assert.equal(alone.polled(), []);
  }
  const none = new Alone(QUIET).met();
  none.come("request", { what: REQUEST.selfTest });
  assert.equal(none.polled(), [], "no self-test was made");
});

test("a sample fed in parts is taken once it is whole; a part out of turn begins it anew and is counted", () => {
  const alone = new Alone({ ...QUIET, fed: true }).met();
  const taken: number[][] = [];
  const { node } = alone.station;
  const sample = node.sample.bind(node);
  node.sample = (readings) => {
    taken.push([...(readings as Float32Array)]);
    return sample(readings);
  };
  const part = (seq: number, first: number, x: number[], total = 3) => {
    alone.come("sample", { start: 3, sid: SID, seq, first, total, x, length: x.length });
    alone.polled();
  };
  const astray = () => {
    alone.come("request", { what: REQUEST.statistics });
    const { part, stale } = only(alone.polled(), "losses");
    return [part, stale];
  };
  part(1, 0, [1, 2]);
  part(1, 2, [3]);
  part(2, 0, [4]);
  part(2, 1, [5, 6]);
  part(3, 0, [7, 8, 9]);
  const three = [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ];
  assert.equal(taken, three);
  assert.equal(astray(), [0, 0]);
  part(4, 3, []);
  assert.equal(taken, three, "an empty part behind a whole sample makes no second one");
  part(4, 1, [1, 1]);
  part(4, 0, [1]);
  part(4, 2, [1]);
  part(4, 1, [1, 1]);
  part(4, 0, [1, 1, 1, 1]);
  part(4, 0, [1, 1], 2);
  part(4, 0, [1, 1], 4);
  part(4, 2, [1], 4);
  assert.equal(taken, three);
  assert.equal(astray(), [8, 0]);
  part(4, 0, [1]);
  part(4, 0, [2]);
  part(4, 1, [3, 4]);
  assert.equal(taken.at(-1), [2, 3, 4], "its first part came twice");
  part(4, 0, [1, 1, 1]);
  part(6, 0, [1, 1, 1]);
  assert.is(taken.length, 4);
  assert.equal(astray(), [8, 2], "a sample that came again, and one before its turn, are stale");
});

test("a turn takes one label; those that came with it wait for the turns after it", () => {
  const alone = new Alone(QUIET).met();
  const { station } = alone;
  for (let k = 0; k < 3; k++) station.sample([1, k, 2]);
  for (let number = 1; number <= 3; number++) {
    alone.come("label", { start: 3, number, sid: SID, seq: number, y: 1 });
  }
  for (const [labelled, more] of [
    [1, true],
    [2, true],
    [3, false],
  ] as const) {
    assert.is(station.poll(), more);
    assert.is(station.node.labelled, labelled);
  }
});

test("a label or sample meant for another start, or come before the welcome, changes nothing", () => {
  const alone = new Alone({ fed: true });
  const { station } = alone;
  station.begin("fresh");
  const sample = (start: number) =>
    alone.come("sample", { start, sid: SID, seq: 1, first: 0, total: 3, x: [1, 2, 3], length: 3 });
  const label = (start: number) => alone.come("label", { start, number: 1, sid: SID, seq: 1, y: 1 });
  const taken = () => {
    while (station.poll());
    return [station.node.seq, station.node.labelled];
  };
  for (const start of [0, 3]) {
    sample(start);
    assert.equal(taken(), [0, 0], `before the welcome, start ${start}`);
  }
  alone.come("welcome", { boot: 1, peer: 2 });
  for (const start of [0, 1, 2, 4]) {
    sample(start);
    label(start);
    assert.equal(taken(), [0, 0], `another start, ${start}`);
  }
  sample(3);
  assert.equal(taken(), [1, 0]);
  label(2);
  assert.equal(taken(), [1, 0]);
  label(3);
  assert.equal(taken(), [1, 1]);
});

test("a stale sample discards the parts before it", () => {
  const alone = new Alone({ ...QUIET, fed: true }).met();
  const part = (seq: number, first: number, x: number[]) =>
    alone.come("sample", { start: 3, sid: SID, seq, first, total: 3, x, length: x.length });
  part(1, 0, [1, 2]);
  part(2, 0, [9]);
  part(1, 2, [3]);
  alone.polled();
  assert.is(alone.station.node.seq, 0);
});

test("a node that isn't fed takes no sample from its peer", () => {
  const alone = new Alone(QUIET).met();
  alone.come("sample", { start: 3, sid: SID, seq: 1, first: 0, total: 3, x: [1, 2, 3], length: 3 });
  alone.polled();
  assert.is(alone.station.node.seq, 0);
});

test("what is due waits for room: nothing urgent is lost to a port that takes little", () => {
  const selfTest = Uint32Array.from({ length: 64 }, (_, i) => i);
  const alone = new Alone({ ...QUIET, selfTest, outbox: 2 * FRAME_MAX }).met();
  alone.takes = 0;
  const asked = ["state", "configuration", "schema", "selfTest", "statistics", "checkpoint"] as const;
  for (const what of asked) alone.come("request", { what: REQUEST[what] });
  alone.polled();
  assert.equal(alone.heard(), []);
  assert.ok(alone.station.waiting);
  alone.takes = 10;
  const heard: Came[] = [];
  for (let turn = 0; turn < 40; turn++) heard.push(...alone.polled());
  const names = ["state", "configuration", "schema", "statistics", "learning", "losses", "credit"];
  for (const name of names) only(heard, name);
  const hashes = heard.filter(({ name }) => name === "self-test").flatMap((part) => part.hashes as number[]);
  assert.equal(hashes, [...selfTest]);
  assert.is(only(heard, "losses").dr, 0, "no frame was dropped");
  assert.not(alone.station.waiting);
});

test("dueAt is when a turn has something to do, though nothing comes", () => {
  const alone = new Alone({ statisticsMs: 700 });
  const { station } = alone;
  assert.is(station.dueAt, Number.NEGATIVE_INFINITY);
  station.begin("fresh");
  assert.is(station.dueAt, Number.NEGATIVE_INFINITY, "hello");
  alone.now = 10;
  alone.polled();
  assert.is(station.dueAt, 700, "statistics, before the next hello");
  alone.now = 700;
  alone.polled();
  assert.is(station.dueAt, 1010, "the next hello");
  alone.come("welcome", { boot: 1, peer: 2 });
  alone.now = 720;
  alone.polled();
  assert.is(station.dueAt, 970, "credit");
  alone.now = 971;
  assert.is(station.dueAt, 970, "no later than now");
  const quiet = new Alone(QUIET).met();
  assert.is(quiet.station.dueAt, 250);
});

test("dueAt is at once for each thing that waits for room", () => {
  for (const what of Object.keys(REQUEST) as (keyof typeof REQUEST)[]) {
    const alone = new Alone({ ...QUIET, selfTest: Uint32Array.of(1) }).met();
    alone.takes = 0;
    for (let k = 0; k < 20; k++) alone.station.log(2, "x".repeat(90));
    alone.polled();
    assert.is(alone.station.dueAt, 250);
    alone.come("request", { what: REQUEST[what] });
    alone.polled();
    assert.is(alone.station.dueAt, Number.NEGATIVE_INFINITY, what);
    alone.takes = 1000;
    alone.polled();
    alone.polled();
    assert.is(alone.station.dueAt, what === "hello" ? 1000 : 250, what);
  }
});

test("options that a station can't be made with are refused by name", () => {
  const make = (given: Partial<StationOptions>) => () => new Alone(given);
  for (const outbox of [255, 256.5]) {
    assert.throws(
      make({ outbox }),
      new RegExp(`station: option outbox: got ${outbox}; takes a whole number >= 256`),
    );
  }
  make({ outbox: 256 })();
  assert.throws(make({ selfTest: new Uint32Array(65) }), /option selfTest: got 65; takes at most 64 hashes/);
  make({ selfTest: new Uint32Array(64) })();
});

test.run();
