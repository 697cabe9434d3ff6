import { test } from "uvu";
import * as assert from "uvu/assert";
import { refuses, run, runJson, temporaryFolder } from "./program.ts";

const file = temporaryFolder();
const DATA = file(
  "data.csv",
  Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * 5) % 11},${i % 7 > 3 ? 1 : -1}`).join("\n"),
);

/** A plugin's text with one learner: a constant, changed by `change`. */
function constant(change = ""): string {
  return `
import { defineLearner, real } from "motelearn";
const one = {
  name: "constant", task: "classification", title: "A constant", paper: "None", options: {},
  state: () => ({ b: 1 }), predict: ({ f32, at }) => f32.words[at.b], update: () => true,
};
export const learners = [defineLearner({ ...one, ${change} })];`;
}
const GOOD = file("constant.mjs", constant());

test("a plugin's learner is listed behind those that ship, and by its name", () => {
  const all = runJson("motelearn.learners/1", "learners").learners.length;
  const { learners } = runJson("motelearn.learners/1", "learners", "--plugin", GOOD);
  assert.is(learners.length, all + 1);
  assert.is(learners.at(-1).name, "constant");
  assert.is(runJson("motelearn.learners/1", "learners", "constant", "--plugin", GOOD).learners.length, 1);
  refuses(["learners", "constant"], "no learner constant");
});

test("several plugins add up, one named twice counts once, and two of one name clash", () => {
  const other = file("other.mjs", constant('name: "other"'));
  const plugins = ["--plugin", GOOD, "--plugin", other, "--plugin", GOOD];
  const { learners } = runJson("motelearn.learners/1", "learners", ...plugins);
  const names = learners.map(({ name }: { name: string }) => name);
  assert.equal(names.slice(-2), ["constant", "other"]);
  const clash = file("clash.mjs", constant());
  refuses(["learners", "--plugin", GOOD, "--plugin", clash], clash, "learner constant", "give it another");
});

test("a plugin is an ES module's exports, its default export, or a CommonJS module", () => {
  const whole = file(
    "default.mjs",
    constant().replace("export const learners =", "export default { learners:").replace("];", "]};"),
  );
  const common = file(
    "common.cjs",
    'module.exports = { labelNoises: { odd: { doc: "x", options: [], make: () => ({ corrupt: (y) => y }) } } };',
  );
  const { code, stderr } = run("learners", "constant", "--plugin", whole, "--plugin", common);
  assert.is(code, 0, stderr);
});

test("a plugin in TypeScript runs where Node strips types, and is refused in one line elsewhere", () => {
  const typed = file("typed.ts", `const count: number = 1;\n${constant()}`);
  if ((process.features as { typescript?: unknown }).typescript)
    assert.is(run("learners", "--plugin", typed).code, 0);
  else refuses(["learners", "--plugin", typed], typed, "runs no TypeScript", ".mjs");
});

const FAULTS: Record<string, [text: string, ...parts: string[]]> = {
  throws: ["throw new Error('no sensor');", "throws Error: no sensor"],
  "has a syntax error": ["export const a = 1;\nlet = ;", "throws SyntaxError", "node --check"],
  "imports what isn't there": ["import 'no-such-package';", "no-such-package"],
  "imports a name that motelearn hasn't": ["import { defineLerner } from 'motelearn';", "defineLerner"],
  "exports nothing": [
    "export const learner = 1;",
    "exports nothing",
    "learners, signalStages or labelNoises",
  ],
  "has a name that ships": [constant('name: "pa"'), "learner pa", "give it another"],
};

for (const [what, [text, ...parts]] of Object.entries(FAULTS)) {
  test(`a plugin that ${what} gets one line and exit code 2`, () => {
    const plugin = file("faulty.mjs", text);
    refuses(["learners", "--plugin", plugin], `--plugin ${plugin}: `, ...parts);
  });
}

test("a file that isn't there or is no module is refused by name", () => {
  refuses(["learners", "--plugin", "nowhere.mjs"], "--plugin nowhere.mjs: can't be read");
  refuses(["learners", "--plugin", "learner.py"], "--plugin learner.py: takes a module: .mjs");
});

/** A scenario's file that runs this learner in a network of one node. */
function scenario(learner: string, more: object = {}): string {
  const stream = { type: "scene", nodes: 1, samples: 50, channels: 2 };
  const tasks = [{ name: "t", task: "classification", learners: [{ learner }] }];
  return file("scenario.json", JSON.stringify({ schema: "motelearn.scenario/1", stream, tasks, ...more }));
}

test("a plugin that throws while it learns is named with its line, on the main thread and on others", () => {
  const plugin = file("throws.mjs", constant("update: ({ f32 }) => f32.dott()"));
  const told = [`--plugin ${plugin}: line 7 throws TypeError: f32.dott is not a function`];
  refuses(["evaluate", "--learner", "constant", "--train", DATA, "--plugin", plugin], ...told);
  for (const args of [
    ["choose", "--train", DATA, "--budgets", "4"],
    ["simulate", scenario("constant"), "--report", file("report", "").replace(/report$/, "reports")],
  ]) {
    const { code, stderr } = run(...args, "--plugin", plugin);
    assert.is(code, 2, stderr);
    assert.ok(stderr.trimEnd().split("\n").at(-1)?.endsWith(told[0]), stderr);
  }
});

test("an option that a plugin's learner refuses is named as any other's", () => {
  const args = ["evaluate", "--learner", "constant", "--train", DATA, "--plugin", GOOD];
  refuses([...args, "--options", '{"alpha":1}'], "constant has no option alpha");
});

test("a scenario names a plugin's stages, and without the plugin they are unknown keys", () => {
  const plugin = file(
    "stages.mjs",
    'export const signalStages = { sag: { doc: "x", options: [], make: () => ({ apply: () => true }) } };',
  );
  const named = scenario("pa", { signal: { sag: {} } });
  const report = ["--report", file("report", "").replace(/report$/, "reports")];
  assert.is(run("simulate", named, "--plugin", plugin, ...report).code, 0);
  refuses(["simulate", named, ...report], "signal: no key sag");
});

test("a plugin's learner is refused on XS, which has those that ship", () => {
  const args = ["simulate", scenario("constant"), "--engine", "xs", "--plugin", GOOD];
  refuses(args, "--engine xs: learner constant", "runs on Node only");
});

test.run();
