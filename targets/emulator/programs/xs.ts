import { PortableF32 } from "../../../src/math/f32.ts";
import type { Host } from "./host.ts";
import { nativeF32 } from "./native-f32.ts";
import { runJob } from "./program.ts";
import { runStation } from "./station.ts";

declare const host: Host;

const arithmetics = {
  js: (bytes: number) => new PortableF32(new ArrayBuffer(bytes)),
  c: (bytes: number) => nativeF32(new ArrayBuffer(bytes)),
};

/** What the machine calls, once it has started. */
function main(): void {
  const job = JSON.parse(host.job());
  if (job.run === "station") runStation(host, job, arithmetics.c);
  else runJob(host, arithmetics);
}

Object.assign(globalThis, { main });
