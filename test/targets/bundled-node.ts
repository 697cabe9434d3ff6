import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { PortableLedger } from "../../src/node/portable-ledger.ts";
import { testPrimitives } from "../../src/selftest/portable-tests.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { SleepOptions } from "../../src/start/sleep.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { ImageSlot } from "../../src/store/image-slot.ts";
import { FORMATS, type Format } from "../../src/wire/format.ts";
import { PortableFrames } from "../../src/wire/portable-frames.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { digestText } from "../../tools/toolchain/firmware.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";
import {
  Bench,
  boardFunctions,
  CHANNELS,
  type FirmwareModule,
  KEY,
  openPartition,
  PERIOD_MS,
  runModule,
} from "./firmware-bench.ts";

const NODE = {
  sid: 1,
  pending: 16,
  labelWindow: 8,
  checkpointEvery: 32,
  features: { window: 0, standardise: true },
};

/** The keys of a configuration. */
export interface Keys {
  readonly key?: string;
  readonly labelKey?: string;
}

function newBench({ task }: Family, { wire: { key, labelKey } = {} }: { readonly wire?: Keys }): Bench {
  return new Bench({ regression: task === "regression", isKeyed: !!key, areLabelsKeyed: !!labelKey });
}

/** Options of a node besides its learner. */
type More = object & { readonly sleep?: SleepOptions };

/** The node of src/ itself. */
export function plain(learner: Family, options: object, more: More = {}, wire: Keys = {}) {
  const bench = newBench(learner, { wire });
  const { sleep, ...node } = more;
  const boot = () => {
    const started = startNode({
      node: { ...NODE, ...node, learner, options } as never,
      sensors: [bench.sensor],
      periodMs: PERIOD_MS,
      clock: { now: () => bench.now },
      ...{ sleep, retained: bench.retained },
      transport: bench.port,
      block: bench.flash,
      memory: (bytes) => new PortableF32(new ArrayBuffer(bytes)),
      firmware: "bundle",
      ...(wire.key && { key: KEY }),
      ...(wire.labelKey && { labelKey: KEY }),
      ...{ boot: bench.random(), reset: 1, random: bench.random, feed: () => {} },
    });
    const turn = () => {
      started.turn();
      bench.sleep(started.sleep());
    };
    return { started, turn };
  };
  return bench.run(boot);
}

/** A format as TypeScript has it: a board's has other names, and what C reads of it comes first. */
function wholeFormat(options: unknown): unknown {
  if (!(options instanceof Object) || ArrayBuffer.isView(options)) return options;
  const [codes, up, down, id, seed] = Object.values(options);
  const isSame = (one: Format) =>
    one.codes === codes && one.up === up && one.down === down && one.id === id && one.seed === seed;
  return Object.values(FORMATS).find(isSame) ?? options;
}

/** The result of the self-test in C after its last batch. */
function testAtOnce(f32: PortableF32, at: number, first: number, hashes: Uint32Array): void {
  if (first === 0) testPrimitives(f32, at, hashes, () => {});
}

type Methods = { readonly [name: string]: (...options: unknown[]) => unknown };

/** Stand-ins for the SDK's modules and the C functions. */
function board(bench: Bench) {
  const frames = new PortableFrames();
  const memories = new WeakMap<object, PortableF32>();
  const findMemory = (owner: { words: Float32Array }) => {
    const known = memories.get(owner) ?? new PortableF32(owner.words.buffer as ArrayBuffer);
    memories.set(owner, known);
    return known;
  };
  const ledgers = new WeakMap<object, PortableLedger>();
  const findLedger = (owner: { bits: Uint32Array; at: number }) => {
    const memory = () => new PortableF32(owner.bits.buffer as ArrayBuffer);
    const known = ledgers.get(owner) ?? new PortableLedger(memory(), owner.at);
    ledgers.set(owner, known);
    return known;
  };
  const called = boardFunctions(bench) as Methods;
  const native = (name: string) => {
    const [, ofFrame] = /^motelearn_frame_(\w+)$/.exec(name) ?? [];
    const [, ofLedger] = /^motelearn_ledger_(\w+)$/.exec(name) ?? [];
    const [, primitive] = /^motelearn_(\w+)$/.exec(name) ?? [];
    return function (this: { words: Float32Array }, ...options: unknown[]) {
      if (primitive === "testBatch")
        return testAtOnce(findMemory(this), ...(options as [number, number, Uint32Array]));
      if (ofFrame) return (frames as never as Methods)[ofFrame](...options.map(wholeFormat));
      if (ofLedger) return (findLedger(this as never) as never as Methods)[ofLedger](...options);
      if (primitive) return (findMemory(this) as never as Methods)[primitive](...options);
      return called[name](...options);
    };
  };
  return {
    native,
    flash: { open: () => openPartition(bench.flash) },
    time: {
      get ticks() {
        return bench.now;
      },
    },
  };
}

let made = 0;

/** The file of a firmware's module in that folder, for Node: imports of the SDK are stand-ins, those of learners lie at that path. */
function onNode(folder: string, name: string, learners = ""): string {
  const text = readFileSync(join(folder, `${name}.js`), "utf8");
  const file = join(folder, `${name}-${++made}.mjs`);
  const stand = (_: string, as: string, module: string) =>
    `const ${as}=globalThis.sdk[${JSON.stringify(module)}]`;
  // What binds calls exists only in C, and may be absent; it may have another name.
  const portable = text.replace(/[\w$]+\([^)]*\)\{return native\("motelearn_bind\w+"\)[^}]*\}/g, "");
  const standing = portable.replace(/import ([\w$]+) from"([^"]+)"/g, stand);
  writeFileSync(file, standing.replace(/`motelearn\/learners\/\$\{[^}]+\}`/, JSON.stringify(learners)));
  return pathToFileURL(file).href;
}

/** Puts the SDK's modules and the functions of C in front of a module, `more` of each besides. Returns the SDK's last callback of turns. */
function standIn(bench: Bench, config: object, functions: Methods = {}, modules: object = {}) {
  const { native, flash, time } = board(bench);
  let turn = () => {};
  const repeat = (options: () => void) => {
    turn = options;
  };
  const timer = { repeat, schedule: () => {}, set: () => {} };
  const sdk = { "embedded:storage/flash": flash, time, timer, "mc/config": config, ...modules };
  const called = (name: string) => functions[name] ?? native(name);
  Object.assign(globalThis, { native: called, sdk });
  return () => turn;
}

/** The learner's module in that folder as a board has it with a manifest of that configuration; `given` runs it. */
export async function bundled(folder: string, name: string, config: object, options: object = config) {
  const bench = newBench(familyNamed(name) as Family, options as { wire?: Keys });
  const lastTurn = standIn(bench, config);
  const module: FirmwareModule = await import(onNode(folder, name));
  return runModule(bench, module, options, lastTurn);
}

/** The module motelearn/board. */
interface BoardModule {
  runNode(config: object, sensors: readonly Sensor[]): Promise<StartedNode>;
}

/** Both modules of a firmware in that folder, at a bench, in slots whose firmware may be on trial. */
async function wholeFirmware(folder: string, name: string, config: object, isOnTrial: boolean) {
  const bench = newBench(familyNamed(name) as Family, {});
  const asked: string[] = [];
  const slot = (of: string, answer?: boolean) => () => {
    asked.push(of);
    return answer;
  };
  const functions = {
    slots_trial: () => isOnTrial,
    slots_secure: slot("secure", true),
    slots_confirm: slot("confirm", true),
    slots_activate: slot("activate", true),
    slots_revert: slot("revert"),
    slots_restart: slot("restart"),
    uart_has_fifo: () => true,
    uart_read: (_: unknown, to: unknown) => bench.port.read(to as Uint8Array),
    uart_write: (_: unknown, ...options: unknown[]) =>
      bench.port.write(...(options as Parameters<typeof bench.port.write>)),
  };
  // The slot that runs still describes the firmware that came into it.
  const running = EmulatedFlash.ofSectors(bench.flash.bytes / bench.flash.sectorBytes);
  new ImageSlot(running).begin({ bytes: 1, crc: 0, selfTest: 0 });
  const lastTurn = standIn(bench, config, functions, {
    "embedded:io/serial": class {},
    "embedded:storage/flash": {
      open: ({ path }: { readonly path: string }) =>
        openPartition(path === "running" ? running : bench.flash),
    },
  });
  const board: BoardModule = await import(onNode(folder, "board", onNode(join(folder, "learners"), name)));
  return { bench, asked, lastTurn, board };
}

/** What a firmware on trial did with its slots, and what its node did. */
export async function onTrial(folder: string, name: string, config: object) {
  const { bench, asked, lastTurn, board } = await wholeFirmware(folder, name, config, true);
  const started = await board.runNode(config, [bench.sensor]);
  return { ...bench.run(() => ({ started, turn: lastTurn() })), asked };
}

/** What a firmware whose node has no sensors says on its wire before its first turn, and the error that it ends with. */
export async function withoutSensors(folder: string, name: string, config: object) {
  const { bench, board } = await wholeFirmware(folder, name, config, false);
  const error = await board.runNode(config, []).then(
    () => undefined,
    (thrown: Error) => thrown.message,
  );
  const bytes = new Uint8Array(256);
  const decoder = new Receiver(["log"]);
  const count = bench.up.read(bytes);
  const said: string[] = [];
  for (let at = 0; decoder.next(bytes, at, count) !== undefined; at = decoder.at) {
    const { text, length } = decoder.message("log");
    said.push(String.fromCharCode(...text.subarray(0, length)));
  }
  return { error, said };
}

/** The configuration of a node with that learner. */
export const makeConfig = (learner: string, options: object, more: object = {}, wire: object = {}) => ({
  node: { ...NODE, ...more, learner, options, periodMs: PERIOD_MS },
  wire: { firmware: "bundle", ...wire },
});

/** The form that a checking tool writes: for a sample of so many readings, or any. */
export function markChecked<Config extends { node: object }>(
  config: Config,
  channels: number | undefined = CHANNELS,
) {
  const node = { ...config.node, ...(channels && { channels }) };
  return { ...config, node, checked: digestText(JSON.stringify(node)) };
}
