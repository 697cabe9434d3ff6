// npm run test:engine: the learners and the node loop on XS, as a Linux program, against Node: the same state to the bit,
// nothing allocated, clean failures. Needs cc, and the npm registry the first time.
import { execFile } from "node:child_process";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../bundle.mjs";
import { buildLinux, cache, runLinux } from "../engine.mjs";
import { check, close, each, largest, outcomeOf, printTable } from "./checks.mjs";

const STEPS = 10_000;
const LONG = 100_000;
/** OSKM takes 20 ms a step on the JS path: fewer there, unless with --full. */
const FULL = process.argv.includes("--full");
const OSKM_STEPS = 2_000;
const SETTLED = 1_000;
/** What "d=8, budget=64" means in the tables. */
const SIZE = { dimension: 8, budget: 64 };
/** For long runs on the JS path; OSKM takes no budget of less than its agents and points. */
const SMALL = { dimension: 3, budget: 8 };
const OSKM_SMALL = { ...SMALL, budget: 24 };

const linux = await buildLinux();
const { program, node } = await bundle();
const onXs = (job, options) => runLinux(linux, program, job, options);

async function onNode(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [node, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

const subjects = await onNode("names");

function stepsInJs(run) {
  return run === "oskm" && !FULL ? OSKM_STEPS : STEPS;
}

async function checkHashes() {
  const rows = await each(subjects, async (run) => {
    const job = { run, steps: STEPS, ...SIZE };
    const brief = { ...job, steps: stepsInJs(run) };
    const ts = await onNode({ ...job, path: "js" });
    const tsBrief = brief.steps === STEPS ? ts : await onNode({ ...brief, path: "js" });
    const js = outcomeOf(await onXs({ ...brief, path: "js" }));
    const c = outcomeOf(await onXs({ ...job, path: "c" }));
    check(`${run}: XS ends where Node does`, js.hash === tsBrief.hash, js.hash);
    check(`${run}: XS with C primitives ends where Node does`, c.hash === ts.hash, c.hash);
    return { run, ts, js, c, mark: brief.steps === STEPS ? "" : ` (Node too, after ${brief.steps})` };
  });
  const head = ["d=8, budget=64", "Node TS", "XS C", "XS JS"];
  const hashes = rows.map(({ run, ts, js, c, mark }) => [run, ts.hash, c.hash, js.hash + mark]);
  printTable(`State hashes after ${STEPS} steps`, [head, ...hashes]);
  const memory = rows.map(({ run, js, c }) => [run, c.bytes, js.slots, js.chunks, c.slots, c.chunks]);
  const memoryHead = ["d=8, budget=64", "range B", "JS: slots", "chunks B", "C: slots", "chunks B"];
  printTable("Memory on XS, host pointers of 8 bytes (slots of 32)", [memoryHead, ...memory]);
}

function allocates({ slotsMore, chunksMore, collections }) {
  return !(slotsMore === 0 && chunksMore === 0 && collections === 0);
}

async function checkNoAllocation() {
  await each(subjects, async (run) => {
    const job = { run, steps: LONG, settled: SETTLED };
    const small = run === "oskm" ? { ...OSKM_SMALL, steps: FULL ? LONG : STEPS } : SMALL;
    const c = outcomeOf(await onXs({ ...job, ...SIZE, path: "c" }));
    const js = outcomeOf(await onXs({ ...job, ...small, path: "js" }));
    const planted = outcomeOf(await onXs({ ...job, ...SIZE, path: "c", steps: 2 * SETTLED, plant: 1_500 }));
    check(`${run}: nothing allocated, C`, !allocates(c), c);
    check(`${run}: nothing allocated, JS`, !allocates(js), js);
    check(`${run}: one planted allocation is seen`, allocates(planted) && planted.slotsMore > 0, planted);
  });
  console.log(`
No slot, chunk byte or collection more from step ${SETTLED} to ${LONG}: C at d=8, budget=64; JS at d=3, budget=8
(OSKM, JS: budget=24, ${FULL ? LONG : STEPS} steps); one planted object is seen in each`);
}

async function checkFailure(name, code, line, job, options) {
  const { code: got, lines, errors } = await onXs(job, options);
  const clean = got === code && lines.length === 0 && errors.length === 1 && line.test(errors[0]);
  check(`${name}: exit code ${code} and one line`, clean, { got, lines, errors });
  console.log(`${name}: exit ${got}, "${errors[0]}"`);
}

async function checkFailures() {
  const job = (budget) => ({ run: "olk-c", steps: 1, path: "c", dimension: 8, budget });
  const most = await largest(4096, async (budget) => (await onXs(job(budget))).code === 0);
  console.log(`\nolk-c, d=8: room for a budget of ${most} in the block`);
  check("a budget fits", most > 64, most);
  await checkFailure("one row too large", 71, /memory full: \d+ bytes asked, \d+ left/, job(most + 1));
  await checkFailure("deep recursion", 72, /stack overflow/, { run: "recursion" });
  await checkFailure("uncaught exception", 75, /RangeError: nobody catches this/, { run: "exception" });
  await checkFailure("endless loop", 77, /too much computation/, { run: "endless" }, ["--meter", "10000000"]);
}

/** A second build takes the engine's objects as they are; one with another key compiles them anew. */
async function checkCache() {
  const engine = join(cache, "linux/engine");
  const made = () => statSync(join(engine, "xsRun.c.o")).mtimeMs;
  const first = made();
  await buildLinux();
  check("the engine's objects are kept between builds", made() === first);
  writeFileSync(join(engine, "key"), "other flags");
  await buildLinux();
  check("the engine's objects are made anew when flags change", made() > first);
}

await checkHashes();
await checkNoAllocation();
await checkFailures();
await checkCache();
close();
