import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";

const FOLDER = "targets/linux";
const sources = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));
const readSource = (name: string) => readFileSync(join(FOLDER, name), "utf8");

test("a Linux node's clock isn't the machine's time, which is set while the node runs", () => {
  for (const name of sources) assert.not.match(readSource(name), /Date\.now|new Date|Time\.ticks/, name);
  assert.match(readSource("node.ts"), /clock: \{ now: \(\) => host\.milliseconds\(\) - started \}/);
  assert.match(readSource("program.c"), /host_milliseconds[^}]*CLOCK_MONOTONIC/);
});

test("each function that the program's modules call is in its C", () => {
  const called = new Set(
    sources.flatMap((name) => [...readSource(name).matchAll(/native\("(host_\w+)"\)/g)].map(([, f]) => f)),
  );
  const defined = new Set(
    [...readSource("program.c").matchAll(/^void (host_\w+)\(xsMachine\* the\)/gm)].map(([, f]) => f),
  );
  assert.ok(called.size > 10, `${called.size}`);
  for (const name of called) assert.ok(defined.has(name), name);
});

test.run();
