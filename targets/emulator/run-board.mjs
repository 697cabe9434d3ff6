// A node on the emulated board, for trying the tools without hardware: `motelearn board`. It runs until
// Ctrl-C or SIGTERM.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { boardFirmware, startBoard } from "./board.mjs";
import { lackMessage } from "./chips.mjs";
import { cache, compilerFault, root } from "./engine.mjs";
import { projectScript } from "./project.mjs";

export { ProjectError } from "./project.mjs";

/** The board can't be built or started; the message is one line. */
export class BoardError extends Error {}

/** The programs that the board runs without a project: built with the package. */
const PROGRAMS = join(root, "dist/programs-for-xs.js");
const LOOK_MS = 200;
/** The prefix of the machine's last line, which says why it gives up. */
const MACHINE = "machine: ";

/** Announces a long step before it begins. */
function sayWhatIsBuilt(chip, say) {
  if (!existsSync(join(cache, "linux/linux"))) {
    say("fetching the XS engine and compiling it for this machine: once, a minute");
  }
  if (!existsSync(join(cache, chip, "engine/key"))) {
    say(`compiling the XS engine for ${chip}: once, a minute`);
  }
  say("building the firmware");
}

async function buildFirmware(chip, script, say) {
  try {
    sayWhatIsBuilt(chip, say);
    return await boardFirmware(chip, script, say);
  } catch (error) {
    throw new BoardError(`the firmware can't be built: ${compilerFault(error).trim()}`);
  }
}

/** Reports each line that the program prints, as it comes. Returns a function that ends that. */
function follow(board, say) {
  let said = 0;
  const look = () => {
    const lines = board.lines().filter((line) => !line.startsWith(MACHINE));
    for (; said < lines.length; said++) say(lines[said]);
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    clearInterval(timer);
    look();
  };
}

/**
 * Calls `act` when this process is asked to end. npm passes a signal to a shell, which dies without passing
 * it on; so under npm the parent's end counts as a signal. Returns a function that cancels this.
 */
function onceAskedToEnd(act) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, act); // also a second time: an unhandled signal would leave QEMU running
  const parent = process.ppid;
  const isOrphaned = () => process.env.npm_command !== undefined && process.ppid !== parent;
  const timer = setInterval(() => isOrphaned() && act(), LOOK_MS);
  return () => {
    clearInterval(timer);
    for (const signal of signals) process.off(signal, act);
  };
}

/** Why a board ended that nobody stopped. */
function endReason(board) {
  return (board.lines().at(-1) ?? "QEMU ended").replace(MACHINE, "");
}

/**
 * Builds the firmware, of a project's folder or of the node that `argument` describes, and runs it until the
 * process is asked to end. `uart` and `flash` are `startBoard`'s; `say` gets lines for people, `ready` is
 * called once it runs. Throws a ProjectError or a BoardError.
 */
export async function runBoard({ chip, uart, flash, project, argument = {}, say, ready }) {
  mkdirSync(cache, { recursive: true });
  const script = project ? projectScript(project, say) : PROGRAMS;
  const lack = lackMessage("board", [chip]);
  if (lack) throw new BoardError(lack);
  let asked = false;
  let board;
  const forget = onceAskedToEnd(() => {
    asked = true;
    board?.cutPower();
  });
  try {
    const firmware = await buildFirmware(chip, script, say);
    if (asked) return;
    board = await startBoard({ firmware, argument, uart, flash });
    if (asked) return await board.close();
    ready();
    const unfollow = follow(board, say);
    await board.ended;
    unfollow();
    const reason = endReason(board);
    const stack = board.stack();
    await board.close();
    if (!asked) throw new BoardError(reason);
    if (stack) say(`its program used at most ${stack.used} of XS's ${stack.slots} stack slots`);
  } finally {
    forget();
  }
}
