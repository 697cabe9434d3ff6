#!/usr/bin/env node
// `npx motelearn`. An installed package brings dist/; in a clone it is built first when a source is newer.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/motelearn.js");

function newestSource() {
  let newest = 0;
  for (const folder of ["src", "host-sim", "tools"]) {
    if (!existsSync(join(root, folder))) continue;
    for (const name of readdirSync(join(root, folder), { recursive: true })) {
      newest = Math.max(newest, statSync(join(root, folder, name)).mtimeMs);
    }
  }
  return newest;
}

if (existsSync(join(root, "src")) && (!existsSync(program) || statSync(program).mtimeMs < newestSource())) {
  execFileSync(process.execPath, [join(root, "tools/build.mjs")], { stdio: "inherit" });
}
await import(program);
