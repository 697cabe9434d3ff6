/** Runs a node. A firmware bundles this with its learner's family: see dev/firmware/. */
import Flash from "embedded:storage/flash";
import Time from "time";
import Timer from "timer";
import type { Family } from "../../src/learn/family.ts";
import type { BytePort, FirmwareSlots } from "../../src/node/ports.ts";
import { StartFault } from "../../src/start/start-fault.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { Board } from "./board.ts";
import { DeepSleep } from "./deep-sleep.ts";
import { FlashPartition } from "./flash-partition.ts";
import { checkGivenConfig, nodeDescription } from "./given-config.ts";
import { readKeys } from "./keys.ts";
import { ModWatch, trialMs } from "./mod-watch.ts";
import { nativeF32 } from "./native-f32.ts";
import type { OwnSensors } from "./own-sensors.ts";
import type { FirmwareConfig } from "./run-node.ts";
import { StoredKeys } from "./stored-keys.ts";

/** Milliseconds from one line about a fault to the next. */
const FAULT_MS = 1000;

/** The wire of a node that can't start says why, again and again. */
function sayFault(transport: BytePort, error: unknown): void {
  const fault = new StartFault(transport, (error as Error).message);
  fault.say();
  Timer.repeat(() => fault.say(), FAULT_MS);
}

/** Runs the node's turns by a timer. */
function runTurns(
  started: StartedNode,
  rest: DeepSleep,
  own: OwnSensors,
  periodMs: number | undefined,
): void {
  const watch = new ModWatch(own, started.station);
  if (own.mod) Timer.set(() => watch.endTrial(), trialMs(periodMs));
  const timer = Timer.repeat(() => {
    const wait = Math.max(1, started.turn()); // even without delay, others run first
    watch.turn();
    const sleepMs = started.sleep();
    if (sleepMs > 0) {
      watch.endTrial();
      rest.begin(sleepMs);
    }
    Timer.schedule(timer, wait, wait);
  }, 1);
}

/** Starts a node of that family, and runs its turns by a timer. `openWire` opens the configuration's wire. */
export function runFirmware(
  { node, wire }: FirmwareConfig,
  learner: Family,
  own: OwnSensors,
  slots: FirmwareSlots | undefined,
  openWire: (options: FirmwareConfig["wire"]["release"]) => BytePort,
): StartedNode {
  const board = new Board();
  const rest = new DeepSleep();
  const transport = openWire(board.debugged() ? wire.debug : wire.release);
  // Each frame, and each variable of it, takes slots of XS's stack: so this isn't a function of its own, and runTurns is.
  let started: StartedNode;
  try {
    checkGivenConfig(node, own.sensors);
    started = startNode({
      node: { ...node, learner },
      sensors: own.sensors,
      periodMs: node.periodMs,
      clock: node.sleep ? rest : { now: () => Time.ticks },
      sleep: node.sleep,
      retained: rest,
      transport,
      block: new FlashPartition(Flash.open({ path: "checkpoints" })),
      checkpointMs: node.checkpointMs,
      memory: (bytes) => nativeF32(new ArrayBuffer(bytes)),
      engine: board,
      firmware: wire.firmware,
      description: nodeDescription(node),
      boot: board.noise(),
      ...readKeys(wire, new StoredKeys()),
      random: () => board.random(),
      reset: board.reset(),
      slots,
      feed: () => board.feed(),
    });
  } catch (error) {
    sayFault(transport, error);
    throw error;
  }
  runTurns(started, rest, own, node.periodMs);
  return started;
}
