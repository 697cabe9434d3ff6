// The bundler of firmware, for programs that run without a build: Node 20 runs no TypeScript.
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** `writeFirmware` of bundles.ts. */
export async function loadBundler() {
  const outfile = join(root, "dist/firmware-bundler.cjs"); // Node loads TypeScript, which is CommonJS, faster for CommonJS
  const shared = { absWorkingDir: root, bundle: true, packages: "external", logLevel: "warning" };
  await build({
    ...shared,
    entryPoints: ["dev/firmware/bundles.ts"],
    platform: "node",
    format: "cjs",
    outfile,
  });
  return (await import(pathToFileURL(outfile).href)).writeFirmware;
}
