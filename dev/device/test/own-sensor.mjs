// Runs docs/own-sensor.md, the guide to your own sensor, from its board on, as written: the project that `init`
// writes, as firmware on the emulated chip, with labels from its recording.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../targets/emulator/engine.mjs";
import { guideArguments, installInto, MOTELEARN } from "../../../targets/emulator/own-project.mjs";
import { check } from "../checks.mjs";
import { start, startReady } from "./commands.mjs";

const costs = JSON.parse(readFileSync(join(root, "targets/costs.json"), "utf8"));
/** Slots of XS's stack that stay free where it goes deepest, which is where the learner is made: a user's own code is called from higher up. */
const FREE = 36;
/** What the board says at its end. */
const STACK = /used at most (\d+) of XS's (\d+) stack slots/;

function answers(path) {
  return new Promise((done) => {
    const socket = connect(path, () => done(true)).on("error", () => done(false));
    socket.unref();
  });
}

/**
 * Runs the guide's init and board, and starts its labels at once, as a sample waits for its label only so
 * long. The package must be built.
 */
export async function startOwnSensor() {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  installInto(place);
  const init = await start([MOTELEARN, ...guideArguments("init")], () => {}, { cwd: place }).ended;
  const rows = readFileSync(join(place, "recorded.csv"), "utf8").trim().split("\n").length - 1;
  const board = await startReady([MOTELEARN, ...guideArguments("board")], () => {}, { cwd: place });
  const events = [];
  const note = (line) => events.push(JSON.parse(line));
  const labels = start([MOTELEARN, ...guideArguments("labels"), "--json"], note, { cwd: place }).ended;
  return { place, init, rows, board, events, labels };
}

/** All must end well, each label be learned or expired, and most learned; the stack has room. */
export async function checkOwnSensor({ place, init, rows, board, events, labels }) {
  check("init ends well", init.code === 0 && init.errors === "", init);
  check("the board says where it is", board.first === "at unix:build/wire; Ctrl-C ends it", board.first);
  const labelled = await labels;
  const wire = join(place, "build/wire");
  const { mode } = statSync(wire);
  check("the socket of its wire is the user's alone", (mode & 0o077) === 0, mode);
  for (let times = 0; times < 2; times++) board.child.kill("SIGTERM");
  const left = await board.ended;
  const isLeft = await answers(wire);
  rmSync(place, { recursive: true });
  const summary = events.at(-1) ?? {};
  const { applied = 0, expired = 0, refused = 0 } = summary.labels?.counted ?? {};
  check("labels for it end well", labelled.code === 0 && labelled.errors === "", labelled);
  check("each of its labels is answered once", applied + expired + refused === rows, summary.labels);
  check("most of them are learned", applied > rows / 2 && refused === 0, summary.labels);
  check("it computes the same bits", summary.bits?.verdict === "same bits", summary.bits);
  check("SIGTERM, and another, ends it well", left.code === 0, left);
  checkStack(left.errors);
  check("no QEMU is left", !isLeft, wire);
  console.log(
    `\nThe guide's own sensor on the board: ${applied} of ${rows} labels learned, ${expired} expired`,
  );
}

/** Checks that the stack that a board's last words tell of has room, and goes no deeper than plan says. */
function checkStack(said) {
  const [, used, slots] = (STACK.exec(said) ?? []).map(Number);
  check(`its stack keeps ${FREE} slots free`, used > 0 && used + FREE <= slots, said);
  check("it goes no deeper than plan says", used <= costs.stack.slots, [used, costs.stack]);
  console.log(`\nThe guide's own sensor: ${used} of ${slots} slots of XS's stack`);
}
