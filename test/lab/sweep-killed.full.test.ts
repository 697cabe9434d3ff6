import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { run } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { test } from "../tools/contained.ts";
import { countBytes, countLines, grows, hasLines } from "../tools/growing.ts";
import { haltingPlugin, startHalting } from "../tools/halting.ts";
import { TINY } from "./sweeps.ts";

const folder = makeFolder();

const plugin = haltingPlugin(folder);
const scenario = join(folder, "tiny.json");
const tasks = TINY.tasks.map((task) => ({ ...task, learners: [{ learner: "halting" }, task.learners[1]] }));
writeFileSync(scenario, JSON.stringify({ ...TINY, tasks }));
const SEEDS = 40;
const RUNS = 5 * 2 * SEEDS;
const KILLS = 3;
const VARY = ["--vary", "labels.delayMean=0,5,10,20,40", "--seeds", String(SEEDS), "--curves"];
const sweep = ["sweep", "--scenario", scenario, "--plugin", plugin, ...VARY];

/** Starts the sweep on two threads, each of which halts after `runs` of the halting learner at the earliest. */
const startFor = (runs: number, out: string) =>
  startHalting(runs * TINY.stream.samples, ...sweep, "--threads", "2", "--report", out);

/** The tables of a folder. */
function tables(at: string): string {
  return ["tiny.csv", "tiny-curves.csv"].map((name) => readFileSync(join(at, name), "utf8")).join("\n");
}

const whole = join(folder, "whole");

test(`${RUNS} runs on one thread: the table that others are held against`, () => {
  const { code, stderr } = run(...sweep, "--threads", "1", "--report", whole);
  assert.is(code, 0, stderr);
  assert.is(readFileSync(join(whole, "tiny.csv"), "utf8").split("\n").length, RUNS + 2);
});

test("killed with -9 at random times and resumed, on two threads: the same bytes, no run done twice", async () => {
  const out = join(folder, "killed");
  const store = join(out, "tiny.runs");
  const random = new Random(1, "kills");
  for (let kills = 0; kills < KILLS; kills++) {
    // Both threads perform at most four times as many runs until they halt: there are runs left for each kill.
    const runs = 1 + Math.floor((random.uniform() * RUNS) / (4.5 * KILLS));
    const before = countLines(store);
    const sweeping = startFor(runs, out);
    await hasLines(store, before + runs, sweeping);
    assert.ok(sweeping.child.kill("SIGKILL"));
    await sweeping.ended;
  }
  const between = readFileSync(store, "utf8").split("\n").length;
  assert.ok(between < RUNS, `${between} lines before the last start`);
  const { code, stderr } = run(...sweep, "--threads", "2", "--report", out);
  assert.is(code, 0, stderr);
  assert.is(tables(out), tables(whole));
  const lines = readFileSync(store, "utf8").trimEnd().split("\n").length;
  assert.ok(
    lines >= RUNS && lines <= RUNS + 2 + KILLS * 3,
    `${lines} lines: a kill costs the runs under way`,
  );
});

test("Ctrl-C ends with code 130 and says how many runs are done; the same command continues", async () => {
  const out = join(folder, "stopped");
  const store = join(out, "tiny.runs");
  const first = startFor(RUNS / 10, out);
  await hasLines(store, RUNS / 10, first);
  first.child.kill("SIGINT");
  const { code, stderr } = await first.ended;
  assert.is(code, 130, stderr);
  assert.match(
    stderr,
    new RegExp(`^motelearn: interrupted: \\d+ of ${RUNS} runs are done; .*tiny\\.runs keeps them`, "m"),
  );
  assert.is(run(...sweep, "--report", out).code, 0);
  assert.is(tables(out), tables(whole));
});

test("of a large network kill -9 and Ctrl-C cost the parts under way: the same bytes, on other threads", async () => {
  const large = join(folder, "large.json");
  const stream = { type: "scene", nodes: 100, samples: 5000, channels: 1 };
  const counting = [{ name: "presence", task: "classification", learners: [{ learner: "halting" }] }];
  writeFileSync(large, JSON.stringify({ schema: "motelearn.scenario/1", stream, tasks: counting }));
  const out = join(folder, "large");
  const parts = join(out, "large.networks");
  const args = ["sweep", "--scenario", large, "--plugin", plugin, "--seeds", "1", "--report"];
  const interrupt = async (threads: number, signal: "SIGKILL" | "SIGINT") => {
    const before = countBytes(parts);
    const sweeping = startHalting(50_000, ...args, out, "--threads", String(threads)); // of 500,000 labels
    await grows(parts, before + 2000, sweeping);
    sweeping.child.kill(signal);
    return sweeping.ended;
  };
  await interrupt(1, "SIGKILL");
  const killed = countBytes(parts);
  const { code, stderr } = await interrupt(2, "SIGINT");
  assert.is(code, 130, stderr);
  assert.match(stderr, /interrupted: 0 of 1 runs are done; .*large\.networks the finished parts of the next/);
  assert.ok(countBytes(parts) > killed, "what was done before the kill is kept");
  const last = run(...args, out, "--threads", "2");
  assert.is(last.code, 0, last.stderr);
  assert.not.ok(existsSync(parts), "nothing is kept of a run that is over");
  const unbroken = join(folder, "large-whole");
  assert.is(run(...args, unbroken, "--threads", "1").code, 0);
  const table = (at: string) => readFileSync(join(at, "large.csv"), "utf8");
  assert.ok(table(out) === table(unbroken), "the same bytes");
});

test.run();
