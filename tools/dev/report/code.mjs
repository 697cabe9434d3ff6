// Bytes of code that a board's modules come to: each is compiled by XS's own compiler, built from npm, so that the figures are the same on
// every machine, with the Moddable SDK or without.
import { execFile, execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildLinux, root } from "../../../targets/emulator/engine.mjs";
import { writeFirmware } from "../firmware/bundles.mjs";

/** The whole firmware is measured with these: a short learner, and the one with the most members. */
const LEARNERS = ["olk-c", "auto"];
/** In that the firmware's modules have other names than the sources that they are made of. */
const FIRMWARE = ["board.js", "mqtt.js", ...LEARNERS.map((name) => `learners/${name}.js`)];

function compileTypeScript(out) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const flags = ["--noEmit", "false", "--declaration", "false", "--rewriteRelativeImportExtensions"];
  const given = [tsc, "-p", join(root, "targets/moddable/tsconfig.json"), "--outDir", out, ...flags];
  execFileSync(process.execPath, given, { stdio: "inherit" });
}

/** Modules below a folder, by their paths in it. */
function modulesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .sort();
}

/** Bytes of bytecode by module. Needs `cc`. */
export async function codeBytes() {
  const folder = join(root, "dist/report/moddable");
  rmSync(folder, { recursive: true, force: true });
  compileTypeScript(folder);
  const sources = ["src", "targets/moddable"].flatMap((room) =>
    modulesOf(join(folder, room)).map((name) => `${room}/${name}`),
  );
  await writeFirmware(folder, LEARNERS);
  const machine = await buildLinux();
  const sizes = async (names) => {
    const { stdout } = await promisify(execFile)(machine, ["--sizes", ...names], { cwd: folder });
    const bytes = stdout.trim().split("\n");
    return Object.fromEntries(names.map((name, i) => [name, Number.parseInt(bytes[i], 10)]));
  };
  return { modules: await sizes(sources), firmware: await sizes(FIRMWARE) };
}
