// Each learner's firmware as `motelearn flash` plans it for an ESP32-C3 starts, and takes samples, in the memory that flash gives it, on the
// emulated chip and on the Linux machine; and without what plan counts for its start its memory is full.
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import {
  flashable,
  flashedProgram,
  flashedScript,
  planOf,
  startOnLinux,
} from "../../../targets/emulator/flashed.mjs";
import { check, each, outcomeOf, printTable } from "../checks.mjs";

/** The chip of an ESP32-C3's kind. */
const CHIP = "rv32imac";
/** Samples that sdk/flashed.ts waits for. */
const SAMPLES = 2;
const START = /^start/;
const MEMORY_FULL = 71;

/** Checks that it started; returns the bytes of its block that are left. */
function checkStart(learner, where, result) {
  const { seq } = outcomeOf(result);
  check(
    `${learner}: its firmware starts ${where} in the memory that flash gives it`,
    seq === SAMPLES,
    result,
  );
  return Number(/block left (\d+)/.exec(result.lines.join(" "))?.[1]);
}

/** Without its start, in what is left of the memory. */
async function checkLess(linux, learner, { creation, script }) {
  const { items } = (await planOf(learner)).target.ram;
  const { chunk, slots } = items.find(({ item }) => START.test(item));
  const less = await startOnLinux(linux, script, creation.static - chunk - 16 * slots);
  check(`${learner}: without its start the memory is full`, less.code === MEMORY_FULL, less);
}

/** Of each way to store and to learn, one: with --brief, as in CI. */
const BRIEF = ["auto", "olk-c", "pa", "arow", "krls-ald", "nogd", "fogd", "oskm"];

/** `isBrief`: a few learners in place of all. */
export async function checkFlashed(linux, isBrief) {
  const program = await flashedProgram();
  const learners = flashable().filter((learner) => !isBrief || BRIEF.includes(learner));
  const rows = await each(learners, async (learner) => {
    const flashed = await flashedScript(program, learner);
    const { static: bytes } = flashed.creation;
    checkStart(learner, "on Linux", await startOnLinux(linux, flashed.script, bytes));
    await checkLess(linux, learner, flashed);
    const firmware = await buildFirmware(CHIP, linux, flashed.script);
    const left = checkStart(learner, `on ${CHIP}`, await runFirmware(firmware, {}, undefined, bytes));
    return [learner, bytes, left];
  });
  printTable(`Firmware as flash plans it for an ESP32-C3, started on ${CHIP}: bytes`, [
    ["", "creation.static", "left"],
    ...rows,
  ]);
}
