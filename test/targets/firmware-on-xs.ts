import type { Host } from "../../targets/emulator/programs/host.ts";
import {
  Bench,
  type BenchOptions,
  boardFunctions,
  type FirmwareModule,
  openPartition,
  runModule,
} from "./firmware-bench.ts";

type Functions = { readonly [name: string]: (...options: never[]) => unknown };

declare const host: Host;
declare const f32Natives: Functions;
declare const frameNatives: Functions;
declare const ledgerNatives: Functions;

/** The learner's module, which was preloaded with this program, and the SDK's modules as it imports them. */
declare const firmware: FirmwareModule;
declare const sdkModules: { readonly [name: string]: object };

/** Made when the program starts: what was made before lies in flash, and can't change. */
declare const world: { readonly bench: Bench; turn: () => void };

const timer = {
  repeat(turn: () => void): void {
    world.turn = turn;
  },
  schedule(): void {},
  set(): void {},
};

const time = {
  get ticks(): number {
    return world.bench.now;
  },
};

const flash = { open: () => openPartition(world.bench.flash) };

/** Functions with a prefix to their names. */
function prefixed(prefix: string, functions: Functions): Functions {
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [prefix + name, call]));
}

/** Runs the firmware's module in the machine, and prints what its node did. */
function main(): void {
  const options = JSON.parse(host.argument()) as BenchOptions;
  const bench = new Bench(options);
  // Only now: the SDK's linker, too, has none of them when it preloads a module.
  const nativeFunctions = {
    ...prefixed("motelearn_", f32Natives),
    ...prefixed("motelearn_frame_", frameNatives),
    ...prefixed("motelearn_ledger_", ledgerNatives),
    ...boardFunctions(bench),
  };
  Object.assign(globalThis, { nativeFunctions, world: { bench, turn: () => {} } });
  const config = sdkModules["mc/config"];
  host.print(JSON.stringify(runModule(bench, firmware, config, () => world.turn)));
}

Object.assign(globalThis, { main, sdkModules: { "embedded:storage/flash": flash, time, timer } });
