// Runs the test files of dist/test, each in a process of its own, or all quick ones of a room that leaves no traces in one, as half of a
// short file's time is its start. One process more at once than there are cores, as some wait. Closes with the sum: "N passed, N failed". A file that dies before its summary counts as one failure more.
// Usage: node tools/dev/test.mjs [--full | part of a file's name ...]
// Files *.full.test.ts take long: they run with --full, or when they are named.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, "dist/test");
/** Runs several files in one process. */
const ROOM = join(root, "tools/dev/test-room.mjs");
/** A file hangs that reports no test for so long, on a machine however busy. */
const SILENCE_LIMIT_MS = 600_000;
/** A file hangs that still runs so long after its summary: a failed test left something open. */
const CLOSE_LIMIT_MS = 20_000;
/** In which Linux counts a process' time, on every machine that Node runs on. */
const CLOCK_HZ = 100;
const SUMMARY = /Duration: +[\d.]+m?s/;
const parts = process.argv.slice(2).filter((given) => given !== "--full");
const isFull = process.argv.includes("--full");

function isWanted(name) {
  if (parts.length > 0) return parts.some((part) => name.includes(part));
  return isFull || !name.endsWith(".full.test.js");
}

/** Those that start programs, and wait for them, stand under tools/: backwards, they come first and not last. */
const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".test.js") && isWanted(name))
  .map((name) => join(folder, name))
  .sort()
  .reverse();

/** Rooms whose quick tests leave nothing behind in their process. Elsewhere they choose an arithmetic for it, or catch what it prints. */
const TRACELESS =
  /^(dictionary|experiments|host-sim|kernel|math|memory|node|peer|signal|start|store|targets|wire)\//;

/** What runs in one process: a room's quick files, or one file. */
const batches = new Map();
for (const file of files) batches.set(batchOf(file), [...(batches.get(batchOf(file)) ?? []), file]);

function batchOf(file) {
  const name = relative(folder, file);
  const [room] = TRACELESS.exec(name) ?? [];
  return room && !name.endsWith(".full.test.js") ? room : name;
}

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

function runFiles(name, given) {
  return new Promise((done) => {
    const env = { ...process.env, FORCE_COLOR: "0" };
    const child = spawn(process.execPath, given.length > 1 ? [ROOM, ...given] : given, {
      cwd: root,
      env,
      detached: true,
    });
    running.add(child);
    child.on("exit", () => endGroup(child));
    const begin = performance.now();
    let output = "";
    let limit = setTimeout(() => endGroup(child), SILENCE_LIMIT_MS);
    const take = (chunk) => {
      output += chunk;
      clearTimeout(limit);
      limit = setTimeout(() => endGroup(child), SUMMARY.test(output) ? CLOSE_LIMIT_MS : SILENCE_LIMIT_MS);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const passed = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const failed = Math.max(total - passed, code === 0 && total > 0 ? 0 : 1);
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${failed ? "FAIL" : "ok  "} ${name} (${passed} / ${total}), ${seconds} s`);
      if (failed) console.log(output);
      if (signal) console.log(`it ended by ${signal}: it reported nothing more, and didn't end`);
      done({ passed, failed });
    });
  });
}

/** Notes what all quick tests took of the processors, for `npm run report`: Linux counts the time of processes that ended. */
function noteCpu() {
  if (process.platform !== "linux") return;
  const times = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const [user, system] = times.slice(13, 15).map(Number);
  const seconds = Math.round((user + system) / CLOCK_HZ);
  writeFileSync(join(root, "dist/test-cpu.json"), JSON.stringify({ seconds, node: process.versions.node }));
}

const sum = { passed: 0, failed: 0 };
const waiting = [...batches];
async function drain() {
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    const { passed, failed } = await runFiles(...batch);
    sum.passed += passed;
    sum.failed += failed;
  }
}
await Promise.all(Array.from({ length: availableParallelism() + 1 }, drain));
if (files.length === 0) sum.failed = 1;
if (parts.length === 0 && !isFull) noteCpu();
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
