// A real node on a board with two slots of firmware, behind a socket, for tests. It starts again as a board does, with
// what its bootloader chooses; byte 4 of an image says what its firmware does, see `KIND`. It ends with its input.
// Usage: node board.program.js '{"listen": "/tmp/socket", "manifest": FILE, "image": FILE}'
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { testPrimitives } from "../../src/selftest/portable-tests.ts";
import { UNLINKED } from "../../src/selftest/self-test.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { EmulatedSlots, Restart } from "../../targets/emulator/programs/firmware-slots.ts";
import { LINKED } from "../../tools/session/linked-primitives.ts";
import { KIND, WrongF32 } from "../start/emulated-board.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import { SocketUart } from "./socket-uart.ts";

const SLOT_SECTORS = 12;
const CHECKPOINT_SECTORS = 8;
const OTADATA_SECTORS = 2;

const { listen, manifest, image } = JSON.parse(process.argv[2]);
const { config } = JSON.parse(readFileSync(manifest, "utf8"));
const flash = EmulatedFlash.ofSectors(EmulatedSlots.sectors(SLOT_SECTORS, CHECKPOINT_SECTORS));
flash.contents.set(readFileSync(image), OTADATA_SECTORS * flash.sectorBytes);

/** The primitives of a firmware that links what its learner calls: its self-test leaves out the others, as self-test.c does. */
class LinkedF32 extends PortableF32 {
  constructor(
    buffer: ArrayBuffer,
    private readonly linked: bigint,
    private readonly inner: PortableF32,
  ) {
    super(buffer);
  }

  testBatch(at: number, first: number, hashes: Uint32Array): void {
    if (first > 0) return;
    testPrimitives(this.inner, at, hashes, () => {});
    for (let i = 0; i < hashes.length - 1; i++)
      if (((this.linked >> BigInt(i)) & 1n) === 0n) hashes[i] = UNLINKED;
  }
}

const uart = new SocketUart(512);
let node: StartedNode | undefined;

function start(): StartedNode {
  const slots = new EmulatedSlots(flash, SLOT_SECTORS, CHECKPOINT_SECTORS);
  const head = new Uint8Array(8);
  slots.running.read(0, head);
  const kind = head[4];
  if (kind === KIND.crashes) throw new Restart();
  const F32 = kind === KIND.wrongBits ? WrongF32 : PortableF32;
  return startNode({
    node: { ...config.node, learner: familyNamed(config.node.learner) },
    sensors: [{ channels: 1, read: (to, first) => to.fill(0.5, first, first + 1) }],
    periodMs: 100,
    clock: { now: () => Math.round(performance.now()) },
    transport: uart,
    block: slots.checkpoints,
    memory: (bytes) => {
      const buffer = new ArrayBuffer(bytes);
      return new LinkedF32(buffer, LINKED.get(config.node.learner) as bigint, new F32(buffer));
    },
    firmware: `version ${head[5]}`,
    boot: Math.floor(2 ** 32 * Math.random()),
    slots,
  });
}

function turn(): void {
  try {
    node ??= start();
    while (node.turn() === 0) {}
  } catch (error) {
    if (!(error instanceof Restart)) throw error;
    node = undefined;
  }
}

setInterval(turn, 5);
createInterface(process.stdin).on("close", () => process.exit());
createServer((socket) => {
  uart.socket = socket;
  socket.setNoDelay(true);
  socket.on("data", (data) => {
    uart.arrive(data);
    if (node) turn();
  });
  socket.on("error", () => {});
}).listen(listen, () => console.log("ready"));
