import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { SimulateResult } from "../../host-sim/scoring/result.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder, writerTo } from "../folder.ts";

const folder = makeFolder();
const write = writerTo(folder);

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = [join(process.cwd(), "dist/motelearn.js"), "simulate", ...args, "--report", folder];
  return new Promise((done) => {
    execFile(process.execPath, command, { maxBuffer: 1e9 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** What a run in this process prints as JSON. */
async function told(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(["simulate", ...args, "--json", "--report", folder]);
  assert.is(code, 0, stderr);
  return stdout;
}

test("the table, the report and the command that repeats the run", async () => {
  const { code, stdout } = await run("one-scene", "--seed", "5");
  assert.is(code, 0);
  assert.match(stdout, /Fusion, presence: rule chair-varshney/);
  assert.match(stdout, /repeat {2}npx motelearn simulate one-scene --seed 5/);
  const report = /report {2}(.*)/.exec(stdout)?.[1] as string;
  assert.match(readFileSync(report, "utf8"), /<html/);
});

const files = (paths: string[], more = {}) => ({
  schema: "motelearn.scenario/1",
  stream: { type: "files", files: paths.map((path, i) => ({ node: `n${i}`, path })) },
  tasks: [{ name: "t", task: "classification", learners: [{ learner: "pa" }, { learner: "olk-c" }] }],
  ...more,
});

test("a user's own files, three classes, paths relative to the scenario", async () => {
  const rows = Array.from(
    { length: 300 },
    (_, i) => `${(i % 3) * 2 + (i % 7) / 10},${(i % 3) - (i % 5) / 10},${i % 3}`,
  );
  write("own.csv", `a,b,class\n${rows.join("\n")}\n`);
  const result = JSON.parse(await told(write("own.json", files(["own.csv", "own.csv"])))) as SimulateResult;
  assert.equal(
    result.nodes.map(({ node }) => node),
    ["n0", "n1"],
  );
  for (const { learners } of result.nodes) {
    assert.equal(
      learners.map(({ name, kind }) => [name, kind]),
      [
        ["pa", "multiclass"],
        ["olk-c", "multiclass"],
      ],
    );
    for (const { metrics, trivial } of learners) {
      assert.ok((metrics.error as number) < 0.35, JSON.stringify(metrics));
      assert.ok((trivial.majority.error as number) > 0.6);
    }
  }
});

test("two nodes of one name are refused: their labels would go wrong alike, and their rows be one node's", async () => {
  write("same.csv", "1,2,1\n2,3,-1\n");
  const stream = {
    type: "files",
    files: [
      { node: "a", path: "same.csv" },
      { node: "a", path: "same.csv" },
    ],
  };
  const scenario = write("same.json", files([], { stream }));
  await refusesHere(["simulate", scenario], "stream.files: node a is there twice; give each node a name");
});

test("a recording that names its nodes is split by them, and labels may be words", async () => {
  const rows = Array.from({ length: 200 }, (_, i) => {
    const on = i % 6 < 3;
    const x = [on ? 1 + (i % 5) / 10 : -1, (i % 7) / 10];
    return JSON.stringify({ node: i % 2 ? "cellar" : "attic", time: i, x, label: on ? "on" : "off" });
  });
  write("network.ndjson", `${rows.join("\n")}\n`);
  write("late.ndjson", `${JSON.stringify({ x: [1, 0], label: "on" })}\n`);
  const result = JSON.parse(
    await told(write("network.json", files(["network.ndjson", "late.ndjson"]))),
  ) as SimulateResult;
  assert.equal(
    result.nodes.map(({ node, learners }) => [node, learners[0].samples]),
    [
      ["attic", 100],
      ["cellar", 100],
      ["n1", 1],
    ],
  );
  assert.equal(result.nodes[2].learners[0].metrics.auc, { why: "no sample of class -1" });
  assert.ok((result.nodes[0].learners[0].metrics.error as number) < 0.1);
});

test("a user's own regression", async () => {
  const rows = Array.from({ length: 400 }, (_, i) => `${(i % 20) / 10},${((i % 20) / 10) ** 2}`);
  write("curve.csv", `x,y\n${rows.join("\n")}\n`);
  const scenario = files(["curve.csv"], {
    tasks: [{ name: "t", task: "regression", learners: [{ learner: "qkrls" }] }],
  });
  const [{ learners }] = (JSON.parse(await told(write("curve.json", scenario))) as SimulateResult).nodes;
  assert.ok((learners[0].metrics.rmse as number) < (learners[0].trivial.majority.rmse as number) / 2);
  assert.equal(learners[0].metrics.auc, { why: "not defined for regression" });
});

test("bad input is one line on stderr, exit 2, and no stack", async () => {
  write("ragged.csv", "a,b,c\n1,2,1\n1,2\n");
  const learner = (choice: object) =>
    files(["own.csv"], { tasks: [{ name: "t", task: "classification", learners: [choice] }] });
  const cases: [string[], RegExp][] = [
    [[join(folder, "none.json")], /none.json: can't be read \(ENOENT\)/],
    [["no-such"], /no-such.* can't be read|no scenario no-such/],
    [[write("broken.json", "{")], /broken.json: not JSON/],
    [[write("typo.json", { ...files([]), lables: {} })], /no key lables; did you mean labels/],
    [[write("ragged.json", files(["ragged.csv"]))], /ragged.csv:3: /],
    [[write("missing.json", files(["missing.csv"]))], /missing.csv: /],
    [[write("learner.json", learner({ learner: "okl-c" }))], /no learner okl-c; did you mean olk-c/],
    [
      [write("option.json", learner({ learner: "olk-c", options: { budget: -1 } }))],
      /option budget: got -1; takes/,
    ],
    [
      [write("many.json", { ...files([]), stream: { type: "scene", nodes: 10_001 } })],
      /many.json: stream.nodes: got 10001; must be <= 10000/,
    ],
    [["--seed", "x"], /Takes a whole number/],
    [["--sede", "3"], /unknown option '--sede'.*--seed/],
    [["--threads", "0"], /Takes a whole number/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr, stdout } = await runHere(["simulate", ...args, "--report", folder]);
    const lines = stderr.split("\n").filter((line) => line.startsWith("motelearn:"));
    assert.is(code, 2, `${args}: ${stderr}`);
    assert.is(lines.length, 1, stderr);
    assert.match(lines[0], message);
    assert.not.match(stderr, /\n\s+at /);
    assert.is(stdout, "");
  }
});

test("a file of data in the place of a scenario is named as that, with a command and a scenario that run it", async () => {
  const rows = Array.from({ length: 40 }, (_, t) => `${t % 5},${t % 2}`).join("\n");
  for (const name of ["data.csv", "data.CSV.gz", "data.tsv", "data.ndjson", "data.libsvm"]) {
    const data = write(name, `a,label\n${rows}\n`);
    for (const args of [
      ["simulate", data],
      ["sweep", "--scenario", data],
      ["fusion", "--listen", "tcp://127.0.0.1:0", "--scenario", data],
    ])
      await refusesHere(args, `${data}: holds data, no scenario`, `evaluate --learner auto --train ${data}`);
  }
  const data = write("room.csv", `a,label\n${rows}\n`);
  const { stderr } = await runHere(["simulate", data]);
  const scenario = write("room.json", /\{.*\}/.exec(stderr)?.[0] as string);
  await runJsonHere("motelearn.simulate/1", "simulate", scenario, "--report", dirname(scenario));
  await runJsonHere("motelearn.evaluate/1", "evaluate", "--learner", "auto", "--train", data);
});

test("learners of one name with other options are told apart in table, JSON, CSV and report", async () => {
  const learners = [
    { learner: "pa" },
    { learner: "olk-c" },
    { learner: "olk-c", options: { budget: 8 } },
    { learner: "olk-c", options: { kernel: { type: "gaussian", p: 1 } } },
    { learner: "olk-c", options: { kernel: { type: "gaussian", p: 2 } } },
    { learner: "olk-c" },
  ];
  const names = [
    "pa",
    "olk-c",
    "olk-c:budget=8",
    'olk-c:kernel={"type":"gaussian","p":1}',
    'olk-c:kernel={"type":"gaussian","p":2}',
    "olk-c (2)",
  ];
  const scenario = write("alike.json", {
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 1, samples: 200, channels: 2 },
    tasks: [{ name: "presence", task: "classification", learners }],
  });
  const csv = join(folder, "alike.csv");
  const args = ["simulate", scenario, "--report", folder, "--csv", csv];
  const { nodes } = await runJsonHere("motelearn.simulate/1", ...args);
  assert.equal(
    nodes[0].learners.map(({ name }: { name: string }) => name),
    names,
  );
  const { stdout } = await runHere(args);
  const rows = readFileSync(csv, "utf8").replaceAll('""', '"');
  const page = readFileSync(join(folder, "alike-seed-1.html"), "utf8").replaceAll("&quot;", '"');
  for (const name of names) {
    for (const text of [stdout, rows, page]) assert.ok(text.includes(name), name);
    assert.ok(
      stdout.split("\n").some((line) => line.trim().startsWith(`${name} `)),
      name,
    );
  }
});

test.run();
