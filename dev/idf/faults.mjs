// Nodes with a fault of their application: a turn that hangs, and sensors that don't fit the node.
import { join } from "node:path";
import { root } from "../../targets/emulator/engine.mjs";
import { check } from "../device/checks.mjs";
import { drawRows, FAULTY, startFresh, teach, writeRows } from "./node.mjs";

const SAMPLES = 60;
/** Seconds without a word from the node: a hang takes 5, and the start after it 3. */
const PATIENCE_S = 60;

const include = (name) => ["--include", join(root, "dev/idf/faulty", `${name}.json`)];

/**
 * A turn hangs at the 31st sample after each start: the watchdog restarts the board, and the node resumes from its checkpoint, until it has learned all
 * labels. Returns the learner and the restarts.
 */
export async function tryWatchdog(learner) {
  const from = writeRows(FAULTY, drawRows(SAMPLES));
  const board = await startFresh(learner, FAULTY, from, ...include("hangs"));
  const { code, errors, starts, summary } = await teach(from, "--give-up", PATIENCE_S);
  await board.cut();
  const [, ...restarts] = starts;
  check("the watchdog restarts a node that hangs", restarts.length > 0, starts);
  check(
    "which resumes from its checkpoint",
    restarts.every(({ restore, labelled }) => restore === "restored" && labelled > 0),
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
