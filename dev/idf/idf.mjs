// npm run test:idf [-- [--doc] [--cuts N] [--no-update] LEARNER...]: firmware that the Moddable SDK and ESP-IDF build, in Espressif's
// QEMU, from the chip's ROM on.
// Each learner's node must start in its planned memory, with this machine's bits, learn a recording's labels to this machine's
// state, and resume from its checkpoint with the same hash after a power cut. The first node's power is also cut at random
// instants while it learns, 20 or --cuts; and it takes an update over its wire, with a cut within the transfer, which takes a
// quarter of an hour. Runs every learner, or those named. Writes docs/emulated.md if every check passed and every learner ran, or with --doc, which says which ran.
// Takes MODDABLE, IDF_PATH and, on PATH, mcconfig, idf.py, tsc 6 or later, ESP-IDF's compiler and Espressif's qemu-system-riscv32.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../targets/emulator/engine.mjs";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check, close, failures, printTable } from "../device/checks.mjs";
import { start } from "../device/test/commands.mjs";
import { emulatedText } from "./emulated-text.mjs";

const TARGET = "esp32c3";
const PORT = "tcp://127.0.0.1:5555";
const place = join(root, "dist/idf");
const folder = join(place, "node");
const FLASH = join(folder, "flash");
/** The recording of a run, and one that lasts longer than a number of power cuts. */
const ROWS = join(place, "rows.csv");
const LONG = join(place, "long.csv");
const SAMPLES = 200;
const SAMPLES_A_CUT = 30;
const PERIOD_MS = 100;
/** Seconds of samples in which the node reports its memory and its longest turn. */
const WATCH_S = 8;
/** Instructions a second in QEMU, as `flash --emulate` starts it, and bytes of an XS slot. */
const QEMU_HZ = 125e6;
const SLOT_BYTES = 16;
/** A Lehmer generator (prime modulus, primitive root): numbers of 0..1, the same in each run. */
const [MODULUS, ROOT] = [2147483647, 16807];
let state = 7;
const random = () => {
  state = (state * ROOT) % MODULUS;
  return state / MODULUS;
};

function json(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, [MOTELEARN, ...args, "--json"], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(`${args.join(" ")}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What this machine lacks. */
function lacks() {
  const { checks } = json("doctor");
  const needed = ["Moddable SDK", "ESP-IDF", "TypeScript", "Espressif's QEMU"];
  const missing = checks.filter(
    ({ name, purpose, ok }) => !ok && needed.includes(name) && !/esp32$/.test(purpose),
  );
  return missing.map(({ name, found, cure }) => `${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
}

/** Two readings and a class that follows from them, but for one label in twenty. */
function writeRows(file, length) {
  const rows = Array.from({ length }, () => {
    const [a, b] = [2 * random() - 1, 2 * random() - 1];
    return `${a.toFixed(4)},${b.toFixed(4)},${a + b * b > 0.2 === random() > 0.05 ? 1 : -1}`;
  });
  writeFileSync(file, `a,b,label\n${rows.join("\n")}\n`);
}

const nodeOf = (learner, ...more) => ["--learner", learner, "--dimension", "2", "--target", TARGET, ...more];
const flashOf = (learner, from, ...more) => [
  ...[MOTELEARN, "flash", ...nodeOf(learner), "--from", from, "--folder", folder],
  ...[
    "--period",
    PERIOD_MS,
    "--pending",
    256,
    "--checkpoint-every",
    10,
    "--checkpoint-ms",
    1000,
    ...more,
  ].map(String),
];

/** Starts a board, and resolves once its wire listens; its lines, and a power cut. Rejects with what it says if it ends before. */
async function startBoard(args) {
  const lines = [];
  let ready;
  const isReady = new Promise((done) => {
    ready = done;
  });
  const { child, ended } = start(args.map(String), (line) => {
    lines.push(line);
    if (line.endsWith("Ctrl-C ends it")) ready();
  });
  const failed = ended.then(({ errors }) => {
    throw new Error(errors.trim() || lines.at(-1));
  });
  await Promise.race([isReady, failed]);
  failed.catch(() => {});
  const cut = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { lines, cut };
}

const restartBoard = () => startBoard([MOTELEARN, "board", "--chip", TARGET, "--flash", FLASH]);

/** Sends a recording's labels; resolves with the events and the summary. */
async function teach(from, ...more) {
  const events = [];
  const args = [MOTELEARN, "labels", "--port", PORT, "--from", from, "--played", "--json", ...more];
  const { ended } = start(args, (line) => events.push(JSON.parse(line)));
  const { code, errors } = await ended;
  return { code, errors, events, summary: events.findLast(({ event }) => event === "summary") ?? {} };
}

/** The node's report of itself, after some seconds of samples. */
async function watched() {
  let last = {};
  const args = [MOTELEARN, "monitor", "--port", PORT, "--json", "--max-seconds", `${WATCH_S}`];
  await start(args, (line) => {
    last = JSON.parse(line).losses ?? last;
  }).ended;
  return last;
}

/** One learner's node: boots, learns, is cut off, resumes. Returns what was planned and measured. */
async function tryLearner(learner) {
  const { target } = json("plan", ...nodeOf(learner), "--pending", "256");
  rmSync(FLASH, { force: true });
  let board = await startBoard(flashOf(learner, ROWS, "--emulate"));
  check(
    `${learner}: its self-test agrees`,
    board.lines.some((line) => line.startsWith("same bits")),
    board.lines.at(-2),
  );
  const taught = await teach(ROWS);
  const { compared, state: before, labels = {} } = taught.summary;
  check(`${learner}: its labels are learned`, taught.code === 0 && labels.durable === SAMPLES, [
    taught.errors,
    labels,
  ]);
  check(`${learner}: this machine's state`, compared?.same === true, compared);
  const { slots, chunks, turn } = await watched();
  await board.cut();
  board = await restartBoard();
  const again = await teach(ROWS);
  const { hello } = again.events.find(({ event }) => event === "started") ?? {};
  check(`${learner}: it resumes after a power cut`, hello?.restore === "restored", hello);
  check(
    `${learner}: with the same hash`,
    again.summary.state?.stateHash === before?.stateHash,
    again.summary.state,
  );
  await board.cut();
  return { learner, planned: target, measured: { slots, chunks, turn } };
}

/**
 * Cuts the power at random instants while the node learns: nothing that was durable is lost, and its state is this machine's. Returns the
 * cuts before it had learned.
 */
async function tryCuts(learner, cuts) {
  rmSync(FLASH, { force: true });
  writeRows(LONG, Math.max(SAMPLES, SAMPLES_A_CUT * cuts));
  let board = await startBoard(flashOf(learner, LONG, "--emulate"));
  let isLearning = true;
  const teaching = teach(LONG, "--give-up", "300").finally(() => {
    isLearning = false;
  });
  let within = 0;
  while (isLearning && within < cuts) {
    await new Promise((done) => setTimeout(done, 1000 + 4000 * random()));
    if (isLearning) within++;
    await board.cut();
    board = await restartBoard();
  }
  const { code, errors, summary } = await teaching;
  check("after cuts at random instants, the labels are learned", code === 0, errors);
  check("and its state is this machine's", summary.compared?.same === true, summary.compared);
  await board.cut();
  return within;
}

/** Updates the node over its wire; the power is cut within the transfer, and the same command resumes. */
async function tryUpdate(learner) {
  rmSync(FLASH, { force: true });
  let board = await startBoard(flashOf(learner, ROWS, "--emulate"));
  const update = () => {
    const lines = [];
    const begun = start(flashOf(learner, ROWS, "--ota", PORT, "--period", PERIOD_MS + 1), (line) =>
      lines.push(line),
    );
    return { ...begun, lines };
  };
  const first = update();
  while (!first.lines.some((line) => /^sent [1-9]/.test(line)))
    await new Promise((done) => setTimeout(done, 200));
  await board.cut();
  first.child.kill("SIGTERM");
  board = await restartBoard();
  const second = update();
  const { code, errors } = await second.ended;
  check("an update that was cut off resumes and runs", code === 0, [errors, second.lines.at(-1)]);
  await board.cut();
  board = await restartBoard();
  await board.cut();
}

/** A line for each learner: bytes of XS's memory and milliseconds of its longest turn, planned and measured. */
function figures(all) {
  const head = [
    "learner",
    "static, B",
    "chunks, B",
    "reported",
    "slots, B",
    "reported",
    "turn, ms",
    "with a save",
  ];
  const lines = all.map(({ learner, planned, measured }) => {
    const { needs, bytes } = planned.ram;
    const turnMs = (planned.unyielding.turnMs * planned.clockHz) / QEMU_HZ;
    const cells = [needs.chunk, measured.chunks, SLOT_BYTES * needs.slots, measured.slots];
    check(
      `${learner}: its memory holds`,
      measured.chunks <= needs.chunk && measured.slots <= SLOT_BYTES * needs.slots,
      cells,
    );
    return [learner, bytes, ...cells, turnMs.toFixed(1), measured.turn];
  });
  return [head, ...lines];
}

/** The versions of what ran. */
function versions() {
  const { checks } = json("doctor");
  const of = (wanted) =>
    checks.find(({ name, purpose }) => name === wanted && !/esp32$/.test(purpose))?.found.split(" in ")[0];
  const { stdout } = spawnSync("riscv32-esp-elf-gcc", ["--version"], { encoding: "utf8" });
  const compiler = stdout.split("\n")[0];
  return { sdk: of("Moddable SDK"), idf: of("ESP-IDF"), qemu: of("Espressif's QEMU"), compiler };
}

/** The command's flags and the learners to run. */
function ordered() {
  const flag = { type: "boolean", default: false };
  const options = { doc: flag, cuts: { type: "string", default: "20" }, "no-update": flag };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const all = json("learners").learners.map(({ name }) => name);
  const learners = positionals.length > 0 ? positionals : all;
  const unknown = learners.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown}: no such learner; motelearn learners prints them`);
  const cuts = Number(values.cuts);
  if (!Number.isInteger(cuts) || cuts < 0) throw new Error(`--cuts ${values.cuts}: takes a whole number`);
  const doc = values.doc || learners.length === all.length;
  return { doc, cuts, update: !values["no-update"], learners, all };
}

/** Stops before anything is built. */
function refuse(lines) {
  for (const line of lines) console.error(`test:idf: ${line}`);
  process.exit(2);
}

function order() {
  try {
    return ordered();
  } catch (error) {
    return refuse([error.message]);
  }
}

const { doc, cuts, update, learners, all } = order();
const missing = lacks();
if (missing.length > 0) refuse(missing.map((line) => `missing: ${line}`));
mkdirSync(folder, { recursive: true });
writeRows(ROWS, SAMPLES);
const results = [];
for (const learner of learners) {
  try {
    results.push(await tryLearner(learner));
  } catch (error) {
    check(`${learner}: starts`, false, error.message);
  }
}
const within = cuts > 0 ? await tryCuts(learners[0], cuts) : 0;
if (update) await tryUpdate(learners[0]);
const rows = figures(results);
printTable("Planned, and measured in Espressif's QEMU", rows);
if (doc && failures() > 0) console.log("docs/emulated.md: not written, because a check failed");
else if (doc) {
  const command = ["npm run test:idf", ...(process.argv.length > 2 ? ["--"] : []), ...process.argv.slice(2)];
  const run = {
    ...{ command: command.join(" "), date: new Date().toISOString().slice(0, 10), versions: versions() },
    ...{ ran: results.map(({ learner }) => learner), all, cuts: within, update, figures: rows },
  };
  writeFileSync(join(root, "docs/emulated.md"), emulatedText(run));
}
close();
