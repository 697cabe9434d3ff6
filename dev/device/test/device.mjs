// npm run test:device [-- --chip NAME...] [--smoke NAME...] [--full | --boards [--brief] | --counts [LEARNER...]]:
// the same on bare metal, on emulated chips (targets/emulator/chips.mjs): a machine in 94,208 bytes, flash write-protected, instructions
// counted, and held to targets/emulator/counts.json. Meanwhile the whole node at its wire, in processes of their own.
// On a chip of --smoke it runs a few learners, and all in which chips differ. With --boards it runs boards
// at their wire alone, and starts each learner's firmware in the memory that flash gives it; with --brief, as CI does, that of a few learners. With --counts it tests nothing: it counts instructions, of those learners or of all,
// and rewrites the table; besides learners it takes self-test and "wire costs".
import { lackMessage } from "../../../targets/emulator/chips.mjs";
import { refuse } from "../../../targets/emulator/command-line.mjs";
import { runFirmware } from "../../../targets/emulator/device.mjs";
import { buildPackage } from "../../../targets/emulator/own-project.mjs";
import { close, each } from "../checks.mjs";
import { openBed } from "./bed.mjs";
import { checkBench, checkBenchRefusal } from "./bench.mjs";
import { checkBoards } from "./board.mjs";
import { checkParts, checkSpectrum } from "./costs.mjs";
import { holdCounts, writeCounts } from "./counts.mjs";
import { checkFailures, checkRepeats } from "./failures.mjs";
import { checkFlashed } from "./flashed.mjs";
import { checkTraffic } from "./hour.mjs";
import { checkInstalls } from "./installs.mjs";
import { checkHashes, checkTurns, countLearner } from "./learners.mjs";
import { chosenChips, commandLine, PLAIN } from "./options.mjs";
import { checkOwnNode } from "./own-node.mjs";
import { checkOwnSensor, startOwnSensor } from "./own-sensor.mjs";
import { checkFused, checkPlainC, checkPrimitives } from "./primitives.mjs";
import { checkRestore } from "./restore.mjs";
import { checkSpectra } from "./spectra.mjs";
import { checkUpdate } from "./update.mjs";
import { bootOn, checkBoot, checkWire, wireCostsOn } from "./wire.mjs";

/** The chip whose turns and traffic are looked at. */
const BUSY = "rv32imac";

const { named, smoked, full, counts, boards, brief, counted } = commandLine();
const chips = chosenChips(named, smoked);
const lack = lackMessage("test:device", chips);
if (lack) {
  console.log(lack);
  process.exit(1);
}

if (!counts) buildPackage(); // before anything runs that is in it
const bed = await openBed(chips, full);
const { firmware, linux, onNode } = bed;
const ownSensor = counts ? undefined : await startOwnSensor();
/** Minutes of traffic; test:engine has the whole hour. */
const TRAFFIC = full ? 60 : 10;

async function checkAll(chip) {
  await checkHashes(bed, chip, smoked.includes(chip));
  const onChip = (argument) => runFirmware(firmware[chip], argument);
  if (!smoked.includes(chip))
    await checkSpectra(chip, ["c"], onChip, onNode, (node, outcome) => checkSpectrum(chip, node, outcome));
  await checkInstalls(chip, ["c"], onChip, onNode);
  await checkParts(chip, onChip, onNode);
  await checkRepeats(bed, chip);
  if (PLAIN.includes(chip)) await checkPlainC(chip);
  await checkFailures(bed, chip);
  await checkFused(chip);
}

/** Runs the counted programs, or those that were named, and writes the table. */
async function renewCounts() {
  const besides = { "self-test": bootOn, "wire costs": wireCostsOn };
  const all = [...bed.subjects, ...Object.keys(besides)];
  const unknown = counted.find((name) => !all.includes(name));
  if (unknown !== undefined) refuse("test:device", `no learner ${unknown}; takes ${all.join(", ")}`);
  for (const chip of chips) {
    await each(counted.length > 0 ? counted : all, (run) =>
      besides[run] ? besides[run](bed, chip) : countLearner(bed, chip, run),
    );
    writeCounts(counted.length > 0);
    console.log(`${chip}: written`);
  }
  process.exit(0);
}

/** Says how long a part took, beside the others that ran meanwhile. */
async function timePart(what, part) {
  const begin = performance.now();
  await part;
  console.log(`\n${what}: ${((performance.now() - begin) / 1000).toFixed(0)} s`);
}

/** What computes all along, as many runs at once as there are cores. */
async function checkCounted() {
  for (const chip of chips) await timePart(`learners and failures on ${chip}`, checkAll(chip));
  if (chips.includes(BUSY)) {
    await timePart("turns", checkTurns(bed, BUSY));
    const onBusy = (argument) => runFirmware(firmware[BUSY], argument);
    await timePart("traffic", checkTraffic(BUSY, TRAFFIC, onBusy, onNode));
  }
  await timePart("self-test at boot", checkBoot(bed));
  await timePart("wire and frames", checkWire(bed));
  if (!full) holdCounts(); // the table is of so few steps
}

if (counts) await renewCounts();
await checkBenchRefusal();
if (!boards) await checkBench();
await Promise.all([
  !boards && timePart("all that is counted", checkCounted()),
  !boards && timePart("primitives", checkPrimitives()), // one core at most
  timePart("boards at their wire", checkBoards(firmware)),
  timePart("firmware as flash plans it", chips.includes(BUSY) && checkFlashed(linux, brief)),
  timePart("an update over the wire", chips.includes(BUSY) && checkUpdate(firmware[BUSY])),
  timePart("a copy given back over the wire", chips.includes(BUSY) && checkRestore(firmware[BUSY])),
  timePart("the guide's own sensor", checkOwnSensor(ownSensor)),
  timePart("a project of a node's file", chips.includes(BUSY) && checkOwnNode()),
]);
close();
