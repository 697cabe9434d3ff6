// npm run test:idf [-- [--doc] [--port N] [--cuts N] [--no-learn] [--no-update] LEARNER...]: firmware that the Moddable SDK and
// ESP-IDF build, in Espressif's QEMU, from the chip's ROM on.
// Runs every learner, or those named. Each one's node must start in its planned memory, with this machine's bits, learn a recording's
// labels to this machine's state, and resume from its checkpoint with the same hash after a power cut. The first node's power is
// also cut at random instants while it learns, 20 or --cuts; and it takes an update over its wire, with cuts within transfer and trial,
// which takes a quarter of an hour. --no-learn, --cuts 0 and --no-update leave out their parts.
// Keeps what passed in dist/idf/results, so all learners may run in several runs, of which two may run at once on another --port than
// 5555. Writes docs/emulated.md of what is kept if every check passed and every learner was named, or with --doc; `--doc none` runs nothing.
// Takes MODDABLE, IDF_PATH and, on PATH, mcconfig, idf.py, tsc 6 or later, ESP-IDF's compiler and Espressif's qemu-system-riscv32.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../targets/emulator/engine.mjs";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check, close, failures, printTable } from "../device/checks.mjs";
import { start } from "../device/test/commands.mjs";
import { emulatedText } from "./emulated-text.mjs";
import { beyondPlan, figures } from "./figures.mjs";

const TARGET = "esp32c3";
/** The port where Espressif's QEMU has its UART, unless another is ordered. */
const UART_PORT = 5555;
const NOTHING = "none";
const { doc, port, cuts, learn, update, learners, all } = order();
const PORT = `tcp://127.0.0.1:${port}`;
const place = join(root, "dist/idf");
const folder = join(place, port === UART_PORT ? "node" : `node-${port}`);
const FLASH = join(folder, "flash");
/** The recording of a run, and one that lasts longer than a number of power cuts. */
const ROWS = join(folder, "rows.csv");
const LONG = join(folder, "long.csv");
const SAMPLES = 200;
const SAMPLES_A_CUT = 30;
/** The least period of the samples; a node whose turn takes longer has a longer one. */
const PERIOD_MS = 100;
/** A turn in QEMU takes part of a period, since the save of a checkpoint comes besides. */
const TURNS_A_PERIOD = 2;
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

/** Milliseconds from a sample to the next: enough for the plan's longest turn with a sample. */
function periodOf(learner) {
  const { turnMs } = planOf(learner).target.unyielding;
  const inQemu = (turnMs * planOf(learner).target.clockHz) / QEMU_HZ;
  return Math.max(PERIOD_MS, 100 * Math.ceil((TURNS_A_PERIOD * inQemu) / 100));
}

const plans = new Map();
/** What `plan` says of a learner's node. */
function planOf(learner) {
  if (!plans.has(learner)) plans.set(learner, json("plan", ...nodeOf(learner), "--pending", "256"));
  return plans.get(learner);
}

/** True if the learner's state follows from its samples, too, not from its labels alone. */
const notesSamples = (learner) => planOf(learner).regions.some(({ name }) => name === "learner.note");

const nodeOf = (learner, ...more) => ["--learner", learner, "--dimension", "2", "--target", TARGET, ...more];
const flashOf = (learner, from, ...more) => [
  ...[MOTELEARN, "flash", ...nodeOf(learner), "--from", from, "--folder", folder],
  ...[
    "--period",
    periodOf(learner),
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

const restartBoard = () =>
  startBoard([MOTELEARN, "board", "--chip", TARGET, "--flash", FLASH, "--tcp", port]);

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

/** A result beside what `plan` says of that node without an application, which isn't there: bytes, and a turn's milliseconds at QEMU's clock. */
function withPlan(result) {
  const { ram, unyielding, clockHz } = planOf(result.learner).target;
  const kept = ram.items.find(({ item }) => item === "kept for the application");
  const [chunks, slots] = [ram.needs.chunk - kept.chunk, SLOT_BYTES * (ram.needs.slots - kept.slots)];
  return { ...result, planned: { chunks, slots, turnMs: (unyielding.turnMs * clockHz) / QEMU_HZ } };
}

/** One learner's node: boots, learns, is cut off, resumes. Returns the static memory that it had, and what it took. */
async function tryLearner(learner) {
  const { target } = planOf(learner);
  rmSync(FLASH, { force: true });
  let board = await startBoard(flashOf(learner, ROWS, "--emulate", "--tcp", port));
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
  const resumed = again.summary.state;
  if (notesSamples(learner))
    check(`${learner}: with every label`, resumed?.labelled === before?.labelled, resumed);
  else check(`${learner}: with the same hash`, resumed?.stateHash === before?.stateHash, resumed);
  await board.cut();
  const { bytes } = target.ram;
  return { learner, ordered: notesSamples(learner), bytes, measured: { slots, chunks, turn } };
}

/**
 * Cuts the power at random instants while the node learns: nothing that was durable is lost, and its state is this machine's. Returns the
 * learner and the cuts before it had learned.
 */
async function tryCuts(learner, cuts) {
  rmSync(FLASH, { force: true });
  writeRows(LONG, Math.max(SAMPLES, SAMPLES_A_CUT * cuts));
  let board = await startBoard(flashOf(learner, LONG, "--emulate", "--tcp", port));
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
  return { learner, cuts: within };
}

/** Where the flash file has the states of its firmwares, and their values, as the bootloader has them (esp_flash_partitions.h). */
const OTA = { data: 0x10000, entries: [0, 0x1000], state: 24, pending: 1, valid: 2, aborted: 4 };

/** The states of both firmwares, that of the newest first; fewer where none was ever started by an update. */
function otaStates() {
  const flash = readFileSync(FLASH);
  const entries = OTA.entries.map((offset) => flash.subarray(OTA.data + offset));
  const written = entries.filter((entry) => entry.readUInt32LE(0) !== 0xffffffff);
  written.sort((one, other) => other.readUInt32LE(0) - one.readUInt32LE(0));
  return written.map((entry) => entry.readUInt32LE(OTA.state));
}

const POLL_MS = 50;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** `flash --ota` to the node, of a firmware with another period. */
function sendUpdate(learner) {
  const lines = [];
  const args = flashOf(learner, ROWS, "--ota", PORT, "--period", periodOf(learner) + 1);
  const begun = start(args, (line) => lines.push(line));
  const sent = { ...begun, lines, over: false };
  sent.ended = begun.ended.finally(() => {
    sent.over = true;
  });
  return sent;
}

/** Resolves when that holds, or the update has ended. */
async function until(update, holds) {
  while (!update.over && !holds()) await wait(POLL_MS);
}

const isRunning = (lines) => lines.some((line) => /runs this firmware already/.test(line));

/**
 * Updates the node over its wire. The power is cut within the transfer, which the same command resumes; then within the trial of the new
 * firmware, so the bootloader returns to the old one; then the same command has it run, and it stays after another cut.
 */
async function tryUpdate(learner) {
  rmSync(FLASH, { force: true });
  let board = await startBoard(flashOf(learner, ROWS, "--emulate", "--tcp", port));
  const first = sendUpdate(learner);
  await until(first, () => first.lines.some((line) => /^sent [1-9]/.test(line)));
  await board.cut();
  first.child.kill("SIGTERM");
  await first.ended;
  board = await restartBoard();
  const second = sendUpdate(learner);
  await until(second, () => otaStates()[0] === OTA.pending);
  check(
    "an update that was cut off resumes",
    second.lines.some((line) => / are there already$/.test(line)),
    second.lines,
  );
  await board.cut();
  // The old firmware confirms itself in the place of that note soon after.
  let noted = false;
  const watched = until(second, () => {
    noted ||= otaStates().includes(OTA.aborted);
    return noted;
  });
  board = await restartBoard();
  await watched;
  const fallen = await second.ended;
  check("a cut within the trial: the old firmware runs", /fell back/.test(fallen.errors), fallen);
  check("which the bootloader noted", noted, otaStates());
  const third = sendUpdate(learner);
  const { code, errors } = await third.ended;
  check("the update runs in the end", code === 0, [errors, third.lines.at(-1)]);
  check("and is confirmed", otaStates()[0] === OTA.valid, otaStates());
  await board.cut();
  board = await restartBoard();
  const last = sendUpdate(learner);
  await last.ended;
  check("it stays after a power cut", isRunning(last.lines), last.lines);
  await board.cut();
  return { learner };
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
  const number = (value) => ({ type: "string", default: `${value}` });
  const options = {
    doc: flag,
    port: number(UART_PORT),
    cuts: number(20),
    "no-learn": flag,
    "no-update": flag,
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const all = json("learners").learners.map(({ name }) => name);
  const named = positionals.length > 0 ? positionals : all;
  const learners = named.filter((name) => name !== NOTHING);
  const unknown = learners.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown}: no such learner; motelearn learners prints them`);
  const [cuts, port] = [Number(values.cuts), Number(values.port)];
  if (!Number.isInteger(cuts) || cuts < 0) throw new Error(`--cuts ${values.cuts}: takes a whole number`);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error(`--port ${values.port}: takes a whole number from 1 to 65535`);
  const doc = values.doc || learners.length === all.length;
  return { doc, port, cuts, learn: !values["no-learn"], update: !values["no-update"], learners, all };
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

/** What passed in this and earlier runs: a learner's result, or the cuts and the update of one. */
const KEPT = join(place, "results");
const keptFile = (name) => join(KEPT, `${name}.json`);

/** Does one part, and keeps its result if every check in it passed. */
async function keep(name, part) {
  const failed = failures();
  try {
    const result = await part();
    const date = new Date().toISOString().slice(0, 10);
    if (failures() === failed) writeFileSync(keptFile(name), JSON.stringify({ ...result, date }));
  } catch (error) {
    check(`${name}: runs`, false, error.message);
  }
}

/** What was kept of those parts. */
const keptOf = (names) =>
  names.filter((name) => existsSync(keptFile(name))).map((name) => JSON.parse(readFileSync(keptFile(name))));

/** Writes docs/emulated.md of what was kept. */
function writeDoc(results) {
  const [cut] = keptOf([CUTS]);
  const [updated] = keptOf([UPDATE]);
  const dates = [...results, cut, updated].map((part) => part?.date).filter(Boolean);
  const namesOf = (list) => list.map(({ learner }) => learner);
  const ordered = namesOf(results.filter((result) => result.ordered));
  const run = {
    ...{ date: dates.sort().at(-1), versions: versions(), ran: namesOf(results), all, ordered },
    ...{ cut, updated, figures: figures(results), beyond: beyondPlan(results) },
  };
  writeFileSync(join(root, "docs/emulated.md"), emulatedText(run));
}

const [CUTS, UPDATE] = ["power-cuts", "update-over-the-wire"];
const missing = lacks();
if (missing.length > 0) refuse(missing.map((line) => `missing: ${line}`));
for (const made of [folder, KEPT]) mkdirSync(made, { recursive: true });
writeRows(ROWS, SAMPLES);
if (learn) for (const learner of learners) await keep(learner, () => tryLearner(learner));
if (cuts > 0 && learners.length > 0) await keep(CUTS, () => tryCuts(learners[0], cuts));
if (update && learners.length > 0) await keep(UPDATE, () => tryUpdate(learners[0]));
const results = keptOf(all).map(withPlan);
printTable("Planned, and measured in Espressif's QEMU", figures(results));
if (failures() > 0) console.log("docs/emulated.md: not written, because a check failed");
else if (doc) writeDoc(results);
close();
