import { test } from "uvu";
import * as assert from "uvu/assert";
import { COUNTERS } from "../../src/learn/learner.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { ANSWERS } from "../../src/node/answers.ts";
import { RESTORE_STATUS } from "../../src/node/handshake.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { LABEL_STATUS, REMARK } from "../../src/node/ports.ts";
import { REQUEST, ROLLBACK_STATUS } from "../../src/node/requests.ts";
import { Station } from "../../src/node/station.ts";
import { type StationOptions, stationBytes } from "../../src/node/station-options.ts";
import { combinedHash } from "../../src/selftest/self-test.ts";
import { SAVE_STATUS } from "../../src/store/checkpoint-store.ts";
import { FRAME_MAX, MESSAGES, PROTOCOL, restMax, seedsById, tableHash } from "../../src/wire/messages.ts";
import { readText } from "../../src/wire/receiver.ts";
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

test("hello says who the node is and where it resumes, each field its own", () => {
  const selfTest = Uint32Array.of(5, 6, 7);
  const options = { node: NODE, firmware: "firmware 1.2", boot: 0xfffffff1, reset: 4, fed: true, selfTest };
  const before = new Alone().met();
  learn(before, 13);
  const alone = new Alone(options);
  alone.disk.save(new Uint8Array(before.station.node.range.f32.words.buffer, 0, checkpointLength()));
  assert.is(alone.station.node.restore(), "restored");
  alone.station.begin("fallback");
  const hello = only(alone.polled(), "hello");
  const texts = [hello.firmware, hello.learner].map((text) => readText(Uint8Array.from(text as number[])));
  assert.equal(texts, ["firmware 1.2", "olk-c"]);
  assert.equal(
    { ...hello, firmware: 0, learner: 0 },
    {
      name: "hello",
      length: 0,
      protocol: PROTOCOL,
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
      tests: 3,
      waiting: 0,
      pending: 16,
      labelWindow: 8,
      fifo: 128,
      frame: 128,
    },
  );
});

test("hello says what the transport has room for, and how many samples wait", () => {
  const alone = new Alone({}, { fifoBytes: 1000, frameBytes: 110 });
  for (let k = 0; k < 5; k++) alone.station.sample([k, 1, 2]);
  alone.heard();
  alone.station.begin("fresh");
  const { fifo, frame, waiting, pending } = only(alone.polled(), "hello");
  assert.equal([fifo, frame, waiting, pending], [1000, 110, 5, 16]);
});

test("a self-test whose hash is 0 was run: only `tests` says none", () => {
  const alone = new Alone({ selfTest: Uint32Array.of(0) });
  alone.station.begin("fresh");
  const { tests, selfTest } = only(alone.polled(), "hello");
  assert.equal([tests, selfTest], [1, 0]);
});

/** Number and status of the answers to labels that a station sends in its next turns. */
function pollAnswers(alone: Alone): [number: number, status: number][] {
  const list = Array.from({ length: 5 }, () => alone.polled()).flat();
  return list.flatMap(({ name, number, status }) =>
    name === "acknowledgement" ? [[Number(number), Number(status)]] : [],
  );
}

test("on request the station repeats its answers to the last labels, whatever came in between", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, 2);
  alone.come("label", { start: 3, number: 3, sid: SID + 1, seq: 1, y: 1 });
  alone.come("label", { start: 3, number: 3, sid: SID, seq: 1, y: 1 });
  alone.come("label", { start: 3, number: 5, sid: SID, seq: 1, y: 1 });
  alone.polled();
  alone.come("request", { what: REQUEST.answers });
  const { applied, session } = LABEL_STATUS;
  const options = [
    [1, applied],
    [2, applied],
    [3, session],
  ];
  assert.equal(pollAnswers(alone), options);
  assert.equal(pollAnswers(alone), [], "each request once");
});

test("the station remembers the answers to its last labels, and none of an earlier start", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, ANSWERS + 3);
  alone.polled();
  alone.come("request", { what: REQUEST.answers });
  const last = Array.from({ length: ANSWERS }, (_, i) => [i + 4, LABEL_STATUS.applied]);
  assert.equal(pollAnswers(alone), last);
  alone.come("rollback", { start: 3, status: 0 });
  alone.polled();
  assert.is(alone.station.node.labelled, 20, "it resumes from a checkpoint");
  alone.come("request", { what: REQUEST.answers });
  assert.equal(pollAnswers(alone), []);
});

test("an answer that waits for room isn't repeated once a later label has its place", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, ANSWERS);
  alone.polled();
  alone.takes = 0;
  for (let k = 0; k < 20; k++) alone.station.log(2, "x".repeat(90));
  alone.come("request", { what: REQUEST.answers });
  alone.polled();
  learn(alone, 2);
  alone.takes = Number.POSITIVE_INFINITY;
  const numbers = new Set(pollAnswers(alone).map(([number]) => number));
  for (const number of [1, 2]) assert.not(numbers.has(number), `${number}`);
  for (const number of [3, ANSWERS]) assert.ok(numbers.has(number), `${number}`);
});

test("a label's origin comes to the learner, also through the reorder buffer; a label without an origin is certain", () => {
  const alone = new Alone(QUIET).met();
  const { node } = alone.station;
  const seen: [number, number, number][] = [];
  const { learner } = node;
  const learn = learner.learn.bind(learner);
  learner.learn = (x, y) => {
    seen.push([node.labelled + 1, learner.source, learner.confidence]);
    return learn(x, y);
  };
  for (let k = 1; k <= 3; k++) alone.station.sample([k, 1, 2]);
  const label = { start: 3, sid: SID, y: 1 };
  alone.come("label", { ...label, number: 2, seq: 2, source: 201, confidence: 102 });
  alone.polled();
  alone.come("label", { ...label, number: 1, seq: 1, source: 255, confidence: 0 });
  alone.polled();
  node.label({ number: 3, sid: SID, seq: 3, y: 1 });
  assert.equal(seen, [
    [1, 255, 0],
    [2, 201, 102],
    [3, 0, 255],
  ]);
});

test("a request for a checkpoint is answered: kept, or why not and when", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, 12);
  alone.polled();
  const answer = () => {
    alone.come("request", { what: REQUEST.checkpoint });
    return only(alone.polled(), "checkpoint");
  };
  const told = { name: "checkpoint", length: 0, boot: 1, labelled: 12 };
  assert.equal(answer(), { ...told, status: SAVE_STATUS.kept, waitMs: 0, durable: 12 });
  alone.disk.save = () => false;
  assert.equal(answer().status, SAVE_STATUS.failed, "a storage that says no more than no");
  Object.assign(alone.disk, { lastSave: SAVE_STATUS.early, waitMs: 777 });
  assert.equal(answer(), { ...told, status: SAVE_STATUS.early, waitMs: 777, durable: 12 });
});

test("an end that asks for hello and never welcomes gets this node's protocol, once for each start of it", () => {
  const alone = new Alone(QUIET);
  alone.station.begin("fresh");
  const lines: string[] = [];
  const ask = (at: number) => {
    alone.now = at;
    alone.come("request", { what: REQUEST.hello });
    for (const { name, level, text } of alone.polled()) {
      if (name !== "log") continue;
      assert.is(level, 1, "a warning");
      lines.push(readText(Uint8Array.from(text as number[])));
    }
  };
  for (let second = 1; second <= 6; second++) ask(1000 * second);
  assert.equal(lines, [`asked for hello, not welcomed: this node speaks protocol ${PROTOCOL}`]);
  for (let second = 20; second <= 22; second++) ask(1000 * second);
  assert.is(lines.length, 2, "another start of it");
  for (let second = 30; second <= 34; second++) {
    ask(1000 * second);
    alone.come("welcome", { boot: 1, peer: 2, sent: 0 });
  }
  assert.is(lines.length, 2);
});

test("requests for hello that waited until the node had started get one hello, and no line: their sender welcomes it", () => {
  const alone = new Alone(QUIET);
  alone.now = 4000; // what is sent to a node in its self-test waits in its FIFO, and whatever feeds that
  alone.station.begin("fresh");
  const heard: Came[] = [];
  for (let turn = 0; turn < 5; turn++) {
    for (let k = 0; k < 3; k++) alone.come("request", { what: REQUEST.hello });
    heard.push(...alone.polled());
    alone.now += 40;
  }
  alone.come("welcome", { boot: 1, peer: 2, sent: 0 });
  heard.push(...alone.polled());
  assert.equal(named(heard), [...new Array(5).fill("hello"), "credit"]);
});

function checkpointLength(): number {
  const { state, counters } = nodeLayout(NODE);
  return 4 * (state + counters);
}

test("hello has 0 for what a station wasn't configured with: no reason, no self-test, not fed", () => {
  const alone = new Alone();
  alone.station.begin("fresh");
  const { restore, reset, fed, selfTest, tests, seq, since } = only(alone.polled(), "hello");
  assert.equal([restore, reset, fed, selfTest, tests, seq, since], [0, 0, 0, 0, 0, 0, 0]);
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

test("a node that isn't fed begins a new session, one that is fed resumes the restored one", () => {
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
  assert.equal([5001, 6000, 6001].map(hellos), [1, 0, 1], "a welcome is awaited again");
  alone.come("welcome", { boot: 1, peer: 2 });
  assert.equal([6002, 7500].map(hellos), [0, 0]);
  assert.is(alone.polled().length, 0);
});

test("a rollback is the holder's, answered once, and a start of its own; where there is nothing to go back to nothing changes", () => {
  const alone = new Alone(QUIET).met();
  const rollback = (start: number) => {
    alone.come("rollback", { start });
    return alone.polled();
  };
  const answer = (start: number, status: number) => ({ name: "rollback", length: 0, start, status });
  assert.equal(rollback(3), [answer(3, ROLLBACK_STATUS.none)]);
  learn(alone, 25);
  alone.polled();
  const state = alone.station.node.stateHash();
  assert.equal(rollback(4), [], "not the holder's");
  assert.is(alone.station.node.stateHash(), state);
  const [hello, done, ...more] = rollback(3);
  assert.equal([done, more], [answer(3, ROLLBACK_STATUS.fallback), []]);
  const { boot, sid, seq, labelled, durable, since, restore } = hello;
  assert.equal(
    [hello.name, seq, labelled, durable, since, restore],
    ["hello", 10, 10, 10, 10, RESTORE_STATUS.fallback],
  );
  assert.ok(boot !== 1 && sid !== SID);
  assert.equal(rollback(3), [], "it comes again, late");
  assert.is(alone.station.node.labelled, 10);
  alone.come("welcome", { boot: 1, peer: 2 });
  assert.equal(alone.polled(), [], "a welcome to the start before");
  alone.come("welcome", { boot, peer: 2 });
  assert.is(only(alone.polled(), "credit").boot, boot);
  const start = ((boot as number) ^ 2) >>> 0;
  alone.come("label", { start, number: 11, sid: SID, seq: 11, y: 1 });
  const { boot: answered, status } = only(alone.polled(), "acknowledgement");
  assert.equal([answered, status], [boot, LABEL_STATUS.session]);
});

test("a node that plays a recording keeps its session through a rollback: labels of samples after the checkpoint find them again", () => {
  const alone = new Alone({ ...QUIET, keepsSession: true }).met();
  learn(alone, 25);
  alone.polled();
  alone.come("rollback", { start: 3 });
  const [{ boot, sid, seq }] = alone.polled();
  assert.ok(boot !== 1);
  assert.equal([sid, seq], [SID, 10]);
  alone.come("welcome", { boot, peer: 2 });
  alone.polled();
  const start = ((boot as number) ^ 2) >>> 0;
  alone.station.sample([1, 1, 0]);
  alone.come("label", { start, number: 11, sid: SID, seq: 11, y: 1 });
  const { status } = only(alone.polled(), "acknowledgement");
  assert.is(status, LABEL_STATUS.applied);
});

test("the holder reads memory from any word on, in parts that leave room for answers; a new question ends the one before", () => {
  const alone = new Alone(QUIET).met();
  learn(alone, 5);
  alone.polled();
  const { node } = alone.station;
  const { bits } = node.range.f32;
  const total = node.layout.state + node.layout.counters;
  const read = (first: number, count: number, start = 3) => {
    alone.come("inspect", { start, first, count });
    const turns = Array.from({ length: 5 }, () => alone.polled());
    return turns.flat().filter(({ name }) => name === "memory");
  };
  const words = (heard: readonly Came[]) => heard.flatMap((came) => came.words as number[]);
  const parts = read(40, 60);
  assert.equal(words(parts), [...bits.subarray(40, 100)]);
  const most = restMax(MESSAGES.memory);
  const header = { name: "memory", start: 3, seq: 5, labelled: 5, total };
  assert.equal(
    parts.map(({ words, ...part }) => part),
    [most, most, 60 - 2 * most].map((length, i) => ({ ...header, first: 40 + i * most, length })),
  );
  assert.equal(words(read(total - 2, 0xffffffff)), [...bits.subarray(total - 2, total)]);
  assert.equal([read(total, 1), read(0, 0), read(0, 5, 4)], [[], [], []]);
  alone.takes = 0;
  alone.come("inspect", { start: 3, first: 0, count: total });
  alone.polled();
  alone.takes = Number.POSITIVE_INFINITY;
  const mixed = read(7, 3);
  assert.equal(mixed.slice(-1)[0].words, [...bits.subarray(7, 10)]);
  assert.ok(words(mixed).length < total);
});

test("another peer's welcome is refused, and the holder named, until that one was silent for 1.5 s or leaves", () => {
  const alone = new Alone(QUIET).met();
  const welcomed = (now: number, peer = 9) => {
    alone.now = now;
    alone.come("request", { what: REQUEST.hello });
    alone.come("welcome", { boot: 1, peer });
    const heard = alone.polled();
    const refusals = heard.filter(({ name }) => name === "occupied");
    if (refusals.length === 0) return only(heard, "credit").peer;
    assert.equal(refusals, [{ name: "occupied", length: 0, boot: 1, peer, holder: 2 }]);
    return "refused";
  };
  assert.equal(
    [10_000, 11_000].map((now) => welcomed(now)),
    ["refused", "refused"],
  );
  assert.is(welcomed(11_400, 2), 2, "the holder answers the hello");
  assert.equal(
    [12_000, 13_499].map((now) => welcomed(now)),
    ["refused", "refused"],
  );
  alone.come("label", { start: 3, number: 1, sid: SID, seq: 1, y: 1 });
  alone.polled();
  assert.equal(
    [13_500, 14_999].map((now) => welcomed(now)),
    ["refused", "refused"],
    "a label is a sign of life",
  );
  assert.is(welcomed(18_501), "refused", "what was asked 5 s ago is forgotten");
  assert.is(welcomed(20_001), 9);
  alone.come("leave", { start: 3 });
  assert.equal(alone.polled(), [], "one that holds it no longer");
  alone.come("leave", { start: 1 ^ 9 });
  alone.now = 21_001;
  assert.equal(named(alone.polled()), ["hello"], "a welcome is awaited again");
  assert.is(welcomed(21_002, 4), 4, "at once");
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
  const credit = { boot: 1, peer: 0xfffffffe, window: 95, sid: SID, seq: 0, labelled: 0, durable: 0 };
  const told = (received: number) => ({ ...credit, received, length: 0, name: "credit" });
  assert.equal(alone.polled(), [told(0xfffffff0)]);
  const bytes = (count: number) => {
    for (let i = 0; i < count; i++) alone.fifo.push(0);
    return alone.polled();
  };
  assert.equal(bytes(23), []);
  assert.equal(bytes(1), [told(8)], "24 of 95, and counted on mod 2^32");
  assert.equal(bytes(24), [told(32)]);
  alone.now = 349;
  assert.equal(bytes(1), []);
  alone.now = 350;
  assert.equal(bytes(0), [told(33)]);
});

test("on a port whose packets cost, credit goes up as rarely as the port says", () => {
  const alone = new Alone(QUIET, { creditMs: 500 }).met();
  assert.equal(named(alone.polled()), []);
  alone.now += 499;
  assert.equal(named(alone.polled()), []);
  assert.is(alone.station.dueAt, alone.now + 1);
  alone.now += 1;
  assert.equal(named(alone.polled()), ["credit"]);
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
    ["fifoBytes", [72, 65536, 100.5], [73, 65535]],
    ["uncreditedBytes", [32, 89], [33, 88]],
    ["frameBytes", [99, 129], [100, 128]],
    ["creditMs", [0, 1001], [1, 1000]],
  ] as const) {
    for (const value of wrong)
      assert.throws(make({ [option]: value }), new RegExp(`option ${option}: got ${value}`));
    for (const value of right) make({ [option]: value })();
  }
});

test("statistics are sent every N samples or milliseconds; 0 is never, 10 s the default", () => {
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

test("statistics and learning have the node's and the learner's counts, and restart lag and error", () => {
  const alone = new Alone({ ...QUIET, predictions: false }).met();
  const { node } = alone.station;
  learn(alone, 25);
  alone.station.sample([1, Number.NaN, 1]);
  for (let k = 0; k < 5; k++) alone.station.sample([k, 1, 1]);
  alone.come("label", { start: 3, number: 26, sid: SID, seq: 28, y: 1 });
  alone.come("label", { start: 3, number: 26, sid: SID, seq: 28, y: 1 });
  alone.come("label", { start: 3, number: 28, sid: SID, seq: 30, y: 1 });
  alone.come("label", { start: 3, number: 27, sid: SID, seq: 5, y: 1 });
  alone.polled();
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
    drifts: 0,
    shifts: 0,
  });
  alone.come("request", { what: REQUEST.statistics });
  assert.is(only(alone.polled(), "statistics").lag, 0);
});

/** Of a kernel to which the samples below are out of each other's sight. */
const FAR = { budget: 8, kernel: { type: "gaussian", sigma: 1 } } as const;

test("statistics of a regression have the mean of its absolute errors since the last", () => {
  const node = { ...NODE, features: undefined, learner: familyNamed("qklms")!, options: FAR };
  const alone = new Alone({ ...QUIET, node }).met();
  const learnAll = (labels: readonly number[]) => {
    for (const y of labels) {
      alone.station.sample([50 * alone.station.node.seq, 0, 0]);
      const { seq, labelled } = alone.station.node;
      alone.come("label", { start: 3, number: labelled + 1, sid: SID, seq, y });
      alone.station.poll();
    }
    alone.come("request", { what: REQUEST.statistics });
    return only(alone.polled(), "statistics").error;
  };
  assert.is(learnAll([3, -4, 8]), 5, "nothing is known of far inputs: each estimate is 0");
  assert.is(learnAll([2]), 2);
  assert.is(learnAll([]), 0);
});

test("losses have the discarded frames, parts out of turn, the engine's figures and the longest turn", () => {
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
    forged: 0,
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
  for (const options of [
    { statisticsEvery: 1, statisticsMs: 2, predictions: 0, samples: 1, checkpointEvery: 3 },
    { statisticsEvery: 4, statisticsMs: 5, predictions: 1, samples: 0, checkpointEvery: 6 },
  ]) {
    alone.come("configuration", options);
    assert.equal(only(alone.polled(), "configuration"), { name: "configuration", length: 0, ...options });
    assert.is(alone.station.node.checkpointEvery, options.checkpointEvery);
    alone.station.sample([1, 2, 3]);
    const names = named(alone.polled());
    assert.is(names.includes("prediction"), options.predictions === 1);
    assert.is(names.includes("sample"), options.samples === 1);
  }
});

test("a peer can have a node save more often than its options say, and not less often", () => {
  const every = (own: number | undefined, wished: readonly number[]) => {
    const alone = new Alone({ node: { ...NODE, checkpointEvery: own } }).met();
    return wished.map((checkpointEvery) => {
      alone.come("configuration", { checkpointEvery });
      const told = only(alone.polled(), "configuration").checkpointEvery;
      assert.is(alone.station.node.checkpointEvery, told);
      return told;
    });
  };
  assert.equal(every(11, [0, 1, 10, 11, 12, 2 ** 32 - 1, 3]), [11, 1, 10, 11, 11, 11, 3]);
  assert.equal(every(1, [0, 2, 1]), [1, 1, 1]);
  assert.equal(every(2 ** 32 - 1, [0, 5]), [2 ** 32 - 1, 5]);
  assert.equal(every(0, [0, 1, 2 ** 32 - 1, 0]), [0, 1, 2 ** 32 - 1, 0], "its options leave it to the peer");
  assert.equal(every(undefined, [7, 0]), [7, 0]);
});

test("a station reports by default predictions, statistics every 10 s, and no lag yet", () => {
  const alone = new Alone().met();
  alone.come("request", { what: REQUEST.configuration });
  alone.come("request", { what: REQUEST.statistics });
  const heard = alone.polled();
  const told = { statisticsEvery: 0, statisticsMs: 10_000, predictions: 1, samples: 0, checkpointEvery: 10 };
  assert.equal(only(heard, "configuration"), { name: "configuration", length: 0, ...told });
  assert.is(only(heard, "statistics").lag, 0);
});

test("a prediction that asks for its label says so in one byte, and goes up even where predictions aren't reported", () => {
  const node = { ...NODE, labelBudget: 0.5 };
  const seqs = [true, false].map((predictions) => {
    const alone = new Alone({ ...QUIET, node, predictions }).met();
    const heard = Array.from({ length: 60 }, () => {
      alone.station.sample([1, 2, 3]);
      return alone.polled().filter(({ name }) => name === "prediction");
    }).flat();
    for (const { length, remarks } of heard) assert.equal(remarks, length === 0 ? [] : [REMARK.asked]);
    assert.is(heard.length === 60, predictions);
    return heard.filter(({ length }) => length === 1).map(({ seq }) => seq);
  });
  assert.ok(seqs[0].length > 20 && seqs[0].length <= 51, `${seqs[0].length}`);
  assert.equal(seqs[1], seqs[0]);
});

const PLAIN = { features: undefined, learner: familyNamed("arow")!, options: {} };

test("an alarm of drift goes up with a prediction even where none are reported, and is counted in learning", () => {
  const alone = new Alone({
    ...QUIET,
    node: { ...NODE, ...PLAIN, drift: "watch" },
    predictions: false,
  }).met();
  const heard = [];
  for (let t = 1; t <= 300; t++) {
    const side = t % 2 === 0 ? 1 : -1;
    alone.station.sample([side, 0, 0]);
    heard.push(...alone.polled().filter(({ name }) => name === "prediction"));
    alone.come("label", { start: 3, number: t, sid: SID, seq: t, y: t < 150 ? side : -side });
    alone.polled();
  }
  assert.ok(heard.length > 0);
  for (const { length, remarks } of heard) assert.equal([length, remarks], [1, [REMARK.drift]]);
  alone.come("request", { what: REQUEST.statistics });
  const { drifts, shifts } = only(alone.polled(), "learning");
  assert.equal([drifts, shifts], [heard.length, 0]);
});

test("an estimate's interval goes up in two bytes", () => {
  const node = { ...NODE, ...PLAIN, learner: familyNamed("qklms")!, coverage: 0.9 };
  const alone = new Alone({ ...QUIET, node, predictions: true }).met();
  alone.station.sample([1, 2, 3]);
  assert.is(only(alone.polled(), "prediction").length, 0);
  alone.come("label", { start: 3, number: 1, sid: SID, seq: 1, y: 4 });
  alone.polled();
  alone.station.sample([1, 2, 3]);
  // The first label is 4 off: 2^(8/4).
  assert.equal(only(alone.polled(), "prediction").remarks, [REMARK.set, 128 + 8]);
});

test("a prediction, a label's answer, a line and a reset are sent as they are", () => {
  const alone = new Alone(QUIET).met();
  alone.now = 77;
  const decision = alone.station.sample([1, 2, 3]);
  alone.come("label", { start: 3, number: 1, sid: SID, seq: 1, y: 1 });
  alone.station.log(2, "a line");
  alone.station.announceReset(9, "brown-out");
  const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
  const heard = alone.polled();
  const about = { sid: SID, seq: 1, ts: 77, dr: 0, length: 0 };
  assert.equal(only(heard, "prediction"), { name: "prediction", ...about, decision, remarks: [] });
  const line = { ts: 77, dr: 0, level: 2, text: ascii("a line"), length: 6 };
  assert.equal(only(heard, "log"), { name: "log", ...line });
  const reset = { boot: 1, reason: 9, text: ascii("brown-out"), length: 9 };
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

test("a sample fed in parts is taken once it is whole; a part out of turn restarts it and is counted", () => {
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
  const names = ["state", "configuration", "statistics", "learning", "losses", "credit"];
  for (const name of names) only(heard, name);
  const collectParts = (of: string, key: string) =>
    heard.filter(({ name }) => name === of).flatMap((part) => part[key] as number[]);
  assert.equal(collectParts("self-test", "hashes"), [...selfTest]);
  assert.is(collectParts("schema", "seeds").length, heard.find(({ name }) => name === "schema")?.total);
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
    const node = { ...NODE, fleetBudget: 0 };
    const alone = new Alone({ ...QUIET, node, selfTest: Uint32Array.of(1) }).met();
    learn(alone, 1);
    alone.polled();
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

test("a port of bytes may have a method of its own by the name of one that a port of messages has", () => {
  let bytes = 0;
  const port = {
    read: () => 0,
    write: (_bytes: Uint8Array, from: number, to: number) => {
      bytes += to - from;
      return to - from;
    },
    send: () => assert.unreachable(),
  };
  const { disk } = new Alone();
  const ports = { clock: { now: () => 0 }, port, storage: disk };
  const station = new Station({ node: NODE, firmware: "test", boot: 1 }, ports);
  station.begin("fresh");
  station.poll();
  assert.ok(bytes > 0);
});

test("options that a station can't be made with are refused by name", () => {
  const make = (options: Partial<StationOptions>) => () => new Alone(options);
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
