import Flash from "embedded:storage/flash";
import config from "mc/config";
import { FlashPartition, familyNamed, nativeF32, type Sensor, startNode } from "motelearn";
import Time from "time";
import Timer from "timer";
import { Board } from "./board.ts";
import { openSensors } from "./sensors.ts";
import { Uart } from "./uart.ts";

/** A sensor node: reads its sensors in time, speaks the wire, keeps checkpoints in its partition of flash. */
function start(sensors: readonly Sensor[]): void {
  const { node, wire } = config;
  const learner = familyNamed(node.learner);
  if (!learner) throw new RangeError(`config.node.learner: got ${node.learner}; takes a learner's name`);
  const board = new Board();
  const started = startNode({
    node: { ...node, learner },
    sensors,
    periodMs: node.periodMs,
    clock: { now: () => Time.ticks },
    transport: new Uart(board.debugged() ? wire.debug : wire.release),
    block: new FlashPartition(Flash.open({ path: "checkpoints" })),
    checkpointMs: node.checkpointMs,
    memory: (bytes) => nativeF32(new ArrayBuffer(bytes)),
    engine: board,
    firmware: wire.firmware,
    boot: Math.floor(2 ** 32 * Math.random()),
    reset: board.reset(),
    feed: () => board.feed(),
  });
  const timer = Timer.repeat(() => {
    const wait = Math.max(1, started.turn()); // at once, too, others have their turn first
    Timer.schedule(timer, wait, wait);
  }, 1);
}

openSensors(config.sensors)
  .then(start)
  .catch((error) => trace(`motelearn: ${error}\n`));
