import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, runJson } from "./program.ts";

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

test("a fleet that can't be measured is refused in one line", () => {
  refuses(["bench", "--fleet", "--nodes", "0"], "--nodes", "1..10000");
  refuses(["bench", "--fleet", "--nodes", "many"], "--nodes", "1..10000");
  refuses(["bench", "--fleet", "--seconds", "0"], "--seconds", "1..86400");
  refuses(
    ["bench", "--fleet", "--broker", "localhost"],
    "--broker localhost",
    "mqtt://HOST:PORT or mosquitto",
  );
  refuses(["bench", "--fleet", "--kills", "1", "--broker", "mqtt://localhost:1883"], "--kills", "starts");
});

test.run();
