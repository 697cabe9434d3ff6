import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Peer, type PeerOptions } from "../../src/peer/peer.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { type DownName, MESSAGES, type Message, messageNames } from "../../src/wire/messages.ts";
import { LentNode } from "../../tools/monitor/lent-node.ts";
import { type AnsweredLabel, SentLabels } from "../../tools/record/sent-labels.ts";
import { hearing, type Received } from "../../tools/session/session-options.ts";
import { Ends, NODE } from "../wire/ends.ts";
import { drawItems, ITEMS, isFinished, LABELS, TOGETHER } from "../wire/installs.ts";
import { COUNT, finished, recorded, stream, withoutWire } from "../wire/recorded.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => 11 * i);

/** A station, the peer that holds it, and a guest to which that one lends it, in simulated time. */
class Shared {
  readonly ends: Ends;
  lent!: LentNode;
  guest!: Peer;
  /** Numbers of the labels that reached the holder. */
  readonly told: number[] = [];
  /** What the holder's log has of labels and models. */
  readonly logged: AnsweredLabel[] = [];
  private readonly sentLabels = new SentLabels();
  private starts = 0;
  private guests = 0;
  private toGuest: Uint8Array[] = [];
  private fromGuest: Uint8Array[] = [];

  constructor(
    seed: number,
    private readonly key: Uint8Array | undefined,
    rate: number,
    peer: Pick<PeerOptions, "labels" | "samples">,
    node = NODE,
  ) {
    const on = hearing((...received) => {
      this.log(...received);
      this.lent?.fromNode(...received);
    });
    this.ends = new Ends({ seed, rate, fed: true, key, node, peer: { on } });
    this.admit(peer);
  }

  /** Notes a start of the node, as a log does. */
  private noteStart(): void {
    const { node, counts } = this.ends.peer;
    if (counts.starts !== this.starts) {
      this.starts = counts.starts;
      this.logged.push(...this.sentLabels.answer({ labelled: node.labelled }));
      this.sentLabels.restart(node.boot, node.labelled);
    }
  }

  /** Takes the node's answers, as a log does. */
  private log(...[name, message]: Received): void {
    if (name === "credit") {
      const { boot, labelled } = message;
      this.logged.push(...this.sentLabels.answer({ boot, labelled }));
    }
    if (name === "acknowledgement") this.logged.push(...this.sentLabels.answer(message));
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
      sent: (name, message) => {
        if (name === "label") this.sentLabels.add(message);
        else if (name === "install") this.sentLabels.addInstall(message);
        else this.sentLabels.addBlock(message);
        if (name === "label") this.told.push(message.number);
      },
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
      this.noteStart();
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

test("labels and models of a guest are logged in the node's order, each once and whole, over a bad line and through a start", () => {
  for (let seed = 1; seed <= 4; seed++) {
    const samples = stream(seed);
    const items = drawItems(seed, samples);
    const { samples: fed } = recorded(samples.slice(0, LABELS));
    const at = (seq: number) => fed.at(seq) && { ...fed.at(seq)!, after: Math.floor(((seq - 16) * 5) / 4) };
    const labels = { at: (number: number) => items[number - 1] };
    const shared = new Shared(seed, KEY, seed > 1 ? 0.2 : 0, { samples: { at }, labels }, TOGETHER);
    assert.ok(shared.until(() => shared.ends.station.node.labelled >= 30, 2000));
    if (seed > 2) shared.ends.restartNode();
    assert.ok(shared.until(() => isFinished(shared.ends) && shared.logged.at(-1)?.number === ITEMS, 2000));
    const numbers = shared.logged.map(({ number }) => number);
    const back = numbers.filter((number, i) => number !== (numbers[i - 1] ?? 0) + 1);
    assert.ok(back.length <= (seed > 2 ? 1 : 0), `seed ${seed}: ${numbers}`);
    for (const answered of shared.logged) {
      const item = items[answered.number - 1]!;
      if ("model" in item) assert.equal("crc" in answered && answered.model, item.model);
      else assert.equal("y" in answered && [answered.seq, answered.y], [item.seq, item.y]);
    }
    assert.is(new Set(numbers).size, ITEMS, `seed ${seed}: ${numbers}`);
  }
});

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
  const names = messageNames("down").filter((name) => "start" in MESSAGES[name].fields);
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
