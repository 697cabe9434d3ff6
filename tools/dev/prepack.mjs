// Before `npm pack` and `npm publish`: builds all that the package holds, in a fresh clone too; a build that fails ends them.
// Prints nothing on stdout, where `npm pack --json` answers.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const onStderr = { cwd: root, stdio: ["ignore", process.stderr, process.stderr] };

if (!existsSync(join(root, "node_modules/esbuild")))
  execFileSync("npm", ["ci", "--ignore-scripts"], onStderr);
execFileSync(process.execPath, [join(root, "tools/dev/build.mjs"), "--types", "--moddable"], onStderr);
