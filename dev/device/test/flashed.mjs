// Each learner's firmware as `motelearn flash` plans it for an ESP32-C3 starts, and takes samples, in the memory that flash gives it, on the
// emulated chip; and without what plan counts for its start its memory is full. So do nodes of several sensors and parts.
import { buildFirmware, runFirmware } from "../../../targets/emulator/device.mjs";
import { flashable, flashedProgram, flashedScript, readPlan } from "../../../targets/emulator/flashed.mjs";
import { check, each, printTable, readOutcome } from "../checks.mjs";
import { drawNodes } from "./drawn-nodes.mjs";

/** The chip of an ESP32-C3's kind. */
const CHIP = "rv32imac";
/** Samples that sdk/flashed.ts waits for. */
const SAMPLES = 2;
const START = /^start/;
const MEMORY_FULL = 71;

/** Checks that it starts in what flash gives it, and not without its start in that. Returns the bytes of its block that are left. */
async function checkStart(learner, firmware, bytes) {
  const started = await runFirmware(firmware, {}, undefined, bytes);
  const { seq } = readOutcome(started);
  check(`${learner}: its firmware starts in the memory that flash gives it`, seq === SAMPLES, started);
  const { items } = (await readPlan(learner)).target.ram;
  const { chunk, slots } = items.find(({ item }) => START.test(item));
  const less = await runFirmware(firmware, {}, undefined, bytes - chunk - 16 * slots);
  check(`${learner}: without its start the memory is full`, less.code === MEMORY_FULL, less);
  return Number(/block left (\d+)/.exec(started.lines.join(" "))?.[1]);
}

/**
 * Checks that slots and chunks each stay within what plan counts of them: an ESP32-C3 has one block for both, and an ESP32 a part for each.
 */
async function checkParts(name, started, learner, more) {
  const [, ...peaks] = /peak (\d+); chunks now \d+ B, peak (\d+)/.exec(started.lines.join(" ")) ?? [];
  const { items } = (await readPlan(learner, more)).target.ram;
  const planned = ["slots", "chunk"].map((part) => items.reduce((sum, item) => sum + item[part], 0));
  const fits = peaks.length > 0 && peaks.every((peak, i) => Number(peak) <= planned[i]);
  check(`${name}: ${peaks.join(" slots, ")} bytes of ${planned.join(" slots, ")} planned`, fits, started);
}

/** Nodes of several sensors, with windows and optional parts: what plan counts of each adds up. */
const NODES = [
  "pa --dimension 8 --window 8",
  "olk-c --dimension 5 --window 64 --bands 4",
  'olk-r --dimension 8 --window 16 --node {"coverage":0.9,"labelWindow":8}',
  'kernel-perceptron --dimension 2 --node {"fleetBudget":40}',
  'robust-z --dimension 8 --window 8 --node {"drift":"restart"}',
  'auto --dimension 3 --window 2 --node {"coverage":0.9,"drift":"watch","fleetBudget":16}',
  'arow --dimension 8 --window 8 --options {"balanced":true} --node {"labelBudget":0.1,"coverage":0.9,"drift":"restart","fleetBudget":0}',
  // The text of the layout of what lies inside stands in that of the whole, too.
  'auto --pending 256 --options {"balanced":true}',
];
/** Further ones, drawn with this seed. */
const [DRAWN, SEED] = [40, 1];

/** Checks that the firmware of such nodes starts. */
async function checkNodes(linux, program, nodes) {
  await each(nodes, async (name) => {
    const [learner, ...more] = name.split(" ");
    const { script, creation } = await flashedScript(program, learner, { more });
    const started = await runFirmware(
      await buildFirmware(CHIP, linux, script),
      {},
      undefined,
      creation.static,
    );
    check(`${name}: starts in the memory that flash gives it`, readOutcome(started).seq === SAMPLES, started);
    await checkParts(name, started, learner, more);
  });
}

/** Of each way to store and to learn, one: with --brief, as in CI. */
const BRIEF = ["auto", "olk-c", "pa", "arow", "krls-ald", "nogd", "fogd", "oskm"];

/** So many of the nodes, with most parts, run with --brief. */
const BRIEF_NODES = 3;

/** `isBrief`: a few learners and nodes in place of all, and none that are drawn. */
export async function checkFlashed(linux, isBrief) {
  const program = await flashedProgram();
  const learners = flashable().filter((learner) => !isBrief || BRIEF.includes(learner));
  const rows = await each(learners, async (learner) => {
    const { script, creation } = await flashedScript(program, learner);
    const bytes = creation.static;
    const left = await checkStart(learner, await buildFirmware(CHIP, linux, script), bytes);
    return [learner, bytes, left];
  });
  printTable(`Firmware as flash plans it for an ESP32-C3, started on ${CHIP}: bytes`, [
    ["", "creation.static", "left"],
    ...rows,
  ]);
  await checkNodes(
    linux,
    program,
    isBrief ? NODES.slice(-BRIEF_NODES) : [...NODES, ...drawNodes(DRAWN, SEED)],
  );
}
