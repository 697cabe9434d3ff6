import { nodeLayout, nodeLearner } from "../../../src/node/node.ts";
import { nodeStore } from "../../../src/node/schema.ts";
import { Station } from "../../../src/node/station.ts";
import { selfTest, selfTestBytes } from "../../../src/selftest/self-test.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import type { Host } from "./host.ts";
import type { Arithmetic } from "./loops.ts";
import { Board, Engine, NorFlash, Uart } from "./peripherals.ts";
import { nodeOptionsOf, type ServedOptions } from "./served-options.ts";
import { Stream } from "./stream.ts";

/** A whole node on the emulated board. */
export interface StationJob {
  readonly run: "station";
  readonly node: ServedOptions;
  /** Milliseconds between two samples of the job's stream; 0, the default: the peer feeds the samples. */
  readonly sampleMs?: number;
  /** Milliseconds that a turn takes at least; default 0. */
  readonly turnMs?: number;
  /** Whether it tries its arithmetic when it starts, which takes it seconds; default true. */
  readonly selfTest?: boolean;
  /** Milliseconds between two reports of statistics; default 10,000. */
  readonly statisticsMs?: number;
}

/** Between two turns, at most. */
const POLL_MS = 20;
const POWER = 1;
const WARNING = 1;

/** Runs the node as long as there is power. Throws a RangeError that names what it can't take. */
export function runStation(host: Host, job: StationJob, arithmetic: Arithmetic): void {
  const { sampleMs = 0, turnMs = 0, statisticsMs } = job;
  const fed = sampleMs === 0;
  const board = new Board();
  const port = new Uart();
  const boot = board.noise();
  const given = nodeOptionsOf(job.node);
  const node = fed ? given : { ...given, sid: (boot % 0xffffffff) + 1 };
  const layout = nodeLayout(node);
  const memory = layout.range(arithmetic(Math.max(layout.bytes, selfTestBytes(nodeLearner(node)))));
  const hashes = job.selfTest === false ? undefined : selfTest(nodeLearner(node), memory, () => host.feed());
  const storage = nodeStore(
    node,
    new NorFlash(storeBytes(layout, NorFlash.SECTOR_BYTES)),
    board,
    0,
    memory.f32,
  );
  const about = { node, firmware: "emulator", boot, reset: POWER, fed, selfTest: hashes, statisticsMs };
  const ports = { clock: board, port, storage, engine: new Engine(host) };
  const station = new Station(about, ports, memory);
  const stream = new Stream(node.channels);
  const { task } = station.node.learner;
  let next = board.now();
  let overruns = 0;
  station.begin(station.node.restore());
  host.collect();
  for (;;) {
    host.feed();
    const now = board.now();
    if (!fed && now >= next) {
      next += sampleMs;
      stream.next(task);
      station.sample(stream.x);
    }
    const more = station.poll();
    if (port.overruns !== overruns) {
      overruns = port.overruns;
      station.log(WARNING, `uart: ${overruns} bytes overran the FIFO`);
    }
    if (turnMs > 0) while (board.now() - now < turnMs);
    else if (!more) board.idle(POLL_MS);
  }
}
