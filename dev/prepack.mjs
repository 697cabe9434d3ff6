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
execFileSync(process.execPath, [join(root, "dev/build.mjs"), "--types", "--moddable"], onStderr);
