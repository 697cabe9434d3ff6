// Each learner's node: it starts in its planned memory, learns as this machine does, and resumes after a power cut.
import { check } from "../device/checks.mjs";
import {
  drawRows,
  NODE,
  notesSamples,
  readPlan,
  restart,
  startFresh,
  teach,
  watched,
  writeRows,
} from "./node.mjs";

const SAMPLES = 200;

/** Where a labeller starts so late, on a busy machine, that the node has discarded samples by then, the node starts anew: so often at most. */
const TRIES = 5;

/** A fresh node that learned the recording's labels, and how; `flags`: of plan and flash. */
async function startTaught(learner, from, flags, tries = TRIES) {
  const board = await startFresh(learner, NODE, from, ...flags);
  const taught = await teach(from);
  const { expired = 0 } = taught.summary.labels?.counted ?? {};
  if (expired === 0 || tries === 1) return { board, taught };
  await board.cut();
  return startTaught(learner, from, flags, tries - 1);
}

/** Returns the static memory that the node had, and what it took; `flags`: of plan and flash. */
export async function tryLearner(learner, ...flags) {
  const { bytes } = readPlan(learner, ...flags).target.ram;
  const ordered = notesSamples(learner, ...flags);
  const from = writeRows(NODE, drawRows(SAMPLES));
  const { board: first, taught } = await startTaught(learner, from, flags);
  check(
    `${learner}: its self-test agrees`,
    first.lines.some((line) => line.startsWith("same bits")),
    first.lines.at(-2),
  );
  const { compared, state: before, labels = {} } = taught.summary;
  check(`${learner}: its labels are learned`, taught.code === 0 && labels.durable === SAMPLES, [
    taught.errors,
    labels,
  ]);
  check(`${learner}: this machine's state`, compared?.same === true, compared);
  const { slots, chunks, turn } = await watched(learner);
  await first.cut();
  const board = await restart(NODE);
  const again = await teach(from);
  const [hello] = again.starts;
  check(`${learner}: it resumes after a power cut`, hello?.restore === "restored", hello);
  const resumed = again.summary.state;
  if (ordered) check(`${learner}: with every label`, resumed?.labelled === before?.labelled, resumed);
  else check(`${learner}: with the same hash`, resumed?.stateHash === before?.stateHash, resumed);
  await board.cut();
  return { learner, ordered, bytes, measured: { slots, chunks, turn } };
}
