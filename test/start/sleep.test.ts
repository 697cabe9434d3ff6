import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream, type Sample } from "../../host-sim/conformance/easy-streams.ts";
import { SimulatedSleepMemory, SLEEP_MEMORY_BYTES } from "../../host-sim/network/sleep-memory.ts";
import { withBudget } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { BytePort } from "../../src/node/ports.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { namesOf } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import { ticksAt } from "./wrapping-clock.ts";

const PERIOD_MS = 60_000;
const CHANNELS = 2;

interface MachineOptions {
  readonly learner: NodeOptions["learner"];
  readonly samples: readonly Sample[];
  readonly sleep?: SleepOptions;
  readonly retainedBytes?: number;
  readonly features?: NodeOptions["features"];
  readonly selfTest?: boolean;
}

/** A machine that starts its node anew after each sleep, from nothing but retained memory and flash. */
class Machine {
  now = 0;
  starts = 0;
  asleepMs = 0;
  greetings = 0;
  node!: StartedNode;
  flash = EmulatedFlash.ofSectors(8);
  readonly retained: SimulatedSleepMemory;
  private reads = 0;
  private labels = 0;
  private readonly up = new Receiver(namesOf("up"));

  constructor(private readonly options: MachineOptions) {
    this.retained = new SimulatedSleepMemory(options.retainedBytes);
    this.start();
  }

  start(): void {
    const { learner, samples, sleep, features, selfTest = false } = this.options;
    const read = (to: Float32Array, first: number) => to.set(samples[this.reads++].x, first);
    this.node = startNode({
      node: { learner, features, pending: 16, labelWindow: 4, options: withBudget(learner, {}, 20) },
      sensors: [{ channels: CHANNELS, read }],
      clock: { now: () => ticksAt(this.now) },
      transport: this.port(),
      memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
      block: this.flash,
      retained: this.retained,
      firmware: "test",
      boot: 1000 * ++this.starts,
      periodMs: PERIOD_MS,
      sleep,
      selfTest,
    });
  }

  private port(): BytePort {
    const write = (bytes: Uint8Array, from: number, to: number) => {
      for (let i = from; i < to; i++) if (this.up.take(bytes[i]) === "hello") this.greetings++;
      return to - from;
    };
    return { read: () => 0, write };
  }

  get hello() {
    return this.up.message("hello");
  }

  /** Takes a turn, and sleeps as long as the node may. */
  turn(): void {
    this.now += Math.max(1, this.node.turn());
    const sleepMs = this.node.sleep();
    if (sleepMs === 0) return;
    this.now += sleepMs;
    this.asleepMs += sleepMs;
    this.start();
  }

  runUntil(seq: number): void {
    while (this.node.station.node.seq < seq) this.turn();
  }

  /** Hands over the labels of the samples up to that one. */
  label(seq: number): void {
    const { node } = this.node.station;
    while (this.labels < seq) {
      const number = ++this.labels;
      const { y } = this.options.samples[number - 1];
      node.label({ number, sid: node.sid, seq: number, y });
    }
  }
}

/** Lets a node take samples, and learn while it talks; what it ends as. */
function live(options: MachineOptions, talkEvery: number) {
  const machine = new Machine(options);
  const { samples } = options;
  for (let seq = talkEvery; seq <= samples.length; seq += talkEvery) {
    machine.runUntil(seq);
    assert.ok(machine.node.talks, `it talks after sample ${seq}`);
    machine.label(seq - 1);
  }
  const { node } = machine.node.station;
  const counts = (["sampled", "applied", "unreadable", "expired", "session"] as const).map((name) =>
    node.count(name),
  );
  const learned = (["learned", "inserted", "evicted", "refused"] as const).map((name) =>
    node.learner.count(name),
  );
  return {
    machine,
    learner: node.learner.stateHash(),
    node: node.stateHash(),
    sid: node.sid,
    counts,
    learned,
  };
}

function same(slept: ReturnType<typeof live>, woke: ReturnType<typeof live>): void {
  for (const what of ["learner", "node", "sid", "counts", "learned"] as const)
    assert.equal(slept[what], woke[what], what);
}

for (const learner of FAMILIES) {
  test(`${learner.name}: a node that sleeps between its samples ends with the bits of one that doesn't`, () => {
    const samples = easyStream(learner.task, CHANNELS, 24);
    for (const talkEvery of [1, 4]) {
      const options = { learner, samples, retainedBytes: 65_536, features: { window: 3, standardise: true } };
      const slept = live({ ...options, sleep: { talkEvery, talkMs: 200 } }, talkEvery);
      same(slept, live(options, talkEvery));
      const { machine } = slept;
      const last = Math.floor(24 / talkEvery) * talkEvery;
      assert.is(machine.starts, 1 + last, "it starts for each sample");
      assert.ok(machine.asleepMs > 0.9 * machine.now, `asleep for ${machine.asleepMs} of ${machine.now} ms`);
      assert.equal(machine.flash.erases, new Array(8).fill(0), "flash is left alone");
    }
  });
}

const OLK = familyNamed("olk-c")!;
const STREAM = easyStream("classification", CHANNELS, 60);
const OPTIONS = { learner: OLK, samples: STREAM };

test("a node whose state doesn't fit retained memory sleeps by its flash, to the same learner", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 64, max: 600 }),
      (talkEvery, retainedBytes) => {
        const slept = live({ ...OPTIONS, retainedBytes, sleep: { talkEvery } }, talkEvery);
        const awake = live(OPTIONS, talkEvery);
        for (const what of ["learner", "sid", "counts", "learned"] as const)
          assert.equal(slept[what], awake[what], what);
        assert.is(slept.machine.flash.erases[0] + slept.machine.flash.erases[4], slept.machine.starts - 1);
      },
    ),
    { numRuns: 20 },
  );
});

test("the session goes on while retained memory holds it, and a new one begins once it doesn't", () => {
  const machine = new Machine({ ...OPTIONS, sleep: { talkEvery: 2 } });
  const { sid } = machine.node.station.node;
  machine.runUntil(10);
  assert.is(machine.node.station.node.sid, sid);
  assert.is(machine.node.restored, "restored");
  machine.label(9);
  assert.is(machine.node.station.node.count("applied"), 9, "labels of samples before the sleeps apply");
  assert.ok(machine.node.station.node.checkpoint());
  machine.retained.lose(); // the battery was changed
  machine.flash = machine.flash.restarted();
  machine.start();
  assert.is(machine.node.restored, "restored");
  assert.is.not(machine.node.station.node.sid, sid);
  assert.is(machine.node.station.node.labelled, 9);
});

test("any flipped bit of retained memory, or a node of other options, is no node that sleeps", () => {
  const machine = new Machine({ ...OPTIONS, sleep: {} });
  machine.runUntil(5);
  const { sid } = machine.node.station.node;
  while (machine.node.sleep() === 0) machine.now += Math.max(1, machine.node.turn());
  const kept = machine.retained.contents.slice();
  const used = kept.length - [...kept].reverse().findIndex((byte) => byte !== 0);
  assert.ok(used > 300 && used < SLEEP_MEMORY_BYTES);
  const startsAs = (bytes: Uint8Array) => {
    machine.retained.contents.set(bytes);
    machine.start();
    return machine.node.station.node.sid;
  };
  for (let at = 0; at < used; at++) {
    const bytes = kept.slice();
    bytes[at] ^= 1 << (at % 8);
    assert.is.not(startsAs(bytes), sid, `byte ${at}`);
  }
  assert.is(startsAs(kept), sid);
  assert.is.not(
    startsAs(machine.retained.contents.slice()),
    sid,
    "what was taken isn't there any more: no number is given twice",
  );
});

test("a node talks when its power comes on and at every n-th sample, for as long as it is told, and not between", () => {
  const machine = new Machine({ ...OPTIONS, sleep: { talkEvery: 3, talkMs: 1500 } });
  for (let seq = 0; seq < 7; seq++) {
    const { starts, now, greetings, asleepMs } = machine;
    while (machine.starts === starts) machine.turn();
    const awake = machine.now - now - (machine.asleepMs - asleepMs);
    assert.ok(
      seq % 3 === 0 ? awake >= 1500 && awake < 1530 : awake < 30,
      `awake for ${awake} ms at sample ${seq}`,
    );
    assert.is(machine.greetings > greetings, seq % 3 === 0, `sample ${seq}`);
  }
});

test("the hashes of the self-test last, and it is made once", () => {
  const machine = new Machine({ ...OPTIONS, sleep: {}, selfTest: true });
  machine.turn();
  const { selfTest } = machine.hello;
  machine.runUntil(3);
  machine.turn();
  assert.is.not(selfTest, 0);
  assert.is(machine.hello.selfTest, selfTest);
});

test("a node that can't be kept anywhere, or is told to sleep otherwise than it can, is refused", () => {
  const start = (more: object) => () => new Machine({ ...OPTIONS, ...more });
  assert.throws(
    start({ sleep: {}, retainedBytes: 60 }),
    /startNode: option retained: got 60; takes at least 64 bytes/,
  );
  assert.throws(
    start({ sleep: { talkEvery: 0 } }),
    /sleep: option talkEvery: got 0; takes a whole number >= 1/,
  );
  assert.throws(start({ sleep: { talkMs: -1 } }), /sleep: option talkMs: got -1; takes milliseconds >= 0/);
});

test.run();
