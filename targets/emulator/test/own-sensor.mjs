// The README's chapter on a sensor of one's own, from its board on: the project that `init` writes, as firmware on the emulated chip,
// and labels for it from the recording that it brings.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../engine.mjs";
import { check } from "./checks.mjs";
import { MOTELEARN, start, startReady } from "./commands.mjs";

/** A folder with the project, and the packages that `npm install` would bring. */
function makeProject(place) {
  cpSync(join(root, "examples/own-sensor"), place, { recursive: true });
  mkdirSync(join(place, "node_modules"));
  for (const name of ["typescript", "@moddable"])
    symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
  symlinkSync(root, join(place, "node_modules/motelearn"));
}

/** Runs the chapter's board and labels; both must end well, every label durable, most of them learned. */
export async function checkOwnSensor() {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  makeProject(place);
  const recorded = join(place, "recorded.csv");
  const rows = readFileSync(recorded, "utf8").trim().split("\n").length - 1;
  const board = await startReady([MOTELEARN, "board", "--project", place]);
  check("the board says where it is", board.first.startsWith(`at ${place}/build/tty`), board.first);
  const events = [];
  const labels = [MOTELEARN, "labels", "--port", join(place, "build/tty"), "--from", recorded, "--json"];
  const { ended } = start(labels, (line) => events.push(JSON.parse(line)));
  const { code, errors } = await ended;
  board.child.kill("SIGTERM");
  const left = await board.ended;
  rmSync(place, { recursive: true });
  const summary = events.at(-1) ?? {};
  const { applied = 0, expired = 0, refused = 0 } = summary.labels?.counted ?? {};
  check("labels for it end well", code === 0 && errors === "", [code, errors]);
  check("each of its labels is dealt with once", applied + expired + refused === rows, summary.labels);
  check("most of them are learned", applied > rows / 2 && refused === 0, summary.labels);
  check("it computes the same bits", summary.bits?.verdict === "same bits", summary.bits);
  check("SIGTERM ends it well", left.code === 0, left);
  console.log(
    `\nThe README's own sensor on the board: ${applied} of ${rows} labels learned, ${expired} expired`,
  );
}
