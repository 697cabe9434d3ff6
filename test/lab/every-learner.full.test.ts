import { dirname } from "node:path";
import * as assert from "uvu/assert";
import { takesBudget } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { test } from "../tools/contained.ts";
import { easyCsv } from "./easy-csv.ts";

const file = temporaryFolder();
const SAMPLES = 90;

const two = file("two.csv", easyCsv("classification", SAMPLES, 1));
const three = file("three.csv", easyCsv("multiclass", SAMPLES, 1));
const numbers = file("numbers.csv", easyCsv("regression", SAMPLES, 1));
const novelty = file(
  "novelty.csv",
  easyCsv("novelty", SAMPLES, 1, (y) => (y < 0 ? "odd" : "normal")),
);

/** The files that learners of a task can learn from. */
const FILES = {
  classification: [two, three],
  multiclass: [three],
  regression: [numbers],
  novelty: [novelty],
};

async function succeeds(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args);
  assert.equal([code, stderr], [0, ""], args.join(" "));
  return stdout;
}

for (const family of FAMILIES) {
  const { name, task } = family;
  test(`${name} passes through evaluate and explain, and its plan through plan`, async () => {
    for (const train of FILES[task]) {
      const options = { classes: train === three ? 3 : 2 };
      for (const more of [[], ["--json"], ...(takesBudget(family, options) ? [["--budget", "32"]] : [])]) {
        await succeeds("evaluate", "--learner", name, "--train", train, "--test", train, ...more);
        const log = await runHere(["explain", "--learner", name, "--log", train, "--at", "60", ...more]);
        // A learner whose decision is no sum says so.
        if (log.code !== 0) assert.match(log.stderr, /^motelearn: [^\n]+\n$/);
      }
    }
    await succeeds("plan", "--learner", name, "--dimension", "2");
  });
}

test("choose tries every learner of each task", async () => {
  for (const train of [two, three, numbers, novelty]) {
    const more = train === novelty ? ["--novel", "odd"] : train === numbers ? ["--task", "regression"] : [];
    await runJsonHere("motelearn.choose/2", "choose", "--train", train, "--budgets", "8", ...more);
  }
});

test("simulate runs every learner with its defaults", async () => {
  for (const [task, train] of Object.entries({ classification: two, regression: numbers })) {
    const learners = FAMILIES.filter((family) => family.task === task).map(({ name }) => ({ learner: name }));
    const scenario = file(
      `${task}.json`,
      JSON.stringify({
        schema: "motelearn.scenario/1",
        stream: { type: "files", files: [{ node: "one", path: train }] },
        tasks: [{ name: task, task, learners }],
      }),
    );
    await runJsonHere("motelearn.simulate/1", "simulate", scenario, "--report", dirname(scenario));
  }
});

test.run();
