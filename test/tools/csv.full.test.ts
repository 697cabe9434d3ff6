import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, runJsonHere } from "./program.ts";
import { parsedCsv, TINY } from "./sweeps.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-csv-"));
test.after(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const read = (name: string) => parsedCsv(readFileSync(at(name), "utf8"));

const lines = Array.from(
  { length: 300 },
  (_, i) => `${(i * 37) % 11},${(i * 17) % 7},${i % 3 === 0 ? "yes" : "no"}`,
);
writeFileSync(at("data.csv"), `a,b,"class, named"\n${lines.join("\n")}\n`);
writeFileSync(at("tiny.json"), JSON.stringify(TINY));

test("simulate: a row a learner and node, and its four curves", async () => {
  const run = ["simulate", at("tiny.json"), "--report", folder, "--threads", "1", "--csv", at("s.csv")];
  const { nodes } = await runJsonHere("motelearn.simulate/1", ...run);
  const rows = read("s.csv");
  const [pa, olk] = nodes[0].learners;
  assert.equal(
    rows.map((row) => [row.learner, row.error, row.nodeHash, row["link.up.bytes"]]),
    [pa, olk].map((each) => [
      each.name,
      String(each.metrics.error),
      each.nodeHash,
      String(each.link.up.bytes),
    ]),
  );
  const curve = read("s-curves.csv").filter((row) => row.learner === "olk-c" && row.curve === "idealError");
  assert.equal(
    curve.map((row) => [Number(row.at), Number(row.value)]),
    olk.curves.idealError.at.map((x: number, i: number) => [x, olk.curves.idealError.value[i]]),
  );
});

test("evaluate: a row a pass, and how its error went, whose mean is the pass's error", async () => {
  const run = ["evaluate", "--learner", "pa", "--train", at("data.csv"), "--repeat", "2"];
  const result = await runJsonHere("motelearn.evaluate/1", ...run, "--csv", at("e.csv"));
  const rows = read("e.csv");
  assert.equal(
    rows.map((row) => [row.pass, row.seed, row.cumulativeError, row.stateHash]),
    result.repeats.map((pass: Record<string, unknown>, i: number) => [
      String(i),
      String(pass.seed),
      String(pass.cumulativeError),
      pass.stateHash,
    ]),
  );
  const values = read("e-curves.csv").filter((row) => row.pass === "1");
  assert.is(values.length, 100);
  assert.is(values[99].at, "300");
  const mean = values.reduce((sum, row) => sum + Number(row.value), 0) / 100;
  assert.ok(Math.abs(mean - result.repeats[1].cumulativeError) < 1e-12);
});

test("choose: a row a choice, best first, and how its loss went", async () => {
  const run = ["choose", "--train", at("data.csv"), "--budgets", "16", "--threads", "2"];
  const { choices } = await runJsonHere("motelearn.choose/2", ...run, "--csv", at("c.csv"));
  const rows = read("c.csv");
  assert.equal(
    rows.map((row) => [row.learner, row.error, row.bytes]),
    choices.map((each: { learner: string; loss: { mean: number }; bytes: number }) => [
      each.learner,
      String(each.loss.mean),
      String(each.bytes),
    ]),
  );
  const curve = read("c-curves.csv").filter((row) => row.place === "1");
  assert.is(curve.length, 50);
  assert.is(curve[49].at, "300");
});

test("papers: every figure that was measured; one run has neither deviation nor standard error", async () => {
  const where = ["--report", folder, "--csv", at("p.csv")];
  const run = ["papers", "--only", "qkrls-table-5", "--threads", "2", ...where, "--runs"];
  const [two] = (await runJsonHere("motelearn.papers/1", ...run, "2")).experiments;
  const rows = read("p.csv");
  assert.is(rows.length, Object.keys(two.numbers).length);
  for (const row of rows) {
    assert.is(row.mean, String(two.numbers[row.name].mean));
    assert.is(Number(row.standardError), two.numbers[row.name].deviation / Math.sqrt(2));
    assert.equal(
      [Number(row.low), Number(row.high)],
      [two.numbers[row.name].low, two.numbers[row.name].high],
    );
  }
  assert.ok(rows.some((row) => row["published.deviation"] !== ""));
  assert.ok(read("p-curves.csv").length > 100);
  const [one] = (await runJsonHere("motelearn.papers/1", ...run, "1")).experiments;
  for (const row of read("p.csv"))
    assert.equal([row.deviation, row.standardError, row.low, row.high], ["", "", "", ""]);
  for (const { deviation } of Object.values(one.numbers) as { deviation: unknown }[])
    assert.is(deviation, null);
});

test("a verdict from one run says so, and prints no standard error", async () => {
  for (const id of ["olk-example-3", "rls-hmm-short"]) {
    const args = ["papers", "--only", id, "--runs", "1", "--report", folder];
    const { experiments } = await runJsonHere("motelearn.papers/1", ...args);
    for (const { verdict } of experiments) {
      assert.match(verdict.text, /One run has no standard error, and shows no difference/);
      assert.not.match(verdict.text, /NaN|standard error 0|± 0|\[/);
    }
  }
});

test("a path where no table can be written is refused before anything is run", async () => {
  await refusesHere(
    ["papers", "--runs", "9999", "--report", folder, "--csv", at("none/x.csv")],
    "--csv",
    "ENOENT",
  );
  await refusesHere(["simulate", "--csv", folder, "--report", folder], "--csv", "is a folder");
});

test.run();
