#!/usr/bin/env node
// `npx motelearn`. An installed package brings dist/; in a clone it is built first when a source is newer.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/motelearn.js");

function newestSource() {
  let newest = 0;
  for (const folder of ["src", "host", "host-sim", "targets", "tools", "fleet", "lab", "cli", "dev"]) {
    if (!existsSync(join(root, folder))) continue;
    for (const name of readdirSync(join(root, folder), { recursive: true })) {
      newest = Math.max(newest, statSync(join(root, folder, name)).mtimeMs);
    }
  }
  return newest;
}

function buildWhatIsStale() {
  if (existsSync(program) && statSync(program).mtimeMs >= newestSource()) return;
  execFileSync(process.execPath, [join(root, "dev/build.mjs")], { stdio: "inherit" });
}

if (existsSync(join(root, "dev/build.mjs"))) {
  if (!existsSync(join(root, "node_modules"))) {
    console.error("motelearn: the packages it needs aren't installed; run npm ci");
    process.exit(2);
  }
  buildWhatIsStale();
}
await import(pathToFileURL(program).href);
