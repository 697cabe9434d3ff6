// Runs the test files of dist/test, each in a process of its own, or all quick ones of a room that leaves no traces in one, as half of a
// short file's time is its start. One process more at once than there are cores, as some wait. Closes with the sum: "N passed, N failed". A file that dies before its summary counts as one failure more.
// Usage: node dev/test.mjs [--full | --release | part of a file's name ...] [--times]
// Files *.full.test.ts take long: they run with --full, or when they are named; so do *.release.test.ts with --release, which measure over
// many seeds. --times runs each file in a process of its own, and
// lists those that took most of the processors.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "dist/test");
/** Runs several files in one process. */
const ROOM = join(root, "dev/test-room.mjs");
/** A file that prints nothing for so long hangs. It is more than `LIMIT_MS` of the tests, so that a test's own wait ends first. */
const SILENCE_LIMIT_MS = 900_000;
/** So long silent, it is named: the log says what hangs, whoever ends the run. */
const NAMED_AFTER_MS = 240_000;
/** A file hangs that still runs so long after its summary: a test left something open. */
const CLOSE_LIMIT_MS = 20_000;
/** Node may wait for ever at its end for a compiler's thread, which waits for a collection of garbage (nodejs/node issue 54918). */
const COMPILE_AT_ONCE = "--no-concurrent-recompilation";
/** In which Linux counts a process' time, on every machine that Node runs on. */
const CLOCK_HZ = 100;
const LONG = /\.(full|release)\.test\.js$/;
const SUMMARY = /Duration: +[\d.]+m?s/;
const FLAGS = ["--full", "--release", "--times"];
const parts = process.argv.slice(2).filter((given) => !FLAGS.includes(given));
const [isFull, isRelease, showsTimes] = FLAGS.map((flag) => process.argv.includes(flag));
/** So many files are listed. */
const LISTED = 20;

function isWanted(name) {
  if (parts.length > 0) return parts.some((part) => name.includes(part));
  const [, kind] = LONG.exec(name) ?? [];
  if (isRelease) return kind === "release";
  return kind === undefined || (isFull && kind === "full");
}

/** Those that start programs, and wait for them, stand under tools/: backwards, they come first and not last. */
const files = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith(".test.js") && isWanted(name))
  .map((name) => join(folder, name))
  .sort()
  .reverse();

/** Rooms whose quick tests leave nothing behind in their process. Elsewhere they catch what it prints. */
const TRACELESS =
  /^(dictionary|experiments|host-sim|kernel|learn|math|memory|node|peer|signal|start|store|targets|wire)\//;
/** A file that has this line has its process compute on WebAssembly. */
const ON_WEBASSEMBLY = /^import "[./]+host-sim\/motelearn\.ts";$/m;

/** What runs in one process: a room's quick files on one arithmetic, or one file. */
const batches = new Map();
for (const file of files) {
  const batch = batchName(relative(folder, file));
  batches.set(batch, [...(batches.get(batch) ?? []), file]);
}

function batchName(name) {
  const [room] = TRACELESS.exec(name) ?? [];
  if (!room || showsTimes || LONG.test(name)) return name;
  const source = readFileSync(join(root, "test", name.replace(/js$/, "ts")), "utf8");
  return ON_WEBASSEMBLY.test(source) ? `${room}, on WebAssembly` : room;
}

/** What takes longest, by the log of CI: it begins first, so that no processor ends long before the others. */
const LONGEST = [
  ...["types.full", "lab/bench-choice.full", "fleet/page-serial.full", "lab/sweep-machines.full"],
  ...["store/flash-faults.full", "lab/sweep-killed.full", "fleet/gateway-labels.full", "lab/choose.full"],
  ...["fleet/page.full", "fleet/gateway.full", "fleet/cluster.full"],
  ...["learn/, on WebAssembly", "learn/", "host-sim/"],
];

function startRank(name) {
  const place = LONGEST.indexOf(name.replace(/\.test\.js$/, ""));
  return place < 0 ? LONGEST.length : place;
}

/** Files that run, each the leader of a group: what it started ends with it, however it ended. */
const running = new Set();

/** CPU time of the processes that ended, and of what they waited for: Linux counts it. */
function cpuOfEnded() {
  if (process.platform !== "linux") return 0;
  const times = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  const [user, system] = times.slice(13, 15).map(Number);
  return (user + system) / CLOCK_HZ;
}

let cpuBefore = 0;

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
    const args = [COMPILE_AT_ONCE, ...(given.length > 1 ? [ROOM, ...given] : given)];
    const child = spawn(process.execPath, args, { cwd: root, env, detached: true });
    running.add(child);
    let cpu = 0;
    child.on("exit", () => {
      const ended = cpuOfEnded();
      cpu = ended - cpuBefore;
      cpuBefore = ended;
      endGroup(child);
    });
    const begin = performance.now();
    let output = "";
    let limit = setTimeout(() => endGroup(child), SILENCE_LIMIT_MS);
    const silent = () => console.log(`... ${name}: nothing for ${NAMED_AFTER_MS / 1000} s`);
    let named = setTimeout(silent, NAMED_AFTER_MS);
    const take = (chunk) => {
      output += chunk;
      clearTimeout(limit);
      clearTimeout(named);
      named = setTimeout(silent, NAMED_AFTER_MS);
      limit = setTimeout(() => endGroup(child), SUMMARY.test(output) ? CLOSE_LIMIT_MS : SILENCE_LIMIT_MS);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      clearTimeout(named);
      const total = Number(/Total:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const passed = Number(/Passed:\s+(\d+)/.exec(output)?.[1] ?? 0);
      const failed = Math.max(total - passed, code === 0 && total > 0 ? 0 : 1);
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(
        `${failed ? "FAIL" : "ok  "} ${name} (${passed} / ${total}), ${seconds} s, CPU ${cpu.toFixed(1)} s`,
      );
      if (failed) console.log(output);
      if (signal) console.log(`it ended by ${signal}: it reported nothing more, and didn't end`);
      done({ name, passed, failed, cpu });
    });
  });
}

/** Notes what all quick tests took of the processors, for `npm run report`. */
function noteCpu() {
  if (process.platform !== "linux") return;
  const seconds = Math.round(cpuOfEnded());
  writeFileSync(join(root, "dist/test-cpu.json"), JSON.stringify({ seconds, node: process.versions.node }));
}

const sum = { passed: 0, failed: 0 };
const results = [];
const waiting = [...batches].sort(([one], [other]) => startRank(one) - startRank(other));
async function drain() {
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    const result = await runFiles(...batch);
    results.push(result);
    sum.passed += result.passed;
    sum.failed += result.failed;
  }
}
await Promise.all(Array.from({ length: availableParallelism() + 1 }, drain));
if (files.length === 0) sum.failed = 1;
if (parts.length === 0 && !isFull && !isRelease && !showsTimes) noteCpu();
if (showsTimes) {
  console.log(`\nCPU of all: ${cpuOfEnded().toFixed(1)} s. Those that took most:`);
  results.sort((a, b) => b.cpu - a.cpu);
  for (const { name, cpu } of results.slice(0, LISTED))
    console.log(`${cpu.toFixed(1).padStart(7)} s  ${name}`);
}
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed ? 1 : 0;
