// npm run bench:device -- [--learner NAME] [--json]: RV32 instructions of a predict and of a learn,
// dictionary filled, with and without floating point in hardware: all in JS; with the C primitives; a predict
// in plain C without an engine. All three start from the same state, and must agree to the bit. With
// --frames: instructions of a frame with a key and without, on every chip that runs the firmware. Exit code 0
// if measured, whether goals are met or missed; 1 if Debian packages are missing, a run fails or results
// differ; 2 for a wrong command line.

import { bundle } from "../../../targets/emulator/bundle.mjs";
import { FIRMWARE_CHIPS, lackMessage } from "../../../targets/emulator/chips.mjs";
import { readCommandLine, refuse } from "../../../targets/emulator/command-line.mjs";
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import { buildLinux } from "../../../targets/emulator/engine.mjs";
import { each, printTable, readOutcome } from "../checks.mjs";
import { benchFrames, Failure } from "./frames.mjs";
import { buildPlain, learnPlain, predictPlain, states } from "./plain.mjs";

const SIZE = { dimension: 8, budget: 64 };
/** The board, and whether it has an FPU, to which the goal against JS applies. */
const BOARDS = { rv32imafc: true, rv32imac: false };
/** Steps for the mean cost of a learn, after the budget is full; an OSKM step takes a second in JS. */
const MEASURED = 64;
const MEASURED_OSKM = 4;
/** A budget that isn't full by then is measured partly filled. */
const MOST_STEPS = 2_000;

/** C primitives against JS at least, C primitives against plain C at most. */
const GOALS = { fewerThanJs: 50, predictTimesPlainC: 1.2, learnTimesPlainC: 1.3 };

async function run(firmware, argument, state) {
  const outcome = readOutcome(await runFirmware(firmware, argument));
  if (outcome.hash === state.hash) return outcome;
  throw new Failure(
    `${argument.run}, ${argument.path}: ended in ${outcome.hash}; Node ends in ${state.hash}`,
  );
}

/** Instructions of a predict or learn in plain C; undefined for a learner that it doesn't know. */
async function plainInstructions(run, program, name, state, image) {
  if (!image) return undefined;
  const { fault, instructions } = await run(program, state);
  if (fault) throw new Failure(`${name}: ${fault}`);
  return instructions;
}

/** True if the learner meets each of its goals, by comparison. */
function judgeGoals(kind, floatingPoint, predict, learn) {
  const fewer = GOALS.fewerThanJs;
  const goals = [];
  if (floatingPoint && kind !== "linear") {
    goals.push({ of: "predict", against: "js", atLeast: fewer, met: predict.timesFewerThanJs >= fewer });
    goals.push({ of: "learn", against: "js", atLeast: fewer, met: learn.timesFewerThanJs >= fewer });
  }
  const against = (of, { timesPlainC }, most) =>
    timesPlainC && goals.push({ of, against: "plainC", atMost: most, met: timesPlainC <= most });
  against("predict", predict, GOALS.predictTimesPlainC);
  against("learn", learn, GOALS.learnTimesPlainC);
  return goals;
}

async function measure({ firmware, plain, floatingPoint }, name, { programName, stepsToFill, stateAfter }) {
  const { dimension, budget } = SIZE;
  const measured = name === "oskm" ? MEASURED_OSKM : MEASURED;
  const steps = stepsToFill(name, dimension, budget, MOST_STEPS) + measured;
  const state = stateAfter(name, dimension, budget, steps, measured);
  const { kind, stored } = state;
  const argument = { run: programName(name), steps, measured, ...SIZE };
  const js = await run(firmware, { ...argument, path: "js" }, state);
  const c = await run(firmware, { ...argument, path: "c" }, state);
  const pair = (of, plainC) => ({
    ...{ js: js[of], c: c[of], timesFewerThanJs: js[of] / c[of] },
    ...(plainC && { plainC, timesPlainC: c[of] / plainC }),
  });
  const learn = pair("perStep", await plainInstructions(learnPlain, plain, name, state, state.learn));
  const predict = pair("perPredict", await plainInstructions(predictPlain, plain, name, state, state.image));
  const goals = judgeGoals(kind, floatingPoint, predict, learn);
  return { name, kind, steps, measured, stored, predict, learn, goals };
}

function goalText({ of, against, atLeast, atMost, met }) {
  const what = against === "js" ? `${of} JS/C >= ${atLeast}` : `${of} C/plain C <= ${atMost}`;
  return `${what} ${met ? "met" : "missed"}`;
}

function pathCells({ js, c, timesFewerThanJs, plainC, timesPlainC }) {
  return [js, c, timesFewerThanJs.toFixed(1), plainC ?? "", timesPlainC?.toFixed(2) ?? ""];
}

function benchRow({ name, steps, stored, predict, learn, goals }) {
  return [name, steps, stored, ...pathCells(predict), ...pathCells(learn), goals.map(goalText).join(", ")];
}

function print({ isa, learners }) {
  const columns = ["C", "JS/C", "plain C", "C/plain C"];
  const head = ["learner", "steps", "stored", "predict JS", ...columns, "learn JS", ...columns, "goals"];
  printTable(`${isa}, d=8, budget=64: instructions a call`, [head, ...learners.map(benchRow)]);
}

async function bench(names, given, json) {
  const { program } = await bundle();
  const linux = await buildLinux();
  const boards = [];
  for (const [isa, floatingPoint] of Object.entries(BOARDS)) {
    const firmware = await buildFirmware(isa, linux, program);
    const plain = await buildPlain(isa);
    const learners = await each(names, (name) => measure({ firmware, plain, floatingPoint }, name, given));
    boards.push({ isa, floatingPoint, learners });
    if (!json) print(boards.at(-1));
  }
  const goals = boards.flatMap(({ learners }) => learners.flatMap(({ goals }) => goals));
  const met = goals.filter(({ met }) => met).length;
  if (json) console.log(JSON.stringify({ schema: "motelearn.bench-device/1", ...SIZE, boards }, null, 2));
  else {
    console.log(`
A learn is the mean of the last ${MEASURED} steps (oskm: ${MEASURED_OSKM}), a predict the last sample's, after as many steps as
the table says, a kernel's width being given. Goals: kernel learners, LOL and OSKM with an FPU at least ${GOALS.fewerThanJs} times fewer than JS; where there is plain C, at most
${GOALS.predictTimesPlainC} times that to predict, ${GOALS.learnTimesPlainC} to learn. ${met} of ${goals.length} met, ${goals.length - met} missed.`);
  }
}

function commandLine() {
  const flag = { type: "boolean", default: false };
  const options = { json: flag, frames: flag, learner: { type: "string" } };
  const { values } = readCommandLine("bench:device", "--json, --learner NAME, --frames", { options });
  if (values.frames && values.learner !== undefined)
    refuse("bench:device", "takes --frames or --learner NAME");
  return values;
}

/** Runs, and returns the exit code and the text for stderr. */
async function main() {
  const { json, frames, learner } = commandLine();
  const given = await states();
  const unknown = learner === undefined ? undefined : given.nameFault(learner);
  if (unknown) return [2, unknown];
  const lack = lackMessage("bench:device", frames ? FIRMWARE_CHIPS : Object.keys(BOARDS));
  if (lack) return [1, lack];
  try {
    if (frames) await benchFrames(json);
    else await bench(learner === undefined ? given.NAMES : [learner], given, json);
    return [0];
  } catch (error) {
    if (error instanceof Failure) return [1, error.message];
    throw error;
  }
}

const [code, line] = await main();
if (line) console.error(line.startsWith("bench:device") ? line : `bench:device: ${line}`);
process.exitCode = code;
