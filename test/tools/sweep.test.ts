import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { NetworkRows } from "../../host-sim/sweep/rows.ts";
import { timeText } from "../../tools/cli/time-left.ts";
import { varyFrom } from "../../tools/sweep/definition.ts";
import { RunStore } from "../../tools/sweep/store.ts";
import { refusesHere, runHere } from "./program.ts";
import { parsedCsv, TINY } from "./sweeps.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-sweep-"));
test.after(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const scenario = write("tiny.json", TINY);

test("a sweep's file says what is swept, and flags take its place", async () => {
  const out = join(folder, "file");
  const file = write("sweep.json", {
    schema: "motelearn.sweep/1",
    name: "mine",
    scenario: "tiny.json",
    vary: { "labels.loss": [0, 0.5] },
    learners: ["pa:C=0.1", { learner: "arow" }],
    seeds: [7],
  });
  assert.is((await runHere(["sweep", file, "--report", out])).code, 0);
  const rows = parsedCsv(readFileSync(join(out, "mine.csv"), "utf8"));
  assert.equal(
    rows.map((row) => [row["labels.loss"], row.learner, row.options, row.seed]),
    ["0", "0.5"].flatMap((loss) => [
      [loss, "pa", '{"C":0.1}', "7"],
      [loss, "arow", "{}", "7"],
    ]),
  );
});

test("files are named by the scenario's file: a copy of it doesn't replace the table of the first", async () => {
  const out = join(folder, "copies");
  for (const name of ["first.json", "second copy.json"]) {
    const args = ["--scenario", write(name, TINY), "--learners", "pa", "--seeds", "1", "--report", out];
    assert.is((await runHere(["sweep", ...args])).code, 0);
  }
  const tables = readdirSync(out).filter((name) => name.endsWith(".csv"));
  assert.equal(tables.sort(), ["first.csv", "second-copy.csv"]);
});

test("a bar without an estimate doesn't show that no time is left", () => {
  const options = { autopaddingChar: "" };
  assert.equal(
    ["0", "INF", "NULL", Number.NaN, 7, 90].map((time) => timeText(time as number, options, 5)),
    ["?", "?", "?", "?", "7s", "1m30s"],
  );
});

test("what a command line can't be taken for is said in one line", async () => {
  const sweep = ["sweep", "--scenario", scenario, "--seeds", "1", "--report", folder];
  await refusesHere([...sweep, "--vary", "label.loss=0"], "vary label.loss", "did you mean labels.loss");
  await refusesHere([...sweep, "--vary", "labels.loss=2"], "vary labels.loss=2", "must be <= 1");
  await refusesHere([...sweep, "--vary", "labels.loss"], "takes KEY=VALUES");
  await refusesHere([...sweep, "--vary", "labels.loss=0..1"], "a grid takes a list");
  await refusesHere([...sweep, "--vary", "options.budget=0"], "vary options.budget", "olk-c takes");
  await refusesHere([...sweep, "--learners", "olk-x"], "no learner olk-x");
  await refusesHere([...sweep, "--points", "9"], "--sample random");
  await refusesHere(["sweep", scenario], "give it as --scenario");
  await refusesHere(["sweep", join(folder, "none.json")], "none.json", "ENOENT");
  await refusesHere(["sweep", write("bad.json", { schema: "motelearn.sweep/1", sedes: 1 })], "no key sedes");
});

test("values on a command line: lists, ranges, JSON", () => {
  assert.equal(varyFrom("a.b=0,30,x,true"), ["a.b", [0, 30, "x", true]]);
  assert.equal(varyFrom("a=1..9"), ["a", { min: 1, max: 9 }]);
  assert.equal(varyFrom("a=0.01..10:log"), ["a", { min: 0.01, max: 10, log: true }]);
  assert.equal(varyFrom('a={"b":[1,2]}'), ["a", [{ b: [1, 2] }]]);
  assert.equal(varyFrom("a=[[],[0.1]]"), ["a", [[], [0.1]]]);
});

const rows = (n: number): NetworkRows => ({
  nodes: [{ node: "n", error: n }],
  error: { at: [1], value: [n] },
});

test("a store drops a line that is torn or changed, and reads on behind it", () => {
  const path = join(folder, "store.runs");
  const store = new RunStore<NetworkRows>(path);
  const head = { schema: "motelearn.sweep-runs/1", of: 1 } as const;
  store.begin(head);
  store.add("a", rows(0.1));
  store.add("b", rows(0.2));
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, whole.slice(0, -9));
  const torn = new RunStore<NetworkRows>(path);
  assert.equal(torn.find("a"), rows(0.1));
  assert.is(torn.find("b"), undefined);
  torn.begin(head);
  torn.add("c", rows(0.3));
  const again = new RunStore<NetworkRows>(path);
  assert.equal([again.size, again.find("c"), again.head], [2, rows(0.3), head]);
  writeFileSync(path, whole.replace("0.1", "0.9"));
  assert.equal(
    [new RunStore<NetworkRows>(path).find("a"), new RunStore<NetworkRows>(path).find("b")],
    [undefined, rows(0.2)],
  );
  appendFileSync(path, "no line of ours\n\n");
  assert.is(new RunStore<NetworkRows>(path).size, 1);
});

test("a full disk costs what is kept, not the sweep", () => {
  const store = new RunStore<NetworkRows>("/dev/full");
  store.add("a", rows(0.1));
  assert.is(store.fault, "ENOSPC");
  assert.is(store.size, 1);
});

test.run();
