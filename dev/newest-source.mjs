// Judges if a build is newer than all sources.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export const FOLDERS = ["src", "host", "host-sim", "targets", "tools", "fleet", "lab", "cli", "dev"];

/** What `npm run test:idf` keeps of each node, before it builds the next one: no source. */
const RESULTS = join("dev", "idf", "ran.json");

function newestSource(root) {
  let newest = 0;
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).map((one) => join(folder, one)))
      if (name !== RESULTS) newest = Math.max(newest, statSync(join(root, name)).mtimeMs);
  }
  return newest;
}

/** True if the built file is there, and newer than all sources. */
export function isBuilt(root, file) {
  return existsSync(file) && statSync(file).mtimeMs >= newestSource(root);
}
