// npm run build:costs [-- WHAT... --chip NAME... --plugin FILE...]: measures learners and node at several
// sizes on the emulated chips, fits the cost model, and writes targets/costs.json for `motelearn plan
// --target`. WHAT is a learner, or one of node, spectrum, parts, width, wire, problem, shared, objects, stack, start, beside;
// the default is all. It writes the file after each. --chip limits the chips; --plugin adds learners. The learners'
// counts stay in targets/emulator/sized-counts.json; --fit fits the model to these again, and measures nothing.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIRMWARE_CHIPS, lackMessage } from "../../targets/emulator/chips.mjs";
import { readCommandLine, refuse } from "../../targets/emulator/command-line.mjs";
import { buildFirmware } from "../../targets/emulator/device.mjs";
import { root } from "../../targets/emulator/engine.mjs";
import {
  countLearner,
  coverLongFinding,
  coverLongRun,
  fitLearner,
  measureFound,
  measureProblem,
  measureShared,
  measureSources,
  measureWidth,
} from "./costs/learners.mjs";
import { measureObjects, measureStack, OBJECTS } from "./costs/memory.mjs";
import { measureNode, measureParts, measureSpectrum, measureWire } from "./costs/node.mjs";
import { BYTES, SIZES } from "./costs/sizes.mjs";
import { measureBeside, measureStart } from "./costs/start.mjs";
import { dearer, isShort, isVariant, loadSubjects } from "./costs/subjects.mjs";

const file = join(root, "targets/costs.json");
const before = JSON.parse(readFileSync(file, "utf8"));
const countsFile = join(root, "targets/emulator/sized-counts.json");
const { chips: counted } = JSON.parse(readFileSync(countsFile, "utf8"));
const { chips: longRuns } = JSON.parse(readFileSync(join(root, "targets/emulator/counts.json"), "utf8"));
const { positionals: named, values } = readCommandLine(
  "build:costs",
  "WHAT..., --chip NAME, --plugin FILE, --fit",
  {
    allowPositionals: true,
    options: {
      fit: { type: "boolean", default: false },
      plugin: { type: "string", multiple: true, default: [] },
      chip: { type: "string", multiple: true, default: FIRMWARE_CHIPS },
    },
  },
);
const isWanted = (what) => named.length === 0 || named.includes(what);

const strange = values.chip.find((name) => !FIRMWARE_CHIPS.includes(name));
if (strange !== undefined) refuse("build:costs", `--chip ${strange}: takes ${FIRMWARE_CHIPS.join(", ")}`);
const lack = !values.fit && lackMessage("build:costs", values.chip);
if (lack) {
  console.log(lack);
  process.exit(1);
}

const subjects = await loadSubjects(values.plugin);
const { program, linux, names, learners, finders } = subjects;
const filed = Object.values(before.instructions).flatMap((chip) => Object.keys(chip.learners));
/** Learners, with each of the options that cost apart; and with several of these, or 16 bits, as are named or in the file. */
const costed = [
  ...new Set([
    ...learners.flatMap((name) => [name, ...dearer(name)]),
    ...[...names, ...named, ...filed].filter((name) => isVariant(name, learners)),
  ]),
];

/** Learners whose finding of the width to measure: those that are named, if any are. */
function wantedFinders() {
  const all = finders.filter((name) => learners.includes(name));
  return learners.some((name) => named.includes(name)) ? all.filter((name) => named.includes(name)) : all;
}

/**
 * Measurements of a chip besides learners, in this order: a spectrum is measured beside a node, several
 * classes beside OLK-C.
 */
const OF_CHIP = {
  node: measureNode,
  spectrum: (firmware, { node }) => measureSpectrum(firmware, node),
  parts: (firmware, _, chip) => measureParts(firmware, chip),
  sources: measureSources,
  wire: measureWire,
  problem: (firmware, { learners }) => measureProblem(firmware, learners["olk-c"]),
  shared: measureShared,
  width: measureWidth,
  found: async (firmware, { found }) => ({ ...found, ...(await measureFound(firmware, wantedFinders())) }),
};

const BESIDES = ["objects", "stack", "start", "beside"];
const known = [...costed, ...Object.keys(OF_CHIP), ...BESIDES];
const unknown = named.find((name) => !known.includes(name));
if (unknown) {
  const others = [...Object.keys(OF_CHIP), ...BESIDES].join(", ");
  console.log(
    `build:costs: no learner ${unknown}, nor one of ${others}; one from outside takes --plugin FILE`,
  );
  process.exit(2);
}

/** Makes the requested measurements of a chip, and updates its part of the file. */
async function measureChip(chip) {
  const of = before.instructions[chip];
  let firmware;
  const measure = async (to, what, measured) => {
    if (!isWanted(what)) return;
    firmware ??= await buildFirmware(chip, linux, program);
    to[what] = await measured(firmware);
    coverLongRuns(chip);
    console.log(chip, what, ...errorsIn(to[what]));
    write();
  };
  for (const name of costed)
    await measure(of.learners, name, async (firmware) => {
      counted[chip] ??= {};
      counted[chip][name] = await countLearner(firmware, name, subjects);
      return fitLearner(name, counted[chip][name], subjects);
    });
  for (const [what, measured] of Object.entries(OF_CHIP))
    await measure(of, what, (firmware) => measured(firmware, of, chip));
}

/** Has a chip's errors cover the longest label of each long run, too. */
function coverLongRuns(chip) {
  const { learners: fitted, found = {} } = before.instructions[chip];
  const longest = (run) => longRuns[chip]?.[run]?.longest;
  for (const name of Object.keys(fitted)) fitted[name] = coverLongRun(name, fitted[name], longest, subjects);
  for (const name of Object.keys(found)) found[name] = coverLongFinding(name, found[name], longest);
}

const percent = (error) => `${(100 * error).toFixed(1)} %`;

/** The errors of fits, by name where there are several. */
function errorsIn(found) {
  if (found.error !== undefined) return [percent(found.error)];
  return Object.entries(found).flatMap(([of, { error }]) =>
    error === undefined ? [] : [`${of} ${percent(error)}`],
  );
}

function range(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function write() {
  const dimension = range(SIZES.map(([d]) => d));
  const [rows, bytes] = [SIZES, BYTES].map((sizes) => range(sizes.map(([, size]) => size)));
  const measured = { dimension, rows, bytes };
  const { engine, objects, wire, stack, start } = before;
  const instructions = Object.fromEntries(
    FIRMWARE_CHIPS.map((chip) => [chip, sortLearners(before.instructions[chip])]),
  );
  const made = "npm run build:costs";
  writeFileSync(file, JSON.stringify({ made, measured, engine, objects, wire, stack, start, instructions }));
  const chips = Object.fromEntries(FIRMWARE_CHIPS.map((chip) => [chip, inOrder(counted[chip] ?? {})]));
  writeFileSync(countsFile, JSON.stringify({ made, chips }));
  const formatted = ["format", "--write", file, countsFile];
  execFileSync(join(root, "node_modules/.bin/biome"), formatted, { stdio: "ignore" });
}

/** Fits the model to the counts of the learners that were counted, and prints each learner's errors. */
function fitAgain() {
  for (const chip of values.chip) {
    const { learners: fitted } = before.instructions[chip];
    for (const [name, counts] of Object.entries(counted[chip] ?? {}))
      fitted[name] = fitLearner(name, counts, subjects);
    coverLongRuns(chip);
    for (const name of costed.filter((name) => isWanted(name) && fitted[name]))
      console.log(chip, name, ...errorsIn(fitted[name]));
  }
  write();
}

/** What was found of learners, in a fixed order: plugins' learners come last. */
function inOrder(of) {
  const names = [...new Set([...learners, ...Object.keys(of)])].filter((name) => of[name]);
  return Object.fromEntries(names.map((name) => [name, of[name]]));
}

/** A chip's measurements in a fixed order. */
function sortLearners({ learners: measured, ...of }) {
  const parts = Object.keys(OF_CHIP).map((what) => [what, of[what]]);
  return { ...Object.fromEntries(parts), learners: inOrder(measured) };
}

/** Learners whose memory to measure: those that are named, if any are. */
const sized = costed.filter((name) => !isShort(name, learners));
const ofMemory = sized.some((name) => named.includes(name))
  ? sized.filter((name) => named.includes(name))
  : sized;

if (values.fit) {
  fitAgain();
  process.exit();
}
if (values.chip.includes(OBJECTS) && isWanted("objects")) {
  const { engine, objects, wire } = await measureObjects(subjects, ofMemory);
  const all = { ...before.objects?.learners, ...objects.learners };
  Object.assign(before, { engine, wire, objects: { ...objects, learners: all } });
  write();
}
if (values.chip.includes(OBJECTS) && isWanted("stack")) {
  before.stack = await measureStack(subjects, sized);
  console.log("stack", before.stack);
  write();
}
if (values.chip.includes(OBJECTS) && isWanted("start")) {
  const { flashed, own, longestStep } = await measureStart(linux, ofMemory);
  const { start } = before;
  before.start = {
    flashed: { ...start?.flashed, ...flashed },
    own: { ...start?.own, ...own },
    longestStep,
    beside: start?.beside,
  };
  write();
}
if (values.chip.includes(OBJECTS) && isWanted("beside")) {
  before.start.beside = await measureBeside(linux);
  write();
}
for (const chip of values.chip) {
  before.instructions[chip] ??= { learners: {} };
  await measureChip(chip);
}
