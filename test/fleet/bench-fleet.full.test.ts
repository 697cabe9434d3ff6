import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runJson } from "../cli/program.ts";
import { awaited, become } from "../tools/awaited.ts";

test("a small fleet is measured, then stormed: each part has its costs, no label is lost, each node is as simulated", () => {
  const { nodes, speed, samples, labels, latencyMs, parts, storm, verdict } = runJson(
    "motelearn.bench-fleet/1",
    ...["bench", "--fleet", "--nodes", "4", "--seconds", "20", "--speed", "4", "--label-every", "2"],
    ...["--kills", "1"],
  );
  assert.equal([nodes, speed], [4, 4]);
  assert.ok(samples > 0);
  assert.ok(labels.applied > 0 && labels.applied <= labels.given, JSON.stringify(labels));
  assert.is(labels.otherwise, 0);
  assert.ok(latencyMs.p50 > 0 && latencyMs.p99 >= latencyMs.p50);
  assert.equal(
    parts.map(({ part }: { part: string }) => part),
    ["gateway", "broker", "nodes"],
  );
  for (const { cpuUsPerNodeSecond, rssBytes } of parts) assert.ok(cpuUsPerNodeSecond > 0 && rssBytes > 0);
  assert.equal(storm, { gateway: 1, broker: 1, drops: 2, restarts: 1 });
  const { taken, applied, tooLate, unanswered, waiting, lost, doubled, different } = verdict;
  assert.equal({ waiting, lost, doubled, different }, { waiting: 0, lost: 0, doubled: 0, different: [] });
  assert.ok(applied > 0 && applied + tooLate + unanswered >= taken, JSON.stringify(verdict));
});

/** The processes of this system that name the folder in their command line. */
function listProcesses(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(folder);
    } catch {
      return false; // it has ended
    }
  });
}

test("a bench that is ended by SIGTERM leaves neither processes nor files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-ended-"));
  const program = join(process.cwd(), "dist/motelearn.js");
  const args = [program, "bench", "--fleet", "--nodes", "2", "--seconds", "3600"];
  const env = { ...process.env, TMPDIR: folder };
  const bench = spawn(process.execPath, args, { stdio: "ignore", env });
  try {
    const said = () => `${readdirSync(folder)}`;
    await become("its gateway", () => listProcesses(folder).length === 1, said);
    bench.kill("SIGTERM");
    await awaited("its end", once(bench, "exit"), said);
    assert.is(bench.exitCode, 143);
    assert.equal([readdirSync(folder), listProcesses(folder)], [[], []]);
  } finally {
    bench.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a fleet that can't be measured is refused in one line", async () => {
  await refusesHere(["bench", "--fleet", "--nodes", "0"], "--nodes", "1..10000");
  await refusesHere(["bench", "--fleet", "--nodes", "many"], "--nodes", "1..10000");
  await refusesHere(["bench", "--fleet", "--seconds", "0"], "--seconds", "1..86400");
  await refusesHere(
    ["bench", "--fleet", "--broker", "localhost"],
    "--broker localhost",
    "mqtt://HOST:PORT or mosquitto",
  );
  await refusesHere(
    ["bench", "--fleet", "--kills", "1", "--broker", "mqtt://localhost:1883"],
    "--kills",
    "starts",
  );
});

test.run();
