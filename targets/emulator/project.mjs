// A Moddable project as a script for the emulated board: its TypeScript as CommonJS modules, after a stand-in
// for Moddable's platform (sdk/platform.ts), and the `config` of its manifests.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cache, root } from "./engine.mjs";

/** The user's project can't be used; the message is one line. */
export class ProjectError extends Error {}

/** The bundle that runs a program of modules on the board, built with the package. */
const PLATFORM = join(root, "dist/platform-for-xs.js");
/** How far manifests may include one another. */
const DEPTH_MAX = 16;

function readManifest(file, from) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ProjectError(`${file}: can't be read (${error.code})${from ? `; ${from} includes it` : ""}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProjectError(`${file}: not JSON: ${error.message.split("\n")[0]}`);
  }
}

const isGroup = (value) => typeof value === "object" && value !== null;

/** Merges as mcconfig does: groups key by key, lists element by element; other values are replaced. */
function mergeInto(into, from) {
  for (const [name, value] of Object.entries(from)) {
    const { [name]: before } = into;
    const copy = Array.isArray(before) ? [...before] : { ...before };
    into[name] = isGroup(value) && isGroup(before) ? mergeInto(copy, value) : value;
  }
  return into;
}

/**
 * `config` of a manifest, merged over the `config` of the manifests that it includes; a node reads none of the SDK's
 * own.
 */
export function readConfig(file, from, depth = 0) {
  if (depth === DEPTH_MAX) throw new ProjectError(`${file}: manifests include one another in a circle`);
  const { include = [], config = {} } = readManifest(file, from);
  const whole = {};
  for (const name of [include].flat().filter((name) => !name.startsWith("$(")))
    mergeInto(whole, readConfig(resolve(dirname(file), name), file, depth + 1));
  return mergeInto(whole, config);
}

/** TypeScript's compiler: the project's own, else the package's. */
function compiler(folder) {
  for (const place of [folder, root]) {
    try {
      const file = createRequire(join(resolve(place), "package.json")).resolve("typescript/package.json");
      return join(dirname(file), "bin/tsc");
    } catch {}
  }
  throw new ProjectError(`${folder}: no TypeScript there; npm install --save-dev typescript@7`);
}

/** Compiles the project, strictly or not as its tsconfig.json says. Returns its modules' texts by path. */
function compileModules(folder) {
  const tsc = compiler(folder);
  const out = mkdtempSync(join(tmpdir(), "motelearn-"));
  try {
    const project = ["--project", "tsconfig.json", "--outDir", out, "--rootDir", folder];
    const form = ["--module", "commonjs", "--target", "es2022", "--esModuleInterop", "true"];
    const emit = ["--noEmit", "false", "--declaration", "false", "--sourceMap", "false", "--pretty", "false"];
    const names = ["--rewriteRelativeImportExtensions", "true"];
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...project, ...form, ...emit, ...names], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new ProjectError(`${folder}: doesn't compile: ${stdout.trim().split("\n")[0]}`);
    const files = readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".js"));
    return Object.fromEntries(
      files.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(out, name), "utf8")]),
    );
  } finally {
    rmSync(out, { recursive: true });
  }
}

/**
 * Makes the board's script from a project's folder: `manifest.json`, `tsconfig.json` and the module `main`.
 * Returns the script's path. Throws a ProjectError that says what is wrong.
 */
export function projectScript(folder, say) {
  for (const name of ["manifest.json", "tsconfig.json"]) {
    if (existsSync(join(folder, name))) continue;
    throw new ProjectError(`${folder}: no ${name} there; npx motelearn init ${folder} makes a project`);
  }
  const config = readConfig(join(folder, "manifest.json"));
  say(`compiling ${folder}`);
  const modules = compileModules(resolve(folder));
  if (!modules["main.js"]) throw new ProjectError(`${folder}: no main.ts there, where a program begins`);
  const functions = Object.entries(modules).map(
    ([path, text]) => `${JSON.stringify(path)}: function (exports, require) {\n${text}\n}`,
  );
  const project = `{ config: ${JSON.stringify(config)}, modules: {\n${functions.join(",\n")}\n} }`;
  const script = join(cache, "project.js");
  const described = "project.description = platform.description(project.config);";
  const start = `const project = ${project};\n${described}\nglobalThis.main = () => platform.run(project);\n`;
  writeFileSync(script, `${readFileSync(PLATFORM, "utf8")}\n(() => {\n${start}})();\n`);
  return script;
}
