import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { timeText } from "../../host/terminal/jobs-bar.ts";
import type { NetworkRows } from "../../host-sim/runs/rows.ts";
import { varyFrom } from "../../lab/sweep/definition.ts";
import { estimateText } from "../../lab/sweep/run-bars.ts";
import { checkLine, RunStore, withChecksum } from "../../lab/sweep/store.ts";
import { refusesHere, runHere, runJsonHere } from "../cli/program.ts";
import { makeFolder, writerTo } from "../folder.ts";
import { words } from "../words.ts";
import { parsedCsv, TINY } from "./sweeps.ts";

const folder = makeFolder();
const write = writerTo(folder);

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

test("nodes that learn together are swept, the same on any number of threads", async () => {
  const file = write("together.json", {
    ...TINY,
    name: "together",
    stream: { type: "bearings", nodes: 3, samples: 200, channels: 4, persistence: 20, severity: 20 },
    together: { vectors: 0, newcomers: { "machine 3": 100 } },
  });
  const tables = [];
  for (const threads of ["1", "2"]) {
    const out = join(folder, `together-${threads}`);
    const points = [...words`--vary together.vectors=0,4 --learners arow --seeds 2 --threads ${threads}`];
    const { code, stderr } = await runHere(["sweep", "--scenario", file, "--report", out, ...points]);
    assert.is(code, 0, stderr);
    tables.push(readFileSync(join(out, "together.csv"), "utf8"));
  }
  assert.is(tables[1], tables[0]);
  const rows = parsedCsv(tables[0]);
  assert.is(rows.length, 2 * 2 * 3);
  for (const row of rows) assert.ok(Number(row["together.models"]) > 0 && row["together.candidate"] !== "");
  const hashes = (vectors: string) =>
    rows.filter((row) => row["together.vectors"] === vectors).map(({ nodeHash }) => nodeHash);
  assert.not.equal(hashes("4"), hashes("0"));
});

test("another sweep of the same file doesn't replace the first one's files; the same one does", async () => {
  const out = join(folder, "other-keys");
  const sweep = (...options: string[]) =>
    runHere([...words`sweep --scenario ${scenario} --learners pa --seeds 1 --report ${out}`, ...options]);
  const read = (name: string) => readFileSync(join(out, name), "utf8");
  await sweep("--vary", "labels.loss=0,0.5");
  const first = ["tiny.csv", "tiny.html", "tiny.bundle.json"].map(read);
  const { stdout } = await sweep("--vary", "labels.delayMean=0,30");
  assert.match(stdout, /tiny-2\.csv\n.*tiny-2\.bundle\.json\n.*tiny-2\.html/);
  assert.equal(["tiny.csv", "tiny.html", "tiny.bundle.json"].map(read), first);
  assert.match(read("tiny-2.csv"), /^point,labels\.delayMean,/);
  await sweep("--vary", "labels.loss=0,0.5");
  assert.equal(readdirSync(out).length, 7); // three files of each, and the runs of both
  assert.equal(["tiny.csv", "tiny.html", "tiny.bundle.json"].map(read), first);
});

test("a bar without an estimate doesn't show that no time is left", () => {
  const options = { autopaddingChar: "" };
  assert.equal(
    ["0", "INF", "NULL", Number.NaN, 7, 90].map((time) => timeText(time as number, options, 5)),
    ["?", "?", "?", "?", "7s", "1m30s"],
  );
});

test("the remaining time is a line where it is long", () => {
  assert.is(
    estimateText("sweep", 20, 40, 3000),
    "sweep: about 100 minutes for the other 3,000 runs, by the first 20",
  );
  assert.match(estimateText("sweep", 20, 400, 199_980) as string, /about 1111 hours/);
  assert.is(estimateText("sweep", 20, 40, 200), undefined);
});

test("a name that is a path, and a key that is given twice, are refused in one line", async () => {
  const sweep = ["sweep", "--scenario", scenario, "--report", folder, "--seeds", "1"];
  for (const name of ["../x", "", ".hidden", "a/b"])
    await refusesHere([...sweep, "--name", name], "--name", "Takes letters");
  const twice = ["--vary", "labels.loss=0", "--vary", "labels.loss=0.1"];
  await refusesHere([...sweep, ...twice], "--vary labels.loss: given twice");
});

test("a store of zeroes is one line, and so is a bundle", async () => {
  const out = join(folder, "large");
  mkdirSync(out);
  for (const name of ["tiny.runs", "tiny.bundle.json"]) {
    writeFileSync(join(out, name), "");
    truncateSync(join(out, name), 3 * 2 ** 30); // of zeroes that take no disk
  }
  const sweep = ["sweep", "--scenario", scenario, "--report", out, "--seeds", "1"];
  await refusesHere(sweep, "tiny.runs: has a line that is too long for a run");
  await refusesHere(
    ["sweep", "merge", join(out, "tiny.runs")],
    "tiny.runs: has a line that is too long for a run",
  );
  await refusesHere(["reproduce", join(out, "tiny.bundle.json")], "tiny.bundle.json: can't be read (EFBIG)");
});

test("too many runs are refused before they are planned, with the factors and the limit", async () => {
  const many = ["--sample", "sobol", "--points", "1000000", "--seeds", "10", "--vary", "labels.loss=0..0.3"];
  const sweep = ["sweep", "--scenario", scenario, "--learners", "pa", "--report", folder];
  await refusesHere([...sweep, ...many], "1,000,000 points x 1 learner x 10 seeds", "at most 500,000 runs");
  const values = Array.from({ length: 1100 }, (_, i) => i).join(",");
  const grid = ["--vary", `labels.delayMean=${values}`, "--vary", `labels.delaySpread=${values}`];
  await refusesHere([...sweep, ...grid, "--seeds", "1"], "1,210,000 points", "at most 500,000 runs");
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
  await refusesHere([...sweep, "--draw-seed", "9"], "--draw-seed: goes with --sample random");
  await refusesHere([...sweep, "--user", "ann"], "--user: goes with --workers");
  await refusesHere(["sweep", scenario], "give it as --scenario");
  await refusesHere(["sweep", join(folder, "none.json")], "none.json", "ENOENT");
  await refusesHere(["sweep", write("bad.json", { schema: "motelearn.sweep/1", sedes: 1 })], "no key sedes");
});

test("a value, and a learner, that is given twice is refused: it would count twice", async () => {
  const args = ["sweep", "--scenario", scenario, "--seeds", "1", "--report", join(folder, "twice")];
  await refusesHere([...args, "--vary", "labels.loss=0,0.3,0.30"], "vary labels.loss", "0.3 is there twice");
  await refusesHere([...args, "--learners", "pa,pa"], "learner pa is there twice");
  await refusesHere([...args, "--vary", "seed=1,2"], "vary seed", "--seeds");
});

test("seeds that draw nothing are one run repeated: no interval, no rank and no difference is claimed", async () => {
  const rows = Array.from(
    { length: 90 },
    (_, i) => `${(i * 37) % 11},${(i * 17) % 7},${i % 3 === 0 ? 1 : 0}`,
  );
  writeFileSync(join(folder, "recorded.csv"), `a,b,y\n${rows.join("\n")}\n`);
  const stream = { type: "files", files: [{ node: "n", path: "recorded.csv" }] };
  const { schema, tasks, labels } = TINY;
  const sweep = async (name: string, more: object) => {
    const recorded = write(`${name}.json`, { schema, stream, tasks, ...more });
    const args = ["sweep", "--scenario", recorded, "--seeds", "4", "--threads", "1", "--report"];
    return runJsonHere("motelearn.sweep-result/1", ...args, join(folder, "recorded"));
  };
  const still = await sweep("still", {});
  const [{ repeated, learners, curves }] = still.tasks;
  assert.ok(repeated);
  assert.is(still.ranking, null);
  for (const { error, behind } of learners) {
    assert.equal([error.count, error.low, error.high], [1, null, null]);
    assert.not.ok(behind?.shown);
  }
  assert.is(curves[0].low[5], null);
  const drawn = await sweep("drawn", { labels });
  assert.not.ok(drawn.tasks[0].repeated);
  assert.is(drawn.tasks[0].learners[0].error.count, 4);
  const { stdout } = await runHere([
    "sweep",
    "merge",
    join(folder, "recorded/still.runs"),
    "--report",
    folder,
  ]);
  assert.match(stdout, /has the least error \S+ %: every seed gives the same/);
  assert.not.match(stdout, /\d \[|\+-|Take /);
});

test("a number that is too large is named, where a file or a flag has it", async () => {
  const named = "number too large; takes numbers up to 1.7976931348623157e+308";
  const huge = join(folder, "huge.json");
  const text = (value: unknown) => JSON.stringify(value).replace('"HUGE"', "-1e309");
  writeFileSync(huge, text({ ...TINY, labels: { delayMean: "HUGE" } }));
  const at = `huge.json: labels.delayMean: ${named}`;
  for (const command of [["simulate"], ["shrink", "--while", "exit"], ["sweep", "--scenario"]])
    await refusesHere([...command, huge], at);
  const swept = join(folder, "huge-sweep.json");
  writeFileSync(swept, text({ schema: "motelearn.sweep/1", vary: { "labels.loss": [0, "HUGE"] } }));
  await refusesHere(["sweep", swept], `huge-sweep.json: vary.labels.loss.1: ${named}`);
  await refusesHere(["reproduce", huge], at);
  const sweep = ["sweep", "--scenario", scenario, "--seeds", "1", "--report", folder];
  for (const values of ["0,1e309", "0..1e309", `[0,1${"0".repeat(309)}]`])
    await refusesHere([...sweep, "--vary", `labels.loss=${values}`], "--vary labels.loss:", named);
  await refusesHere([...sweep, "--learners", "pa:C=1e309"], `learners: pa:C=1e309: C: ${named}`);
  const evaluate = ["evaluate", "--learner", "pa", "--train", "a.csv", "--options"];
  await refusesHere([...evaluate, '{"C":1e309}'], `--options: C: ${named}`);
});

test("values on a command line: lists, ranges, JSON", () => {
  assert.equal(varyFrom("a.b=0,30,x,true"), ["a.b", [0, 30, "x", true]]);
  assert.equal(varyFrom("a=1..9"), ["a", { min: 1, max: 9 }]);
  assert.equal(varyFrom("a=0.01..10:log"), ["a", { min: 0.01, max: 10, log: true }]);
  assert.equal(varyFrom('a={"b":[1,2]}'), ["a", [{ b: [1, 2] }]]);
  assert.equal(varyFrom("a=[[],[0.1]]"), ["a", [[], [0.1]]]);
});

for (const [command, args] of [
  ["sweep", ["--scenario", scenario, "--learners", "pa", "--seeds", "1", "--name", "tiny"]],
  ["papers", ["--only", "qkrls-table-4", "--runs", "1"]],
] as const)
  test(`${command} resumes with the same build, and says where another one performed the stored runs`, async () => {
    const out = join(folder, `builds-${command}`);
    const again = () => runHere([command, ...args, "--report", out]);
    await again();
    const store = join(out, readdirSync(out).find((name) => name.endsWith(".runs")) ?? "");
    const runs = readFileSync(store, "utf8");
    assert.is((await again()).stderr, "");
    assert.is(readFileSync(store, "utf8"), runs, "no run is performed again");
    const [head] = runs.split("\n");
    const own = JSON.parse(checkLine(head) as string);
    writeFileSync(
      store,
      `${withChecksum(JSON.stringify({ ...own, program: "0123456789", version: "0.0.9" }))}\n`,
    );
    const { stderr } = await again();
    const these = `this is ${own.version} \\(program ${own.program.slice(0, 8)}\\), and performs all runs again`;
    assert.match(stderr, new RegExp(`\\.runs: its runs are of 0\\.0\\.9 \\(program 01234567\\); ${these}`));
    assert.is((await again()).stderr, "");
  });

const rows = (n: number): NetworkRows => ({
  nodes: [{ node: "n", error: n }],
  error: { at: [1], value: [n] },
});

test("a store drops a line that is torn or changed, and reads on behind it", () => {
  const path = join(folder, "store.runs");
  const store = new RunStore<NetworkRows>(path);
  const head = { schema: "motelearn.sweep-runs/1", version: "1", program: "p" } as const;
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

test("a store's outcomes lie in its file, not in memory, wherever its lines begin", () => {
  const path = join(folder, "on-disk.runs");
  const store = new RunStore<NetworkRows>(path);
  const long = { nodes: [{ node: "é".repeat(3_000_000), error: 1 }], error: { at: [], value: [] } };
  for (const [id, kept] of Object.entries({ a: rows(0.1), long, b: rows(0.2) })) store.add(id, kept);
  const other = new RunStore<NetworkRows>(path);
  other.add("c", rows(0.3));
  store.add("d", rows(0.4));
  const all = [rows(0.1), long, rows(0.2), rows(0.4)];
  assert.equal(
    ["a", "long", "b", "d"].map((id) => store.find(id)),
    all,
  );
  assert.equal(new RunStore<NetworkRows>(path).find("c"), rows(0.3));
  writeFileSync(path, readFileSync(path, "utf8").replace("0.1", "0.9"));
  assert.is(store.has("a"), true);
  assert.throws(
    () => store.find("a"),
    /on-disk\.runs: another program changed it meanwhile; the same command/,
  );
  rmSync(path);
  assert.throws(() => store.find("b"), /another program changed it meanwhile/);
});

test("a full disk costs what is kept, not the sweep", () => {
  const store = new RunStore<NetworkRows>("/dev/full");
  store.add("a", rows(0.1));
  assert.match(store.fault ?? "", /^the disk is full/);
  assert.is(store.size, 1);
  assert.equal(store.find("a"), rows(0.1));
});

test("a store that takes no run is refused before anything is run", async () => {
  const out = join(folder, "store-taken");
  mkdirSync(join(out, "tiny.runs"), { recursive: true });
  const run = ["sweep", "--scenario", scenario, "--seeds", "1000", "--report", out];
  await refusesHere(run, `--report ${join(out, "tiny.runs")}`, "is a folder");
});

test.run();
