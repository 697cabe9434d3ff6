// Learners after a stream on Node, and predict.c, which predicts from their memory without an engine.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { buildProgram, runProgram } from "../device.mjs";
import { cache, root } from "../engine.mjs";

/** What states.ts exports. */
export async function states() {
  const outfile = join(cache, "states.mjs");
  const entryPoints = ["targets/emulator/bench/states.ts"];
  const form = { bundle: true, platform: "node", format: "esm", target: "es2022", logLevel: "warning" };
  await build({ absWorkingDir: root, entryPoints, outfile, ...form });
  return import(pathToFileURL(outfile));
}

export function buildPlain(isa) {
  return buildProgram(isa, "targets/emulator/bench/predict.c");
}

function bitsOf(number) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

/** Predicts from a state that has an image: its instructions, and a fault if it isn't the learner's prediction to the bit. */
export async function predictPlain(program, { image, prediction }) {
  const { code, text } = await runProgram(program, [], image);
  const [bits, instructions] = text.trim().split(" ");
  const right = bitsOf(prediction);
  if (code === 0 && bits === right) return { instructions: Number(instructions) };
  return { fault: `plain C predicts ${bits}, the learner ${right} (exit ${code})` };
}
