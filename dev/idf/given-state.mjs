// A node that is flashed with a state: it begins with what this machine learned from a recording, and learns on from there.
import { join } from "node:path";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check } from "../device/checks.mjs";
import { start } from "../device/test/commands.mjs";
import { drawRows, NODE, notesSamples, PENDING, restart, startFresh, writeRows } from "./node.mjs";
import { stateHashes, teachOnce, until } from "./taught.mjs";

const SAMPLES = 200;
/** Labels that the node learns beyond them. */
const MORE_LABELS = 30;

/** Has this machine learn the recording, and returns the file of its state. */
async function learnHere(learner, from) {
  const file = join(NODE, "state.json");
  const data = ["--train", from, "--pending", `${PENDING}`, "--save", file];
  const { code, errors } = await start([MOTELEARN, "evaluate", "--learner", learner, ...data], () => {})
    .ended;
  check(`${learner}: this machine's state is saved`, code === 0, errors);
  return file;
}

/** Has the node learn labels beyond those of the state; returns its last hash beside that of this machine, which learned all. */
async function learnOn(rows, hashes) {
  const life = await teachOnce(rows);
  await until(() => life.hello && life.labelled >= SAMPLES + MORE_LABELS);
  life.state = undefined; // it asks again
  await until(() => life.state);
  life.end();
  const { hello, state, durable } = life;
  return { hello, state, durable, due: state && hashes(state.labelled) };
}

/** Returns the learner. */
export async function tryState(learner) {
  const rows = drawRows(SAMPLES);
  const from = writeRows(NODE, rows);
  let board = await startFresh(learner, NODE, from, "--state", await learnHere(learner, from));
  // It may take a sample before it says so.
  const begins = new RegExp(`^the node begins with the state after sample \\d+ and label ${SAMPLES}$`);
  const isThere = board.lines.some((line) => begins.test(line));
  check(`${learner}: it begins with that state`, isThere, board.lines.at(-2));
  const hashes = await stateHashes(NODE, rows);
  const isSame = ({ state, due }) =>
    state?.labelled > SAMPLES && (notesSamples(learner) || state.hash === due);
  const first = await learnOn(rows, hashes);
  check(`${learner}: it learns on to this machine's state`, isSame(first), first);
  await board.cut();
  board = await restart(NODE);
  const second = await learnOn(rows, hashes);
  check(`${learner}: what was durable is there after a cut`, second.hello?.labelled >= first.durable, second);
  check(`${learner}: and it learns on from there`, isSame(second), second);
  await board.cut();
  return { learner };
}
