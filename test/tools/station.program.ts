// A real node behind a socket, for tests: a process that they start, kill and start again. Each line of its input says how
// many samples a node with a sensor takes next; it ends with its input, so that it outlives nobody.
// Usage: node station.program.js '{"listen": "/tmp/socket", ...}', see `StationGiven`.
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import type { Primitives } from "../../src/math/primitives.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { readKeys } from "../../targets/moddable/keys.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { MqttNode } from "../../tools/ports/mqtt-node.ts";
import { FileFlash } from "../store/file-flash.ts";
import { SocketUart } from "./socket-uart.ts";

/** The program's options. */
export interface StationGiven {
  /** Path of a Unix socket, a TCP port of 127.0.0.1, or the node's address at a broker, mqtt://HOST:PORT/NAME. */
  readonly listen: string | number;
  readonly node: Omit<NodeOptions, "learner"> & { readonly learner: string };
  readonly fed?: boolean;
  /** The file that is its flash; none: it keeps no checkpoint. */
  readonly checkpoint?: string;
  /** Milliseconds between two checkpoints, at least. */
  readonly checkpointMs?: number;
  /** Speed of its clock relative to this machine's; default 1. */
  readonly haste?: number;
  /** Milliseconds between two samples of a node that isn't fed; without it samples are asked for. */
  readonly sampleMs?: number;
  /** A primitive that writes another bit to its first argument than it should. */
  readonly spoilt?: string;
  /** Of its line and of labels, 32 hex digits each. */
  readonly key?: string;
  readonly labelKey?: string;
}

const given: StationGiven = JSON.parse(process.argv[2]);

/** The arithmetic, with one fault if that is wanted. */
function memory(bytes: number): Primitives {
  const f32 = new PortableF32(new ArrayBuffer(bytes));
  const { spoilt } = given;
  if (spoilt === undefined) return f32;
  const calls = f32 as unknown as Record<string, (...args: number[]) => unknown>;
  const right = calls[spoilt].bind(f32);
  calls[spoilt] = (to, ...rest) => {
    const result = right(to, ...rest);
    f32.bits[to] ^= 1;
    return result;
  };
  return f32;
}

/** Readings that follow from how many there were. */
class Counted implements Sensor {
  private taken = 0;
  constructor(readonly channels: number) {}
  read(to: Float32Array, first: number): void {
    for (let i = 0; i < this.channels; i++) to[first + i] = ((7 * ++this.taken + i) % 11) / 4;
  }
}

const learner = chooseFamily(given.node.learner);
const options: NodeOptions = { ...given.node, learner };
const atBroker = String(given.listen).match(/^mqtts?:/) !== null;
const uart = new SocketUart();
const mqtt = atBroker
  ? new MqttNode(parseAddress(String(given.listen)) as MqttAddress, () => turns())
  : undefined;
const transport = mqtt?.port ?? uart;
const start = performance.now();
const machine = {
  ...readKeys(given),
  random: () => randomInt(2 ** 32),
  firmware: "station 1",
  boot: (Date.now() ^ (process.pid << 16)) >>> 0,
  clock: { now: () => Math.round((given.haste ?? 1) * (performance.now() - start)) },
  transport,
  ...(given.checkpoint && { block: new FileFlash(given.checkpoint, storeBytes(nodeLayout(options))) }),
  memory,
  checkpointMs: given.checkpointMs,
};
const node = given.fed
  ? startNode({ ...machine, node: options })
  : startNode({
      ...machine,
      node: options,
      sensors: [new Counted(options.channels)],
      periodMs: given.sampleMs ?? 0,
    });

let timer: NodeJS.Timeout | undefined;
function turns(): void {
  let wait: number;
  do wait = node.turn();
  while (wait === 0 || (mqtt ? mqtt.port.available : uart.waiting) > 0);
  clearTimeout(timer);
  timer = setTimeout(turns, wait);
}

turns();
createInterface(process.stdin)
  .on("line", (line) => {
    for (let k = 0; k < Number(line); k++) {
      node.sample();
      turns();
    }
  })
  .on("close", () => process.exit());
const server = createServer((socket) => {
  uart.socket = socket;
  socket.setNoDelay(true);
  socket.on("data", (data) => {
    uart.arrive(data);
    turns();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    if (uart.socket === socket) uart.socket = undefined;
  });
});
if (mqtt) console.log("ready");
else {
  const where = typeof given.listen === "number" ? { port: given.listen, host: "127.0.0.1" } : given.listen;
  server.listen(where, () => console.log("ready"));
}
