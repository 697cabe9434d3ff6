// A real node behind a socket, for tests: a process that they start, kill and start again. Each line of its input says how
// many samples a node with a sensor takes next; it ends with its input, so that it outlives nobody.
// Usage: node station.program.js '{"listen": "/tmp/socket", ...}', see `StationGiven`.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../../src/node/node.ts";
import type { BytePort, Storage } from "../../src/node/ports.ts";
import { Station } from "../../src/node/station.ts";
import { selfTest, selfTestBytes } from "../../src/selftest/self-test.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";

/** What the program is told. */
export interface StationGiven {
  /** Path of a Unix socket, or a TCP port of 127.0.0.1. */
  readonly listen: string | number;
  readonly node: Omit<NodeOptions, "learner"> & { readonly learner: string };
  readonly fed?: boolean;
  /** Where the checkpoint lies; none: it can't be kept. */
  readonly checkpoint?: string;
  /** Milliseconds between two samples of a node that isn't fed; without it samples are asked for. */
  readonly sampleMs?: number;
  /** A primitive whose hash is spoilt, by its place in the self-test. */
  readonly spoilt?: number;
}

const given: StationGiven = JSON.parse(process.argv[2]);

/** The checkpoint in a file that survives the process. */
class File implements Storage {
  save(bytes: Uint8Array): boolean {
    if (!given.checkpoint) return false;
    writeFileSync(`${given.checkpoint}.new`, bytes);
    renameSync(`${given.checkpoint}.new`, given.checkpoint);
    return true;
  }
  load(bytes: Uint8Array): RestoreStatus {
    if (!given.checkpoint || !existsSync(given.checkpoint)) return "fresh";
    const kept = readFileSync(given.checkpoint);
    if (kept.length !== bytes.length) return "fresh";
    bytes.set(kept);
    return "restored";
  }
}

/** A socket as a UART: bytes that came wait here; without a connection what is sent is lost. */
class Uart implements BytePort {
  socket: Socket | undefined;
  private come: number[] = [];

  arrive(bytes: Uint8Array): void {
    for (const byte of bytes) this.come.push(byte);
  }
  get waiting(): number {
    return this.come.length;
  }
  read(to: Uint8Array): number {
    const bytes = this.come.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }
  write(bytes: Uint8Array, from: number, to: number): number {
    this.socket?.write(bytes.slice(from, to));
    return to - from;
  }
}

const learner = familyNamed(given.node.learner)!;
const boot = (Date.now() ^ (process.pid << 16)) >>> 0;
const node: NodeOptions = { ...given.node, learner, sid: given.fed ? given.node.sid : boot };
const bytes = Math.max(selfTestBytes(nodeLearner(node)), nodeLayout(node).bytes);
const memory = nodeLayout(node).range(new PortableF32(new ArrayBuffer(bytes)));
const hashes = selfTest(nodeLearner(node), memory);
if (given.spoilt !== undefined) hashes[given.spoilt] ^= 1;
const uart = new Uart();
const start = performance.now();
const clock = { now: () => Math.round(performance.now() - start) };
const station = new Station(
  { node, firmware: "station 1", boot, fed: given.fed, selfTest: hashes },
  { clock, port: uart, storage: new File() },
  memory,
);
station.begin(station.node.restore());

function poll(): void {
  while (station.poll() || uart.waiting > 0);
}

let readings = 0;
function sample(): void {
  station.sample(Array.from({ length: node.channels }, (_, i) => ((7 * ++readings + i) % 11) / 4));
  poll();
}

setInterval(poll, 20);
if (given.sampleMs) setInterval(sample, given.sampleMs);
createInterface(process.stdin)
  .on("line", (line) => {
    for (let k = 0; k < Number(line); k++) sample();
  })
  .on("close", () => process.exit());
createServer((socket) => {
  uart.socket = socket;
  socket.setNoDelay(true);
  socket.on("data", (data) => {
    uart.arrive(data);
    poll();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    if (uart.socket === socket) uart.socket = undefined;
  });
}).listen(typeof given.listen === "number" ? { port: given.listen, host: "127.0.0.1" } : given.listen, () =>
  console.log("ready"),
);
