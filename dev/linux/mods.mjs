// Mods that mcrun makes for an ESP32, in the program for x-cli-lin: XS maps them there as it does on the
// board.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "../device/checks.mjs";

/** Modules of mods, each with the readings and the message to expect. */
const MODS = [
  ["good", "export const makeSensor = (value) => ({ channels: 1, read: (to) => to.fill(value + 1) });", 2],
  ["without what it could replace", "export const other = 3;", 1],
  ["throwing", 'throw new Error("what went wrong");', 1, "Error: what went wrong"],
  ["without a pin", 'export const makeSensor = () => { throw new Error("no pin"); };', 1, "Error: no pin"],
  [
    "no sensor",
    "export const makeSensor = () => ({ channels: 0 });",
    1,
    "TypeError: a sensor without channels",
  ],
];

/** Byte of an archive that has XS's minor version. */
const VERSION_AT = 17;

/** Makes a mod of a module's text; returns its archive. */
function buildArchive(place, module) {
  const folder = join(place, "mod");
  const out = join(place, "out");
  for (const path of [folder, out]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  const manifest = { include: "$(MODDABLE)/examples/manifest_mod.json", modules: { mod: "./mod" } };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "mod.js"), module);
  execFileSync("mcrun", ["-p", "esp32/esp32c3", "-o", out], { cwd: folder, stdio: "ignore" });
  execFileSync("make", ["-f", join(out, "tmp/esp32/release/mod/makefile"), "build"], { stdio: "ignore" });
  return join(out, "bin/esp32/release/mod/mod.xsa");
}

/** The program uses a good mod, and names and leaves out one that fails or is for another engine. */
export function checkMods(program) {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  const outcome = (...archive) =>
    JSON.parse(execFileSync(program, ['{"run":"mod"}', ...archive], { encoding: "utf8" }));
  const holds = (what, found, reading, fault) =>
    check(`mod ${what}`, found.reading === reading && found.fault === fault, found);
  for (const [what, module, reading, fault] of MODS)
    holds(what, outcome(buildArchive(place, module)), reading, fault);
  const archive = readFileSync(buildArchive(place, MODS[0][1]));
  const other = join(place, "other.xsa");
  archive[VERSION_AT]++;
  writeFileSync(other, archive);
  holds("of another XS", outcome(other), 1, "it isn't for this firmware's engine");
  writeFileSync(other, Buffer.alloc(4096, 0xff));
  holds("in erased flash", outcome(other), 1);
  holds("not given", outcome(), 1);
  rmSync(place, { recursive: true });
}
