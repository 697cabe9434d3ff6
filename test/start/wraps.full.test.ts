import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { startNode } from "../../src/start/start-node.ts";
import { messageNames } from "../../src/wire/messages.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import { ticksAt } from "./wrapping-clock.ts";

const TURNS = 100_000;
const PERIOD_MS = 2 ** 31 - 7;
/** Intervals may be longer than the clock counts. */
const STATISTICS_MS = 3_000_000_000;
const CHECKPOINT_MS = 5_000_000_000;

/** When something is due that comes at intervals, in plain numbers. */
class Interval {
  count = 0;
  private last = 0;

  constructor(private readonly ms: number) {}

  passed(now: number): boolean {
    if (now - this.last < this.ms) return false;
    this.last = now;
    this.count++;
    return true;
  }
}

test("over thousands of wraps of its clock a node samples, reports and saves when it is due", () => {
  const random = new Random(1, "wraps");
  const up = new Receiver(messageNames("up"));
  const sent = { statistics: 0 };
  const write = (bytes: Uint8Array, from: number, to: number) => {
    for (let i = from; i < to; i++) if (up.take(bytes[i]) === "statistics") sent.statistics++;
    return to - from;
  };
  let now = 0;
  const learner = familyNamed("perceptron")!;
  const node = startNode({
    node: { learner, options: {} },
    sensors: [{ channels: 1, read: (to, first) => to.fill(1, first) }],
    clock: { now: () => ticksAt(now) },
    transport: { read: () => 0, write },
    memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
    block: EmulatedFlash.ofSectors(4),
    firmware: "test",
    boot: 7,
    periodMs: PERIOD_MS,
    checkpointMs: CHECKPOINT_MS,
    statisticsMs: STATISTICS_MS,
    selfTest: false,
  });
  const { station } = node;
  const statistics = new Interval(STATISTICS_MS);
  const saves = new Interval(CHECKPOINT_MS);
  let next = PERIOD_MS;
  let samples = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    now += 1 + random.below(random.below(4) ? 2 ** 31 - 1 : 2 ** 20);
    if (now >= next) {
      samples++;
      next = now - next >= PERIOD_MS ? now + PERIOD_MS : next + PERIOD_MS;
    }
    statistics.passed(now);
    node.turn();
    assert.is(station.node.seq, samples, `sample at ${now} ms`);
    assert.is(sent.statistics, statistics.count, `statistics at ${now} ms`);
    assert.is(station.node.checkpoint(), saves.passed(now), `checkpoint at ${now} ms`);
  }
  assert.ok(now > 10_000 * 2 ** 32, `${now / 2 ** 32} wraps`);
  assert.ok(samples > 20_000 && statistics.count > 20_000 && saves.count > 10_000);
});

test.run();
