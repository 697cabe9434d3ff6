// Runs the README's chapter on your own sensor, from its board on, as written: the project that `init`
// writes, as firmware on the emulated chip, with labels from its recording.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../engine.mjs";
import { check } from "./checks.mjs";
import { MOTELEARN, start, startReady } from "./commands.mjs";

/** The words after `npx motelearn` of the chapter's command of that name. */
function chapterArguments(name) {
  const [, chapter] = readFileSync(join(root, "README.md"), "utf8").split(
    "## Your own sensor in 15 minutes\n",
  );
  const line = chapter.split("\n").find((text) => text.startsWith(`npx motelearn ${name} `));
  return line.split(" ").slice(2);
}

/** The packages that `npm install` would bring. */
function install(place) {
  mkdirSync(join(place, "node_modules"));
  for (const name of ["typescript", "@moddable"])
    symlinkSync(join(root, "node_modules", name), join(place, "node_modules", name));
  symlinkSync(root, join(place, "node_modules/motelearn"));
}

function answers(path) {
  return new Promise((done) => {
    const socket = connect(path, () => done(true)).on("error", () => done(false));
    socket.unref();
  });
}

/**
 * Runs the chapter's init, board and labels. All must end well; each label must be learned or expired, and
 * most must be learned.
 */
export async function checkOwnSensor() {
  // Its types, against which the project compiles, are built with the package.
  execFileSync(process.execPath, [join(root, "tools/dev/build.mjs"), "--types", "--moddable"]);
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  install(place);
  const init = await start([MOTELEARN, ...chapterArguments("init")], () => {}, place).ended;
  check("init ends well", init.code === 0 && init.errors === "", init);
  const rows = readFileSync(join(place, "recorded.csv"), "utf8").trim().split("\n").length - 1;
  const board = await startReady([MOTELEARN, ...chapterArguments("board")], () => {}, place);
  check("the board says where it is", board.first === "at unix:build/wire; Ctrl-C ends it", board.first);
  const events = [];
  const note = (line) => events.push(JSON.parse(line));
  const labels = await start([MOTELEARN, ...chapterArguments("labels"), "--json"], note, place).ended;
  const wire = join(place, "build/wire");
  check(
    "the socket of its wire is the user's alone",
    (statSync(wire).mode & 0o077) === 0,
    statSync(wire).mode,
  );
  for (let times = 0; times < 2; times++) board.child.kill("SIGTERM");
  const left = await board.ended;
  const isLeft = await answers(wire);
  rmSync(place, { recursive: true });
  const summary = events.at(-1) ?? {};
  const { applied = 0, expired = 0, refused = 0 } = summary.labels?.counted ?? {};
  check("labels for it end well", labels.code === 0 && labels.errors === "", labels);
  check("each of its labels is dealt with once", applied + expired + refused === rows, summary.labels);
  check("most of them are learned", applied > rows / 2 && refused === 0, summary.labels);
  check("it computes the same bits", summary.bits?.verdict === "same bits", summary.bits);
  check("SIGTERM, and another, ends it well", left.code === 0, left);
  check("no QEMU is left", !isLeft, wire);
  console.log(
    `\nThe README's own sensor on the board: ${applied} of ${rows} labels learned, ${expired} expired`,
  );
}
