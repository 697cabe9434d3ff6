// Several peers at one node: who holds it, the others' messages, and when they get it.

import { test } from "uvu";
import * as assert from "uvu/assert";
import { Station } from "../../src/node/station.ts";
import { Peer } from "../../src/peer/peer.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import * as fc from "../properties.ts";
import { Disk, NODE } from "./ends.ts";

const STEP_MS = 20;
const BOOT = 77;
const SAID_MS = 2000;
/** None, and one: the rules are the same on a keyed line. */
const KEYS = [undefined, new Uint8Array(16).fill(3)];

/** 32 bits at a time, the same in each run. */
function counting(from: number): () => number {
  let next = from;
  return () => next++;
}

/**
 * A peer with labels for every sample, its received messages, and whether its user was told that it can't
 * teach.
 */
class Tool {
  readonly peer: Peer;
  hears = true;

  constructor(
    readonly id: number,
    room: Room,
    count: number,
  ) {
    this.peer = new Peer({
      write: (bytes) => room.send(bytes),
      id,
      now: () => room.now,
      key: room.key,
      random: counting(1000 * id),
      labels: {
        at: (number) => (number <= count ? { number, sid: NODE.sid, seq: number, y: 1 } : undefined),
      },
    });
  }

  get toldSince(): boolean {
    return this.peer.ungrantedSince !== undefined;
  }
}

/** One node and a line that every tool writes to and hears: mirrored, as of a shared serial line. */
class Room {
  now = 0;
  readonly station: Station;
  readonly tools = new Set<Tool>();
  private down: number[] = [];
  private up: number[] = [];

  constructor(readonly key?: Uint8Array) {
    const read = (to: Uint8Array) => {
      const bytes = this.down.splice(0, to.length);
      to.set(bytes);
      return bytes.length;
    };
    const write = (bytes: Uint8Array, from: number, to: number) => {
      for (let i = from; i < to; i++) this.up.push(bytes[i]);
      return to - from;
    };
    const clock = { now: () => this.now };
    const ports = { clock, port: { read, write }, storage: new Disk(), random: counting(1) };
    this.station = new Station({ node: NODE, firmware: "test", boot: BOOT, statisticsMs: 0, key }, ports);
    this.station.begin("fresh");
  }

  send(bytes: Uint8Array): void {
    this.down.push(...bytes);
  }

  enter(id: number, count = 1e6): Tool {
    const tool = new Tool(id, this, count);
    this.tools.add(tool);
    return tool;
  }

  /** The frames of an attacker that wants the node: a request for hello and a welcome, 33 bytes in all. */
  attack(id: number): void {
    const encoder = new Encoder(["request", "welcome"]);
    encoder.message("request").what = 1;
    this.send(encoder.frame.slice(0, encoder.encode("request")));
    Object.assign(encoder.message("welcome"), { boot: BOOT, peer: id });
    this.send(encoder.frame.slice(0, encoder.encode("welcome")));
  }

  step(): void {
    this.now += STEP_MS;
    if (this.now % 100 === 0) this.station.sample([this.now % 7, 1, 2]);
    while (this.station.poll());
    const heard = Uint8Array.from(this.up.splice(0));
    for (const { peer, hears } of this.tools) {
      if (hears) peer.receive(heard);
      peer.tick();
    }
  }

  run(milliseconds: number, each = () => {}): void {
    for (const end = this.now + milliseconds; this.now < end; ) {
      this.step();
      each();
    }
  }

  /** True if labels come through within so many milliseconds. */
  teaches(milliseconds: number): boolean {
    const { labelled } = this.station.node;
    this.run(milliseconds);
    return this.station.node.labelled > labelled;
  }
}

test("a question and a welcome from elsewhere don't take the node from the peer that holds it", () => {
  for (const every of [0, 20, 300, 1000, 1700, -1]) {
    const room = new Room(every < 0 ? KEYS[1] : undefined);
    const tool = room.enter(5);
    room.run(1000);
    let at = room.now;
    room.attack(666);
    for (let k = 0; k < 20; k++) {
      assert.ok(room.teaches(1000), `one attack each ${every} ms: second ${k}, holder ${tool.peer.holder}`);
      if (every > 0) room.run(0);
      for (; every > 0 && at + every <= room.now; at += every) room.attack(666);
    }
    assert.is(tool.peer.holder, undefined);
  }
});

test("a peer that only listens keeps the node, too", () => {
  for (const key of KEYS) {
    const room = new Room(key);
    const idle = room.enter(5, 0);
    room.run(60_000);
    const other = room.enter(6);
    room.run(20_000);
    assert.equal([idle.peer.holder, other.peer.holder], [undefined, 5]);
  }
});

test("the second of two honest tools on one line hears within 2 s who holds the node, and gets it when the first leaves", () => {
  for (const [leaves, key] of [true, false].flatMap((leaves) => KEYS.map((key) => [leaves, key] as const))) {
    const room = new Room(key);
    const first = room.enter(5);
    room.run(3000);
    const second = room.enter(6);
    const from = room.now;
    let toldAt = Number.POSITIVE_INFINITY;
    room.run(10_000, () => {
      if (second.peer.holder === 5 && second.toldSince) toldAt = Math.min(toldAt, room.now);
      assert.not.ok(first.toldSince, "the first teaches on");
    });
    assert.ok(toldAt - from <= SAID_MS, `told after ${toldAt - from} ms`);
    assert.is(second.peer.counts.labelsSent, 0);
    if (leaves) first.peer.leave();
    room.tools.delete(first);
    room.run(leaves ? 1200 : 4000);
    assert.is(second.peer.holder, undefined, leaves ? "it left" : "it died");
    assert.ok(room.teaches(1000));
  }
});

test("an attacker that came first, and doesn't answer, loses the node", () => {
  const room = new Room();
  room.run(100);
  room.attack(666);
  room.run(100);
  const tool = room.enter(5);
  let told = false;
  room.run(SAID_MS, () => {
    told ||= tool.peer.holder === 666 && tool.toldSince;
  });
  assert.ok(told);
  room.run(2000);
  assert.ok(room.teaches(500));
});

test("a node that grants nothing, or too little, or hears nothing: its peer reports it within 2 s", () => {
  const faults: readonly ((room: Room, tool: Tool) => void)[] = [
    ({ station }) => {
      Object.assign(station, { handle: () => {} });
    },
    (_, { peer }) => {
      const { receive } = peer;
      Object.assign(peer, { receive: (bytes: Uint8Array) => receive.call(peer, withoutCredit(bytes)) });
    },
    (_, { peer }) => {
      peer.credit.grant = () => {};
      const { incoming } = (peer as unknown as { port: { incoming(name: string): object } }).port;
      Object.assign((peer as unknown as { port: object }).port, {
        incoming(name: string) {
          const message = incoming.call(this, name);
          return name === "credit" ? { ...message, window: 20 } : message;
        },
      });
    },
  ];
  for (const fault of faults) {
    const room = new Room();
    const tool = room.enter(5);
    fault(room, tool);
    room.run(SAID_MS);
    const since = tool.peer.ungrantedSince;
    assert.ok(since !== undefined && since <= 100, `${fault}: ${since}`);
    room.run(30_000);
    assert.is(tool.peer.ungrantedSince, since, "and still counts, for --give-up");
    assert.is(tool.peer.holder, undefined);
  }
});

/** The frames of those bytes, but credits: their id follows the first code of COBS. */
function withoutCredit(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  let frame: number[] = [];
  for (const byte of bytes) {
    frame.push(byte);
    if (byte !== 0 || frame.length === 1) continue;
    if (frame[2] !== 5) kept.push(...frame);
    frame = [];
  }
  return Uint8Array.from(kept);
}

test("whoever comes, leaves, dies or attacks: every tool that can't teach learns why, one teaches, and the last one gets the node", () => {
  const event = fc.record({
    wait: fc.integer({ min: 20, max: 6000 }),
    what: fc.constantFrom("enter", "leave", "die", "attack"),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), fc.constantFrom(...KEYS), (events, key) => {
      const room = new Room(key);
      const since = new Map<Tool, number>();
      let id = 10;
      const check = () => {
        const holder = [...room.tools].filter((tool) => tool.id === readHolder(room));
        for (const tool of room.tools) {
          if (holder.includes(tool) || tool.toldSince) since.set(tool, room.now);
          const silent = room.now - (since.get(tool) ?? room.now);
          assert.ok(silent <= SAID_MS, `peer ${tool.id} knows nothing for ${silent} ms`);
        }
      };
      for (const { wait, what } of events) {
        const [oldest] = room.tools;
        if (what === "enter") since.set(room.enter(id++), room.now);
        else if (what === "attack") room.attack(id++);
        else if (oldest) {
          if (what === "leave") oldest.peer.leave();
          room.tools.delete(oldest);
        }
        room.run(wait, check);
      }
      for (const tool of room.tools) {
        if (room.tools.size > 1) room.tools.delete(tool);
      }
      if (room.tools.size === 0) since.set(room.enter(id++), room.now);
      room.run(5000, check);
      assert.ok(room.teaches(1000), "the last one teaches");
    }),
    { numRuns: 60 },
  );
});

/** The peer that the node believes to be its own. */
function readHolder({ station }: Room): number {
  const { wire } = station as unknown as { wire: { outgoing(name: string): { peer: number } } };
  return wire.outgoing("credit").peer;
}

test.run();
