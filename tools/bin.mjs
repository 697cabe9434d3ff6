#!/usr/bin/env node
// `npx motelearn`. An installed package brings dist/; in a clone it is built first when a source is newer.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/motelearn.js");

async function buildWhatIsStale() {
  const { isBuilt } = await import(pathToFileURL(join(root, "dev/newest-source.mjs")).href);
  if (isBuilt(root, program)) return;
  execFileSync(process.execPath, [join(root, "dev/build.mjs")], { stdio: "inherit" });
}

if (existsSync(join(root, "dev/build.mjs"))) {
  if (!existsSync(join(root, "node_modules"))) {
    console.error("motelearn: the packages it needs aren't installed; run npm ci");
    process.exit(2);
  }
  await buildWhatIsStale();
}
await import(pathToFileURL(program).href);
