import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { outcomeLine } from "../../lab/sweep/machines/messages.ts";
import { doneSubject, jobSubject } from "../../lab/sweep/machines/queue.ts";
import { type Running, run, start } from "../cli/program.ts";
import { awaited } from "../tools/awaited.ts";
import { test } from "../tools/contained.ts";
import { countBytes, grows } from "../tools/growing.ts";
import { NatsServers } from "../tools/nats.ts";
import { inFolder } from "../tools/stations.ts";
import { TINY } from "./sweeps.ts";

/** `MOTELEARN_RUNS=10000 node dist/test/lab/sweep-machines.full.test.js` takes as many: a multiple of ten. */
const RUNS = Number(process.env.MOTELEARN_RUNS ?? 400);
const SEEDS = RUNS / (5 * 2);
const WORKERS = 4;
/** Workers are killed so often at most; the second time the sweep as well, and each fourth time a server. */
const KILLS = RUNS > 1000 ? 24 : 8;
/** So often at least: what comes in a burst once a server is back may end the sweep. */
const KILLS_MIN = 3;

const scenario = inFolder("tiny.json");
writeFileSync(scenario, JSON.stringify(TINY));
const VARY = ["--vary", "labels.delayMean=0,5,10,20,40", "--seeds", String(SEEDS), "--curves"];
const sweep = ["sweep", "--scenario", scenario, ...VARY];
const whole = inFolder("whole");

/** The pieces of a network of 2000 nodes that see one scene: 500 parts and the fusion. */
const LARGE_PIECES = 501;

process.setMaxListeners(32); // each program that runs has one

let servers: NatsServers;
let addresses: string;
test.before(async () => {
  servers = await NatsServers.start("sweeps", 3);
  addresses = servers.addresses.join(",");
});
test.after(() => servers.close());

/** The tables of a folder, of that scenario. */
function tables(at: string, of = "tiny"): string {
  return [`${of}.csv`, `${of}-curves.csv`].map((name) => readFileSync(`${at}/${name}`, "utf8")).join("\n");
}

/** Identities in a store, one a line. */
function kept(store: string): string[] {
  const lines = readFileSync(store, "utf8").trimEnd().split("\n");
  return lines.flatMap((line) => /"run":"(\w+)"/.exec(line)?.[1] ?? []);
}

const startWorker = () => start("worker", addresses, "--threads", "1");

async function endAll(workers: readonly Running[]): Promise<void> {
  for (const { child } of workers) child.kill("SIGINT");
  for (const { ended } of workers) assert.is((await ended).code, 130);
}

/** The program's hash, as the store says it. */
function readProgram(store: string): string {
  return (/"program":"(\w{64})"/.exec(readFileSync(store, "utf8")) as RegExpExecArray)[1];
}

test("one machine: the tables that others are held against", () => {
  const { code, stderr } = run(...sweep, "--threads", "1", "--report", whole);
  assert.is(code, 0, stderr);
  assert.is(kept(`${whole}/tiny.runs`).length, RUNS);
});

test("outcomes that nobody asked for, or that aren't whole, and jobs that aren't what they say, change nothing", async () => {
  const program = readProgram(`${whole}/tiny.runs`);
  const connection = await connect({ servers: servers.addresses });
  const worker = startWorker();
  await worker.says("ready");
  const out = inFolder("attacked");
  const few = ["sweep", "--scenario", scenario, "--seeds", "3", "--workers", addresses, "--report", out];
  const first = start(...few);
  assert.is((await first.ended).code, 0);
  const [known] = kept(`${out}/tiny.runs`);
  const client = jetstream(connection);
  const stranger = "0".repeat(32);
  const rows = { nodes: [{ node: "n", error: 0 }], error: { at: [], value: [] } };
  const lie = outcomeLine({ run: stranger, program, kept: rows });
  await client.publish(doneSubject(program, stranger), lie);
  await client.publish(doneSubject(program, known), `${lie}x`);
  const secret = { ...TINY, stream: { type: "files", files: [{ node: "n", path: "/etc/passwd" }] } };
  const forged = JSON.stringify({ run: stranger, program, scenario: secret, files: [] });
  await client.publish(jobSubject(program, stranger), forged, { msgID: randomUUID() });
  await client.publish(jobSubject(program, known), `[`.repeat(1000), { msgID: randomUUID() });
  const again = inFolder("attacked-again");
  const second = start(...few.slice(0, -1), again);
  const { code, stderr } = await second.ended;
  assert.is(code, 0, stderr);
  assert.match(stderr, new RegExp(`an outcome of run ${known} isn't whole`));
  assert.is(readFileSync(`${again}/tiny.csv`, "utf8"), readFileSync(`${out}/tiny.csv`, "utf8"));
  await endAll([worker]);
  const { stderr: said } = await worker.ended;
  assert.match(said, /a run is refused: it isn't the run that its identity names/);
  assert.match(said, /a run is refused: isn't a job/);
  await connection.close();
});

test("a worker with another program refuses a sweep in one line, and the sweep says so", async () => {
  const plugin = inFolder("other.mjs");
  writeFileSync(plugin, "export const learners = [];\n");
  const other = start("worker", addresses, "--threads", "1", "--plugin", plugin);
  await other.says("ready");
  const args = ["--scenario", scenario, "--seeds", "900..901", "--workers", addresses];
  const waiting = start("sweep", ...args, "--report", inFolder("refused"));
  let complaints = "";
  const heard = new Promise<void>((done) => {
    waiting.child.stderr?.on("data", (text: string) => {
      complaints += text;
      if (complaints.includes("a worker refuses")) done();
    });
  });
  await awaited("the sweep to say that a worker refuses", heard, waiting.printed);
  const right = startWorker();
  const { code, stderr } = await waiting.ended;
  assert.is(code, 0, stderr);
  assert.match(stderr, /a worker refuses these runs: it is \S+ \(program \w{8}\), and this is/);
  await endAll([right, other]);
  const { stderr: said, stdout } = await other.ended;
  assert.is(said.match(/a sweep of .* is refused/g)?.length, 1, said);
  assert.match(stdout, /done {4}0 runs/);
});

test("recorded streams go to workers: the table of one machine", async () => {
  const lines = Array.from({ length: 200 }, (_, i) => `${Math.sin(i)},${Math.cos(3 * i)},${i % 2}`);
  writeFileSync(inFolder("recorded.csv"), `${lines.join("\n")}\n`);
  const { labels, tasks } = TINY;
  const stream = { type: "files", files: [{ node: "n1", path: "recorded.csv" }] };
  const file = inFolder("recorded.json");
  writeFileSync(file, JSON.stringify({ schema: TINY.schema, name: "tiny", stream, labels, tasks }));
  const args = ["sweep", "--scenario", file, "--seeds", "3", "--curves", "--report"];
  const one = run(...args, inFolder("files-here"));
  assert.is(one.code, 0, one.stderr);
  const worker = startWorker();
  const { code, stderr } = await start(...args, inFolder("files-there"), "--workers", addresses).ended;
  assert.is(code, 0, stderr);
  assert.is(tables(inFolder("files-there"), "recorded"), tables(inFolder("files-here"), "recorded"));
  writeFileSync(inFolder("recorded.csv"), `${lines.join("\n")}\n0.1,none,1\n`);
  const faulty = await start(...args, inFolder("files-faulty"), "--workers", addresses).ended;
  assert.is(faulty.code, 2);
  assert.match(faulty.stderr, /^motelearn: recorded\.csv:201: [^\n]+\n$/);
  await endAll([worker]);
});

test("servers that aren't there: one line, exit code 4", () => {
  const { code, stderr } = run("worker", "nats://127.0.0.1:1");
  assert.is(code, 4);
  assert.match(stderr, /^motelearn: workers: no server of nats:\/\/127\.0\.0\.1:1 takes [^\n]+\n$/);
  const bad = run(...sweep, "--workers", "http://a");
  assert.is(bad.code, 2);
  assert.match(bad.stderr, /Takes nats:\/\/HOST:PORT/);
});

test("a large network goes to workers in pieces: one that is killed costs the pieces under way, and the bytes are one machine's", async () => {
  const stream = { type: "scene", nodes: 2000, samples: 250, channels: 2, persistence: 20 };
  const tasks = [{ name: "presence", task: "classification", learners: [{ learner: "pa" }] }];
  const file = inFolder("large.json");
  const { schema, labels } = TINY;
  writeFileSync(file, JSON.stringify({ schema, stream, labels, tasks, fusion: { rule: "majority" } }));
  const args = ["sweep", "--scenario", file, "--seeds", "1", "--curves", "--report"];
  const one = run(...args, inFolder("large-here"));
  assert.is(one.code, 0, one.stderr);
  const connection = await connect({ servers: servers.addresses });
  const manager = await jetstreamManager(connection);
  const outcomes = async () => (await manager.streams.info("MOTELEARN_RESULTS")).state.messages;
  const before = await outcomes();
  const there = [...args, inFolder("large-there"), "--workers", addresses];
  const [first, sweeping] = [startWorker(), start(...there)];
  while ((await outcomes()) < before + LARGE_PIECES / 4) await pause(20);
  first.child.kill("SIGKILL");
  sweeping.child.kill("SIGKILL");
  await Promise.all([first.ended, sweeping.ended]);
  const done = (await outcomes()) - before;
  assert.ok(done < LARGE_PIECES, `${done} pieces before the kill`);
  const second = startWorker();
  const { code, stderr } = await start(...there).ended;
  assert.is(code, 0, stderr);
  assert.is(tables(inFolder("large-there"), "large"), tables(inFolder("large-here"), "large"));
  await endAll([second]);
  const performed = Number(/done {4}(\d+) runs/.exec((await second.ended).stdout)?.[1]);
  assert.ok(
    Math.abs(performed - (LARGE_PIECES - done)) <= 1,
    `${done} before the kill, ${performed} after it`,
  );
  await connection.close();
});

test("workers, the sweep and servers killed with -9 at random times: the same bytes, no run twice", async () => {
  const out = inFolder("killed");
  const store = `${out}/tiny.runs`;
  const random = new Random(1, "kills");
  const full = countBytes(`${whole}/tiny.runs`);
  const elsewhere = [...sweep, "--workers", addresses, "--report", out];
  const workers = Array.from({ length: WORKERS }, startWorker);
  let sweeping = start(...elsewhere);
  let kills = 0;
  let dead: number | undefined;
  for (let i = 0; i < KILLS; i++) {
    const before = countBytes(store);
    await grows(store, before + random.uniform() * (1.2 / KILLS) * full, sweeping);
    if (sweeping.child.exitCode !== null) break;
    const victim = Math.floor(random.uniform() * WORKERS);
    if (workers[victim].child.kill("SIGKILL")) kills++;
    workers[victim] = startWorker();
    if (i % 4 === 2) {
      if (dead !== undefined) await servers.revive(dead);
      dead = Math.floor(random.uniform() * 3);
      await servers.kill(dead);
    }
    if (i === 1) {
      sweeping.child.kill("SIGKILL");
      await sweeping.ended;
      sweeping = start(...elsewhere);
    }
  }
  const { code, stderr } = await sweeping.ended;
  assert.is(code, 0, stderr);
  assert.ok(kills >= KILLS_MIN, `${kills} kills`);
  assert.is(tables(out), tables(whole));
  const runs = kept(store);
  assert.is(runs.length, RUNS, "no run twice");
  assert.is(new Set(runs).size, RUNS);
  await endAll(workers);
});

test.run();
