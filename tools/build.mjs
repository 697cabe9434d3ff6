// Bundles the program (dist/motelearn.js, with its worker) and, with --tests, every test file into dist/test.
import { readdirSync, rmSync } from "node:fs";
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

await build({
  ...shared,
  entryPoints: { motelearn: "tools/motelearn.ts", worker: "host-sim/worker.ts" },
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
