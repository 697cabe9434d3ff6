// Judges if a build is newer than all sources.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["src", "host", "host-sim", "targets", "tools", "fleet", "lab", "cli", "dev"];

function newestSource(root) {
  let newest = 0;
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder), { recursive: true }))
      newest = Math.max(newest, statSync(join(root, folder, name)).mtimeMs);
  }
  return newest;
}

/** True if the built file is there, and newer than all sources. */
export function isBuilt(root, file) {
  return existsSync(file) && statSync(file).mtimeMs >= newestSource(root);
}
