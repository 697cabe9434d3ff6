// Learners on a chip: the bits, the memory and the instructions of each.
import { runFirmware } from "../../../targets/emulator/device.mjs";
import { allocates, check, each, printTable, readOutcome } from "../checks.mjs";
import { CHIP_HZ, FILLED, SIZE, SIZE_TEXT } from "./bed.mjs";
import { checkCosts, checkNode, checkShared } from "./costs.mjs";
import { count } from "./counts.mjs";

/** What runs on a chip of --smoke: between them they call each part of f32.c. */
const SMOKE = ["node", "wire", "auto", "olk-c", "olk-c/q15", "qkrls", "krls-ald", "nogd", "fogd", "arow"];
/** Half of them bring a sample, the others a label. */
const TURNS = 192;

const runArgument = ({ steps }, run) => ({ run, steps, settled: steps / 2, ...SIZE });

function countRun(chip, run, { perPredict, perStep, mostPerStep }) {
  count(chip, run, { ...(perPredict && { predict: perPredict }), learn: perStep, longest: mostPerStep });
}

/**
 * One program's outcome on Node and on the chip, and the board's own lines. test:engine shows that TypeScript
 * and XS on Linux agree.
 */
async function onEach(bed, chip, run) {
  const argument = runArgument(bed, run);
  const wasm = await bed.onNode({ ...argument, path: "wasm" });
  const result = await bed.runOn(chip, { ...argument, path: "c" });
  const c = readOutcome(result);
  countRun(chip, run, c);
  check(`${run}: ${chip} ends where Node does`, c.hash === wasm.hash, result);
  check(`${run}: ${chip} allocates nothing`, !allocates(c), result);
  if (run === "node" || run === "wire") checkNode(chip, run, c);
  else if (run.endsWith("/shared")) await checkSharedCosts(bed, chip, run);
  else await checkLearnerCosts(bed, chip, run, c);
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
async function checkLearnerCosts(bed, chip, run, found) {
  const costed = bed.finders.includes(run) ? `${run}/given` : run;
  const argument = { ...runArgument(bed, costed), path: "c" };
  const c = costed === run ? found : readOutcome(await bed.runOn(chip, argument));
  const places = bed.forgetful.includes(run) ? await forgetting(bed, chip, costed) : [];
  checkCosts(chip, run, SIZE, c, places);
}

/** The same of classes that share a dictionary. */
async function checkSharedCosts(bed, chip, run) {
  const argument = { ...runArgument(bed, `${run}/given`), path: "c" };
  checkShared(chip, run, SIZE, readOutcome(await bed.runOn(chip, argument)));
}

/** The same where a learner forgets: samples close together, and samples with kernel 0 to one another. */
async function forgetting({ firmware, onNode }, chip, run) {
  const found = [];
  for (const place of ["near", "far"]) {
    const argument = { run, place, steps: FILLED, ...SIZE };
    const wasm = await onNode({ ...argument, path: "wasm" });
    const c = readOutcome(await runFirmware(firmware[chip], { ...argument, path: "c" }));
    check(`${run}, ${place}: ${chip} ends where Node does`, c.hash === wasm.hash, c);
    found.push(c);
  }
  return found;
}

/** Each learner's run on that chip; with `isSmoke` a few, and all in which chips differ. */
export async function checkHashes(bed, chip, isSmoke) {
  const rows = await each(isSmoke ? SMOKE : bed.subjects, (run) => onEach(bed, chip, run));
  printTable(`State hashes after ${bed.steps} steps (${SIZE_TEXT})`, [
    ["", "Node, WebAssembly", `XS on ${chip}, C`],
    ...rows.map(({ run, wasm, c }) => [run, wasm.hash, c.hash]),
  ]);
  printTable(`Memory on ${chip} (${SIZE_TEXT}), bytes; XS slots of 16`, [
    ["", "range", "least", "over", "slots", "chunks", "left of 94208", "C stack, steps", "in all"],
    ...rows.map(({ run, c, left, deepest }) => {
      const least = bed.minima[run];
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
 * The longest turn of a node with each learner: the FIFO is as full as credit allows, with a sample or three
 * labels; a turn takes one.
 */
export async function checkTurns({ firmware, onNode, subjects }, chip) {
  // One-vs-all is made of learners: a node of it, made inside a program, needs more stack than the 384 slots
  // of the chip.
  const names = subjects.filter((name) => !["node", "wire"].includes(name) && !name.startsWith("ova:"));
  const rows = await each(names, async (name) => {
    const argument = { run: `turn:${name}`, steps: TURNS, settled: TURNS / 2, ...SIZE };
    const ts = await onNode({ ...argument, path: "js" });
    const c = readOutcome(await runFirmware(firmware[chip], { ...argument, path: "c" }));
    check(`${name}: a node at its wire ends where Node does`, c.hash === ts.hash, c);
    check(`${name}: no turn allocates`, !allocates(c), c);
    return [name, c.size, c.mostPerStep, (c.mostPerStep / CHIP_HZ) * 1000];
  });
  printTable(`The longest of ${TURNS} turns on ${chip}, a sample or a label in each (${SIZE_TEXT})`, [
    ["", "stored", "instructions", "ms at 160 MHz, one a cycle"],
    ...rows.map(([name, size, most, ms]) => [name, size, most, ms?.toFixed(1)]),
  ]);
}

export async function countLearner(bed, chip, run) {
  countRun(chip, run, readOutcome(await bed.runOn(chip, { ...runArgument(bed, run), path: "c" })));
}
