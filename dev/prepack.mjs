// Runs before `npm pack` and `npm publish`: builds the package's contents, also in a fresh clone; a failed
// build ends them. Prints nothing on stdout, which belongs to `npm pack --json`.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const onStderr = { cwd: root, stdio: ["ignore", process.stderr, process.stderr] };

if (!existsSync(join(root, "node_modules/esbuild")))
  execFileSync("npm", ["ci", "--ignore-scripts"], onStderr);
// Its memory is mostly syntax trees that live shortly: with room for the young ones a collection copies less.
const build = ["--max-semi-space-size=64", join(root, "dev/build.mjs"), "--types", "--moddable"];
execFileSync(process.execPath, build, onStderr);
