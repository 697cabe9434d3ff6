// Runs every test file of dist/test in a process of its own, as many at once as there are cores, and closes
// with the sum: "N passed, N failed". A file that dies before its summary counts as one failure more.
// Usage: node tools/test.mjs [part of a file's name ...]
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "dist/test");
/** A file that runs longer hangs. */
const FILE_LIMIT_MS = 180_000;
const wanted = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true })
  .filter(
    (name) => name.endsWith(".test.js") && (wanted.length === 0 || wanted.some((w) => name.includes(w))),
  )
  .map((name) => join(folder, name))
  .sort();

function runFile(file) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [file], { cwd: root, env: { ...process.env, FORCE_COLOR: "0" } });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const limit = setTimeout(() => child.kill("SIGKILL"), FILE_LIMIT_MS);
    child.on("close", (code) => {
      clearTimeout(limit);
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const passed = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const failed = Math.max(total - passed, code === 0 && total > 0 ? 0 : 1);
      console.log(`${failed ? "FAIL" : "ok  "} ${relative(folder, file)} (${passed} / ${total})`);
      if (failed) console.log(output);
      done({ passed, failed });
    });
  });
}

const sum = { passed: 0, failed: 0 };
let next = 0;
async function drain() {
  while (next < files.length) {
    const { passed, failed } = await runFile(files[next++]);
    sum.passed += passed;
    sum.failed += failed;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, drain));
if (files.length === 0) sum.failed = 1;
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
