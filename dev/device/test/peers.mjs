// Programs of test/board that speak to an emulated board over its wire, each a process of its own.
import { join } from "node:path";
import { build } from "esbuild";
import { cache, root } from "../../../targets/emulator/engine.mjs";
import { start } from "./commands.mjs";

/** A node of little memory, for boards whose link is tested. */
export const SMALL_NODE = {
  sid: 1,
  channels: 2,
  learner: "olk-c",
  options: { budget: 8 },
  pending: 8,
  checkpointEvery: 0,
};

/** Builds the program of that name that speaks to a board. Returns its file. */
export async function builtPeer(name) {
  const outfile = join(cache, `board/${name}.mjs`);
  await build({
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
    target: "node20",
    entryPoints: [`test/board/${name}.ts`],
    outfile,
  });
  return outfile;
}

/** What that program prints of a board. */
export async function outcomeWith(program, argument) {
  const lines = [];
  const { ended } = start([program, JSON.stringify(argument)], (line) => lines.push(line));
  const { errors } = await ended;
  return lines.length === 1 ? JSON.parse(lines[0]) : { said: [errors] };
}
