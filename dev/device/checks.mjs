// Named checks, counted; runs, as many at once as there are cores; tables.
import { availableParallelism } from "node:os";

const sum = { passed: 0, failed: 0 };

/** Counts one check; prints a failure with the actual result. */
export function check(name, holds, found) {
  sum[holds ? "passed" : "failed"]++;
  if (!holds) console.log(`FAIL ${name}: ${JSON.stringify(found)}`);
}

/** Checks that failed so far. */
export const failures = () => sum.failed;

export function close() {
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
  process.exitCode = sum.failed ? 1 : 0;
}

/** The longest runs start first. */
const SLOW = ["oskm", "wire", "ova:olk-c/3", "qkapa", "krls-ald", "qkrls", "node"];

/** The results of `run` on each name, in order, as many at once as there are cores. */
export async function each(names, run) {
  const results = {};
  const waiting = [...names].sort((a, b) => SLOW.includes(b) - SLOW.includes(a));
  async function work() {
    for (let name = waiting.shift(); name; name = waiting.shift()) results[name] = await run(name);
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return names.map((name) => results[name]);
}

/** The outcome that a program printed; after a failure, its exit in place of the hash. */
export function readOutcome({ code, lines, errors = lines }) {
  if (code !== 0) return { hash: `exit ${code}: ${errors.at(-1)}` };
  return JSON.parse(lines[0]);
}

/** True if an outcome's steps took memory of XS. */
export function allocates({ slotsMore, chunksMore, collections }) {
  return !(slotsMore === 0 && chunksMore === 0 && collections === 0);
}

/** Has `run` do it on each path of the primitives, where it must end with that hash and allocate nothing. Returns the outcomes. */
export async function checkPaths(what, paths, run, argument, hash) {
  const found = [];
  for (const path of paths) {
    const there = readOutcome(await run({ ...argument, path }));
    check(`${what}, ${path}, ends where Node does`, there.hash === hash, there);
    check(`${what}, ${path}, allocates nothing`, !allocates(there), there);
    found.push(there);
  }
  return found;
}

/** Rows of cells under a head, in columns. */
export function printTable(title, rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => `${row[c]}`.length)));
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, c) => (c ? `${cell}`.padStart(widths[c]) : `${cell}`.padEnd(widths[c])));
    console.log(cells.join("  "));
  }
}

/** The largest whole number from 1 to `most` for which the monotonic `fits` is true; 0 if none. */
export async function largest(most, fits) {
  let [low, high] = [0, most + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
