// A learner's node in Espressif's QEMU: what it is, its start, and what the tool's commands do with it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../targets/emulator/engine.mjs";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { generator } from "../device/generator.mjs";
import { start } from "../device/test/commands.mjs";
import { folderName, isUsualPort, json, port, target } from "./order.mjs";

export const PORT = `tcp://127.0.0.1:${port}`;
export const place = join(root, "dist/idf");
/** The folders of a firmware as users have it, of one with a fault of its own, and of one that measures; each has its flash, and its build in the SDK. */
const folderNamed = (name) => join(place, folderName(isUsualPort ? name : `${name}-${port}`));
export const NODE = folderNamed("node");
export const FAULTY = folderNamed("faulty");
export const MEASURED = folderNamed("measured");
for (const folder of [NODE, FAULTY, MEASURED]) mkdirSync(folder, { recursive: true });
export const flashIn = (folder) => join(folder, "flash");

/** The least period of the samples; a node whose turn takes longer has a longer one. */
const PERIOD_MS = 100;
/** A turn in QEMU takes part of a period, since the save of a checkpoint comes besides. */
const TURNS_A_PERIOD = 2;
/** Milliseconds of samples in which the node reports its memory and its longest turn. */
const WATCH_MS = 8000;
/** Instructions a second in QEMU, as `flash --emulate` starts it. */
export const QEMU_HZ = 125e6;
/** Samples that wait for their label. */
export const PENDING = 256;
const CHECKPOINT_EVERY = 10;
const CHECKPOINT_MS = 1000;

const ROWS_SEED = 7;
/** Two readings and a class that follows from them, but for one label in twenty; the same rows in each run. */
export function drawRows(length) {
  const random = generator(ROWS_SEED);
  return Array.from({ length }, () => {
    const [a, b] = [2 * random() - 1, 2 * random() - 1];
    const x = [Number(a.toFixed(4)), Number(b.toFixed(4))];
    return { x, y: a + b * b > 0.2 === random() > 0.05 ? 1 : -1 };
  });
}

/** Writes them as a recording in the folder; returns its path. */
export function writeRows(folder, rows) {
  const file = join(folder, "rows.csv");
  writeFileSync(file, `a,b,label\n${rows.map(({ x, y }) => `${x},${y}`).join("\n")}\n`);
  return file;
}

const plans = new Map();
/** What `plan` says of a learner's node; `more`: further flags. */
export function readPlan(learner, ...more) {
  const key = [learner, ...more].join(" ");
  if (!plans.has(key))
    plans.set(key, json("plan", ...nodeFlags(learner), "--pending", `${PENDING}`, ...more));
  return plans.get(key);
}

/** True if the learner's state follows from its samples, too, not from its labels alone; `more`: flags of its plan. */
export const notesSamples = (learner, ...more) =>
  readPlan(learner, ...more).regions.some(({ name }) => name === "learner.note");

const nodeFlags = (learner) => ["--learner", learner, "--dimension", "2", "--target", target];

/** Milliseconds from a sample to the next: enough for the plan's longest turn with a sample. */
export function samplePeriod(learner) {
  const { turnMs } = readPlan(learner).target.unyielding;
  const inQemu = (turnMs * readPlan(learner).target.clockHz) / QEMU_HZ;
  return Math.max(PERIOD_MS, 100 * Math.ceil((TURNS_A_PERIOD * inQemu) / 100));
}

/** `flash` of that learner's node, which plays the recording. */
export const flashCommand = (learner, folder, from, ...more) =>
  [
    ...[MOTELEARN, "flash", ...nodeFlags(learner), "--from", from, "--folder", folder],
    ...["--period", samplePeriod(learner), "--pending", PENDING],
    ...["--checkpoint-every", CHECKPOINT_EVERY, "--checkpoint-ms", CHECKPOINT_MS, ...more],
  ].map(String);

/** A board runs until its power is cut, and QEMU ends with it. */
const UNTIL_CUT = { limitMs: Number.POSITIVE_INFINITY, signal: "SIGTERM" };

/** Starts a board, and resolves once its wire listens; its lines, and a power cut. Rejects with its last line if it ends before. */
async function startBoard(args) {
  const lines = [];
  let ready;
  const isReady = new Promise((done) => {
    ready = done;
  });
  const note = (line) => {
    lines.push(line);
    if (line.endsWith("Ctrl-C ends it")) ready();
  };
  const { child, ended } = start(args.map(String), note, UNTIL_CUT);
  const failed = ended.then(({ errors }) => {
    throw new Error(errors.trim().split("\n").at(-1) || lines.at(-1));
  });
  await Promise.race([isReady, failed]);
  failed.catch(() => {});
  const cut = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { lines, cut };
}

/** Builds the firmware, writes it to an erased flash and starts it. */
export function startFresh(learner, folder, from, ...more) {
  rmSync(flashIn(folder), { force: true });
  return startBoard(flashCommand(learner, folder, from, "--emulate", "--tcp", port, ...more));
}

/** Starts the board with the flash as it is. */
export const restart = (folder, ...more) =>
  startBoard([MOTELEARN, "board", "--chip", target, "--flash", flashIn(folder), "--tcp", port, ...more]);

/** Sends a recording's labels to the node at its UART; resolves with the events and the summary. */
export const teach = (from, ...more) => teachAt(["--port", PORT], from, ...more);

/** How long `labels`, `monitor` and `flash --ota` wait for a silent node, seconds: on a busy machine an emulated one may take minutes for its start. */
export const UNTIL_IT_SPEAKS = ["--give-up", "0"];

/** The same at another wire, in the flags of `labels`. */
export async function teachAt(wire, from, ...more) {
  const events = [];
  const patience = more.includes("--give-up") ? [] : UNTIL_IT_SPEAKS;
  const args = [MOTELEARN, "labels", ...wire, "--from", from, "--played", "--json", ...patience, ...more];
  const { ended } = start(args, (line) => events.push(JSON.parse(line)));
  const { code, errors } = await ended;
  const starts = events.filter(({ event }) => event === "started").map(({ hello }) => hello);
  return { code, errors, starts, summary: events.findLast(({ event }) => event === "summary") ?? {} };
}

/** The node's report of itself, after some seconds of its samples. */
export async function watched(learner, wire = ["--port", PORT]) {
  const samples = Math.ceil(WATCH_MS / samplePeriod(learner));
  let [first, last] = [undefined, {}];
  const args = [MOTELEARN, "monitor", ...wire, "--json", ...UNTIL_IT_SPEAKS];
  const { child, ended } = start(args, (line) => {
    const { node, seq, losses } = JSON.parse(line);
    if (!node || !losses) return;
    first ??= seq;
    last = losses;
    if (seq >= first + samples) child.kill("SIGTERM");
  });
  await ended;
  return last;
}

const PARTITIONS = readFileSync(join(root, "targets/moddable/partitions.csv"), "utf8").split("\n");

/** Where a partition lies in the flash. */
export function partition(name) {
  const cells = PARTITIONS.map((line) => line.split(",").map((cell) => cell.trim()));
  const [, , , offset, bytes] = cells.find(([first]) => first === name);
  return { offset: Number(offset), bytes: Number(bytes) };
}

/** The bytes of a partition, as the folder's flash has them. */
export function partitionIn(folder, name) {
  const { offset, bytes } = partition(name);
  return readFileSync(flashIn(folder)).subarray(offset, offset + bytes);
}
