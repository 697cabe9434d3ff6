// npm run test:idf [-- [--target TARGET] [--doc] [--only PART]... [--port N] [--cuts N] [--seed N] LEARNER...]: firmware that the Moddable SDK
// and ESP-IDF build for an ESP32-C3, or an ESP32 (--target esp32), in Espressif's QEMU, from the chip's ROM on. The parts:
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
// Keeps what passed in dist/idf/results, of an ESP32 in results-esp32, so all may run in several runs, of which two may run at once on another
// --port than 5555. Writes docs/emulated.md of what is kept if every check passed and every learner was named, or with --doc; `--doc none` runs
// nothing, and takes the tools of each target that ran.
// tls takes mosquitto, openssl, and UDP port 123 of this machine, which root may bind; and QEMU's open_eth, which Espressif's has from version 9 on.
// Takes MODDABLE, IDF_PATH and, on PATH, mcconfig, idf.py, tsc 6 or later, ESP-IDF's compiler and Espressif's qemu-system-riscv32 or -xtensa.
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
import { all, CHIPS, cuts, doc, folderName, json, learners, parts, refuse, target } from "./order.mjs";
import { tryTls } from "./tls.mjs";
import { tryUpdate } from "./update.mjs";

/** What `doctor` says of the tools that a chip's firmware needs. */
function readTools(chip) {
  const needed = ["Moddable SDK", "ESP-IDF", "TypeScript"];
  return json("doctor").checks.filter(
    ({ name, purpose }) =>
      needed.includes(name) || (name === "Espressif's QEMU" && purpose.endsWith(` ${chip}`)),
  );
}

/** The first line of what a chip's compiler says of itself, or undefined. */
const readCompiler = (chip) =>
  spawnSync(CHIPS[chip].compiler, ["--version"], { encoding: "utf8" }).stdout?.split("\n")[0];

/** What this machine lacks for a chip. */
function lacks(chip) {
  const missing = readTools(chip)
    .filter(({ ok }) => !ok)
    .map(({ name, found, cure }) => `${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
  const { compiler } = CHIPS[chip];
  if (!readCompiler(chip)) missing.push(`${compiler}: not on PATH; source ESP-IDF's export.sh`);
  return missing;
}

/** The versions of what a chip's firmware was built with, and ran in. */
function versions(chip) {
  const tools = readTools(chip);
  const of = (wanted) => tools.find(({ name }) => name === wanted).found.split(" in ")[0];
  const qemu = of("Espressif's QEMU");
  return { sdk: of("Moddable SDK"), idf: of("ESP-IDF"), qemu, compiler: readCompiler(chip) };
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

/** What passed on a chip in this and earlier runs: a learner's result, or a trial's of one. */
const KEPT = Object.fromEntries(
  Object.keys(CHIPS).map((chip) => [chip, join(place, folderName("results", chip))]),
);
const keptFile = (name, chip = target) => join(KEPT[chip], `${name}.json`);

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
function kept(name, chip) {
  const file = keptFile(name, chip);
  return existsSync(file) ? JSON.parse(readFileSync(file)) : undefined;
}

/** What was kept of every learner of a chip, beside its plan. */
const readResults = (chip) =>
  all
    .map((learner) => kept(learner, chip))
    .filter(Boolean)
    .map((result) => withPlan(result, chip));

/** What ran on a chip, or undefined. */
function runOn(chip) {
  const results = readResults(chip);
  if (results.length === 0) return undefined;
  const trials = Object.fromEntries(
    Object.entries(TRIALS).map(([part, { name }]) => [part, kept(name, chip)]),
  );
  const learnerNames = (list) => list.map(({ learner }) => learner);
  return {
    ...{ title: CHIPS[chip].title, versions: versions(chip), trials },
    ...{ ran: learnerNames(results), ordered: learnerNames(results.filter(({ ordered }) => ordered)) },
    ...{ figures: figures(results), beyond: results[0].grows ? beyondPlan(results) : undefined },
    dates: [...results, ...Object.values(trials)].map((part) => part?.date).filter(Boolean),
  };
}

/** Writes docs/emulated.md of what was kept. */
function writeDoc() {
  const runs = Object.keys(CHIPS).map(runOn).filter(Boolean);
  const date = runs
    .flatMap(({ dates }) => dates)
    .sort()
    .at(-1);
  writeFileSync(join(root, "docs/emulated.md"), emulatedText({ date, all, runs }));
}

const shown = doc ? Object.keys(CHIPS).filter((chip) => existsSync(KEPT[chip])) : [];
const missing = [...new Set([target, ...shown].flatMap(lacks))];
if (missing.length > 0) refuse(missing.map((line) => `missing: ${line}`));
mkdirSync(KEPT[target], { recursive: true });
if (parts.includes("learn")) for (const learner of learners) await keep(learner, () => tryLearner(learner));
for (const [part, { name, attempt }] of Object.entries(TRIALS))
  if (parts.includes(part)) await keep(name, () => attempt(learners[0]));
printTable("Planned, and measured in Espressif's QEMU", figures(readResults(target)));
if (failures() > 0) console.log("docs/emulated.md: not written, because a check failed");
else if (doc) writeDoc();
close();
