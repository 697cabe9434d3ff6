// Code size of a board's modules in bytes: XS's own compiler, built from npm, compiles each, so the figures
// are the same on every machine, with or without the Moddable SDK.
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildLinux, root } from "../../targets/emulator/engine.mjs";
import { compileModules, loadBundler } from "../firmware/load.mjs";
import { linkedText } from "./linked-c.mjs";

/** Learners of the measured whole firmwares: a linear one, a short one, and the one with the most members. */
const LEARNERS = ["pa", "olk-c", "auto"];
/** The folder for the firmware's modules, whose names differ from their sources. */
const FIRMWARE = ["board.js", "mqtt.js", ...LEARNERS.map((name) => `learners/${name}.js`)];

/** Modules below a folder, by their paths in it. */
function listModules(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .sort();
}

/** Bytes of bytecode by module, and a text on the C beside it. Needs `cc`. */
export async function codeBytes() {
  const folder = join(root, "dist/report/moddable");
  compileModules(folder);
  const writeFirmware = await loadBundler();
  await writeFirmware(root, folder, LEARNERS); // first, as it omits what tools alone read
  const sources = ["src", "targets/moddable"].flatMap((room) =>
    listModules(join(folder, room)).map((name) => `${room}/${name}`),
  );
  const machine = await buildLinux();
  const sizes = async (names) => {
    const { stdout } = await promisify(execFile)(machine, ["--sizes", ...names], { cwd: folder });
    const bytes = stdout.trim().split("\n");
    return Object.fromEntries(names.map((name, i) => [name, Number.parseInt(bytes[i], 10)]));
  };
  const c = await linkedText(join(folder, "learners"), LEARNERS);
  return { modules: await sizes(sources), firmware: await sizes(FIRMWARE), c };
}
