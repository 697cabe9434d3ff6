// `motelearn simulate --engine xs` against the run on Node: the same figures to the bit, and results after
// full memory.
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { imported } from "../../../targets/emulator/bundle.mjs";
import { root } from "../../../targets/emulator/engine.mjs";
import { MOTELEARN } from "../../../targets/emulator/own-project.mjs";
import { check } from "../checks.mjs";
import { LIMIT_MS } from "./commands.mjs";
import { drawScenarios } from "./drawn-scenarios.mjs";

function simulate(folder, args, env = process.env) {
  const command = [MOTELEARN, "simulate", ...args, "--report", folder];
  return new Promise((done) => {
    execFile(process.execPath, command, { env, maxBuffer: 1e9 }, (error, stdout, stderr) => {
      const errors = stderr.split("\n").filter((line) => line.startsWith("motelearn:"));
      done({ code: error ? error.code : 0, stdout, errors });
    });
  });
}

const ON_XS = ["--engine", "xs"];
/** Rows of a stream that is written here. */
const ROWS = 200;

/** The parts that must be equal on both engines: everything but the run's name. */
function comparableParts({ stdout, errors }) {
  if (stdout === "") throw new Error(errors.join("\n"));
  const { repeat, engine, arithmetic, ...result } = JSON.parse(stdout);
  return { engine, arithmetic, result };
}

async function checkSame(name, folder, scenario) {
  const begin = performance.now();
  const here = await simulate(folder, [...scenario, "--json"]);
  const middle = performance.now();
  const there = await simulate(folder, [...scenario, "--json", ...ON_XS]);
  const end = performance.now();
  const [node, xs] = [comparableParts(here), comparableParts(there)];
  const isSame = JSON.stringify(xs.result) === JSON.stringify(node.result);
  check(`${name}: all figures and hashes as on Node`, isSame);
  const named = node.engine === "node" && xs.engine === "XS, esp32c3: 94,208 bytes a node";
  check(`${name}: the engine is named`, named && xs.arithmetic === "c", [node.engine, xs.engine]);
  const hashes = node.result.nodes.flatMap(({ learners }) => learners.map(({ nodeHash }) => nodeHash));
  const areThere = hashes.every((hash) => /^[0-9a-f]{16}$/.test(hash));
  check(`${name}: hashes are there`, areThere, hashes);
  const [onNode, onXs] = [middle - begin, end - middle].map((ms) => (ms / 1000).toFixed(1));
  console.log(`${name}: ${hashes.length} nodes end alike; Node ${onNode} s, XS ${onXs} s`);
}

/** Nodes that start from what a file taught go on alike. */
async function checkState(folder) {
  const learner = { learner: "lol", options: { budget: 8 } };
  const node = { window: 4, standardise: true, state: "state.json" };
  const scenario = writeScenario(folder, "taught", 2, 2, [learner], { node });
  const options = ["--options", JSON.stringify(learner.options)];
  const train = ["--train", join(folder, "taught.csv"), "--learner", "lol", ...options];
  const state = ["--window", "4", "--save", join(folder, node.state)];
  execFileSync(process.execPath, [MOTELEARN, "evaluate", ...train, ...state], { stdio: "ignore" });
  await checkSame("from a state", folder, scenario);
  const { result } = comparableParts(await simulate(folder, [...scenario, "--json", ...ON_XS]));
  const [{ power, labels, nodeCounters }] = result.nodes[0].learners;
  const learned = nodeCounters.applied - labels.applied;
  check("from a state: it has the file's labels", power.restored === 1 && learned === ROWS, [power, learned]);
}

/** Nodes that learn together take the same models, by the same votes, through lost frames and power cuts. */
async function checkTogether(folder, harmed) {
  const learners = [{ learner: "arow" }, { learner: "olk-c", options: { budget: 8 } }];
  const { node, ...others } = harmed;
  for (const vectors of [0, 8]) {
    const name = `together, ${vectors} vectors`;
    const options = { ...others, node, together: { vectors } };
    const scenario = writeScenario(folder, `together-${vectors}`, 2, 2, learners, options);
    await checkSame(name, folder, scenario);
    const { result } = comparableParts(await simulate(folder, [...scenario, "--json", ...ON_XS]));
    const took = result.nodes.flatMap(({ learners }) => learners.map(({ together }) => together));
    const tookModels = took.every(({ models }) => models > 0) && took.some(({ judged }) => judged > 0);
    check(`${name}: each node took models, and some judged`, tookModels, took);
  }
}

/** The rows that lack readings are met on XS as the option says. */
async function checkMissing(folder, scenario, option) {
  const { result } = comparableParts(await simulate(folder, [...scenario, "--json", ...ON_XS]));
  const [{ missing, missed, nodeCounters }] = result.nodes[0].learners;
  const lacking = Array.from({ length: ROWS }, (_, i) => lacks(i, 0, 2) || lacks(i, 1, 2));
  const rows = lacking.filter(Boolean).length;
  check(`missing readings, ${option}: rows are counted`, missing.rows === rows, missing);
  const { unreadable } = nodeCounters;
  const isMet = missed === (option === "skip" ? rows : 0) && unreadable === (option === "nan" ? rows : 0);
  check(`missing readings, ${option}: the node misses, holds or refuses them`, isMet, [missed, unreadable]);
}

/** Table and report, without the lines that name the run. */
async function checkTexts(folder) {
  const texts = async (args) => {
    const { stdout } = await simulate(folder, ["one-scene", ...args]);
    const page = readFileSync(join(folder, "one-scene-seed-1.html"), "utf8");
    return { stdout, page };
  };
  const [node, xs] = [await texts([]), await texts(ON_XS)];
  const table = ({ stdout }) => stdout.replace(/^(engine|repeat) .*\n/gm, "");
  const figures = ({ page }) => page.replace(/<dl>.*?<\/dl>/s, "");
  check("the table is Node's", table(xs) === table(node) && table(xs).includes("Fusion"), xs.stdout);
  check("the report is Node's", figures(xs) === figures(node));
  const isNamed = /^engine {2}XS, esp32c3/m.test(xs.stdout) && /^engine {2}node$/m.test(node.stdout);
  check("the table names the engine", isNamed);
  check("the report names the engine", xs.page.includes("<dd>XS, esp32c3: 94,208 bytes a node</dd>"));
}

/** A row in seven lacks its first reading, one in eleven its last. */
const lacks = (i, j, channels) => (i % 7 === 3 && j === 0) || (i % 11 === 5 && j === channels - 1);

/**
 * Rows of `channels` readings and a class; quarters only, so that they are the same everywhere. `lacking` leaves
 * some readings out.
 */
function writeStream(folder, name, channels, classes, lacking = false) {
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const readings = Array.from({ length: channels }, (_, j) =>
      lacking && lacks(i, j, channels) ? "" : ((i * 7 + j * 5 + (i % classes) * 3) % 13) / 4,
    );
    return [...readings, i % classes].join();
  });
  const head = [...Array.from({ length: channels }, (_, j) => `x${j}`), "class"].join();
  writeFileSync(join(folder, name), `${head}\n${rows.join("\n")}\n`);
}

function writeScenario(folder, name, channels, classes, learners, { missing, ...more } = {}) {
  writeStream(folder, `${name}.csv`, channels, classes, missing !== undefined);
  const files = ["n0", "n1"].map((node) => ({ node, path: `${name}.csv` }));
  const tasks = [{ name: "t", task: "classification", learners }];
  const stream = { type: "files", files, missing };
  const scenario = { schema: "motelearn.scenario/1", name, stream, tasks, ...more };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(scenario));
  return [file];
}

/** One learner needs more memory than there is: its nodes stop, and nothing else changes. */
async function checkFull(folder) {
  const learners = [{ learner: "pa" }, { learner: "olk-c", options: { budget: 286 } }];
  const scenario = writeScenario(folder, "full", 64, 2, learners);
  const here = comparableParts(await simulate(folder, [...scenario, "--json"])).result;
  const run = await simulate(folder, [...scenario, "--json", ...ON_XS]);
  const line =
    /^motelearn: XS, esp32c3: .*: n0 \(t, olk-c\) didn't start: memory full: (\d+) bytes asked, \d+ left/;
  const asked = Number(line.exec(run.errors[0])?.[1]);
  const isFull = run.code === 3 && run.errors.length === 1 && asked > 94_208;
  check("memory full: exit 3 and one line", isFull, run.errors);
  const there = comparableParts(run).result;
  const of = ({ nodes }, place) => JSON.stringify(nodes.map(({ learners }) => learners[place]));
  check("memory full: what fits is kept", of(there, 0) === of(here, 0));
  const olk = there.nodes[1].learners[1];
  const stopped = olk.stop?.sample === 0 && olk.stop.asked === asked && olk.samples === 0;
  check("memory full: the result says where", stopped, olk.stop);
  const { stdout } = await simulate(folder, [...scenario, ...ON_XS]);
  const isTold = stdout.includes("n1 (t, olk-c) didn't start: memory full");
  check("memory full: the table says where", isTold, stdout);
  const page = readFileSync(join(folder, "full-seed-1.html"), "utf8");
  const isInPage = page.includes("<li>n1 (t, olk-c) didn&#39;t start: memory full");
  check("memory full: the report says where", isInPage, "");
  const larger = await simulate(folder, [...scenario, "--json", ...ON_XS, "--target", "esp32"]);
  check("memory full: an ESP32 has room", larger.code === 0, larger.errors);
  console.log(run.errors[0]);
}

/** A node that keeps 256 bytes more with each sample, driven until its memory is full. */
async function checkLeak(folder, program) {
  const text = readFileSync(join(root, "dist/node-for-xs.js"), "utf8");
  const leaking = text
    .replace("let kind = 0", "const kept = []; let kind = 0")
    .replace("server.serve(kind)", "(kept.push(new Float32Array(64)), server.serve(kind))");
  const script = join(folder, "leaking.js");
  writeFileSync(script, leaking);
  const { NodeOnXs } = await imported("targets/emulator/node-on-xs.ts");
  const options = { sid: 1, channels: 2, learner: { name: "pa" }, options: {} };
  const uart = { read: () => 0, write: () => 0, room: 0 };
  const flash = { read: () => true, erase: () => true, program: () => true };
  const listener = { answered: () => {}, predicted: () => {} };
  const parts = { options, fed: false, uart, flash, time: { now: 0 }, listener };
  const node = new NodeOnXs({ program, script, blockBytes: 94_208 }, parts);
  node.start(0);
  let taken = 0;
  while (!node.stop && taken < 1000) node.sample(Float32Array.of(++taken % 3, 1));
  const { sample, asked, why } = node.stop ?? {};
  const full = sample === taken && node.seq === taken - 1 && asked >= 256 && /^memory full/.test(why);
  const found = [node.stop, taken, node.seq];
  check("a node that runs out of memory says at which sample", taken > 50 && full, found);
  check("its counters are those until then", node.count("sampled") === taken - 1, node.count("sampled"));
  const silent = !node.poll() && Number.isNaN(node.sample(Float32Array.of(1, 1)));
  check("it answers no more", silent && node.hashes().state === "");
  node.close();
  console.log(`a leak of 256 bytes a sample: stopped at sample ${sample}, ${why}`);
}

async function checkNoCompiler(folder) {
  const { code, errors } = await simulate(folder, ["one-scene", ...ON_XS], { ...process.env, PATH: folder });
  const said = errors.length === 1 && /no C compiler cc .*apt-get install gcc/.test(errors[0]);
  check("no compiler: exit 2 and one line", code === 2 && said, { code, errors });
}

/** Processes whose command line has `part`. */
function running(part) {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes(part);
    } catch {
      return false; // it has ended
    }
  });
}

const LOOK_MS = 10;

/** Waits until `holds`, or as long as only a hang takes. Returns whether it does. */
async function until(holds) {
  for (let i = 0; i < LIMIT_MS / LOOK_MS && !holds(); i++) await pause(LOOK_MS);
  return holds();
}

/** @param wanted the exit code, or the signal that ends it. */
async function checkInterrupt(folder, signal, wanted) {
  const temporary = join(folder, signal);
  const env = { ...process.env, TMPDIR: mkdtempSync(temporary) };
  const command = [MOTELEARN, "simulate", ...ON_XS, "--report", join(folder, "none")];
  const child = spawn(process.execPath, command, { env, stdio: "ignore" });
  const ended = new Promise((done) => child.on("close", (code, by) => done(by ?? code)));
  const mark = `--serve\0${child.pid}\0`;
  check(`${signal}: a machine runs`, await until(() => running(mark).length >= 1));
  child.kill(signal);
  const how = await ended;
  check(`${signal}: it ends with ${wanted}`, how === wanted, how);
  check(`${signal}: no machine still runs`, await until(() => running(mark).length === 0), running(mark));
  check(`${signal}: no file is left`, readdirSync(env.TMPDIR).length === 0, readdirSync(env.TMPDIR));
}

/** Of the scenarios that are drawn: among the first few, a fed node predicts several samples in a turn. */
const DRAWN_SEED = 4;

async function checkDrawn(folder, count) {
  for (const [i, scenario] of drawScenarios(count, DRAWN_SEED).entries()) {
    const file = join(folder, `drawn-${i + 1}.json`);
    writeFileSync(file, JSON.stringify(scenario));
    await checkSame(`scenario ${i + 1} of those drawn with seed ${DRAWN_SEED}`, folder, [file]);
  }
}

/** All checks; `program` is the machine of `buildLinux`. @param drawn scenarios drawn at random. */
export async function checkSimulate(program, drawn) {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-xs-"));
  try {
    console.log("\nmotelearn simulate --engine xs");
    const learners = [{ learner: "pa" }, { learner: "lol", options: { budget: 8 } }];
    const given = { window: 4, standardise: true, checkpointEvery: 20 };
    const many = { node: given, link: { loss: 0.2, reorder: 3 } };
    await checkSame("three classes", folder, writeScenario(folder, "many", 2, 3, learners, many));
    const harmed = {
      ...many,
      link: { loss: 0.2, byteErrors: 0.001, stalls: { rate: 0.01 }, cuts: { count: 1 } },
      power: { count: 6, duringSave: 0.7, off: 2 },
    };
    await checkSame("power cuts", folder, writeScenario(folder, "cuts", 2, 2, learners, harmed));
    const fed = { ...harmed, node: { ...harmed.node, fed: true } };
    await checkSame("power cuts, fed", folder, writeScenario(folder, "fed", 2, 2, learners, fed));
    await checkTogether(folder, harmed);
    for (const missing of ["skip", "hold", "nan"]) {
      const scenario = writeScenario(folder, `missing-${missing}`, 2, 2, learners, { ...many, missing });
      await checkSame(`missing readings, ${missing}`, folder, scenario);
      await checkMissing(folder, scenario, missing);
    }
    await checkState(folder);
    await checkDrawn(folder, drawn);
    await checkSame("one-scene", folder, ["one-scene"]);
    await checkSame("four-motes", folder, ["four-motes"]);
    await checkTexts(folder);
    await checkFull(folder);
    await checkLeak(folder, program);
    await checkNoCompiler(folder);
    await checkInterrupt(folder, "SIGINT", 130);
    await checkInterrupt(folder, "SIGKILL", "SIGKILL");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
