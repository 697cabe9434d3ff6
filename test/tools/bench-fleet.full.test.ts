import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, runJson } from "./program.ts";

test("a small fleet is measured: all that is given arrives, and each part has its costs", () => {
  const { nodes, samples, labels, latencyMs, parts } = runJson(
    "motelearn.bench-fleet/1",
    ...["bench", "--fleet", "--nodes", "3", "--seconds", "8"],
  );
  assert.is(nodes, 3);
  assert.ok(samples > 0);
  assert.ok(labels.applied > 0 && labels.applied <= labels.given, JSON.stringify(labels));
  assert.is(labels.otherwise, 0);
  assert.ok(latencyMs.p50 > 0 && latencyMs.p99 >= latencyMs.p50);
  assert.equal(
    parts.map(({ part }: { part: string }) => part),
    ["gateway", "broker", "nodes"],
  );
  for (const { cpuUsPerNodeSecond, rssBytes } of parts) assert.ok(cpuUsPerNodeSecond > 0 && rssBytes > 0);
});

test("a fleet that can't be measured is refused in one line", () => {
  refuses(["bench", "--fleet", "--nodes", "0"], "--nodes", "1..10000");
  refuses(["bench", "--fleet", "--nodes", "many"], "--nodes", "1..10000");
  refuses(["bench", "--fleet", "--seconds", "0"], "--seconds", "1..86400");
  refuses(["bench", "--fleet", "--broker", "localhost"], "--broker localhost", "mqtt://HOST:PORT");
});

test.run();
