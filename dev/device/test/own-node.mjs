// The project that `init --node` writes of a raw signal's node, as firmware on the emulated chip: it takes the state that `evaluate` saved, and
// samples bursts by its own sensor class.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installInto, MOTELEARN } from "../../../targets/emulator/own-project.mjs";
import { check } from "../checks.mjs";
import { start, startReady } from "./commands.mjs";

const RATE = 1000;
const BURST = 64;
const SAMPLES = 300;
const NODE = {
  schema: "motelearn.node/1",
  learner: "olk-c",
  options: { budget: 16 },
  channels: 2 * BURST,
  classes: ["sound", "worn"],
  ...{ pending: 64, window: BURST, bands: 8, burst: BURST, standardise: true, periodMs: 500 },
  board: "esp32c3",
};

/** Two accelerations; a worn bearing adds a line to both. */
function vibration() {
  const rows = ["x,y,state"];
  for (let k = 0; k < SAMPLES * BURST; k++) {
    const isWorn = Math.floor(k / (20 * BURST)) % 2 === 1;
    const bearing = (isWorn ? 0.5 : 0.05) * Math.sin(1.338 * k);
    const hum = Math.sin(0.308 * k) + 0.1 * Math.sin(k * k);
    const readings = [hum + bearing, 0.5 * hum - bearing].map((value) => value.toFixed(3));
    rows.push([...readings, isWorn ? "worn" : "sound"].join());
  }
  return `${rows.join("\n")}\n`;
}

/** Runs a command in the folder, and returns its lines. */
async function runLines(place, ...args) {
  const lines = [];
  const { code, errors } = await start([MOTELEARN, ...args], (line) => lines.push(line), { cwd: place })
    .ended;
  check(`${args[0]} ends well`, code === 0 && errors === "", [code, errors]);
  return lines.join("\n");
}

const hashIn = (text, before) => new RegExp(`${before} +([0-9a-f]{16})`).exec(text)?.[1];

/** The package must be built. */
export async function checkOwnNode() {
  const place = mkdtempSync(join(tmpdir(), "motelearn-"));
  writeFileSync(join(place, "node.json"), JSON.stringify(NODE));
  writeFileSync(join(place, "vibration.csv"), vibration());
  const train = ["--train", "vibration.csv", "--rate", `${RATE}`, "--period", `${BURST}`];
  const learned = await runLines(place, "evaluate", "--node", "node.json", ...train, "--save", "state.json");
  const hash = hashIn(learned, "state hash of the last pass");
  const own = ["--node", "node.json", "--state", "state.json", "--rate", `${RATE}`];
  await runLines(place, "init", "project", ...own);
  const project = join(place, "project");
  mkdirSync(join(project, "build"));
  installInto(project);
  const command = [MOTELEARN, "board", "--project", ".", "--unix", "build/wire"];
  const board = await startReady(command, () => {}, { cwd: project });
  await runLines(project, "rollback", "--copy", "state.json", "--port", "unix:build/wire");
  const inspected = await runLines(project, "inspect", "--node", "node.json", "--port", "unix:build/wire");
  const sampled = Number(/sample (\d+) of session/.exec(inspected)?.[1]);
  const isSame = hashIn(inspected, "learner's hash") === hash;
  check("the project's node has the hash of evaluate", isSame, [hash, inspected]);
  check("it samples", sampled > SAMPLES, inspected);
  board.child.kill("SIGTERM");
  const left = await board.ended;
  check("the project's board ends well", left.code === 0, left);
  rmSync(place, { recursive: true });
  console.log(`\nA project of a raw signal's node: ${hash} after ${SAMPLES} samples, as evaluate says`);
}
