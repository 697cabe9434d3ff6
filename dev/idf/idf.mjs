// npm run test:idf [-- [--doc] [--only PART]... [--port N] [--cuts N] [--seed N] LEARNER...]: firmware that the Moddable SDK and
// ESP-IDF build, in Espressif's QEMU, from the chip's ROM on. The parts:
//   learn     every learner, or those named: its node must start in its planned memory, with this machine's bits, learn a recording's labels to
//             this machine's state, and resume from its checkpoint with the same hash after a power cut
//   cuts      --cuts power cuts, 200, at instants that --seed draws, also within an erase of the flash
//   start     a node whose start takes longer than the watchdog waits
//   watchdog  a node whose turn hangs restarts and resumes
//   fault     a node that can't start says why
//   keys      a node's keys are in NVS
//   tls       a node at a broker with TLS, over Ethernet: which certificates it takes, its labels, a power cut, its memory
//   update    an update over the node's wire, with cuts within transfer and trial, which takes a quarter of an hour
// The others run the node of the first learner, but `start` that of the slowest. --only runs that part, and may be repeated; without it, all run.
// Keeps what passed in dist/idf/results, so all may run in several runs, of which two may run at once on another --port than
// 5555. Writes docs/emulated.md of what is kept if every check passed and every learner was named, or with --doc; `--doc none` runs nothing.
// tls takes mosquitto, openssl, and UDP port 123 of this machine, which root may bind; and QEMU's open_eth, which Espressif's has from version 9 on.
// Takes MODDABLE, IDF_PATH and, on PATH, mcconfig, idf.py, tsc 6 or later, ESP-IDF's compiler and Espressif's qemu-system-riscv32.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../targets/emulator/engine.mjs";
import { check, close, failures, printTable } from "../device/checks.mjs";
import { tryCuts } from "./cuts.mjs";
import { emulatedText } from "./emulated-text.mjs";
import { tryFault, tryStart, tryWatchdog } from "./faults.mjs";
import { beyondPlan, figures } from "./figures.mjs";
import { tryKeys } from "./keys.mjs";
import { tryLearner, withPlan } from "./learners.mjs";
import { place } from "./node.mjs";
import { all, cuts, doc, json, learners, parts, refuse } from "./order.mjs";
import { tryTls } from "./tls.mjs";
import { tryUpdate } from "./update.mjs";

/** What this machine lacks. */
function lacks() {
  const { checks } = json("doctor");
  const needed = ["Moddable SDK", "ESP-IDF", "TypeScript", "Espressif's QEMU"];
  const missing = checks.filter(
    ({ name, purpose, ok }) => !ok && needed.includes(name) && !/esp32$/.test(purpose),
  );
  return missing.map(({ name, found, cure }) => `${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
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

/** The parts that run one learner's node, and the names under which their results are kept. */
const TRIALS = {
  cuts: { name: "power-cuts", attempt: (learner) => tryCuts(learner, cuts) },
  start: { name: "long-start", attempt: tryStart },
  watchdog: { name: "watchdog", attempt: tryWatchdog },
  fault: { name: "start-fault", attempt: tryFault },
  keys: { name: "keys-in-nvs", attempt: tryKeys },
  tls: { name: "broker-with-tls", attempt: tryTls },
  update: { name: "update-over-the-wire", attempt: tryUpdate },
};

/** What passed in this and earlier runs: a learner's result, or a trial's of one. */
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

/** What was kept under that name, or undefined. */
const kept = (name) => (existsSync(keptFile(name)) ? JSON.parse(readFileSync(keptFile(name))) : undefined);

/** Writes docs/emulated.md of what was kept. */
function writeDoc(results) {
  const trials = Object.fromEntries(Object.entries(TRIALS).map(([part, { name }]) => [part, kept(name)]));
  const dates = [...results, ...Object.values(trials)].map((part) => part?.date).filter(Boolean);
  const learnerNames = (list) => list.map(({ learner }) => learner);
  const ordered = learnerNames(results.filter((result) => result.ordered));
  const run = {
    ...{ date: dates.sort().at(-1), versions: versions(), ran: learnerNames(results), all, ordered },
    ...{ trials, figures: figures(results), beyond: beyondPlan(results) },
  };
  writeFileSync(join(root, "docs/emulated.md"), emulatedText(run));
}

const missing = lacks();
if (missing.length > 0) refuse(missing.map((line) => `missing: ${line}`));
mkdirSync(KEPT, { recursive: true });
if (parts.includes("learn")) for (const learner of learners) await keep(learner, () => tryLearner(learner));
for (const [part, { name, attempt }] of Object.entries(TRIALS))
  if (parts.includes(part)) await keep(name, () => attempt(learners[0]));
const results = all.map(kept).filter(Boolean).map(withPlan);
printTable("Planned, and measured in Espressif's QEMU", figures(results));
if (failures() > 0) console.log("docs/emulated.md: not written, because a check failed");
else if (doc) writeDoc(results);
close();
