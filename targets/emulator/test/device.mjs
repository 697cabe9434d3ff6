// npm run test:device: the same on bare metal, RV32 with and without floating point, in QEMU's virt board: a machine in
// 94,208 bytes, flash write-protected, instructions counted. `--js` only compares the instructions of the JS path with those of the C primitives.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundle } from "../bundle.mjs";
import { buildFirmware, listing, missingPackages, runFirmware } from "../device.mjs";
import { buildLinux } from "../engine.mjs";
import { check, close, each, largest, outcomeOf, printTable } from "./checks.mjs";

/** Steps on each: what an FPU-less core takes longer for is run for less, unless with --full. */
const FULL = process.argv.includes("--full");
const STEPS = { rv32imafc: 10_000, rv32imac: FULL ? 10_000 : 1_000 };
const SIZE = { dimension: 8, budget: 64 };
/** Enough to fill a budget of 64. */
const JS_STEPS = 100;

const missing = missingPackages();
if (missing.length > 0) {
  console.log(`test:device lacks ${missing.join(", ")}: apt-get install -y ${missing.join(" ")}`);
  console.log("\n0 passed, 1 failed");
  process.exit(1);
}

const { program, node } = await bundle();
const linux = await buildLinux();
const firmware = {};
for (const isa of Object.keys(STEPS)) firmware[isa] = await buildFirmware(isa, linux, program);

async function onNode(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [node, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

const subjects = await onNode("names");

async function checkHashes(isa) {
  const steps = STEPS[isa];
  const rows = await each(subjects, async (run) => {
    const job = { run, steps, settled: steps / 2, ...SIZE };
    const ts = await onNode({ ...job, path: "js" });
    const result = await runFirmware(firmware[isa], { ...job, path: "c" });
    const c = outcomeOf(result);
    check(`${run}: ${isa} ends where Node does`, c.hash === ts.hash, result);
    const still = c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0;
    check(`${run}: ${isa} allocates nothing`, still, result);
    const stack = /C stack peak (\d+)/.exec(result.lines.at(-1))?.[1];
    const left = /block left (\d+)/.exec(result.lines.join(" "))?.[1];
    const costs = [c.perPredict || "", c.perStep];
    return [run, ts.hash, c.hash, c.bytes, c.slots, c.chunks, left, stack, ...costs];
  });
  const head = [
    "d=8, budget=64",
    "Node TS",
    `${isa} C`,
    "range B",
    "slots",
    "chunks B",
    "left B",
    "C stack B",
  ];
  printTable(`${isa}, ${steps} steps, machine in 94208 B, instructions a call`, [
    [...head, "predict", "learn"],
    ...rows,
  ]);
}

async function printJsPath(isa) {
  const rows = await each(subjects, async (run) => {
    const job = { run, steps: JS_STEPS, ...SIZE };
    const js = outcomeOf(await runFirmware(firmware[isa], { ...job, path: "js" }));
    const c = outcomeOf(await runFirmware(firmware[isa], { ...job, path: "c" }));
    const times = (of) => (c[of] ? (js[of] / c[of]).toFixed(1) : "");
    return [run, js.perPredict, c.perPredict, times("perPredict"), js.perStep, c.perStep, times("perStep")];
  });
  const head = ["d=8, budget=64", "predict JS", "C", "times", "learn JS", "C", "times"];
  printTable(`${isa}, instructions after ${JS_STEPS} steps`, [head, ...rows]);
}

async function checkFailures(isa) {
  const on = (job) => runFirmware(firmware[isa], { steps: 1, path: "c", dimension: 8, ...job });
  const most = await largest(1024, async (budget) => (await on({ run: "node", budget })).code === 0);
  console.log(
    `\n${isa}: a node with OLK-C (3 channels, windows of 8, 32 pending) has room for a budget of ${most}`,
  );
  const failures = [
    ["one row too large", 71, /memory full: \d+ bytes asked, \d+ left/, { run: "node", budget: most + 1 }],
    ["deep recursion", 72, /stack overflow/, { run: "recursion" }],
    ["uncaught exception", 75, /RangeError: nobody catches this/, { run: "exception" }],
  ];
  for (const [name, code, line, job] of failures) {
    const result = await on(job);
    const clean = result.code === code && result.lines.length === 1 && line.test(result.lines[0]);
    check(`${isa}, ${name}: exit code ${code} and one line`, clean, result);
    console.log(`${name}: exit ${result.code}, "${result.lines[0]}"`);
  }
  const written = await runFirmware(firmware[isa], "write flash");
  check(`${isa}: flash can't be written`, written.code === 99 && /trap 7 /.test(written.lines[0]), written);
}

function checkListing(isa) {
  const fused = listing(isa).match(/\bfn?m(add|sub)\.s\b.*/g) ?? [];
  check(`${isa}: f32.c has no fused instruction`, fused.length === 0, fused.slice(0, 3));
}

async function checkAll(isa) {
  await checkHashes(isa);
  await checkFailures(isa);
  checkListing(isa);
}

if (process.argv.includes("--js")) {
  await printJsPath("rv32imafc");
} else {
  for (const isa of Object.keys(STEPS)) await checkAll(isa);
  close();
}
