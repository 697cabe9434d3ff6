import { test } from "uvu";
import * as assert from "uvu/assert";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { REQUEST } from "../../src/node/requests.ts";
import type { PeerPort } from "../../src/peer/framing.ts";
import { Peer, type PeerOptions } from "../../src/peer/peer.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import {
  type DownName,
  FRAME_MAX,
  MESSAGES,
  type Message,
  messageNames,
  PROTOCOL,
  restMax,
  seedsById,
  tableHash,
  type UpName,
} from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";

const ID = 0xf0;

/** A peer whose node is the test: messages come whole, and each that is sent is kept. */
class Node implements PeerPort {
  now = 0;
  readonly peer: Peer;
  readonly thrown = new Receiver([]).thrown;
  private readonly encoder = new Encoder(messageNames("down"));
  private readonly receiver = new Receiver(messageNames("up"));
  private sent: { [field: string]: unknown }[] = [];
  private bytes = 0;

  constructor(options: Partial<PeerOptions> = {}) {
    this.peer = new Peer({ write: this, id: ID, now: () => this.now, ...options });
  }

  outgoing<N extends DownName>(name: N): Message<N> {
    return this.encoder.message(name);
  }
  messageBytes(name: DownName): number {
    this.bytes = this.encoder.encode(name);
    return this.bytes;
  }
  send(name: DownName): void {
    const { x, seeds, ...fields } = this.encoder.message(name) as Message<"sample"> & Message<"schema">;
    this.sent.push({ name, ...fields, ...(x && { x: [...x.subarray(0, fields.length)] }) });
  }
  incoming<N extends UpName>(name: N): Message<N> {
    return this.receiver.message(name);
  }

  /** A message comes from the node. */
  say(name: UpName, fields: object): void {
    Object.assign(this.receiver.message(name), fields);
    this.peer.take(name);
  }
  hello(fields: object = {}): void {
    const at = { sid: 7, seq: 0, labelled: 0, durable: 0, since: 0, channels: 2, fed: 0 };
    const room = { labelWindow: 1024, frame: FRAME_MAX };
    this.say("hello", { protocol: PROTOCOL, boot: 1, table: tableHash(), ...room, ...at, ...fields });
  }
  credit(fields: object = {}): void {
    const { seq, labelled, durable } = this.peer.node;
    const at = { sid: 7, seq, labelled, durable };
    this.say("credit", {
      boot: 1,
      peer: ID,
      received: this.peer.credit.sent,
      window: 1000,
      ...at,
      ...fields,
    });
  }
  /** Sends hello and grants a window, and forgets the peer's answers. */
  met(fields: object = {}): this {
    this.hello(fields);
    this.credit(fields);
    this.sent = [];
    return this;
  }
  /** The peer's messages since the last call, after a tick at that millisecond. */
  at(now: number) {
    this.now = now;
    this.peer.tick();
    return this.heard();
  }
  heard() {
    const { sent } = this;
    this.sent = [];
    return sent;
  }
  /** The numbers of the labels, or samples, that a tick at that millisecond sends. */
  numbers(now: number): unknown[] {
    return this.at(now).map(({ name, number, seq }) => (name === "label" ? number : seq));
  }
}

const makeLabels = (count: number, sid = 7) => ({
  at: (number: number) => (number <= count ? { number, sid, seq: number, y: -number } : undefined),
});

test("a node that isn't heard is asked for hello: at once, each second, and after two of silence", () => {
  const node = new Node();
  const asked = (now: number) => node.at(now).map(({ name, what }) => [name, what]);
  const once = [["request", REQUEST.hello]];
  assert.equal([0, 999, 1000, 1001].map(asked), [once, [], once, []]);
  assert.is(node.peer.dueAt, 2000);
  node.met();
  assert.equal([1002, 3000].map(asked), [[], []]);
  assert.is(node.peer.dueAt, 3001, "two seconds after the hello at 1001");
  assert.equal([3001, 3002, 4000, 4001].map(asked), [once, [], [], once]);
  node.say("log", { ts: 0 });
  assert.equal([6000, 6001].map(asked), [[], once], "any message is a sign of life");
});

test("a node of another protocol is named and not welcomed, until it speaks this one", () => {
  const node = new Node();
  node.hello({ protocol: 1 });
  assert.equal([node.peer.otherProtocol, node.peer.met, node.heard()], [1, false, []]);
  node.hello();
  assert.equal([node.peer.otherProtocol, node.peer.met], [undefined, true]);
});

test("a node that deals with no label is known by it after five seconds, until it deals with one or starts again", () => {
  const node = new Node({ labels: makeLabels(9) }).met({ seq: 9 });
  const since = (now: number) => {
    node.now = now;
    node.credit();
    node.peer.tick();
    return node.peer.unansweredSince;
  };
  assert.equal([0, 1000, 4999, 5000, 9000].map(since), [undefined, undefined, undefined, 0, 0]);
  node.say("acknowledgement", { boot: 1, number: 1, status: LABEL_STATUS.refused, labelled: 1, durable: 0 });
  assert.equal([9400, 14_399, 14_400].map(since), [undefined, undefined, 9400]);
  node.hello({ boot: 2, seq: 9 });
  assert.is(node.peer.unansweredSince, undefined);
  const idle = new Node({ labels: makeLabels(0) }).met({ seq: 9 });
  idle.at(0);
  idle.now = 60_000;
  assert.is(idle.peer.unansweredSince, undefined, "nothing was sent");
});

test("no more labels are on their way than the node can hold", () => {
  const node = new Node({ labels: makeLabels(9), window: 6 }).met({ seq: 9, labelWindow: 2 });
  assert.equal(node.numbers(0), [1, 2]);
});

test("a hello is welcomed, with what was sent up to the end of the welcome", () => {
  const node = new Node();
  node.at(0);
  node.hello({ boot: 5 });
  const request = 8 + 1;
  const welcome = { name: "welcome", boot: 5, peer: ID, table: tableHash(), sent: request + 24, length: 0 };
  assert.equal(node.heard(), [welcome]);
  assert.is(node.peer.credit.sent, request + 24);
  assert.ok(node.peer.met);
  assert.equal(node.peer.differences, []);
});

test("what the peer knows of the node never goes back within a start, and is the hello's at a new one", () => {
  const durable: number[] = [];
  const restarts: number[] = [];
  const labels = {
    at: () => undefined,
    durable: (number: number) => durable.push(number),
    restart: (labelled: number) => restarts.push(labelled),
  };
  const node = new Node({ labels });
  const known = () => {
    const { sid, seq, labelled, durable } = node.peer.node;
    return [sid, seq, labelled, durable];
  };
  node.hello({ seq: 10, labelled: 5, durable: 3, since: 10 });
  assert.equal(known(), [7, 10, 5, 3]);
  node.credit({ seq: 12, labelled: 7, durable: 4 });
  node.credit({ seq: 11, labelled: 6, durable: 2 });
  assert.equal(known(), [7, 12, 7, 4]);
  node.say("acknowledgement", { boot: 1, number: 8, status: 0, labelled: 8, durable: 6 });
  node.say("acknowledgement", { boot: 2, number: 9, status: 0, labelled: 9, durable: 9 });
  assert.equal(known(), [7, 12, 8, 6], "an answer of another start is ignored");
  node.say("prediction", { sid: 7, seq: 14 });
  node.say("prediction", { sid: 8, seq: 15 });
  assert.equal(known(), [7, 14, 8, 6], "nor does a prediction of another session");
  node.credit();
  assert.equal(durable, [3, 4, 6], "each once, and what the hello says");
  node.hello({ seq: 10, labelled: 5, durable: 5, since: 10 });
  assert.equal(known(), [7, 14, 8, 6], "a hello of the same start");
  node.hello({ boot: 2, sid: 9, seq: 11, labelled: 6, durable: 6, since: 11 });
  assert.equal(known(), [9, 11, 6, 6]);
  assert.equal(restarts, [5, 6]);
  assert.equal(node.peer.counts.starts, 2);
  assert.is(node.peer.counts.samplesLost, 3);
  node.hello({ boot: 1, seq: 99 });
  assert.equal(known(), [9, 11, 6, 6], "a late hello of the start before");
  node.heard();
  assert.equal(node.at(1), [], "isn't welcomed");
});

test("samples of a node that is fed aren't lost by a restart", () => {
  const node = new Node();
  node.hello({ seq: 20, since: 20, fed: 1 });
  node.hello({ boot: 2, seq: 15, since: 15, fed: 1 });
  assert.is(node.peer.counts.samplesLost, 0);
});

test("credit of another start grants nothing, and has an unknown one asked for its hello, once a second", () => {
  const node = new Node().met();
  const { credit } = node.peer;
  node.now = 5000;
  for (const at of [5000, 5999, 6000]) {
    node.now = at;
    node.credit({ boot: 3, window: 77, seq: 40 });
  }
  assert.equal(
    node.heard().map(({ what }) => what),
    [REQUEST.hello, REQUEST.hello],
  );
  assert.equal([credit.largest, node.peer.node.seq], [1000, 0]);
  node.hello({ boot: 3 });
  node.heard();
  node.now = 9000;
  node.credit({ boot: 1, window: 77 });
  assert.equal(node.heard(), [], "a late one of the start before");
  node.credit({ boot: 3, peer: ID + 1, window: 78, seq: 2 });
  assert.equal([credit.largest, node.peer.node.seq], [0, 2], "for another start of the peer");
});

test("requests and a configuration wait for credit, and go in the order asked for", () => {
  const node = new Node();
  node.peer.request("state");
  node.peer.request("statistics");
  const options = { checkpointEvery: 1, statisticsEvery: 2, statisticsMs: 3, predictions: 0, samples: 1 };
  node.peer.configure(options);
  node.at(0);
  node.hello();
  node.heard();
  assert.equal(node.at(1), []);
  node.credit({ window: 9 });
  const asked = () => node.at(2).map(({ name, what }) => what ?? name);
  assert.equal(asked(), [REQUEST.state]);
  assert.equal(asked(), []);
  node.credit({ window: 9 });
  assert.equal(asked(), [REQUEST.statistics]);
  node.credit({ window: 40 });
  assert.equal(node.at(3), [{ name: "configuration", length: 0, ...options }]);
  assert.equal(node.at(4), [], "each once");
});

test("what is asked for again and again without credit goes once, and what is withdrawn not at all", () => {
  const node = new Node();
  node.hello();
  node.heard();
  for (let day = 0; day < 9; day++)
    for (const what of ["state", "statistics"] as const) node.peer.request(what);
  node.peer.request("answers")();
  node.peer.rollback()();
  node.peer.rollback(2);
  const withdraw = node.peer.request("features");
  node.peer.request("features");
  withdraw();
  node.credit();
  assert.equal(
    node.at(1).map(({ name, what }) => what ?? name),
    [REQUEST.state, REQUEST.statistics, REQUEST.features],
  );
});

test("labels go down in order, as many as the window holds, and again if they aren't answered in time", () => {
  const node = new Node({ labels: makeLabels(9), window: 4, resendMs: 100 }).met({ seq: 6 });
  const first = node.at(0);
  const origin = { source: 0, confidence: 255, tag: new Uint32Array(2) };
  const label = (number: number) => ({ number, sid: 7, seq: number, y: -number, ...origin, start: 1 ^ ID });
  assert.equal(
    first,
    [1, 2, 3, 4].map((number) => ({ name: "label", ...label(number), length: 0 })),
  );
  assert.is(node.peer.dueAt, 100);
  assert.equal(node.numbers(99), []);
  assert.is(node.peer.dueAt, 100);
  node.say("acknowledgement", { boot: 1, number: 3, status: LABEL_STATUS.held, labelled: 0, durable: 0 });
  assert.equal(node.numbers(100), [1, 2, 4], "a held one is rarely discarded");
  assert.is(node.peer.dueAt, 200);
  node.credit({ labelled: 2 });
  assert.equal(node.numbers(199), [5, 6]);
  assert.equal(node.numbers(200), [4]);
  assert.equal(node.numbers(399), [4, 5, 6]);
  assert.equal(node.numbers(400), [3], "after four times as long");
  assert.equal(node.peer.counts.labelsSent, 6);
  assert.equal(node.peer.counts.labelsResent, 8);
  assert.equal(node.numbers(500), [3, 4, 5, 6], "sent again, it isn't held any longer");
  node.credit({ labelled: 4 });
  assert.equal(node.numbers(501), [], "the samples of 7 and 8 aren't taken yet");
  node.credit({ seq: 7 });
  assert.equal(node.numbers(502), [7]);
});

test("what a label carries for a start whose highest bit is set is the number that the node has", () => {
  const node = new Node({ labels: makeLabels(1) }).met({ boot: 0x80000000, seq: 1 });
  assert.is(node.at(0)[0].start, 0x80000000 + ID);
});

test("the hello of a start before is late, unless nothing else was heard for two seconds", () => {
  const node = new Node().met();
  node.now = 1000;
  node.hello({ boot: 2 });
  node.heard();
  for (const [now, welcomed] of [
    [2999, 0],
    [3000, 1],
    [3001, 1],
  ]) {
    node.now = now;
    node.hello({ boot: 1 });
    assert.is(node.heard().length, welcomed, `at ${now}`);
  }
  assert.equal([node.peer.node.boot, node.peer.counts.starts], [1, 3]);
});

test("16 labels are on their way at once, for 400 ms, unless other numbers are given", () => {
  const node = new Node({ labels: makeLabels(50) }).met({ seq: 50 });
  assert.is(node.numbers(0).length, 16);
  assert.equal(
    [399, 400].map((now) => node.numbers(now).length),
    [0, 16],
  );
});

test("a label of another session doesn't wait for a sample of this one", () => {
  const node = new Node({ labels: makeLabels(3, 6) }).met();
  assert.equal(node.numbers(0), [1, 2, 3]);
});

test("after a hello the peer sends every unanswered label again at once, within its credit", () => {
  const node = new Node({ labels: makeLabels(3) }).met({ seq: 5 });
  assert.equal(node.numbers(0), [1, 2, 3]);
  node.hello({ boot: 2, seq: 5 });
  node.heard();
  assert.equal(node.at(1), [], "no credit yet");
  node.credit({ boot: 2, window: 2 * 30 });
  assert.equal(node.numbers(2), [1, 2]);
  assert.equal(node.numbers(3), []);
  node.credit({ boot: 2 });
  assert.equal(node.numbers(4), [3]);
});

test("an answered label frees what was sent up to it, though no credit has come since", () => {
  const node = new Node({ labels: makeLabels(9) }).met({ seq: 9, window: 3 * 30 });
  assert.equal(node.numbers(0), [1, 2, 3]);
  node.say("acknowledgement", { boot: 1, number: 2, status: LABEL_STATUS.held, labelled: 0, durable: 0 });
  assert.equal(node.numbers(1), [4, 5]);
  node.say("acknowledgement", { boot: 1, number: 3, status: 0, labelled: 3, durable: 0 });
  assert.equal(node.numbers(2), [6]);
});

const makeSamples = (count: number, after = 0) => ({
  at: (seq: number) => (seq <= count ? { x: [seq, -seq], after: after && seq - after } : undefined),
});

test("samples are fed up to four ahead of the node, and again when it doesn't get on with them", () => {
  const node = new Node({ samples: makeSamples(9), resendMs: 100 }).met({ fed: 1, seq: 2 });
  const [third] = node.at(10);
  const part = { sid: 7, seq: 3, first: 0, total: 2, length: 2, x: [3, -3], start: 1 ^ ID, ts: 0, dr: 0 };
  assert.equal(third, { name: "sample", ...part });
  assert.is(node.peer.dueAt, 110);
  assert.equal(node.numbers(11), []);
  node.credit({ seq: 4 });
  assert.equal(node.numbers(50), [7, 8]);
  assert.is(node.peer.dueAt, 111, "two were taken at 11");
  assert.equal(node.numbers(110), []);
  assert.equal(node.numbers(111), [5, 6, 7, 8]);
  assert.equal([node.peer.counts.samplesFed, node.peer.counts.samplesRefed], [6, 4]);
  node.credit({ seq: 9 });
  assert.equal(node.numbers(112), []);
  assert.is(node.peer.dueAt, 2111, "nothing is on its way");
});

test("a node that is ahead of the fed samples resumes at its own next one", () => {
  const node = new Node({ samples: makeSamples(99) }).met({ fed: 1 });
  assert.equal(node.numbers(0), [1, 2, 3, 4]);
  node.credit({ seq: 9 });
  assert.equal(node.numbers(1), [10, 11, 12, 13]);
  node.credit({ seq: 14 });
  assert.equal(node.numbers(1), [15, 16, 17, 18], "it took the very sample that was to be fed next");
  node.hello({ boot: 2, seq: 6, fed: 1 });
  node.heard();
  node.credit({ boot: 2 });
  assert.equal(node.numbers(2), [7, 8, 9, 10], "from where it restarted");
});

test("a sample waits for the label that must come before it; a node that isn't fed gets none", () => {
  const node = new Node({ samples: makeSamples(9, 2) }).met({ fed: 1 });
  assert.equal(node.numbers(0), [1, 2], "sample 3 comes after label 1");
  node.credit({ labelled: 1 });
  assert.equal(node.numbers(1), [3]);
  const own = new Node({ samples: makeSamples(9) }).met();
  assert.equal(own.at(0), []);
  const none = new Node({ samples: makeSamples(0) }).met({ fed: 1 });
  assert.equal(none.at(0), []);
});

test("a sample goes in parts as long as the largest frame and the record take, each within credit", () => {
  const most = restMax(MESSAGES.sample);
  const x = Array.from({ length: 2 * most + 3 }, (_, i) => i);
  const samples = { at: (seq: number) => (seq === 1 ? { x } : undefined) };
  const parts = (options: { name?: unknown; x?: unknown }[]) =>
    options.map((part) => (part.x as number[]).length);
  const node = new Node({ samples }).met({ fed: 1, channels: x.length });
  const sent = node.at(0);
  assert.equal(parts(sent), [most, most, 3]);
  assert.equal(
    sent.flatMap((part) => part.x as number[]),
    x,
  );
  const small = new Node({ samples }).met({ fed: 1, channels: x.length, window: 32 + 4 * 5 + 3 });
  const first = small.at(0);
  assert.equal(parts(first), [5], "three bytes are left");
  small.credit({ window: 32 + 4 * 5 });
  assert.equal(
    small.at(1).map((part) => [part.first, part.total, part.length]),
    [[5, x.length, 5]],
  );
  assert.is(small.peer.counts.samplesFed, 0, "not whole yet");
  small.hello({ boot: 2, fed: 1, channels: x.length });
  small.credit({ boot: 2, window: 32 + 4 * 5 });
  small.heard();
  assert.is(small.at(2)[0].first, 0, "a node that restarted gets the sample from its first part");
  const single = new Node({ samples }).met({ fed: 1, channels: x.length, window: 32 + 4 });
  assert.equal(parts(single.at(0)), [1]);
  const tiny = new Node({ samples }).met({ fed: 1, channels: x.length, window: 35 });
  assert.equal(tiny.at(0), [], "no frame with a reading fits");
});

test("no sample's part is longer than the node's longest frame", () => {
  const x = Array.from({ length: 30 }, (_, i) => i);
  const samples = { at: (seq: number) => (seq === 1 ? { x } : undefined) };
  const node = new Node({ samples }).met({ fed: 1, channels: 30, frame: 100 });
  assert.equal(
    node.at(0).map(({ length }) => length),
    [17, 13],
    "32 bytes and four for each",
  );
});

test("a sample of another length than the node's is refused by number", () => {
  const node = new Node({ samples: { at: () => ({ x: [1, 2, 3] }) } }).met({ fed: 1 });
  assert.throws(() => node.at(0), /sample 1: got 3 readings; the node takes 2/);
});

test("where the tables differ, the schema is asked for once, and names what differs", () => {
  const node = new Node();
  const theirs = [...seedsById(), 99];
  theirs[MESSAGES.log.id] = 0;
  theirs[MESSAGES.sample.id] ^= 1;
  node.hello({ table: 1 });
  node.hello({ table: 1 });
  node.credit();
  node.heard();
  assert.equal(
    node.at(0).map(({ what }) => what),
    [REQUEST.schema],
  );
  assert.is(node.peer.differences, undefined);
  const half = 9;
  const schema = (first: number, seeds: readonly number[]) =>
    node.say("schema", { first, total: theirs.length, seeds: Uint32Array.from(seeds), length: seeds.length });
  schema(half, theirs.slice(half));
  assert.is(node.peer.differences, undefined, "the first half is missing");
  schema(0, theirs.slice(0, half));
  assert.equal(node.peer.differences, [
    "sample: its fields differ",
    "log: the node doesn't have it",
    `message ${seedsById().length}: only the node has it`,
  ]);
  node.hello({ table: 1 });
  node.heard();
  assert.equal(node.at(1), [], "it is known");
  node.hello({ boot: 2, table: tableHash() });
  assert.equal(node.peer.differences, []);
  node.hello({ boot: 3, table: 1 });
  const older = Uint32Array.from(seedsById().subarray(0, MESSAGES.log.id));
  node.say("schema", { first: 0, total: older.length, seeds: older, length: older.length });
  const names = Object.keys(MESSAGES);
  const missing = names.slice(names.indexOf("log")).map((name) => `${name}: the node doesn't have it`);
  assert.equal(node.peer.differences, missing);
});

test("what came is seen before the peer acts upon it, and nothing is acted upon before a hello", () => {
  const seen: [UpName, number][] = [];
  const node: Node = new Node({ on: (name) => seen.push([name, node.peer.node.seq]) });
  node.say("credit", { boot: 0, peer: ID, window: 100, seq: 5 });
  assert.equal([node.peer.met, node.peer.node.seq], [false, 0]);
  node.hello({ seq: 1 });
  node.credit({ seq: 5 });
  assert.equal(seen, [
    ["credit", 0],
    ["hello", 0],
    ["credit", 1],
  ]);
});

test("a late hello of an earlier start is ignored", () => {
  const node = new Node();
  node.hello({ boot: 1 });
  node.now = 500;
  node.hello({ boot: 2 });
  node.hello({ boot: 1 });
  assert.is(node.peer.node.boot, 2);
  assert.is(node.peer.counts.starts, 2);
});

test("a start that was taken for an earlier one is met again when the other has fallen silent", () => {
  const node = new Node();
  node.hello({ boot: 2 });
  node.now = 100;
  node.hello({ boot: 1 }); // of the start before, held up on the way, and never heard of until now
  assert.is(node.peer.node.boot, 1);
  node.now = 1100;
  node.hello({ boot: 2 });
  assert.is(node.peer.node.boot, 1, "it may be late itself");
  node.now = 2200;
  node.hello({ boot: 2 });
  assert.is(node.peer.node.boot, 2);
});

test.run();
