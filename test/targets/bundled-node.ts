import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { PortableLedger } from "../../src/node/portable-ledger.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { sessionOf } from "../../src/node/station.ts";
import { testPrimitives } from "../../src/selftest/portable-tests.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { FORMATS, type Format } from "../../src/wire/format.ts";
import { PortableFrames } from "../../src/wire/portable-frames.ts";
import { Labeller } from "../../targets/emulator/programs/labeller.ts";
import type { SerialLine } from "../../targets/emulator/programs/serial-line.ts";
import { digestOf } from "../../tools/toolchain/firmware.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";

/** Samples of a run. */
export const SAMPLES = 200;
const PERIOD_MS = 100;
const STEP_MS = 5;
const SECTORS = 16;
const BOOT = 7;
/** Readings in a sample. */
export const CHANNELS = 2;

/** One way of a line that loses nothing, and keeps all that it carried. */
class Way {
  readonly carried: number[] = [];
  private at = 0;

  read(to: Uint8Array): number {
    const bytes = this.carried.slice(this.at, this.at + to.length);
    to.set(bytes);
    this.at += bytes.length;
    return bytes.length;
  }

  send(bytes: Uint8Array, from: number, to: number): number {
    this.carried.push(...bytes.subarray(from, to));
    return to - from;
  }
}

/** A node's surroundings: its time, its line with a peer that labels its predictions, its flash. */
class Bench {
  now = 0;
  readonly up = new Way();
  readonly down = new Way();
  readonly flash = EmulatedFlash.ofSectors(SECTORS);
  readonly sensor: Sensor;
  readonly port: BytePort = {
    read: (to) => this.down.read(to),
    write: (bytes, from, to) => this.up.send(bytes, from, to),
  };
  private readonly labeller: Labeller;

  constructor(regression: boolean) {
    const [up, down] = [this.up, this.down].map((way) => way as unknown as SerialLine);
    this.labeller = new Labeller(up, down, sessionOf(BOOT), new PortableFrames());
    const random = new Random(1, "bundle");
    let seq = 0;
    this.sensor = {
      channels: CHANNELS,
      read: (to, first) => {
        const [x, y] = [random.uniform() * 2 - 1, random.uniform() * 2 - 1];
        to.set([x, y], first);
        this.labeller.expect(++seq, regression ? x * y : x * y > 0 ? 1 : -1);
      },
    };
  }

  /** Runs the node's turns until its samples are predicted; returns its messages and state. */
  run({ station }: StartedNode, turn: () => void) {
    for (const end = SAMPLES * PERIOD_MS; this.now < end; this.now += STEP_MS) {
      turn();
      this.labeller.turn(this.now);
    }
    const { labelled, faults } = this.labeller;
    return {
      labelled,
      faults,
      bytes: this.up.carried,
      state: station.node.stateHash(),
      sum: sumOf(this.flash),
    };
  }
}

/** Bytes that a flash holds, summed. */
function sumOf(flash: EmulatedFlash): number {
  const bytes = new Uint8Array(flash.bytes);
  flash.read(0, bytes);
  return bytes.reduce((sum, byte, i) => (sum + (i + 1) * byte) % 2 ** 32, 0);
}

const NODE = {
  sid: 1,
  pending: 16,
  labelWindow: 8,
  checkpointEvery: 32,
  features: { window: 0, standardise: true },
};

/** The node of src/ itself. */
export function plain(learner: Family, options: object, more: object = {}) {
  const bench = new Bench(learner.task === "regression");
  const started = startNode({
    node: { ...NODE, ...more, learner, options } as never,
    sensors: [bench.sensor],
    periodMs: PERIOD_MS,
    clock: { now: () => bench.now },
    transport: bench.port,
    block: bench.flash,
    memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
    firmware: "bundle",
    ...{ boot: BOOT, reset: 1, random: () => BOOT, feed: () => {} },
  });
  return bench.run(started, () => started.turn());
}

/** A format as TypeScript has it: a board's has other names, and what C reads of it comes first. */
function wholeFormat(given: unknown): unknown {
  if (!(given instanceof Object) || ArrayBuffer.isView(given)) return given;
  const [codes, up, down, id, seed] = Object.values(given);
  const isSame = (one: Format) =>
    one.codes === codes && one.up === up && one.down === down && one.id === id && one.seed === seed;
  return Object.values(FORMATS).find(isSame) ?? given;
}

/** The result of the self-test in C after its last batch. */
function testAtOnce(f32: PortableF32, at: number, first: number, hashes: Uint32Array): void {
  if (first === 0) testPrimitives(f32, at, hashes, () => {});
}

type Methods = { readonly [name: string]: (...given: unknown[]) => unknown };

/** Stand-ins for the SDK's modules and the C functions. */
function board(bench: Bench) {
  const frames = new PortableFrames();
  const memories = new WeakMap<object, PortableF32>();
  const memoryOf = (owner: { words: Float32Array }) => {
    const known = memories.get(owner) ?? new PortableF32(owner.words.buffer as ArrayBuffer);
    memories.set(owner, known);
    return known;
  };
  const ledgers = new WeakMap<object, PortableLedger>();
  const ledgerOf = (owner: { bits: Uint32Array; at: number }) => {
    const memory = () => new PortableF32(owner.bits.buffer as ArrayBuffer);
    const known = ledgers.get(owner) ?? new PortableLedger(memory(), owner.at);
    ledgers.set(owner, known);
    return known;
  };
  const called: { [name: string]: () => unknown } = {
    ...{ board_debugged: () => false, board_reset: () => 1, board_feed: () => {}, board_random: () => BOOT },
    ...{
      board_slots: () => 0,
      board_chunks: () => 0,
      deep_sleep_bytes: () => 0,
      stored_keys_read: () => false,
    },
    stored_keys_take: () => {},
  };
  const native = (name: string) => {
    const [, ofFrame] = /^motelearn_frame_(\w+)$/.exec(name) ?? [];
    const [, ofLedger] = /^motelearn_ledger_(\w+)$/.exec(name) ?? [];
    const [, primitive] = /^motelearn_(\w+)$/.exec(name) ?? [];
    return function (this: { words: Float32Array }, ...given: unknown[]) {
      if (primitive === "testBatch")
        return testAtOnce(memoryOf(this), ...(given as [number, number, Uint32Array]));
      if (ofFrame) return (frames as never as Methods)[ofFrame](...given.map(wholeFormat));
      if (ofLedger) return (ledgerOf(this as never) as never as Methods)[ofLedger](...given);
      if (primitive) return (memoryOf(this) as never as Methods)[primitive](...given);
      return called[name]();
    };
  };
  const { flash } = bench;
  const partition = {
    status: () => ({ size: flash.bytes, blockLength: flash.sectorBytes, blocks: SECTORS, writeAlign: 1 }),
    read: (into: Uint8Array, offset: number) => flash.read(offset, into),
    write: (from: Uint8Array, offset: number) => flash.program(offset, from),
    eraseBlock: (start: number) => flash.erase(start * flash.sectorBytes),
  };
  return {
    native,
    flash: { open: () => partition },
    time: {
      get ticks() {
        return bench.now;
      },
    },
  };
}

/** As targets/moddable/learner.ts has it. */
interface LearnerModule {
  readonly default: Family;
  runFirmware(
    config: object,
    learner: Family,
    own: object,
    slots: undefined,
    wire: () => BytePort,
  ): StartedNode;
}

let made = 0;

/** The learner's module in that folder as a board has it with a manifest of that configuration; `given` runs it. */
export async function bundled(folder: string, name: string, config: object, given: object = config) {
  const text = readFileSync(join(folder, `${name}.js`), "utf8");
  const file = join(folder, `${name}-${++made}.mjs`);
  const stand = (_: string, as: string, module: string) =>
    `const ${as}=globalThis.sdk[${JSON.stringify(module)}]`;
  // The binding of calls exists only in C, and may be absent.
  const portable = text.replace(/bind\([^)]*\)\{return native\("motelearn_bind"\)[^}]*\}/, "");
  assert.is.not(portable, text, "a module has what binds a call");
  writeFileSync(file, portable.replace(/import ([\w$]+) from"([^"]+)"/g, stand));
  const family = familyNamed(name) as Family;
  const bench = new Bench(family.task === "regression");
  const { native, flash, time } = board(bench);
  let turn = () => {};
  const repeat = (given: () => void) => {
    turn = given;
  };
  const timer = { repeat, schedule: () => {}, set: () => {} };
  const sdk = { "embedded:storage/flash": flash, time, timer, "mc/config": config };
  Object.assign(globalThis, { native, sdk });
  const module: LearnerModule = await import(pathToFileURL(file).href);
  const own = { sensors: [bench.sensor] };
  const started = module.runFirmware(given, module.default, own, undefined, () => bench.port);
  return bench.run(started, () => turn());
}

/** The configuration of a node with that learner. */
export const configOf = (learner: string, options: object, more: object = {}, wire: object = {}) => ({
  node: { ...NODE, ...more, learner, options, periodMs: PERIOD_MS },
  wire: { firmware: "bundle", ...wire },
});

/** The form that a checking tool writes: for a sample of so many readings, or any. */
export function checkedOf<Config extends { node: object }>(
  config: Config,
  channels: number | undefined = CHANNELS,
) {
  const node = { ...config.node, ...(channels && { channels }) };
  return { ...config, node, checked: digestOf(JSON.stringify(node)) };
}
