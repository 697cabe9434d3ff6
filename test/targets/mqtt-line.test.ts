import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { Peer } from "../../src/peer/peer.ts";
import { startNode } from "../../src/start/start-node.ts";
import { MqttLine } from "../../targets/moddable/mqtt-line.ts";
import { NODE } from "../wire/ends.ts";
import { HarmfulWay, Later, SimulatedClient, SUBSCRIBE } from "./simulated-broker.ts";

const UP = { topic: "n/up" };
const FRAME = Uint8Array.of(0, 2, 65, 1, 0);
const WORDS = String.fromCharCode(...FRAME);

/** A line to a broker, what it opened, and its time. */
function openLine({
  random = () => 0,
  made = () => {},
}: {
  random?: () => number;
  made?: (client: SimulatedClient) => void;
} = {}) {
  const clients: SimulatedClient[] = [];
  const later = new Later();
  const line = new MqttLine({
    name: "n",
    broker: { host: "broker", port: 1884, user: "u", password: "p" },
    later: later.set,
    random,
    open: (options) => {
      const client = new SimulatedClient(options);
      clients.push(client);
      made(client);
      return client;
    },
  });
  line.connect();
  return { line, clients, later };
}

/** What the line read, at most so many bytes. */
function readBytes(line: MqttLine, most = 1024): number[] {
  const to = new Uint8Array(most);
  return [...to.subarray(0, line.read(to))];
}

test("the node subscribes, and then says that it is there; its last will says that it isn't", () => {
  const { line, clients } = openLine();
  const [client] = clients;
  const { host, port, user, password, id, clean, will } = client.options;
  assert.equal([host, port, user, password, id, clean], ["broker", 1884, "u", "p", "n", true]);
  assert.equal(will, { topic: "n/status", message: "offline", QoS: 1, retain: true });
  assert.is(line.connected, false);
  client.accept();
  assert.is(line.connected, true);
  assert.equal(client.written, [
    { text: "", options: { operation: SUBSCRIBE, items: [{ topic: "n/down", QoS: 0 }] } },
    { text: "online", options: { topic: "n/status", QoS: 1, retain: true } },
  ]);
});

test("frames wait at the node until it is there, and while the client has no room", () => {
  const { line, clients } = openLine();
  const [client] = clients;
  assert.is(line.write(FRAME, 0, FRAME.length), FRAME.length);
  client.accept();
  const frames = () => client.written.slice(2);
  assert.equal(frames(), []);
  line.write(FRAME, 0, FRAME.length);
  assert.equal(frames(), [{ text: WORDS + WORDS, options: UP }]);
  client.room = 0;
  client.options.onWritable(0);
  line.write(FRAME, 0, FRAME.length);
  assert.is(frames().length, 1);
  client.drain();
  line.write(FRAME, 0, 0);
  assert.equal(frames()[1], { text: WORDS, options: UP });
});

test("a client that takes less than it said loses no frame", () => {
  const { line, clients } = openLine();
  const [client] = clients;
  client.accept();
  client.room = 2;
  line.write(FRAME, 0, FRAME.length);
  assert.is(client.written.length, 2);
  client.drain();
  line.write(FRAME, 0, 0);
  assert.equal(client.written[2], { text: WORDS, options: UP });
});

test("a payload that comes in parts is one; one too long for the node is dropped, and not the next", () => {
  const { line, clients } = openLine();
  const [client] = clients;
  client.accept();
  client.bring(FRAME, 2);
  client.bring(new Uint8Array(line.fifoBytes + 1).fill(7), 100);
  client.bring(FRAME);
  assert.equal(readBytes(line), [...FRAME, ...FRAME]);
});

test("cut off, it connects again, 1 to 32 s later; of the client before nothing is heard", () => {
  const { line, clients, later } = openLine({ random: () => 15_999 });
  clients[0].accept();
  for (let k = 0; k < 7; k++) {
    clients[k].cut();
    assert.is(line.connected, false);
    later.pass(32_000);
    assert.is(clients.length, k + 2);
  }
  assert.equal(
    later.waits.map((ms) => Math.ceil(ms / 1000)),
    [1, 2, 4, 8, 16, 32, 32],
  );
  clients[0].bring(FRAME);
  clients[0].accept();
  assert.equal([readBytes(line), line.connected], [[], false]);
  clients[7].accept();
  clients[7].cut();
  assert.ok((later.waits[7] as number) < 1000, "what was there waits briefly again");
});

test("nodes that lost one broker come back at different times", () => {
  const waits = [0, 1, 77_777, 2 ** 32 - 1].map((word) => {
    const { clients, later } = openLine({ random: () => word });
    clients[0].cut();
    return later.waits[0] as number;
  });
  assert.is(new Set(waits).size, waits.length);
  for (const ms of waits) assert.ok(ms >= 500 && ms < 1000, `${ms}`);
});

test("a refused subscription, a client that can't be made or can't write: it is tried again", () => {
  const refused = openLine();
  refused.clients[0].accept(0x80);
  assert.equal([refused.clients[0].closed, refused.later.waits.length], [true, 1]);
  const unwritable = openLine();
  unwritable.clients[0].write = () => {
    throw new Error("overflow");
  };
  unwritable.clients[0].accept();
  assert.equal([unwritable.clients[0].closed, unwritable.later.waits.length], [true, 1]);
  let fails = true;
  const made = () => {
    if (fails) throw new Error("no sockets");
  };
  const { line, clients, later } = openLine({ made });
  fails = false;
  later.pass(1000);
  clients[1].accept();
  assert.is(line.connected, true);
});

const LABELS = 120;
const ROWS = Array.from({ length: LABELS }, (_, i) => [(i % 7) / 4, (i % 5) / 2, (i % 3) - 1]);
const labelAt = (seq: number) => (seq % 3 === 0 ? 1 : -1);

/** The state of a node in this process that is given the rows, and each label at once. */
function plainState(): string {
  const node = loneNode(NODE);
  ROWS.forEach((x, i) => {
    node.sample(x);
    node.label({ number: i + 1, sid: NODE.sid, seq: i + 1, y: labelAt(i + 1) });
  });
  return node.stateHash();
}

/** A whole node and its peer, with a broker between that harms packets and is cut off each so many milliseconds. */
function taught(cutMs: number) {
  const random = new Random(11);
  const { line, clients, later } = openLine({
    random: () => random.below(2 ** 16),
    made: (client) => {
      client.published = (packet) => up.send(packet);
      later.put(() => client.accept(), 50);
    },
  });
  const up = new HarmfulWay(random, later, (packet) => peer.receive(packet));
  const down = new HarmfulWay(random, later, (packet) => {
    const client = clients.at(-1) as SimulatedClient;
    if (!client.closed && line.connected) client.bring(packet, 1 + random.below(packet.length));
  });
  const { station } = startNode({
    node: NODE,
    firmware: "test",
    boot: 77,
    clock: { now: () => later.now },
    transport: line,
    memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
    selfTest: false,
  });
  const peer = new Peer({
    write: (bytes) => down.send(bytes.slice()),
    id: 5,
    now: () => later.now,
    window: NODE.labelWindow,
    labels: {
      at: (number) =>
        number <= LABELS ? { number, sid: NODE.sid, seq: number, y: labelAt(number) } : undefined,
    },
    samples: { at: (seq) => (seq <= LABELS ? { x: ROWS[seq - 1], after: seq - 1 } : undefined) },
  });
  for (let step = 1; peer.node.labelled < LABELS && step < 200_000; step++) {
    later.pass(5);
    if (step % (cutMs / 5) === 0) clients.at(-1)?.cut();
    const client = clients.at(-1);
    if (client && client.room < 1528) client.drain();
    station.poll();
    peer.tick();
  }
  return { station, clients, harmed: [up.harmed, down.harmed] };
}

test("packets lost, twice and late, and the broker cut off: each label is learned once, to the same state", () => {
  const { station, clients, harmed } = taught(4000);
  assert.is(station.node.stateHash(), plainState());
  assert.is(station.node.count("applied"), LABELS);
  assert.ok(clients.length > 3, `${clients.length} connections`);
  for (const way of harmed) for (const [harm, count] of Object.entries(way)) assert.ok(count > 0, harm);
});

test.run();
