// The compiler of a board's modules and the bundler of its firmware, for programs that run without a build:
// Node 20 runs no TypeScript.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Compiles a project of that tsconfig.json into a new folder. */
export function compile(project, folder, ...flags) {
  rmSync(folder, { recursive: true, force: true });
  const out = ["--outDir", folder, "--noEmit", "false", "--rewriteRelativeImportExtensions"];
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, project)];
  execFileSync(process.execPath, [...tsc, ...out, ...flags], { stdio: "inherit" });
}

/** The modules of library and boards, from which a firmware is bundled. */
export const compileModules = (folder) => compile("targets/moddable/tsconfig.json", folder);

/** `writeFirmware` of bundles.ts. */
export async function loadBundler() {
  const outfile = join(root, "dist/firmware-bundler.cjs"); // Node loads TypeScript, which is CommonJS, faster for CommonJS
  const shared = { absWorkingDir: root, bundle: true, packages: "external", logLevel: "warning" };
  const entryPoints = ["dev/firmware/bundles.ts"];
  await build({ ...shared, entryPoints, platform: "node", format: "cjs", outfile });
  return (await import(pathToFileURL(outfile).href)).writeFirmware;
}
