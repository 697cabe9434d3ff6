// A firmware as `motelearn flash` links it, on the emulated board: its two modules are preloaded with this program, by test/flashed.mjs.
import type { openOwn, openSensors, RunningNode, runNode } from "../../moddable/run-node.ts";
import type { Host } from "../programs/host.ts";
import Analog from "./analog.ts";
import { EventLoop } from "./event-loop.ts";
import Flash from "./flash.ts";
import Time from "./time.ts";
import Timer from "./timer.ts";

type Functions = { readonly [name: string]: (...options: never[]) => unknown };

declare const host: Host;
declare const board: { milliseconds(): number; noise(): number };
declare const uart: {
  read(to: Uint8Array): number;
  write(bytes: Uint8Array, from: number, to: number): number;
};
declare const f32Natives: Functions;
declare const frameNatives: Functions;
declare const ledgerNatives: Functions;

interface Config {
  readonly sensors: Parameters<typeof openSensors>[0];
  readonly node: Parameters<typeof runNode>[0]["node"];
  readonly wire: Parameters<typeof runNode>[0]["wire"];
}

/** The preloaded modules, and the SDK's, as they import them. */
declare const firmware: {
  readonly board: {
    readonly openOwn: typeof openOwn;
    readonly openSensors: typeof openSensors;
    readonly runNode: typeof runNode;
  };
  readonly learner: object;
};
declare const sdkModules: { readonly [name: string]: unknown };

/** Samples that the node takes before the program ends. */
const SAMPLES = 2;
/** Milliseconds in which it takes them. */
const LIMIT_MS = 60_000;
const LOOK_MS = 20;
const POWER = 1;

/** What is made when the program starts. To add it to the global object would copy that from flash, with all its properties. */
const running: { loop?: EventLoop; fedAt: number; longest: number } = { fedAt: 0, longest: 0 };
Object.defineProperty(globalThis, "eventLoop", { get: () => running.loop });

/** Notes the instructions since it was called last, if no call took as many. */
function noteStep(): void {
  const now = host.instructions();
  if (now - running.fedAt > running.longest) running.longest = now - running.fedAt;
  running.fedAt = now;
}

/** The functions of C that aren't arithmetic, for a board at rest. */
const BOARD: Functions = {
  board_debugged: () => false,
  board_reset: () => POWER,
  board_feed: () => {
    noteStep();
    host.feed();
  },
  board_random: () => board.noise(),
  board_slots: () => host.slots(),
  board_chunks: () => host.chunks(),
  deep_sleep_bytes: () => 0,
  mod_state: () => 0,
  slots_trial: () => false,
  stored_keys_take: () => {},
  stored_keys_read: () => false,
  uart_has_fifo: () => true,
  uart_read: (_: number, to: Uint8Array) => uart.read(to),
  uart_write: (_: number, bytes: Uint8Array, from: number, to: number) => uart.write(bytes, from, to),
};

/** Stand-ins for a board where there is none, as on Linux: time passes with each look, no byte comes, and the flash is empty. */
if (!("board" in globalThis)) {
  const at = { ms: 0 };
  Object.assign(globalThis, {
    board: {
      milliseconds: () => at.ms++,
      noise: () => 1,
      settle() {},
      rest(ms: number): void {
        at.ms += ms;
      },
    },
    uart: { read: () => 0, write: (_: Uint8Array, from: number, to: number) => to - from },
    nor: {
      read: (_: number, into: Uint8Array) => into.fill(0xff) && true,
      erase: () => true,
      program: () => true,
    },
  });
}

function prefixNames(prefix: string, functions: Functions): Functions {
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [prefix + name, call]));
}

/**
 * Runs the started node until it has taken some samples, and prints where it ends, and the instructions of the longest step of its start;
 * 0 where they aren't counted.
 */
function run({ station: { node } }: RunningNode, loop: EventLoop): void {
  noteStep();
  while (node.seq < SAMPLES && board.milliseconds() < LIMIT_MS) loop.run(board.milliseconds() + LOOK_MS);
  host.print(JSON.stringify({ seq: node.seq, hash: node.stateHash(), longest: running.longest }));
}

/** As ../../moddable/main.ts begins. */
function main(): void {
  const { openOwn, openSensors, runNode } = firmware.board;
  const { sensors, node, wire } = sdkModules["mc/config"] as Config;
  running.fedAt = host.instructions();
  const loop = new EventLoop();
  running.loop = loop;
  openOwn({ openSensors }, (own) => own.openSensors(sensors))
    .then((own) => runNode({ node, wire }, own))
    .then((started) => run(started, loop));
}

Object.assign(globalThis, {
  main,
  nativeFunctions: {
    ...prefixNames("motelearn_", f32Natives),
    ...prefixNames("motelearn_frame_", frameNatives),
    ...prefixNames("motelearn_ledger_", ledgerNatives),
    ...BOARD,
  },
  sdkModules: {
    "embedded:io/analog": Analog,
    "embedded:io/serial": class {}, // a chip with FIFOs takes no more than its pins
    "embedded:storage/flash": Flash,
    time: Time,
    timer: Timer,
  },
  importModule: async () => firmware.learner,
  trace: (...texts: unknown[]) => host.print(texts.join("")),
});
