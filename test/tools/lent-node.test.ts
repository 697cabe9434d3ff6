import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Peer, type PeerOptions } from "../../src/peer/peer.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { type DownName, MESSAGES, type Message, namesOf, type UpName } from "../../src/wire/messages.ts";
import { LentNode } from "../../tools/monitor/lent-node.ts";
import { Ends } from "../wire/ends.ts";
import { COUNT, finished, recorded, stream, withoutWire } from "../wire/recorded.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 11 * i);

/** A station, the peer that holds it, and a guest to which that one lends it, in simulated time. */
class Shared {
  readonly ends: Ends;
  lent!: LentNode;
  guest!: Peer;
  /** Numbers of the labels that reached the holder. */
  readonly told: number[] = [];
  private guests = 0;
  private toGuest: Uint8Array[] = [];
  private fromGuest: Uint8Array[] = [];

  constructor(
    seed: number,
    private readonly key: Uint8Array | undefined,
    rate: number,
    peer: Pick<PeerOptions, "labels" | "samples">,
  ) {
    const on = <N extends UpName>(name: N, message: Message<N>) => this.lent?.fromNode(name, message);
    this.ends = new Ends({ seed, rate, fed: true, key, peer: { on } });
    this.admit(peer);
  }

  /** Another guest comes, and the previous one left silently. */
  admit(peer: Pick<PeerOptions, "labels" | "samples">): void {
    const { ends } = this;
    this.toGuest = [];
    this.fromGuest = [];
    this.lent = new LentNode({
      peer: {
        pass: (name, fill) => this.ends.peer.pass(name, fill),
        get credit() {
          return ends.peer.credit;
        },
      },
      keyed: this.key !== undefined,
      write: (bytes) => this.toGuest.push(bytes.slice()),
      labelSent: ({ number }) => this.told.push(number),
    });
    this.guest = new Peer({
      ...peer,
      write: (bytes) => this.fromGuest.push(bytes.slice()),
      id: 77 + ++this.guests,
      now: () => this.ends.now,
    });
  }

  /** Sends a frame in the guest's place. */
  say<N extends DownName>(name: N, fields: Partial<Message<N>>): void {
    const encoder = new Encoder([name]);
    Object.assign(encoder.message(name), fields);
    this.lent.fromGuest(encoder.frame.slice(0, encoder.encode(name)));
  }

  until(done: () => boolean, seconds: number): boolean {
    const { ends } = this;
    return ends.until(() => {
      this.lent.pass();
      for (const bytes of this.fromGuest.splice(0)) this.lent.fromGuest(bytes);
      for (const bytes of this.toGuest.splice(0)) this.guest.receive(bytes);
      this.guest.tick();
      if (ends.now % 1000 === 0) ends.peer.request("statistics"); // the holder's own
      return done();
    }, seconds);
  }

  get finished(): boolean {
    const { node } = this.guest;
    return node.labelled === COUNT && node.seq === COUNT;
  }
}

for (const [what, key] of [
  ["unkeyed", undefined],
  ["keyed", KEY],
] as const) {
  test(`a guest without a key teaches a lent node as its own peer would, ${what}: the same state, nothing lost or twice`, () => {
    const samples = stream(1);
    const shared = new Shared(1, key, 0, recorded(samples));
    assert.ok(shared.until(() => shared.finished, 60));
    const { ends, guest } = shared;
    assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
    const { labelsResent, samplesRefed } = guest.counts;
    assert.equal([ends.uart.overruns, labelsResent, samplesRefed, guest.credit.lost], [0, 0, 0, 0]);
    assert.equal(guest.differences, []);
    assert.is(ends.peer.holder, undefined);
    const alone = new Ends({ seed: 1, rate: 0, fed: true, key, peer: recorded(samples) });
    assert.ok(alone.until(() => finished(alone), 60));
    assert.ok(ends.now < 1.2 * alone.now, `${ends.now} ms; without a guest ${alone.now}`);
  });

  test(`the same over a bad line, where node, holder and guest start again, ${what}`, () => {
    for (let seed = 1; seed <= 3; seed++) {
      const samples = stream(seed);
      const shared = new Shared(seed, key, 0.2, recorded(samples));
      const { ends } = shared;
      const reach = (label: number) => shared.until(() => ends.station.node.labelled >= label, 2000);
      assert.ok(reach(30));
      ends.restartNode();
      assert.ok(reach(50));
      shared.admit(recorded(samples));
      assert.ok(reach(70));
      ends.restartPeer();
      assert.ok(
        shared.until(() => shared.finished, 2000),
        `seed ${seed}`,
      );
      assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash(), `seed ${seed}`);
    }
  });
}

test("labels that a guest left unapplied aren't another's: the node discards them when the next guest comes", () => {
  const samples = stream(2);
  const shared = new Shared(2, KEY, 0, { samples: recorded(samples).samples });
  const { ends } = shared;
  assert.ok(shared.until(() => ends.station.node.seq >= 4, 60));
  const { boot, sid } = shared.guest.node;
  shared.say("label", { start: (boot ^ 78) >>> 0, number: 2, sid, seq: 1, y: -5 });
  assert.ok(shared.until(() => ends.station.node.count("held") === 1, 10));
  shared.admit(recorded(samples));
  assert.ok(shared.until(() => shared.finished, 60));
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
});

test("who didn't welcome the node, or is of another start, teaches nothing; who floods it is not waited for", () => {
  const samples = stream(3);
  const shared = new Shared(3, KEY, 0, { samples: recorded(samples).samples });
  const { ends } = shared;
  assert.ok(shared.until(() => ends.station.node.seq >= 4, 60));
  const { boot, sid } = shared.guest.node;
  const label = { number: 1, sid, seq: 1, y: 1 };
  shared.say("label", { start: boot, ...label });
  shared.say("label", { start: (boot ^ 79) >>> 0, ...label });
  shared.say("leave", { start: (boot ^ 78) >>> 0 });
  shared.say("label", { start: (boot ^ 78) >>> 0, ...label });
  assert.not.ok(shared.until(() => ends.station.node.labelled > 0, 2));
  assert.equal(shared.told, []);
  for (let i = 0; i < 10_000; i++) shared.say("request", { what: 6 });
  shared.admit(recorded(samples));
  assert.ok(shared.until(() => shared.finished, 60));
  assert.is(ends.uart.overruns, 0);
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
});

test("bytes that are no frames, and frames of another start, pass nothing on; the node learns what it would have", () => {
  const samples = stream(4);
  const shared = new Shared(4, KEY, 0, recorded(samples));
  const { ends } = shared;
  const random = new Random(4, "odd");
  const names = namesOf("down").filter((name) => "start" in MESSAGES[name].fields);
  const odd = () => {
    const fields = Object.keys(MESSAGES[names[0]].fields).map((field) => [field, random.uint32()]);
    if (random.below(2) === 0) shared.say(names[random.below(names.length)], Object.fromEntries(fields));
    else shared.lent.fromGuest(Uint8Array.from({ length: random.below(200) }, () => random.below(256)));
    shared.lent.fromGuest(Uint8Array.of(0));
  };
  const finished = () => {
    if (ends.now % 50 === 0) odd();
    return shared.finished;
  };
  assert.ok(shared.until(finished, 600));
  assert.is(ends.station.node.stateHash(), withoutWire(samples).stateHash());
  assert.is(ends.uart.overruns, 0);
});

test.run();
