// Bundles the library (dist/index.js) and the program (dist/motelearn.js, with its worker); with --tests every test
// file, and every program that tests start, into dist/test; with --types the library's declarations into dist/types;
// with --moddable the library's modules for Moddable into dist/moddable, one by one: a bundle loses `const`, which
// costs a device memory.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "linked",
  logLevel: "warning",
  define: { __VERSION__: JSON.stringify(process.env.npm_package_version ?? "0.1.0") },
};

function testFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|program)\.ts$/.test(entry.name) ? [path] : [];
  });
}

// Chunks are named by their contents: what an earlier build left would pile up.
mkdirSync(join(root, "dist"), { recursive: true });
for (const name of readdirSync(join(root, "dist"))) {
  if (/\.js(\.map)?$/.test(name)) rmSync(join(root, "dist", name));
}
await build({
  ...shared,
  entryPoints: {
    index: "src/index.ts",
    motelearn: "tools/motelearn.ts",
    worker: "tools/workers/simulate.ts",
    "papers-worker": "tools/workers/papers.ts",
    "choose-worker": "tools/workers/choose.ts",
  },
  outdir: "dist",
  splitting: true,
});
// What a node's XS machine runs; XS as it is built has no module loader.
await build({
  absWorkingDir: root,
  bundle: true,
  target: "es2022",
  logLevel: "warning",
  format: "iife",
  entryPoints: ["targets/emulator/programs/serve.ts"],
  outfile: "dist/node-for-xs.js",
});
if (process.argv.includes("--tests")) {
  rmSync(join(root, "dist/test"), { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: testFiles("test"),
    outbase: "test",
    outdir: "dist/test",
    splitting: true,
  });
}
function compile(project, folder, ...flags) {
  const out = ["--outDir", join(root, folder), "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, project)];
  execFileSync(process.execPath, [...tsc, ...out, ...flags], { stdio: "inherit" });
}

if (process.argv.includes("--types")) {
  compile("tsconfig.library.json", "dist/types", "--declaration", "--emitDeclarationOnly");
}
if (process.argv.includes("--moddable")) {
  rmSync(join(root, "dist/moddable"), { recursive: true, force: true });
  compile("targets/moddable/tsconfig.json", "dist/moddable");
}
