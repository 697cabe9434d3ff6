// A node's update over its wire, with power cuts within the transfer and within the trial.
import { setTimeout as wait } from "node:timers/promises";
import { check } from "../device/checks.mjs";
import { start } from "../device/test/commands.mjs";
import {
  drawRows,
  flashCommand,
  NODE,
  PORT,
  partitionIn,
  restart,
  samplePeriod,
  startFresh,
  UNTIL_IT_SPEAKS,
  writeRows,
} from "./node.mjs";

const SAMPLES = 200;
/** Where partition otadata has the states of both firmwares, and their values, as the bootloader has them (esp_flash_partitions.h). */
const OTA = { entries: [0, 0x1000], state: 24, pending: 1, valid: 2, aborted: 4 };

/** The states of both firmwares, that of the newest first; fewer where none was ever started by an update. */
function otaStates() {
  const data = partitionIn(NODE, "otadata");
  const entries = OTA.entries.map((offset) => data.subarray(offset));
  const written = entries.filter((entry) => entry.readUInt32LE(0) !== 0xffffffff);
  written.sort((one, other) => other.readUInt32LE(0) - one.readUInt32LE(0));
  return written.map((entry) => entry.readUInt32LE(OTA.state));
}

const POLL_MS = 50;

/** `flash --ota` to the node, of a firmware with another period. */
function sendUpdate(learner, from) {
  const lines = [];
  const args = flashCommand(
    learner,
    NODE,
    from,
    "--ota",
    PORT,
    ...UNTIL_IT_SPEAKS,
    "--period",
    samplePeriod(learner) + 1,
  );
  const begun = start(args, (line) => lines.push(line), { limitMs: Number.POSITIVE_INFINITY });
  const sent = { ...begun, lines, over: false };
  sent.ended = begun.ended.finally(() => {
    sent.over = true;
  });
  return sent;
}

/** Resolves when that holds, or the update has ended. */
async function until(update, holds) {
  while (!update.over && !holds()) await wait(POLL_MS);
}

const isRunning = (lines) => lines.some((line) => /runs this firmware already/.test(line));

/**
 * Updates the node over its wire. The power is cut within the transfer, which the same command resumes; then within the trial of the new
 * firmware, so the bootloader returns to the old one; then the same command has it run, and it stays after another cut.
 */
export async function tryUpdate(learner) {
  const from = writeRows(NODE, drawRows(SAMPLES));
  let board = await startFresh(learner, NODE, from);
  const first = sendUpdate(learner, from);
  await until(first, () => first.lines.some((line) => /^sent [1-9]/.test(line)));
  await board.cut();
  first.child.kill("SIGTERM");
  await first.ended;
  board = await restart(NODE);
  const second = sendUpdate(learner, from);
  await until(second, () => otaStates()[0] === OTA.pending);
  check(
    "an update that was cut off resumes",
    second.lines.some((line) => / are there already$/.test(line)),
    second.lines,
  );
  await board.cut();
  // The old firmware confirms itself in the place of that note soon after.
  let noted = false;
  const watched = until(second, () => {
    noted ||= otaStates().includes(OTA.aborted);
    return noted;
  });
  board = await restart(NODE);
  await watched;
  const fallen = await second.ended;
  check("a cut within the trial: the old firmware runs", /fell back/.test(fallen.errors), fallen);
  check("which the bootloader noted", noted, otaStates());
  const third = sendUpdate(learner, from);
  const { code, errors } = await third.ended;
  check("the update runs in the end", code === 0, [errors, third.lines.at(-1)]);
  check("and is confirmed", otaStates()[0] === OTA.valid, otaStates());
  await board.cut();
  board = await restart(NODE);
  const last = sendUpdate(learner, from);
  await last.ended;
  check("it stays after a power cut", isRunning(last.lines), last.lines);
  await board.cut();
  return { learner };
}
