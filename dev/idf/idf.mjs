// npm run test:idf [-- [--target TARGET] [--only PART]... [--port N] [--cuts N] [--seed N] LEARNER...]: firmware that the Moddable SDK and ESP-IDF
// build for an ESP32-C3, or --target esp32 or esp32s3, in Espressif's QEMU, from the chip's ROM on. The parts:
//   learn     every learner, or those named: its node must start in its planned memory, with this machine's bits, learn a recording's labels to
//             this machine's state, and resume from its checkpoint with the same hash after a power cut
//   balanced  the same of one learner of two classes whose option balanced is on
//   parts     the same of one whose node has windows and optional parts
//   cuts      --cuts power cuts, 200, at instants of the node's work that --seed draws, some within an erase of the flash, some within its start
//   start     a node whose start takes longer than the watchdog waits
//   watchdog  a node whose turn hangs restarts and resumes
//   fault     a node that can't start says why
//   state     a node that is flashed with a state begins there
//   keys      a node's keys are in NVS
//   tls       a node at a broker with TLS, over Ethernet: which certificates it takes, its labels, a power cut, its memory
//   update    an update over the node's wire, with cuts within transfer and trial, which takes a quarter of an hour
// The others run the node of the first learner, but `start` that of the slowest. --only runs that part, and may be repeated; without it, all run.
// Keeps what passed in dev/idf/ran.json, so all may run in several runs, of which two may run at once on another --port than 5555; `npm run
// build:emulated` writes docs/emulated.md of it. A wait ends by what the node does, so a busy machine only makes it longer.
// tls takes mosquitto, openssl, and UDP port 123 of this machine, which root may bind; and a QEMU whose chip has open_eth: an ESP32 in 8.0, the others in 9.2.
// Takes MODDABLE, IDF_PATH and, on PATH, mcconfig, idf.py, tsc 6 or later, ESP-IDF's compiler and Espressif's qemu-system-riscv32 or -xtensa.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { check, close, failures } from "../device/checks.mjs";
import { endAll } from "../device/test/commands.mjs";
import { tryCuts } from "./cuts.mjs";
import { tryFault, tryStart, tryWatchdog } from "./faults.mjs";
import { tryState } from "./given-state.mjs";
import { tryKeys } from "./keys.mjs";
import { tryLearner } from "./learners.mjs";
import { CHIPS, cuts, json, learners, parts, refuse, target } from "./order.mjs";
import { keepRan, strangerTo } from "./ran.mjs";
import { tryTls } from "./tls.mjs";
import { tryUpdate } from "./update.mjs";

/** The options of the nodes of those parts, as flags of plan and flash. */
const OPTIONS = JSON.parse(readFileSync(new URL("options.json", import.meta.url), "utf8"));

/** What `doctor` says of the tools that the chip's firmware needs. */
function readTools() {
  const needed = ["Moddable SDK", "ESP-IDF", "TypeScript"];
  return json("doctor").checks.filter(
    ({ name, purpose }) =>
      needed.includes(name) || (name === "Espressif's QEMU" && purpose.endsWith(` ${target}`)),
  );
}

/** The first line of what the chip's compiler says of itself, or undefined. */
const readCompiler = () =>
  spawnSync(CHIPS[target].compiler, ["--version"], { encoding: "utf8" }).stdout?.split("\n")[0];

/** What this machine lacks for the chip. */
function lacks(tools, compiler) {
  const missing = tools
    .filter(({ ok }) => !ok)
    .map(({ name, found, cure }) => `${name}: ${found === undefined ? "" : `${found}; `}${cure}`);
  if (!compiler) missing.push(`${CHIPS[target].compiler}: not on PATH; source ESP-IDF's export.sh`);
  return missing.map((line) => `missing: ${line}`);
}

/** The versions of what the firmware is built with, and runs in. Stops where something is missing, or other than that of what was kept. */
function checkTools() {
  const [tools, compiler] = [readTools(), readCompiler()];
  const missing = lacks(tools, compiler);
  if (missing.length > 0) refuse(missing);
  const of = (wanted) => tools.find(({ name }) => name === wanted).found.split(" in ")[0];
  const found = { sdk: of("Moddable SDK"), idf: of("ESP-IDF"), qemu: of("Espressif's QEMU"), compiler };
  const stranger = strangerTo(target, found);
  if (stranger) refuse([stranger]);
  return found;
}

/** Runs a learner whose node has the options of a part, by their flags. */
const tryOptions = (part) => (learner) =>
  tryLearner(learner, ...Object.entries(OPTIONS[part]).flatMap(([flag, value]) => [`--${flag}`, `${value}`]));

/** The parts that run one learner's node. */
const TRIALS = {
  balanced: tryOptions("balanced"),
  parts: tryOptions("parts"),
  cuts: (learner) => tryCuts(learner, cuts),
  start: tryStart,
  watchdog: tryWatchdog,
  fault: tryFault,
  state: tryState,
  keys: tryKeys,
  tls: tryTls,
  update: tryUpdate,
};

const versions = checkTools();

/** Does one part, and keeps its result if every check in it passed; `kind`: learners or trials. */
async function keep(kind, name, part) {
  const failed = failures();
  try {
    const result = await part();
    if (failures() === failed) keepRan(target, versions, kind, name, result);
  } catch (error) {
    check(`${name}: runs`, false, error.message);
    endAll(); // its board, which has the port of the next one
  }
}

if (parts.includes("learn"))
  for (const learner of learners) await keep("learners", learner, () => tryLearner(learner));
for (const [part, attempt] of Object.entries(TRIALS))
  if (parts.includes(part)) await keep("trials", part, () => attempt(learners[0]));
close();
process.exit(); // a part that failed left its servers
