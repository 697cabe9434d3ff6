import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { refuses, run, runJson, temporaryFolder } from "../cli/program.ts";

const folder = join(process.cwd(), "examples/learner-plugin");
const [LEARNER, STAGES, SCENARIO] = ["adaline.mjs", "stages.mjs", "scenario.json"].map((name) =>
  join(folder, name),
);
const file = temporaryFolder();
const DATA = file(
  "data.csv",
  easyStream("classification", 3, 400)
    .map(({ x, y }) => [...x, y].join(","))
    .join("\n"),
);

test("the example's learner has at most 60 lines, as many as the guide says", () => {
  const lines = readFileSync(LEARNER, "utf8").trimEnd().split("\n").length;
  assert.ok(lines <= 60);
  assert.ok(readFileSync("docs/program.md", "utf8").includes(`\`adaline.mjs\` does it in ${lines} lines`));
});

test("learners lists it", () => {
  const { stdout } = run("learners", "adaline", "--plugin", LEARNER);
  assert.match(stdout, /^adaline: ADALINE by alpha-LMS, linear \(classification/);
});

test("evaluate runs it over a file, alone and one-vs-all", () => {
  const options = ["--train", DATA, "--plugin", LEARNER];
  const { cumulativeError, trivial } = runJson(
    "motelearn.evaluate/1",
    "evaluate",
    "--learner",
    "adaline",
    ...options,
  );
  assert.ok(cumulativeError.mean < 0.2 * trivial.majority, `${cumulativeError.mean}`);
  const several = runJson("motelearn.evaluate/1", "evaluate", "--learner", "ova:adaline", ...options);
  assert.is(several.learner, "ova:adaline");
});

test("check passes it", () => {
  const { code, stdout } = run("check", LEARNER);
  assert.is(code, 0);
  assert.match(stdout, /\n(\d+) of \1 checks passed, seed 1\n$/);
});

test("choose tries it beside those that ship", () => {
  const { code, stdout, stderr } = run(
    "choose",
    "--train",
    DATA,
    "--budgets",
    "8",
    "--plugin",
    LEARNER,
    "--json",
  );
  assert.is(code, 0, stderr);
  const { choices } = JSON.parse(stdout);
  const own = choices.find(({ learner }: { learner: string }) => learner === "adaline");
  assert.ok(own.loss.mean < 0.1);
  assert.ok(choices.length > 10);
});

test("plan knows its memory to the byte, and says how its costs are measured", () => {
  const args = ["plan", "--learner", "adaline", "--plugin", LEARNER, "--dimension", "3"];
  const plan = runJson("motelearn.plan/1", ...args, "--target", "esp32c3");
  assert.is(plan.target.time, null);
  assert.is(plan.target.fits, true);
  const { code, stdout } = run(...args, "--target", "esp32c3", "--period", "10");
  assert.is(code, 0);
  assert.ok(stdout.includes(`: npm run build:costs -- adaline --plugin ${LEARNER}\n`), stdout);
  refuses([...args, "--target", "esp32c3", "--creation"], "no costs of adaline were measured", "build:costs");
  assert.is(runJson("motelearn.plan/1", ...args, "--pending", "0").state, 4 * (3 + 1));
});

const report = ["--report", file("report", "").replace(/report$/, "reports")];

test("simulate runs its scenario, whatever the number of threads, and so does a program", async () => {
  const plugins = ["--plugin", LEARNER, "--plugin", STAGES];
  const runs = ["1", "2"].map((threads) =>
    run("simulate", SCENARIO, ...plugins, "--threads", threads, "--json", ...report),
  );
  for (const { code, stderr } of runs) assert.is(code, 0, stderr);
  assert.is(runs[0].stdout, runs[1].stdout);
  const { repeat, ...told } = JSON.parse(runs[0].stdout);
  assert.ok(repeat.endsWith(plugins.join(" ")), repeat);

  const load = (path: string) => import(pathToFileURL(path).href);
  const { runScenario } = await load(join(process.cwd(), "dist/simulator.js"));
  const brought = { ...(await load(LEARNER)), ...(await load(STAGES)) };
  const result = await runScenario(JSON.parse(readFileSync(SCENARIO, "utf8")), brought);
  assert.equal(JSON.parse(JSON.stringify(result)), told);
});

test("its stages spoil readings and labels, more so as their options say", async () => {
  const { signalStages, labelNoises } = await import(pathToFileURL(STAGES).href);
  const statistics = { mean: [10], deviation: [2] };
  const stage = signalStages.saturation.make({ limit: 1 }, { dimension: 1, statistics });
  const x = Float32Array.of(30);
  assert.is(stage.apply(x, 0), true);
  assert.is(x[0], 12);
  const lazy = labelNoises.lazy.make({ rate: 1 }, { uniform: () => 0.5 });
  assert.equal(
    [1, -1, -1].map((y) => lazy.corrupt(y, 0, [-1, 1])),
    [1, 1, 1],
  );
});

test.run();
