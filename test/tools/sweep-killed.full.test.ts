import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import { bytesOf, grows } from "./growing.ts";
import { haltingPlugin, startHalting } from "./halting.ts";
import { run, start } from "./program.ts";
import { TINY } from "./sweeps.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-sweep-killed-"));
test.after(() => rmSync(folder, { recursive: true }));

const scenario = join(folder, "tiny.json");
writeFileSync(scenario, JSON.stringify(TINY));
const RUNS = 5 * 2 * 200;
const VARY = ["--vary", "labels.delayMean=0,5,10,20,40", "--seeds", "200", "--curves"];
const sweep = ["sweep", "--scenario", scenario, ...VARY];

/** The tables of a folder. */
function tables(at: string): string {
  return ["tiny.csv", "tiny-curves.csv"].map((name) => readFileSync(join(at, name), "utf8")).join("\n");
}

const whole = join(folder, "whole");

test("2,000 runs on one thread: the table that others are held against", () => {
  const { code, stderr } = run(...sweep, "--threads", "1", "--report", whole);
  assert.is(code, 0, stderr);
  assert.is(readFileSync(join(whole, "tiny.csv"), "utf8").split("\n").length, RUNS + 2);
});

test("killed with -9 at random times and resumed, on two threads: the same bytes, no run done twice", async () => {
  const out = join(folder, "killed");
  const store = join(out, "tiny.runs");
  const random = new Random(1, "kills");
  const full = bytesOf(join(whole, "tiny.runs"));
  let kills = 0;
  for (let i = 0; i < 8; i++) {
    const sweeping = start(...sweep, "--threads", "2", "--report", out);
    await grows(store, bytesOf(store) + random.uniform() * 0.15 * full, sweeping);
    if (sweeping.child.kill("SIGKILL")) kills++;
    await sweeping.ended;
  }
  assert.ok(kills >= 5, `${kills} kills`);
  const between = readFileSync(store, "utf8").split("\n").length;
  assert.ok(between < RUNS, `${between} lines before the last start`);
  const { code, stderr } = run(...sweep, "--threads", "2", "--report", out);
  assert.is(code, 0, stderr);
  assert.is(tables(out), tables(whole));
  const lines = readFileSync(store, "utf8").trimEnd().split("\n").length;
  assert.ok(lines >= RUNS && lines <= RUNS + 2 + 8 * 3, `${lines} lines: a kill costs the runs under way`);
});

test("Ctrl-C ends with code 130 and says how many runs are done; the same command continues", async () => {
  const out = join(folder, "stopped");
  const store = join(out, "tiny.runs");
  const first = start(...sweep, "--threads", "2", "--report", out);
  await grows(store, 100_000, first);
  first.child.kill("SIGINT");
  const { code, stderr } = await first.ended;
  assert.is(code, 130, stderr);
  assert.match(stderr, /^motelearn: interrupted: \d+ of 2000 runs are done; .*tiny\.runs keeps them/m);
  assert.is(run(...sweep, "--report", out).code, 0);
  assert.is(tables(out), tables(whole));
});

test("of a large network kill -9 and Ctrl-C cost the parts under way: the same bytes, on other threads", async () => {
  const plugin = haltingPlugin(folder);
  const large = join(folder, "large.json");
  const stream = { type: "scene", nodes: 100, samples: 5000, channels: 1 };
  const tasks = [{ name: "presence", task: "classification", learners: [{ learner: "halting" }] }];
  writeFileSync(large, JSON.stringify({ schema: "motelearn.scenario/1", stream, tasks }));
  const out = join(folder, "large");
  const parts = join(out, "large.networks");
  const args = ["sweep", "--scenario", large, "--plugin", plugin, "--seeds", "1", "--report"];
  const interrupt = async (threads: number, signal: "SIGKILL" | "SIGINT") => {
    const before = bytesOf(parts);
    const sweeping = startHalting(50_000, ...args, out, "--threads", String(threads)); // of 500,000 labels
    await grows(parts, before + 2000, sweeping);
    sweeping.child.kill(signal);
    return sweeping.ended;
  };
  await interrupt(1, "SIGKILL");
  const killed = bytesOf(parts);
  const { code, stderr } = await interrupt(2, "SIGINT");
  assert.is(code, 130, stderr);
  assert.match(stderr, /interrupted: 0 of 1 runs are done; .*large\.networks the finished parts of the next/);
  assert.ok(bytesOf(parts) > killed, "what was done before the kill is kept");
  const last = run(...args, out, "--threads", "2");
  assert.is(last.code, 0, last.stderr);
  assert.not.ok(existsSync(parts), "nothing is kept of a run that is over");
  const unbroken = join(folder, "large-whole");
  assert.is(run(...args, unbroken, "--threads", "1").code, 0);
  const table = (at: string) => readFileSync(join(at, "large.csv"), "utf8");
  assert.ok(table(out) === table(unbroken), "the same bytes");
});

test.run();
