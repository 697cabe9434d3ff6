// Runs every test file of dist/test in a process of its own, one more at once than there are cores, as some wait, and closes
// with the sum: "N passed, N failed". A file that dies before its summary counts as one failure more.
// Usage: node tools/dev/test.mjs [part of a file's name ...]
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
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

/** Files that run, each the leader of a group: what it started ends with it, however it ended. */
const running = new Set();

function endGroup(child) {
  running.delete(child);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {} // all of it is gone
}

process.on("exit", () => running.forEach(endGroup));
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
])
  process.on(signal, () => process.exit(code));

function runFile(file) {
  return new Promise((done) => {
    const env = { ...process.env, FORCE_COLOR: "0" };
    const child = spawn(process.execPath, [file], { cwd: root, env, detached: true });
    running.add(child);
    child.on("exit", () => endGroup(child));
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const limit = setTimeout(() => endGroup(child), FILE_LIMIT_MS);
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const passed = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const failed = Math.max(total - passed, code === 0 && total > 0 ? 0 : 1);
      console.log(`${failed ? "FAIL" : "ok  "} ${relative(folder, file)} (${passed} / ${total})`);
      if (failed) console.log(output);
      if (signal) console.log(`it ended by ${signal}, after ${FILE_LIMIT_MS / 1000} s at most`);
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
await Promise.all(Array.from({ length: availableParallelism() + 1 }, drain));
if (files.length === 0) sum.failed = 1;
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
