// npm run test:device: the same on bare metal, RV32 with and without floating point, in QEMU's virt board: a machine in
// 94,208 bytes, flash write-protected, instructions counted. Then the whole node at its wire, in processes of their own.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildPlain, predictPlain, states } from "../bench/plain.mjs";
import { bundle } from "../bundle.mjs";
import { buildFirmware, lackOf, listing, runFirmware } from "../device.mjs";
import { buildLinux } from "../engine.mjs";
import { checkBoards } from "./board.mjs";
import { check, close, each, largest, outcomeOf, printTable } from "./checks.mjs";
import { checkCosts, checkNode } from "./costs.mjs";
import { checkTraffic } from "./hour.mjs";
import { checkOwnSensor } from "./own-sensor.mjs";

/** Steps on each: what an FPU-less core takes longer for is run for less, unless with --full. */
const FULL = process.argv.includes("--full");
const STEPS = { rv32imafc: 10_000, rv32imac: FULL ? 10_000 : 1_000 };
const SIZE = { dimension: 8, budget: 64 };
const SIZE_TEXT = "d=8, budget=64";
/** Before its cause was found, one run in three differed from the rest. */
const REPEATS = 12;
/** Random vectors of each primitive. */
const VECTORS = 100_000;
/** Half of them bring a sample, the others a label. */
const TURNS = 192;
const CHIP_HZ = 160e6;
/** Instructions of a self-test. */
const BOOT_MAX = 385e6;
/** Instructions of a turn with a fed sample: frame, features, prediction, report. */
const FED_MAX = 1.1e6;
/** Enough to fill a budget of 64, for all but norma-n. */
const FILLED = 200;
/** Minutes of traffic; test:engine has the whole hour. */
const TRAFFIC = FULL ? 60 : 10;

const lack = lackOf("test:device");
if (lack) {
  console.log(lack);
  console.log("\n0 passed, 1 failed");
  process.exit(1);
}

const { program, node } = await bundle();
const linux = await buildLinux();
const firmware = {};
for (const isa of Object.keys(STEPS)) firmware[isa] = await buildFirmware(isa, linux, program);

async function onNode(argument) {
  const { stdout } = await promisify(execFile)(process.execPath, [node, JSON.stringify(argument)]);
  return JSON.parse(stdout);
}

const subjects = await onNode({ run: "names" });
const minima = await onNode({ run: "minima", ...SIZE });

/**
 * What Node and the chip make of one program, and what the board's own lines say. That TypeScript and XS on Linux come to the
 * same is shown by test:engine.
 */
async function onEach(isa, run) {
  const steps = STEPS[isa];
  const argument = { run, steps, settled: steps / 2, ...SIZE };
  const wasm = await onNode({ ...argument, path: "wasm" });
  const result = await runFirmware(firmware[isa], { ...argument, path: "c" });
  const c = outcomeOf(result);
  check(`${run}: ${isa} ends where Node does`, c.hash === wasm.hash, result);
  const still = c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0;
  check(`${run}: ${isa} allocates nothing`, still, result);
  if (run === "node" || run === "wire") checkNode(isa, run, c);
  else checkCosts(isa, run, SIZE, c);
  const said = result.lines.join(" ");
  const left = Number(/block left (\d+)/.exec(said)?.[1]);
  const deepest = Number(/C stack peak (\d+)/.exec(said)?.[1]);
  check(`${run}: ${isa} has the stack watched`, c.stack > 0 && c.stack <= deepest, {
    stack: c.stack,
    deepest,
  });
  return { run, wasm, c, left, deepest };
}

async function checkHashes(isa) {
  const rows = await each(subjects, (run) => onEach(isa, run));
  printTable(`State hashes after ${STEPS[isa]} steps (${SIZE_TEXT})`, [
    ["", "Node, WebAssembly", `XS on ${isa}, C`],
    ...rows.map(({ run, wasm, c }) => [run, wasm.hash, c.hash]),
  ]);
  printTable(`Memory on ${isa} (${SIZE_TEXT}), bytes; XS slots of 16`, [
    ["", "range", "least", "over", "slots", "chunks", "left of 94208", "C stack, steps", "in all"],
    ...rows.map(({ run, c, left, deepest }, i) => {
      check(`${run}: no fewer bytes than its numbers take`, c.bytes >= minima[i], [c.bytes, minima[i]]);
      return [run, c.bytes, minima[i], c.bytes - minima[i], c.slots, c.chunks, left, c.stack, deepest];
    }),
  ]);
  printTable(`Instructions a call on ${isa}, C primitives (${SIZE_TEXT})`, [
    ["", "predict", "learn"],
    ...rows.map(({ run, c }) => [run, c.perPredict || "", c.perStep]),
  ]);
}

/** Runs of one program, several at once so that the host's clock differs: the same lines to the last digit. */
async function checkRepeats(isa) {
  const argument = { run: "olk-c", steps: FILLED, settled: 0, path: "c", ...SIZE };
  const runs = await Promise.all(Array.from({ length: REPEATS }, () => runFirmware(firmware[isa], argument)));
  const different = [...new Set(runs.map((result) => JSON.stringify(result)))];
  check(`${isa}: ${REPEATS} runs of one program say the same`, different.length === 1, different);
}

async function checkFailures(isa) {
  const on = (argument) => runFirmware(firmware[isa], { steps: 1, path: "c", dimension: 8, ...argument });
  const most = await largest(1024, async (budget) => (await on({ run: "node", budget })).code === 0);
  console.log(
    `\n${isa}: a node with OLK-C (3 channels, windows of 8, 32 pending) has room for a budget of ${most}`,
  );
  const failures = [
    ["one row too large", 71, /memory full: \d+ bytes asked, \d+ left/, { run: "node", budget: most + 1 }],
    ["deep recursion", 72, /stack overflow/, { run: "recursion" }],
    ["uncaught exception", 75, /RangeError: nobody catches this/, { run: "exception" }],
    ["endless loop", 77, /watchdog: no step ended/, { run: "endless" }],
  ];
  for (const [name, code, line, argument] of failures) {
    const result = await on(argument);
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

/** TypeScript, WebAssembly, C here and C on both ISAs agree. */
async function checkPrimitives() {
  const given = ["--vectors", VECTORS, "--seed", "1", "--device"].map(String);
  const { code, lines } = await new Promise((done) => {
    execFile("npm", ["run", "--silent", "fuzz:math", "--", ...given], (error, stdout) => {
      done({ code: error ? error.code : 0, lines: stdout.trim().split("\n") });
    });
  });
  check(`${VECTORS} random vectors a primitive end the same on every path`, code === 0, lines);
  console.log(`\nPrimitives: ${lines[0]}: ${lines.at(-1)}`);
}

/** What bench:device compares the learners with does the same work. */
async function checkPlainC(isa) {
  const { NAMES, stateAfter } = await states();
  const plain = await buildPlain(isa);
  await each(NAMES, async (name) => {
    const state = stateAfter(name, SIZE.dimension, SIZE.budget, FILLED);
    if (!state.argument) return;
    const { fault } = await predictPlain(plain, state);
    check(`${name}: ${isa} predicts in plain C what the learner does`, fault === undefined, fault);
  });
}

/** What a board does before it starts: its self-test, with the learner of the usual node. */
async function checkBoot() {
  const argument = { run: "boot", steps: 1, ...SIZE };
  const ts = await onNode({ ...argument, path: "js" });
  const rows = await each(Object.keys(STEPS), async (isa) => {
    const c = outcomeOf(await runFirmware(firmware[isa], { ...argument, path: "c" }));
    check(`${isa}: the self-test ends where Node's does`, c.hash === ts.hash, c);
    check(`${isa}: it takes no more than ${BOOT_MAX} instructions`, c.instructions <= BOOT_MAX, c);
    return [isa, c.hash, c.instructions, ((c.instructions / CHIP_HZ) * 1000).toFixed(0)];
  });
  printTable("The self-test at boot", [["", "hash", "instructions", "ms at 160 MHz, one a cycle"], ...rows]);
}

/** What a node does at its wire, beside learning. */
async function checkWireCosts() {
  const isas = Object.keys(STEPS);
  const found = await each(isas, async (isa) => {
    const costs = outcomeOf(await runFirmware(firmware[isa], { run: "wire costs", ...SIZE, path: "c" }));
    const fed = costs["a turn with a sample that is fed"];
    check(`${isa}: a sample over the wire takes no more than ${FED_MAX} instructions`, fed <= FED_MAX, costs);
    return costs;
  });
  const rows = Object.keys(found[0]).map((what) => [what, ...found.map((costs) => costs[what])]);
  printTable("Instructions of the usual node at its wire, budget=64", [["", ...isas], ...rows]);
}

async function checkBenchRefusal() {
  const { code, stderr } = await promisify(execFile)("npm", [
    ...["run", "--silent", "bench:device", "--", "--learner", "olk"],
  ]).catch((error) => error);
  const clean = code === 2 && /^bench:device: no learner olk;/m.test(stderr);
  check("bench:device: a learner that there isn't: exit code 2 and a line", clean, { code, stderr });
}

/** The longest turn of a node with each learner: the FIFO as full as credit allows, a sample or three labels in it, of which a turn takes one. */
async function checkTurns() {
  // One-vs-all is made of learners: a node of it, made inside a program, needs more stack than the 384 slots of the chip.
  const names = subjects.filter((name) => !["node", "wire"].includes(name) && !name.startsWith("ova:"));
  const rows = await each(names, async (name) => {
    const argument = { run: `turn:${name}`, steps: TURNS, settled: TURNS / 2, ...SIZE };
    const ts = await onNode({ ...argument, path: "js" });
    const c = outcomeOf(await runFirmware(firmware.rv32imac, { ...argument, path: "c" }));
    check(`${name}: a node at its wire ends where Node does`, c.hash === ts.hash, c);
    check(`${name}: no turn allocates`, c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0, c);
    return [name, c.size, c.mostPerStep, (c.mostPerStep / CHIP_HZ) * 1000];
  });
  printTable(`The longest of ${TURNS} turns on rv32imac, a sample or a label in each (${SIZE_TEXT})`, [
    ["", "stored", "instructions", "ms at 160 MHz, one a cycle"],
    ...rows.map(([name, size, most, ms]) => [name, size, most, ms?.toFixed(1)]),
  ]);
}

async function checkAll(isa) {
  await checkHashes(isa);
  await checkRepeats(isa);
  await checkPlainC(isa);
  await checkFailures(isa);
  checkListing(isa);
}

const primitives = checkPrimitives(); // beside the others: it keeps one core busy at most
await checkBenchRefusal();
for (const isa of Object.keys(STEPS)) await checkAll(isa);
await primitives;
await checkTurns();
await checkBoot();
await checkWireCosts();
await checkTraffic("rv32imac", TRAFFIC, (argument) => runFirmware(firmware.rv32imac, argument), onNode);
await checkBoards(firmware);
await checkOwnSensor();
close();
