import { PortableF32 } from "../../../src/math/f32.ts";
import type { BytePipe } from "./byte-pipe.ts";
import type { Host } from "./host.ts";
import { nativeF32 } from "./native-f32.ts";
import { runProgram } from "./program.ts";
import { runStation } from "./station.ts";

declare const host: Host & BytePipe;

const arithmetics = {
  js: (bytes: number) => new PortableF32(new ArrayBuffer(bytes)),
  c: (bytes: number) => nativeF32(new ArrayBuffer(bytes)),
};

/** The machine calls this once it has started. */
function main(): void {
  const argument = JSON.parse(host.argument());
  if (argument.run === "station") runStation(host, argument, arithmetics.c);
  else runProgram(host, arithmetics, host);
}

Object.assign(globalThis, { main });
