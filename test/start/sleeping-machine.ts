import * as assert from "uvu/assert";
import { easyStream, type Sample } from "../../host-sim/conformance/easy-streams.ts";
import { SimulatedSleepMemory } from "../../host-sim/network/sleep-memory.ts";
import { withBudget } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort } from "../../src/node/ports.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { messageNames } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import * as fc from "../properties.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import { ticksAt } from "./wrapping-clock.ts";

const PERIOD_MS = 60_000;
export const CHANNELS = 2;

export interface MachineOptions {
  readonly learner: NodeOptions["learner"];
  readonly samples: readonly Sample[];
  readonly sleep?: SleepOptions;
  readonly retainedBytes?: number;
  readonly features?: NodeOptions["features"];
  readonly selfTest?: boolean;
  readonly checkpointMs?: number;
}

/** A machine that restarts its node after each sleep, from retained memory and flash alone. */
export class Machine {
  now = 0;
  starts = 0;
  asleepMs = 0;
  greetings = 0;
  node!: StartedNode;
  flash = EmulatedFlash.ofSectors(8);
  readonly retained: SimulatedSleepMemory;
  private reads = 0;
  private labels = 0;
  private readonly up = new Receiver(messageNames("up"));

  constructor(private readonly options: MachineOptions) {
    this.retained = new SimulatedSleepMemory(options.retainedBytes);
    this.start();
  }

  start(): void {
    const { learner, samples, sleep, features, selfTest = false, checkpointMs } = this.options;
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
      checkpointMs,
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

/** Lets a node take samples, and learn while it talks; returns its final state. */
export function live(options: MachineOptions, talkEvery: number) {
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

export function same(slept: ReturnType<typeof live>, woke: ReturnType<typeof live>): void {
  for (const what of ["learner", "node", "sid", "counts", "learned"] as const)
    assert.equal(slept[what], woke[what], what);
}

/** A node that sleeps between 24 samples, in retained memory, ends with the bits of one that doesn't, and spares its flash. */
export function checkSleeping(learner: NodeOptions["learner"]): void {
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
}

/** A node whose state doesn't fit retained memory sleeps by its flash, to the same learner: so many such nodes. */
export function checkSleepingByFlash(numRuns: number): void {
  const options = {
    learner: familyNamed("olk-c")!,
    samples: easyStream("classification", CHANNELS, 60),
  };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 72, max: 600 }),
      (talkEvery, retainedBytes) => {
        const slept = live({ ...options, retainedBytes, sleep: { talkEvery } }, talkEvery);
        const awake = live(options, talkEvery);
        for (const what of ["learner", "sid", "counts", "learned"] as const)
          assert.equal(slept[what], awake[what], what);
        assert.is(slept.machine.flash.erases[0] + slept.machine.flash.erases[4], slept.machine.starts - 1);
      },
    ),
    { numRuns },
  );
}
