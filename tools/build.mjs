// Bundles the library (dist/index.js) and the program (dist/motelearn.js, with its worker); with --tests every test
// file into dist/test; with --types the library's declarations into dist/types.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
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
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

// Chunks are named by their contents: what an earlier build left would pile up.
mkdirSync(join(root, "dist"), { recursive: true });
for (const name of readdirSync(join(root, "dist"))) {
  if (/\.js(\.map)?$/.test(name)) rmSync(join(root, "dist", name));
}
await build({
  ...shared,
  entryPoints: { index: "src/index.ts", motelearn: "tools/motelearn.ts", worker: "host-sim/worker.ts" },
  outdir: "dist",
  splitting: true,
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
if (process.argv.includes("--types")) {
  const flags = [
    "--declaration",
    "--emitDeclarationOnly",
    "--rewriteRelativeImportExtensions",
    "--noEmit",
    "false",
  ];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const project = ["-p", join(root, "tsconfig.library.json"), "--outDir", join(root, "dist/types")];
  execFileSync(process.execPath, [tsc, ...project, ...flags], { stdio: "inherit" });
}
