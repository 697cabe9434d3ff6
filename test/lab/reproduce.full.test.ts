import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Bundle } from "../../lab/sweep/bundle.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder } from "../folder.ts";
import { TINY } from "./sweeps.ts";

const folder = makeFolder();

const samples = Array.from(
  { length: 200 },
  (_, i) => `${(i * 37) % 11},${(i * 17) % 7},${i % 3 === 0 ? 1 : -1}`,
);
writeFileSync(join(folder, "own.csv"), `a,b,label\n${samples.join("\n")}\n`);
const stream = { type: "files", files: [{ node: "n", path: "own.csv" }] };
writeFileSync(join(folder, "own.json"), JSON.stringify({ ...TINY, name: "own", stream }));
const sweep = [
  "sweep",
  "--scenario",
  join(folder, "own.json"),
  "--vary",
  "labels.loss=0,0.2",
  "--seeds",
  "3",
];
const out = join(folder, "out");
const made = join(out, "own.bundle.json");
const reproduce = (path: string, ...more: string[]) => ["reproduce", path, "--data", folder, ...more];

test("a bundle comes out to the bit, whole or in part", async () => {
  const { code, stderr } = await runHere([...sweep, "--report", out]);
  assert.is(code, 0, stderr);
  const whole = await runHere(reproduce(made));
  assert.is(whole.code, 0, whole.stderr);
  assert.match(whole.stdout, /^12 of 12 runs come out to the bit/);
  assert.match(whole.stdout, /own\.csv has sha256 [0-9a-f]{64}, as recorded/);
  const part = await runJsonHere("motelearn.reproduce/1", ...reproduce(made, "--runs", "5"));
  assert.equal(part.runs, { recorded: 12, reproduced: 5, different: 0 });
  assert.equal([part.sameProgram, part.table], [true, null]);
});

test("a bundle names no folder of the machine that made it", () => {
  assert.not.ok(readFileSync(made, "utf8").includes(folder));
  const { files } = JSON.parse(readFileSync(made, "utf8")) as Bundle;
  assert.equal(Object.keys(files), ["own.csv"]);
});

/** A bundle with something changed. */
function changed(
  name: string,
  change: (bundle: { -readonly [key in keyof Bundle]: Bundle[key] }) => void,
): string {
  const bundle = JSON.parse(readFileSync(made, "utf8"));
  change(bundle);
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(bundle));
  return path;
}

test("one bit of one state, one figure, or the table, is found: exit code 5", async () => {
  const state = changed("state.json", (bundle) => {
    const [learner, node] = bundle.runs[7].states[0];
    const other = node.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    bundle.runs = bundle.runs.map((run, i) => (i === 7 ? { ...run, states: [[learner, other]] } : run));
  });
  const wrongState = await runHere(reproduce(state));
  assert.is(wrongState.code, 5);
  assert.match(
    wrongState.stderr,
    /1 of 12 runs differ; run [0-9a-f]{32} \(presence, .*\): node 1 ends in state/,
  );
  const figure = changed("figure.json", (bundle) => {
    bundle.runs = bundle.runs.map((run, i) => (i === 0 ? { ...run, rows: "0".repeat(64) } : run));
  });
  assert.match((await runHere(reproduce(figure))).stderr, /not all of its figures/);
  const table = changed("table.json", (bundle) => {
    bundle.table = { ...bundle.table, sha256: "0" };
  });
  const wrongTable = await runHere(reproduce(table));
  assert.is(wrongTable.code, 5);
  assert.match(wrongTable.stderr, /but own\.csv has sha256/);
});

test("a table that would take the place of a file that the runs read is refused", async () => {
  const before = readFileSync(join(folder, "own.csv"), "utf8");
  await refusesHere([...sweep, "--report", folder], "own.csv", "--name");
  assert.is(readFileSync(join(folder, "own.csv"), "utf8"), before);
});

test("other data, another plan, and what is no bundle are refused in a line", async () => {
  const plan = changed("plan.json", (bundle) => {
    bundle.plan = { ...bundle.plan, seeds: [1, 2, 9] };
  });
  const broken = changed("broken.json", (bundle) => {
    bundle.plan = { ...bundle.plan, axes: 7 as never };
  });
  await refusesHere(reproduce(broken), "broken.json: its plan can't be used");
  await refusesHere(reproduce(plan), "4 of its plan's runs aren't among those recorded");
  await refusesHere(["reproduce", join(folder, "own.json")], "no bundle");
  await refusesHere(["reproduce", made, "--data", tmpdir()], "own.csv: can't be read (ENOENT)");
  writeFileSync(join(folder, "own.csv"), `a,b,label\n${samples.slice(1).join("\n")}\n`);
  await refusesHere(reproduce(made), "own.csv: has sha256", "the bundle was made from");
});

test.run();
