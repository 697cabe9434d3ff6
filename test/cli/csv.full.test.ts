import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { makeFolder } from "../folder.ts";
import { parsedCsv, TINY } from "../lab/sweeps.ts";
import { refusesHere, runJsonHere } from "./program.ts";

const folder = makeFolder();

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
      assert.match(verdict.text, /One run has no standard error, and gives no verdict/);
      assert.not.match(verdict.text, /NaN|standard error 0|± 0|\[/);
    }
  }
});

test("a path where no table can be written is refused in one line before anything is read or run", async () => {
  const data = ["--train", at("no-data.csv"), "--csv"];
  writeFileSync(at("a-file"), "");
  symlinkSync("/dev/null", at("null.csv"));
  mkdirSync(at("taken-curves.csv"));
  for (const [path, ...why] of [
    [at("none/deep/x.csv"), `there is no folder ${at("none/deep")}; make it`],
    [folder, "is a folder; give a file"],
    [at("a-file/x.csv"), "not a folder, but a file"],
    [at("null.csv"), "is a device or a pipe; give a file"],
    [at("taken.csv"), at("taken-curves.csv"), "is a folder"],
    [at(`${"x".repeat(251)}.csv`), "the name is too long"],
    ["/proc/x.csv", "can't be written"],
    ["", "--csv: takes a file's name"],
  ])
    await refusesHere(["evaluate", "--learner", "pa", ...data, path], "--csv", ...why);
  const none = [at("none/x.csv"), `no folder ${at("none")}`] as const;
  await refusesHere(["choose", ...data, none[0]], none[1]);
  await refusesHere(["simulate", "--report", folder, "--csv", none[0]], none[1]);
  await refusesHere(["papers", "--runs", "9999", "--report", folder, "--csv", none[0]], none[1]);
});

test("a table in place of a file that is read is refused, and leaves the file as it was", async () => {
  const before = readFileSync(at("data.csv"), "utf8");
  symlinkSync(at("data.csv"), at("link.csv"));
  const data = ["--train", at("data.csv"), "--csv"];
  await refusesHere(["evaluate", "--learner", "pa", ...data, at("data.csv")], "would replace", "is read");
  await refusesHere(["evaluate", "--learner", "pa", ...data, at("link.csv")], "would replace", "is read");
  await refusesHere(["choose", ...data, at("./data.csv")], "would replace", "is read");
  await refusesHere(["simulate", at("tiny.json"), "--report", folder, "--csv", at("tiny.json")], "is read");
  assert.is(readFileSync(at("data.csv"), "utf8"), before);
});

test("a link to a table stays one: its file is written", async () => {
  writeFileSync(at("far.csv"), "");
  symlinkSync(at("far.csv"), at("near.csv"));
  const run = ["evaluate", "--learner", "pa", "--train", at("data.csv"), "--csv", at("near.csv")];
  await runJsonHere("motelearn.evaluate/1", ...run);
  assert.ok(lstatSync(at("near.csv")).isSymbolicLink());
  assert.is(read("far.csv").length, 1);
});

test("a table that can't be written after the run costs no result: it is printed first", () => {
  for (const [command, result] of [
    [`simulate ${at("tiny.json")} --threads 1 --report ${at("out")}`, /olk-c/],
    [`evaluate --learner pa --train ${at("data.csv")} --repeat 2`, /error/],
    [`choose --train ${at("data.csv")} --budgets 8`, /took/],
  ] as const) {
    const limited = `ulimit -f 1; ${process.execPath} dist/motelearn.js ${command} --csv ${at("large.csv")}`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", limited], { encoding: "utf8" });
    assert.is(status, 2, stderr);
    assert.match(stdout, result);
    assert.match(stderr, /^motelearn: --csv \S+large\S*csv: the file would be larger[^\n]+\n$/);
    assert.not.ok(readdirSync(folder).some((name) => name.endsWith(".part")));
  }
});

test.run();
