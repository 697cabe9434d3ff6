// Firmware as `motelearn flash` plans and links it for an ESP32-C3, as a script for the machine: both of its modules, preloaded with the
// manifest's configuration as the SDK's linker does. The package must be built.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleForXs } from "./bundle.mjs";
import { cache, root } from "./engine.mjs";
import { readConfig } from "./project.mjs";

/** The node, besides its learner: one reading, as the board's usual sensor has. */
const NODE = ["--target", "esp32c3", "--dimension", "1"];
const MODULES = join(root, "dist/moddable");
const PROGRAM = join(root, "dist/motelearn.js");

/** The learners that a firmware can have. */
export function flashable() {
  const files = readdirSync(join(MODULES, "learners")).filter((name) => name.endsWith(".json"));
  return files.map((name) => name.slice(0, -".json".length));
}

async function motelearn(...given) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...given], { cwd: root });
  return stdout;
}

/** What plan says of that learner's node; `more`: further flags. */
export async function readPlan(learner, more = []) {
  return JSON.parse(await motelearn("plan", ...NODE, "--learner", learner, ...more, "--json"));
}

/** Pins that an ESP32-C3 converts. */
const PINS = 5;

/** A pin for each reading of those flags; none where they name no readings. */
function sensorsFlags(more) {
  const at = more.indexOf("--dimension");
  if (at < 0) return [];
  const sensors = Array.from({ length: Number(more[at + 1]) }, (_, i) => ({ analog: i % PINS }));
  return ["--sensors", JSON.stringify(sensors)];
}

/** The manifest that `flash` writes: its memory, and the whole configuration. */
async function flashManifest(learner, more) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const flags = [...NODE, "--learner", learner, ...more, ...sensorsFlags(more)];
    await motelearn("flash", ...flags, "--dry-run", "--folder", folder);
    const file = join(folder, "manifest.json");
    return { creation: JSON.parse(readFileSync(file, "utf8")).creation, config: readConfig(file) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A module's text as the body of a function that returns its exports: the machine loads no modules, and npm's XS has no Native API. */
function asScript(module) {
  const exportedNames = (list) =>
    list
      .split(",")
      .map((one) => one.trim().split(" as "))
      .map(([own, name = own]) => `${name}:${own}`);
  return module
    .replace(
      /import ([\w$]+) from"([^"]+)"/g,
      (_, own, name) => `const ${own}=sdkModules[${JSON.stringify(name)}]`,
    )
    .replace(/\bimport\(/g, "importModule(")
    .replace(/\bnative\("(\w+)"\)/g, "nativeFunctions.$1")
    .replace(/export\{([^}]+)\}/, (_, list) => `return {${exportedNames(list)}}`);
}

/** A script that puts a module's exports into `as`. A module's own variables may have any name, also that of `as`: so it is set outside of the module. */
export function moduleScript(module, as) {
  return `${as} = (() => {"use strict";\n${asScript(module)}\n})();`;
}

/** The program that runs it, for `flashedScript`. */
export async function flashedProgram() {
  return readFileSync(await bundleForXs("targets/emulator/sdk/flashed.ts"), "utf8");
}

/**
 * The learner's firmware: the script's path, and the memory that its manifest gives it. `isOwn`: with a manifest that no tool checked, so
 * that the board itself checks options, and plans its node. `more`: further flags of `flash`.
 */
export async function flashedScript(program, learner, { isOwn = false, more = [] } = {}) {
  const { creation, config } = await flashManifest(learner, more);
  if (isOwn) delete config.checked;
  const name = ["flashed", learner, ...(isOwn ? ["own"] : []), ...more].join("-").replace(/[^\w.-]+/g, "");
  const script = join(cache, `${name}.js`);
  const module = (path) => readFileSync(join(MODULES, path), "utf8");
  const lines = [
    program,
    `sdkModules["mc/config"] = ${JSON.stringify(config)};`,
    "globalThis.firmware = {};",
    moduleScript(module("board.js"), "firmware.board"),
    moduleScript(module(`learners/${learner}.js`), "firmware.learner"),
  ];
  writeFileSync(script, `${lines.join("\n")}\n`);
  return { creation, script };
}
