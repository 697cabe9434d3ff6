// npm run test:device [-- --chip NAME...] [--smoke NAME...] [--full | --boards | --counts [LEARNER...]]:
// the same on bare metal, on emulated chips (../chips.mjs): a machine in 94,208 bytes, flash write-protected, instructions
// counted, and held to the table ../counts.json. Meanwhile the whole node at its wire, in processes of their own.
// On a chip of --smoke it runs a few learners, and all in which chips differ. With --boards it runs boards
// at their wire alone, and starts each learner's firmware in the memory that flash gives it. With --counts it tests nothing: it counts instructions, of those learners or of all,
// and rewrites the table; besides learners it takes self-test and "wire costs".
import { execFile } from "node:child_process";
import { parseArgs, promisify } from "node:util";
import { bundle, loadFused } from "../../../targets/emulator/bundle.mjs";
import { CHIPS, FIRMWARE_CHIPS, lackOf } from "../../../targets/emulator/chips.mjs";
import {
  buildFirmware,
  contractedObject,
  letOthersFirst,
  listed,
  runFirmware,
} from "../../../targets/emulator/device.mjs";
import { buildLinux } from "../../../targets/emulator/engine.mjs";
import { buildPackage } from "../../../targets/emulator/own-project.mjs";
import { frameCosts } from "../bench/frames.mjs";
import { buildPlain, learnPlain, predictPlain, states } from "../bench/plain.mjs";
import { check, close, each, largest, outcomeOf, printTable } from "../checks.mjs";
import { checkBoards } from "./board.mjs";
import { checkCosts, checkNode, checkParts, checkShared, checkSpectrum } from "./costs.mjs";
import { count, holdCounts, writeCounts } from "./counts.mjs";
import { checkFlashed } from "./flashed.mjs";
import { checkTraffic } from "./hour.mjs";
import { checkOwnSensor, startOwnSensor } from "./own-sensor.mjs";
import { checkRestore } from "./restore.mjs";
import { checkSpectra } from "./spectra.mjs";
import { checkUpdate } from "./update.mjs";

/**
 * Steps of each learner, which fill its budget several times over; with --full as many as on Linux, where
 * OSKM, QKAPA and QKRLS take minutes.
 */
const FEW = 1_000;
const MANY = 10_000;
/**
 * The chip whose turns and traffic are looked at, and the chips on which plain C is, which counts by a
 * register of RISC-V.
 */
const BUSY = "rv32imac";
const PLAIN = ["rv32imafc", "rv32imac"];
/** Chips that run by default; m0plus takes long, and computes in software as rv32imac does. */
const USUAL = [...PLAIN, "m4f", "m33"];
/** What runs on a chip of --smoke: between them they call each part of f32.c. */
const SMOKE = ["node", "wire", "auto", "olk-c", "olk-c/q15", "qkrls", "krls-ald", "nogd", "fogd", "arow"];
const SIZE = { dimension: 8, budget: 64 };
const SIZE_TEXT = "d=8, budget=64";
/** Before its cause was found, one run in three differed from the rest. */
const REPEATS = 12;
/** Random vectors of each primitive. */
const VECTORS = 100_000;
/** Half of them bring a sample, the others a label. */
const TURNS = 192;
const CHIP_HZ = 160e6;
/** Instructions of a self-test: 1.25 s of an ESP32-C3. */
const BOOT_MAX = 200e6;
/** Instructions of a turn with a fed sample: frame, features, prediction, report. */
const FED_MAX = 0.75e6;
/** Instructions of both keys for a label: its frame, its acknowledgement's, its own tag. */
const KEYED_MAX = 0.1e6;
/** Frames that are made in C and in TypeScript. */
const FRAMES = 2_000;
/** Enough to fill a budget of 64, for all but norma-n. */
const FILLED = 200;
/** The parsed command line; a line of text if it is wrong. */
function commandLine() {
  const flag = { type: "boolean", default: false };
  const names = { type: "string", multiple: true, default: [] };
  const options = { chip: names, smoke: names, full: flag, counts: flag, boards: flag };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const { chip, smoke, full, counts, boards } = values;
    const unknown = [...chip, ...smoke].find((name) => !FIRMWARE_CHIPS.includes(name));
    const twice = smoke.find((name) => chip.includes(name));
    if (full + counts + boards > 1) return { fault: "takes one of --full, --counts, --boards" };
    if (twice !== undefined) return { fault: `${twice}: takes --chip or --smoke` };
    if (!counts && positionals.length > 0)
      return { fault: `${positionals[0]}: learners are named with --counts` };
    if (unknown === undefined)
      return { named: chip, smoked: smoke, full, counts, boards, counted: positionals };
    return { fault: `${unknown}: takes ${FIRMWARE_CHIPS.join(", ")}` };
  } catch (error) {
    return {
      fault: `${error.message.split(". ")[0]}; takes --chip NAME, --smoke NAME, --full, --boards, --counts [LEARNER...]`,
    };
  }
}

/** The chips to test: those that are named, else all whose packages are here, RISC-V's in any case. */
function chosenChips(named, smoked) {
  if (named.length + smoked.length > 0) return [...named, ...smoked];
  const absent = USUAL.filter((name) => !PLAIN.includes(name) && lackOf("", [name]));
  if (absent.length > 0) console.log(`Not on ${absent.join(", ")}: ${lackOf("test:device", absent)}`);
  return USUAL.filter((name) => !absent.includes(name));
}

const { named, smoked, full, counts, boards, counted, fault } = commandLine();
const chips = fault ? [] : chosenChips(named, smoked);
const lack = fault ?? lackOf("test:device", chips);
if (lack) {
  console.log(fault ? `test:device: ${fault}` : lack);
  console.log("\n0 passed, 1 failed");
  process.exit(fault ? 2 : 1);
}

if (!counts) buildPackage(); // before anything runs that is in it
const { refuseFused } = await loadFused();
const { program, node } = await bundle();
const linux = await buildLinux();
const ownSensor = counts ? undefined : await startOwnSensor();
const firmware = {};
for (const chip of chips) firmware[chip] = await buildFirmware(chip, linux, program);
const STEPS = full ? MANY : FEW;
/** Minutes of traffic; test:engine has the whole hour. */
const TRAFFIC = full ? 60 : 10;

const foundOnNode = {};

/** The outcome on Node, which is run once for all chips. */
async function onNode(argument) {
  const text = JSON.stringify(argument);
  foundOnNode[text] ??= promisify(execFile)(process.execPath, [node, text]);
  const { stdout } = await foundOnNode[text];
  return JSON.parse(stdout);
}

const foundOn = {};

/** What a chip's firmware makes of it, which is run once for all who ask: the same to the last digit each time, see `checkRepeats`. */
function runOn(chip, argument) {
  const text = JSON.stringify([chip, argument]);
  foundOn[text] ??= runFirmware(firmware[chip], argument);
  return foundOn[text];
}

const subjects = await onNode({ run: "names" });
const forgetful = await onNode({ run: "forgetful" });
const finders = await onNode({ run: "finders" });
const minima = Object.fromEntries(
  (await onNode({ run: "minima", ...SIZE })).map((bytes, i) => [subjects[i], bytes]),
);

const argumentOf = (run) => ({ run, steps: STEPS, settled: STEPS / 2, ...SIZE });

function countRun(chip, run, { perPredict, perStep, mostPerStep }) {
  count(chip, run, { ...(perPredict && { predict: perPredict }), learn: perStep, longest: mostPerStep });
}

/**
 * One program's outcome on Node and on the chip, and the board's own lines. test:engine shows that TypeScript
 * and XS on Linux agree.
 */
async function onEach(chip, run) {
  const argument = argumentOf(run);
  const wasm = await onNode({ ...argument, path: "wasm" });
  const result = await runOn(chip, { ...argument, path: "c" });
  const c = outcomeOf(result);
  countRun(chip, run, c);
  check(`${run}: ${chip} ends where Node does`, c.hash === wasm.hash, result);
  const still = c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0;
  check(`${run}: ${chip} allocates nothing`, still, result);
  if (run === "node" || run === "wire") checkNode(chip, run, c);
  else if (run.endsWith("/shared")) await checkSharedCosts(chip, run);
  else await checkLearnerCosts(chip, run, c);
  const said = result.lines.join(" ");
  const left = Number(/block left (\d+)/.exec(said)?.[1]);
  const deepest = Number(/C stack peak (\d+)/.exec(said)?.[1]);
  check(`${run}: ${chip} has the stack watched`, c.stack > 0 && c.stack <= deepest, {
    stack: c.stack,
    deepest,
  });
  return { run, wasm, c, left, deepest };
}

/** Plan's data were measured with a given width. */
async function checkLearnerCosts(chip, run, found) {
  const costed = finders.includes(run) ? `${run}/given` : run;
  const argument = { ...argumentOf(costed), path: "c" };
  const c = costed === run ? found : outcomeOf(await runOn(chip, argument));
  checkCosts(chip, run, SIZE, c, forgetful.includes(run) ? await forgetting(chip, costed) : []);
}

/** The same of classes that share a dictionary. */
async function checkSharedCosts(chip, run) {
  const argument = { ...argumentOf(`${run}/given`), path: "c" };
  checkShared(chip, run, SIZE, outcomeOf(await runOn(chip, argument)));
}

/** The same where a learner forgets: samples close together, and samples with kernel 0 to one another. */
async function forgetting(chip, run) {
  const found = [];
  for (const place of ["near", "far"]) {
    const argument = { run, place, steps: FILLED, ...SIZE };
    const wasm = await onNode({ ...argument, path: "wasm" });
    const c = outcomeOf(await runFirmware(firmware[chip], { ...argument, path: "c" }));
    check(`${run}, ${place}: ${chip} ends where Node does`, c.hash === wasm.hash, c);
    found.push(c);
  }
  return found;
}

async function checkHashes(chip) {
  const rows = await each(smoked.includes(chip) ? SMOKE : subjects, (run) => onEach(chip, run));
  printTable(`State hashes after ${STEPS} steps (${SIZE_TEXT})`, [
    ["", "Node, WebAssembly", `XS on ${chip}, C`],
    ...rows.map(({ run, wasm, c }) => [run, wasm.hash, c.hash]),
  ]);
  printTable(`Memory on ${chip} (${SIZE_TEXT}), bytes; XS slots of 16`, [
    ["", "range", "least", "over", "slots", "chunks", "left of 94208", "C stack, steps", "in all"],
    ...rows.map(({ run, c, left, deepest }) => {
      const least = minima[run];
      check(`${run}: no fewer bytes than its numbers take`, c.bytes >= least, [c.bytes, least]);
      return [run, c.bytes, least, c.bytes - least, c.slots, c.chunks, left, c.stack, deepest];
    }),
  ]);
  printTable(`Instructions a call on ${chip}, C primitives (${SIZE_TEXT})`, [
    ["", "predict", "learn"],
    ...rows.map(({ run, c }) => [run, c.perPredict || "", c.perStep]),
  ]);
}

/**
 * Several concurrent runs of one program, so that the host's clock differs, print the same lines to the last
 * digit.
 */
async function checkRepeats(chip) {
  const argument = { run: "olk-c", steps: FILLED, settled: 0, path: "c", ...SIZE };
  const runs = await Promise.all(
    Array.from({ length: REPEATS }, () => runFirmware(firmware[chip], argument)),
  );
  const different = [...new Set(runs.map((result) => JSON.stringify(result)))];
  check(`${chip}: ${REPEATS} runs of one program say the same`, different.length === 1, different);
}

async function checkFailures(chip) {
  const on = (argument) => runFirmware(firmware[chip], { steps: 1, path: "c", dimension: 8, ...argument });
  const most = await largest(1024, async (budget) => (await on({ run: "node", budget })).code === 0);
  console.log(
    `\n${chip}: a node with OLK-C (3 channels, windows of 8, 32 pending) has room for a budget of ${most}`,
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
    check(`${chip}, ${name}: exit code ${code} and one line`, clean, result);
    console.log(`${name}: exit ${result.code}, "${result.lines[0]}"`);
  }
  const written = await runFirmware(firmware[chip], "write flash");
  check(
    `${chip}: flash can't be written`,
    written.code === 99 && written.lines[0].includes(`trap ${CHIPS[chip].writeTrap} `),
    written,
  );
}

/** Flash's verdict on an object of f32.c; "well" if it would put it on a board. */
function verdictOn(objdump, object) {
  try {
    refuseFused(objdump, object);
    return "well";
  } catch (error) {
    return error.message;
  }
}

/**
 * Flash takes the chip's own object of f32.c; where the chip can fuse, it refuses one that was compiled to.
 */
async function checkFused(chip) {
  const { objdump, object } = listed(chip);
  const own = verdictOn(objdump, object);
  check(`${chip}: f32.c has no fused instruction`, own === "well", own);
  const { fuses } = CHIPS[chip];
  if (!fuses) return;
  const contracted = verdictOn(objdump, await contractedObject(chip));
  const refused = contracted.includes(`holds ${fuses}, `);
  check(`${chip}: f32.c with contraction on is refused`, refused, contracted);
}

/** TypeScript, WebAssembly, C here and C on the chips agree. */
async function checkPrimitives() {
  const given = ["--vectors", VECTORS, "--seed", "1", "--device"].map(String);
  const { code, lines } = await new Promise((done) => {
    const child = execFile("npm", ["run", "--silent", "fuzz:math", "--", ...given], (error, stdout) => {
      done({ code: error ? error.code : 0, lines: stdout.trim().split("\n") });
    });
    letOthersFirst(child);
  });
  check(`${VECTORS} random vectors a primitive end the same on every path`, code === 0, lines);
  console.log(`\nPrimitives: ${lines[0]}: ${lines.at(-1)}`);
}

/** What bench:device compares the learners with does the same work. */
async function checkPlainC(chip) {
  const { NAMES, stateAfter } = await states();
  const plain = await buildPlain(chip);
  await each(NAMES, async (name) => {
    const state = stateAfter(name, SIZE.dimension, SIZE.budget, FILLED);
    const { fault } = state.image ? await predictPlain(plain, state) : {};
    check(`${name}: ${chip} predicts in plain C what the learner does`, fault === undefined, fault);
    const { fault: other } = state.learn ? await learnPlain(plain, state) : {};
    check(`${name}: ${chip} learns in plain C what the learner does`, other === undefined, other);
  });
}

const BOOT = { run: "boot", steps: 1, ...SIZE };

async function bootOn(chip) {
  const c = outcomeOf(await runFirmware(firmware[chip], { ...BOOT, path: "c" }));
  count(chip, "self-test", { instructions: c.instructions });
  return c;
}

/** A board's self-test before it starts, with the usual node's learner. */
async function checkBoot() {
  const ts = await onNode({ ...BOOT, path: "js" });
  const rows = await each(chips, async (chip) => {
    const c = await bootOn(chip);
    check(`${chip}: the self-test ends where Node's does`, c.hash === ts.hash, c);
    check(`${chip}: it takes no more than ${BOOT_MAX} instructions`, c.instructions <= BOOT_MAX, c);
    return [chip, c.hash, c.instructions, ((c.instructions / CHIP_HZ) * 1000).toFixed(0)];
  });
  printTable("The self-test at boot", [["", "hash", "instructions", "ms at 160 MHz, one a cycle"], ...rows]);
}

async function wireCostsOn(chip) {
  const costs = outcomeOf(await runFirmware(firmware[chip], { run: "wire costs", ...SIZE, path: "c" }));
  count(chip, "wire costs", costs);
  return costs;
}

/** A node's work at its wire, besides learning. */
async function checkWireCosts() {
  const found = await each(chips, async (chip) => {
    const costs = await wireCostsOn(chip);
    const fed = costs["a turn with a sample that is fed"];
    check(
      `${chip}: a sample over the wire takes no more than ${FED_MAX} instructions`,
      fed <= FED_MAX,
      costs,
    );
    return costs;
  });
  const rows = Object.keys(found[0]).map((what) => [what, ...found.map((costs) => costs[what])]);
  printTable("Instructions of the usual node at its wire, budget=64", [["", ...chips], ...rows]);
}

/** C and TypeScript handle the bytes of frames alike, on every chip. */
async function checkFrameBytes() {
  await each(chips, async (chip) => {
    const argument = { run: "frame bytes", path: "c", steps: FRAMES };
    const { frames, hash } = outcomeOf(await runFirmware(firmware[chip], argument));
    check(`${chip}: ${FRAMES} frames in C have the bytes of those in TypeScript`, frames === FRAMES, hash);
  });
}

/** A key's cost for each label: to check it, and to acknowledge it. */
async function checkFrameCosts() {
  await each(chips, async (chip) => {
    const { unkeyed, keyed, tag } = await frameCosts(firmware[chip], chip);
    const more = (name, of) => keyed[name][of] - unkeyed[name][of];
    const spent = more("label", "judge") + more("acknowledgement", "make") + tag.label.judge;
    check(`${chip}: keys cost a label no more than ${KEYED_MAX} instructions`, spent <= KEYED_MAX, spent);
  });
}

/** bench:device measures: its runs once failed, as it passed a time limit in the place of a bank of flash. */
async function checkBench() {
  const command = ["run", "--silent", "bench:device", "--", "--learner", "perceptron", "--json"];
  const { code = 0, stdout } = await promisify(execFile)("npm", command).catch((error) => error);
  const measured = code === 0 && JSON.parse(stdout).boards.every(({ learners: [{ learn }] }) => learn.c > 0);
  check("bench:device --learner perceptron measures", measured, { code, stdout });
}

async function checkBenchRefusal() {
  const refusals = [
    [["--learner", "olk"], /^bench:device: no learner olk;/m],
    [["--frames", "--learner", "olk-c"], /^bench:device: takes --frames or --learner NAME$/m],
  ];
  for (const [given, line] of refusals) {
    const command = ["run", "--silent", "bench:device", "--", ...given];
    const { code, stderr } = await promisify(execFile)("npm", command).catch((error) => error);
    check(`bench:device ${given.join(" ")}: exit code 2 and a line`, code === 2 && line.test(stderr), {
      code,
      stderr,
    });
  }
}

/**
 * The longest turn of a node with each learner: the FIFO is as full as credit allows, with a sample or three
 * labels; a turn takes one.
 */
async function checkTurns() {
  // One-vs-all is made of learners: a node of it, made inside a program, needs more stack than the 384 slots
  // of the chip.
  const names = subjects.filter((name) => !["node", "wire"].includes(name) && !name.startsWith("ova:"));
  const rows = await each(names, async (name) => {
    const argument = { run: `turn:${name}`, steps: TURNS, settled: TURNS / 2, ...SIZE };
    const ts = await onNode({ ...argument, path: "js" });
    const c = outcomeOf(await runFirmware(firmware[BUSY], { ...argument, path: "c" }));
    check(`${name}: a node at its wire ends where Node does`, c.hash === ts.hash, c);
    check(`${name}: no turn allocates`, c.slotsMore === 0 && c.chunksMore === 0 && c.collections === 0, c);
    return [name, c.size, c.mostPerStep, (c.mostPerStep / CHIP_HZ) * 1000];
  });
  printTable(`The longest of ${TURNS} turns on ${BUSY}, a sample or a label in each (${SIZE_TEXT})`, [
    ["", "stored", "instructions", "ms at 160 MHz, one a cycle"],
    ...rows.map(([name, size, most, ms]) => [name, size, most, ms?.toFixed(1)]),
  ]);
}

async function checkAll(chip) {
  await checkHashes(chip);
  const onChip = (argument) => runFirmware(firmware[chip], argument);
  if (!smoked.includes(chip))
    await checkSpectra(chip, ["c"], onChip, onNode, (node, outcome) => checkSpectrum(chip, node, outcome));
  await checkParts(chip, onChip, onNode);
  await checkRepeats(chip);
  if (PLAIN.includes(chip)) await checkPlainC(chip);
  await checkFailures(chip);
  await checkFused(chip);
}

async function countLearner(chip, run) {
  countRun(chip, run, outcomeOf(await runOn(chip, { ...argumentOf(run), path: "c" })));
}

/** Runs the counted programs, or those that were named, and writes the table. */
async function renewCounts() {
  const besides = { "self-test": bootOn, "wire costs": wireCostsOn };
  const all = [...subjects, ...Object.keys(besides)];
  const unknown = counted.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    console.log(`test:device: no learner ${unknown}; takes ${all.join(", ")}`);
    process.exit(2);
  }
  for (const chip of chips) {
    await each(counted.length > 0 ? counted : all, (run) => (besides[run] ?? countLearner)(chip, run));
    writeCounts(counted.length > 0);
    console.log(`${chip}: written`);
  }
  process.exit(0);
}

/** Says how long a part took, beside the others that ran meanwhile. */
async function timed(what, part) {
  const begin = performance.now();
  await part;
  console.log(`\n${what}: ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

/** What computes all along, as many runs at once as there are cores. */
async function checkCounted() {
  for (const chip of chips) await timed(`learners and failures on ${chip}`, checkAll(chip));
  if (chips.includes(BUSY)) {
    await timed("turns", checkTurns());
    const onBusy = (argument) => runFirmware(firmware[BUSY], argument);
    await timed("traffic", checkTraffic(BUSY, TRAFFIC, onBusy, onNode));
  }
  await timed("self-test at boot", checkBoot());
  await timed("wire and frames", checkWire());
  if (!full) holdCounts(); // the table is of so few steps
}

async function checkWire() {
  await checkWireCosts();
  await checkFrameBytes();
  await checkFrameCosts();
}

if (counts) await renewCounts();
await checkBenchRefusal();
if (!boards) await checkBench();
await Promise.all([
  !boards && timed("all that is counted", checkCounted()),
  !boards && timed("primitives", checkPrimitives()), // one core at most
  timed("boards at their wire", checkBoards(firmware)),
  timed("firmware as flash plans it", chips.includes(BUSY) && checkFlashed(linux)),
  timed("an update over the wire", chips.includes(BUSY) && checkUpdate(firmware[BUSY])),
  timed("a copy given back over the wire", chips.includes(BUSY) && checkRestore(firmware[BUSY])),
  timed("the guide's own sensor", checkOwnSensor(ownSensor)),
]);
close();
