import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { refusesHere, run, runHere, runJsonHere, temporaryFolder } from "./program.ts";

const EXAMPLES = join(process.cwd(), "examples/learner-plugin");
const EXAMPLE = join(EXAMPLES, "adaline.mjs");
const file = temporaryFolder();

/** A plugin of one learner, which estimates the last label; its update is `update`. */
const last = (update: string) => `
import { defineLearner } from "motelearn";
export const learners = [defineLearner({
  name: "last", task: "regression", title: "The last label", paper: "None", options: {},
  state: () => ({ y: 1 }), predict: ({ f32, at }) => f32.words[at.y],
  update({ f32, at }, y) { ${update} return true; },
})];`;

test("a plugin's learner goes through each check, and one-vs-all too", async () => {
  const { outcomes, seed, checked } = await runJsonHere("motelearn.check/1", "check", EXAMPLE);
  assert.is(seed, 1);
  assert.is(checked, EXAMPLE);
  const titles = (of: string) =>
    outcomes.flatMap(({ learner, property }: Record<string, string>) => (learner === of ? [property] : []));
  for (const name of ["adaline", "ova:adaline"]) {
    assert.equal(
      titles(name),
      PROPERTIES.map(({ title }) => title),
    );
  }
  assert.ok(outcomes.every(({ passed }: { passed: boolean }) => passed));
});

test("a learner that ships is checked by its name, a plugin's by --plugin, both with another seed too", async () => {
  const shipped = await runHere(["check", "perceptron", "--seed", "3"]);
  assert.is(shipped.code, 0, shipped.stderr);
  assert.match(shipped.stdout, /^perceptron: Perceptron, linear\n {2}passed {2}takes the bytes/);
  assert.match(shipped.stdout, /\n32 of 32 checks passed, seed 3\n$/);
  assert.is(run("check", "adaline", "--plugin", EXAMPLE).code, 0);
});

test("what fails is printed with what, where and seed, the others are checked all the same, and the exit code is 6", () => {
  const plugin = file("last.mjs", last("f32.words[at.y] = y; f32.words[at.y + 1] = y;"));
  const { code, stdout, stderr } = run("check", plugin, "--seed", "5");
  assert.is(code, 6, stderr);
  assert.match(
    stdout,
    / {2}FAILED {2}lives in handed-in memory and nowhere else\n {10}last: word \d+, outside its range, was written\n {2}passed/,
  );
  assert.match(stdout, / {2}FAILED {2}learns\n {10}last: samples 400 to 800: mean loss/);
  assert.match(stderr, /^motelearn: last: \d+ of 16 checks failed with seed 5; first: [^\n]+\n$/);
});

test("what a learner throws fails its checks, and stands there in one line", () => {
  const plugin = file("throws.mjs", last("missing();"));
  const { code, stdout } = run("check", plugin);
  assert.is(code, 6);
  assert.match(stdout, /\n {10}last: throws ReferenceError: missing is not defined\n/);
});

test("a file without learners and a name that isn't there are refused", async () => {
  await refusesHere(["check", join(EXAMPLES, "stages.mjs")], "exports no learner");
  await refusesHere(["check", "olk-x"], "no learner olk-x", "did you mean olk-c");
  await refusesHere(["check", "nowhere.mjs"], "nowhere.mjs", "can't be read");
});

test.run();
