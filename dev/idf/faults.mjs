// Nodes with an impatient watchdog: one whose start takes longer; and ones with a fault of their application: a turn that hangs, and sensors that don't
// fit the node.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../targets/emulator/engine.mjs";
import { check } from "../device/checks.mjs";
import { drawRows, FAULTY, readPlan, startFresh, teach, writeRows } from "./node.mjs";
import { all } from "./order.mjs";

const SAMPLES = 60;
/** The watchdog's patience in the shipped configuration, and here: a start takes longer. */
const [SHIPPED, HASTY] = ["CONFIG_ESP_TASK_WDT_TIMEOUT_S=5", "CONFIG_ESP_TASK_WDT_TIMEOUT_S=1"];

/** Includes the application with that fault, and the shipped configuration with the hasty watchdog. */
function include(fault) {
  const shipped = readFileSync(join(root, "targets/moddable/sdkconfig/sdkconfig.defaults"), "utf8");
  if (!shipped.includes(SHIPPED)) throw new Error(`sdkconfig.defaults: no ${SHIPPED}`);
  mkdirSync(join(FAULTY, "sdkconfig"), { recursive: true });
  writeFileSync(join(FAULTY, "sdkconfig/sdkconfig.defaults"), shipped.replace(SHIPPED, HASTY));
  const hasty = join(FAULTY, "hasty.json");
  writeFileSync(hasty, JSON.stringify({ build: { SDKCONFIGPATH: "./sdkconfig" } }));
  return ["--include", join(root, "dev/idf/faulty", `${fault}.json`), "--include", hasty];
}

/** The learner whose turns take longest, and so its start, which makes a hundred steps. */
function slowest() {
  const longestTurn = (learner) => readPlan(learner).target.unyielding.turnMs;
  return all.reduce((one, other) => (longestTurn(other) > longestTurn(one) ? other : one));
}

/** A node whose start takes longer than the watchdog waits lets the idle task run meanwhile. Returns its learner. */
export async function tryStart() {
  const learner = slowest();
  const from = writeRows(FAULTY, drawRows(SAMPLES));
  const said = await startFresh(learner, FAULTY, from, ...include("none")).then(
    (board) => board.cut().then(() => board.lines),
    ({ message }) => [message],
  );
  check(
    `${learner}: a start that takes longer than the watchdog waits ends`,
    said.some((line) => line.startsWith("same bits")),
    said.at(-1),
  );
  return { learner };
}

/**
 * A turn hangs at the 31st sample after each start: the watchdog restarts the board, and the node resumes from its checkpoint, until it has learned all
 * labels. Returns the learner and the restarts.
 */
export async function tryWatchdog(learner) {
  const from = writeRows(FAULTY, drawRows(SAMPLES));
  const board = await startFresh(learner, FAULTY, from, ...include("hangs"));
  const { code, errors, starts, summary } = await teach(from);
  await board.cut();
  const [, ...restarts] = starts;
  check("the watchdog restarts a node that hangs", restarts.length > 0, starts);
  check(
    "which resumes from its checkpoint",
    restarts.length > 0 && restarts.every(({ restore, labelled }) => restore === "restored" && labelled > 0),
    restarts,
  );
  check("and learns every label", code === 0 && summary.labels?.durable === SAMPLES, [
    errors,
    summary.labels,
  ]);
  check("to this machine's state", summary.compared?.same === true, summary.compared);
  return { learner, restarts: restarts.length };
}

/** A node that can't start says why on its wire, where it once was silent. */
export async function tryFault(learner) {
  const from = writeRows(FAULTY, drawRows(SAMPLES));
  const said = await startFresh(learner, FAULTY, from, ...include("misfits")).then(
    (board) => board.cut().then(() => "it started"),
    ({ message }) => message,
  );
  check("a node that can't start says why", /can't start: .*3/.test(said), said);
  return { learner };
}
