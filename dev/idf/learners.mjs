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

/** Returns the static memory that the node had, and what it took. */
export async function tryLearner(learner) {
  const { bytes } = readPlan(learner).target.ram;
  const from = writeRows(NODE, drawRows(SAMPLES));
  let board = await startFresh(learner, NODE, from);
  check(
    `${learner}: its self-test agrees`,
    board.lines.some((line) => line.startsWith("same bits")),
    board.lines.at(-2),
  );
  const taught = await teach(from);
  const { compared, state: before, labels = {} } = taught.summary;
  check(`${learner}: its labels are learned`, taught.code === 0 && labels.durable === SAMPLES, [
    taught.errors,
    labels,
  ]);
  check(`${learner}: this machine's state`, compared?.same === true, compared);
  const { slots, chunks, turn } = await watched(learner);
  await board.cut();
  board = await restart(NODE);
  const again = await teach(from);
  const [hello] = again.starts;
  check(`${learner}: it resumes after a power cut`, hello?.restore === "restored", hello);
  const resumed = again.summary.state;
  if (notesSamples(learner))
    check(`${learner}: with every label`, resumed?.labelled === before?.labelled, resumed);
  else check(`${learner}: with the same hash`, resumed?.stateHash === before?.stateHash, resumed);
  await board.cut();
  return { learner, ordered: notesSamples(learner), bytes, measured: { slots, chunks, turn } };
}
