// The job of the machines, from the same src/ that a device gets: one script for XS, which has no module loader, and
// one program for Node.
import { join } from "node:path";
import { build } from "esbuild";
import { cache, root } from "./engine.mjs";

export async function bundle() {
  const shared = { absWorkingDir: root, bundle: true, target: "es2022", logLevel: "warning" };
  const program = join(cache, "program.js");
  const node = join(cache, "node.mjs");
  await build({ ...shared, entryPoints: ["targets/emulator/job/xs.ts"], format: "iife", outfile: program });
  const onNode = { platform: "node", format: "esm", outfile: node };
  await build({ ...shared, ...onNode, entryPoints: ["targets/emulator/job/node.ts"] });
  return { program, node };
}
