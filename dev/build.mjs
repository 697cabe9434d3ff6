// Bundles the library (dist/index.js) and the program (dist/motelearn.js, with its workers; dist/program.js
// is what it runs); with --tests every test file, and every program that tests start, into dist/test; with
// --types the declarations of library and simulator into dist/types; with --moddable the library's modules
// for Moddable into dist/moddable, one by one, and what a firmware of each learner takes of them in two
// bundles, unless, with --if-older, they are newer than the sources. Packages that the program uses are bundled
// with it; dist/THIRD-PARTY.txt has their licences.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeProgress } from "../targets/emulator/engine.mjs";
import { emulatedSdk } from "../targets/emulator/sdk/emulated-sdk.mjs";
import { buildPage } from "./build-page.mjs";
import { builtinsByImport, OUTSIDE, writeLicences } from "./bundled-packages.mjs";
import { compile, compileModules, loadBundler } from "./firmware/load.mjs";
import { isBuilt } from "./newest-source.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: OUTSIDE,
  plugins: [builtinsByImport],
  sourcemap: "linked",
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(version), __dirname: "import.meta.dirname" },
};

/** Written when the bundles are whole. */
const BUNDLED = join(root, "dist/moddable.built");
if (process.argv.includes("--if-older") && isBuilt(root, BUNDLED)) process.exit();

function testFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|program)\.ts$/.test(entry.name) ? [path] : [];
  });
}

// Chunks are named by their contents: those of earlier builds would pile up.
mkdirSync(join(root, "dist"), { recursive: true });
for (const name of readdirSync(join(root, "dist"))) {
  if (/\.js(\.map)?$/.test(name)) rmSync(join(root, "dist", name));
}
const { metafile } = await build({
  ...shared,
  metafile: true,
  entryPoints: {
    index: "host-sim/motelearn.ts",
    simulator: "host-sim/index.ts",
    motelearn: "cli/motelearn.ts",
    program: "cli/program.ts",
    worker: "cli/workers/simulate.ts",
    "papers-worker": "cli/workers/papers.ts",
    "choose-worker": "cli/workers/choose.ts",
    "bench-learning-worker": "cli/workers/bench-learning.ts",
    "sweep-worker": "cli/workers/sweep.ts",
    "fleet-worker": "cli/workers/fleet.ts",
    "explain-worker": "cli/workers/explain.ts",
    "train-worker": "cli/workers/train.ts",
  },
  outdir: "dist",
  splitting: true,
});
const page = await buildPage(root, { version });
writeLicences([metafile, page], root, "dist/THIRD-PARTY.txt");
// SQLite's code lies beside the bundle that loads it.
const sqlite = "node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm";
copyFileSync(join(root, "node_modules", sqlite), join(root, "dist", basename(sqlite)));
// The programs of emulated boards; XS is built without a module loader.
const forXs = { absWorkingDir: root, bundle: true, target: "es2022", logLevel: "warning", format: "iife" };
for (const [program, entry] of [
  ["node", "serve"],
  ["programs", "xs"],
]) {
  const entryPoints = [`targets/emulator/programs/${entry}.ts`];
  await build({ ...forXs, entryPoints, outfile: `dist/${program}-for-xs.js` });
}
await build({
  ...forXs,
  entryPoints: ["targets/emulator/sdk/platform.ts"],
  globalName: "platform",
  outfile: "dist/platform-for-xs.js",
  plugins: [emulatedSdk],
});
if (process.argv.includes("--tests")) {
  rmSync(join(root, "dist/test"), { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: testFiles("test"),
    outbase: "test",
    outdir: "dist/test",
    splitting: true,
    external: [...OUTSIDE, "esbuild", "fast-check", "node-sqlite3-wasm", "typescript-5", "uvu"],
  });
}
/** In declarations the compiler keeps the sources' names, which no package has: `./x.ts` becomes `./x.js`. */
function importJavaScript(folder) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const file = join(root, folder, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/((?:from |import\()"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"'));
  }
}

if (process.argv.includes("--types")) {
  compile("tsconfig.types.json", join(root, "dist/types"), "--declaration", "--emitDeclarationOnly");
  importJavaScript("dist/types");
}
if (process.argv.includes("--moddable")) {
  rmSync(BUNDLED, { force: true });
  compileModules(join(root, "dist/moddable"));
  importJavaScript("dist/moddable");
  const writeFirmware = await loadBundler();
  let written;
  const linked = await writeFirmware(root, join(root, "dist/moddable"), undefined, (_, all) => {
    written ??= makeProgress((line) => console.error(line), "learners' modules", all);
    written();
  });
  const list = join(root, "tools/session/linked-primitives.ts");
  if (readFileSync(list, "utf8") !== linked) writeFileSync(list, linked); // else it would be newer than the build
  writeFileSync(BUNDLED, "");
}
