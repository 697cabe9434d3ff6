import Flash from "embedded:storage/flash";
import config from "mc/config";
import {
  type Family,
  FlashPartition,
  familyNamed,
  type NodeOptions,
  nativeF32,
  nodeLayout,
  nodeLearner,
  nodeStore,
  Station,
  selfTest,
  selfTestBytes,
} from "motelearn";
import Time from "time";
import Timer from "timer";
import { Board } from "./board.ts";
import { Sensors } from "./sensors.ts";
import { Uart } from "./uart.ts";

/** Between two turns on the wire, at most. */
const POLL_MS = 20;

const { node: given, wire, sensors: channels } = config;

/** The node as `config.node` describes it. Throws a RangeError that names what it can't take. */
function nodeOptions(sid: number, channels: number): NodeOptions {
  const learner: Family | undefined = familyNamed(given.learner);
  if (!learner) throw new RangeError(`config.node.learner: got ${given.learner}; takes a learner's name`);
  return { ...given, sid, channels, learner };
}

/** A sensor node: reads its sensors in time, speaks the wire, keeps checkpoints in its partition of flash. */
function start(sensors: Sensors): void {
  const board = new Board();
  const boot = Math.floor(2 ** 32 * Math.random());
  const node = nodeOptions((boot % 0xffffffff) + 1, sensors.readings.length);
  const layout = nodeLayout(node);
  const memory = layout.range(
    nativeF32(new ArrayBuffer(Math.max(layout.bytes, selfTestBytes(nodeLearner(node))))),
  );
  const hashes = selfTest(nodeLearner(node), memory, () => board.feed());
  const clock = { now: () => Time.ticks };
  const block = new FlashPartition(Flash.open({ path: "checkpoints" }));
  const storage = nodeStore(node, block, clock, given.checkpointMs, memory.f32);
  const port = new Uart(board.debugged() ? wire.debug : wire.release);
  const about = { node, firmware: wire.firmware, boot, reset: board.reset(), selfTest: hashes };
  const station = new Station(about, { clock, port, storage, engine: board }, memory);
  station.begin(station.node.restore());
  const polling = Timer.repeat(() => {
    if (station.poll()) Timer.schedule(polling, 1, POLL_MS); // more has come: others' turn first, not the whole wait
  }, POLL_MS);
  Timer.repeat(() => station.sample(sensors.read()), given.periodMs);
}

Sensors.open(channels)
  .then(start)
  .catch((error) => trace(`motelearn: ${error}\n`));
