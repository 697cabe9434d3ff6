import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../../src/learn/registry.ts";
import { refusesHere, run, runHere, runJsonHere } from "./program.ts";

test("learners lists every learner with its options, defaults, ranges and paper", async () => {
  const { learners } = await runJsonHere("motelearn.learners/1", "learners");
  assert.equal(
    learners.map(({ name }: { name: string }) => name),
    FAMILIES.map(({ name }) => name),
  );
  for (const learner of learners) {
    for (const key of ["task", "title", "paper"])
      assert.ok(learner[key].length > 0, `${learner.name}: ${key}`);
    const options = new Map<string, { default: unknown; takes: string; doc: string }>(
      learner.options.map((option: { name: string }) => [option.name, option]),
    );
    assert.is(options.get("dimension")?.default, null);
    const budget = FAMILIES.find(({ name }) => name === learner.name)?.options.budget;
    assert.is(options.get("budget")?.default, learner.takesBudget ? budget?.default : undefined);
    for (const { takes, doc } of options.values()) assert.ok(takes.length > 0 && doc.length > 0);
  }
});

test("learners NAME describes that one, readable at 100 columns", async () => {
  assert.is((await runJsonHere("motelearn.learners/1", "learners", "lol")).learners.length, 1);
  for (const { name } of FAMILIES) {
    const { code, stdout } = await runHere(["learners", name]);
    assert.is(code, 0);
    assert.ok(stdout.startsWith(`${name}: `));
    for (const line of stdout.split("\n").filter((line) => line.startsWith(" ")))
      assert.ok(line.length <= 100, `${line.length} columns: ${line}`);
  }
  await refusesHere(["learners", "lool"], "lool", "lol");
});

test("learners without a name is a table, a line for each", async () => {
  const { code, stdout } = await runHere(["learners"]);
  assert.is(code, 0);
  const lines = stdout.split("\n");
  for (const { name, task, title } of FAMILIES) {
    const [line, ...more] = lines.filter((each) => each.startsWith(`${name} `));
    assert.equal(more, [], name);
    assert.ok(line.includes(task) && line.endsWith(title), line);
    assert.ok(line.length <= 100, `${line.length} columns: ${line}`);
  }
  assert.ok(lines.length <= FAMILIES.length + 6, `${lines.length} lines`);
});

test("a command that lacks its file's option names the option", async () => {
  await refusesHere(
    ["choose", "pump.csv", "--delay", "30"],
    "required option '--train <file>'",
    "write --train pump.csv",
  );
  for (const words of [
    ["choose", "--delay", "30"],
    ["shrink", "pump.json"], // whose argument is the scenario
  ]) {
    const { stderr } = await runHere(words);
    assert.match(stderr, /required option/);
    assert.not.match(stderr, /write/);
  }
});

test("simulate --help fits a screen; --help scenario lists the keys, each once", async () => {
  const short = (await runHere(["simulate", "--help"])).stdout;
  assert.ok(short.split("\n").length <= 50, `${short.split("\n").length} lines`);
  assert.not.match(short, /^ {2}stream\.type: /m);
  const { stdout, code } = await runHere(["simulate", "--help", "scenario"]);
  assert.is(code, 0);
  for (const key of ["stream.type", "labels.delayMean", "tasks[].learners[].learner", "tasks[].labels"])
    assert.is(stdout.split(`\n  ${key}: `).length, 2, key);
  assert.not.match(stdout, /^ {2}tasks\[\]\.labels\./m);
});

test("an unknown command or option is refused in one line with the nearest right one", async () => {
  await refusesHere(["evalute"], "evalute", "evaluate");
  await refusesHere(["nosuch"], "nosuch", "there are simulate, ", ", evaluate, ");
  await refusesHere(["learners", "--frobnicate"], "--frobnicate", "--help");
  await refusesHere(["learners", "--jsn"], "--jsn", "--json");
  await refusesHere(["--verion"], "--verion", "--version");
});

test("without a command it prints its help, and runs nothing", async () => {
  const [bare, asked] = [await runHere([]), await runHere(["--help"])];
  assert.equal(bare, { ...asked, code: 0, stderr: "" });
  assert.match(bare.stdout, /^Usage: motelearn /);
});

test("--help lists each command once, under the heading of a job", async () => {
  const { stdout } = await runHere(["--help"]);
  const [head, ...groups] = stdout
    .slice(0, stdout.indexOf("Exit codes:"))
    .split(/^(?=[A-Z][a-z ]+:$)/m)
    .slice(1);
  const namesIn = (text: string) => [...text.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name);
  assert.match(head, /^Options:/);
  assert.equal(groups.map((group) => group.split("\n")[0]).at(-1), "Commands:");
  assert.equal(namesIn(groups.at(-1) as string), ["help"]);
  const names = groups.slice(0, -1).flatMap(namesIn);
  assert.is(new Set(names).size, names.length);
  assert.ok(groups.slice(0, -1).every((group) => namesIn(group).length > 1));
  assert.ok(
    names.length > 25 && names.includes("simulate") && names.includes("bench-learning"),
    names.join(),
  );
});

test("--version and --help are answered on stdout with exit code 0", async () => {
  const version = run("--version");
  assert.is(version.code, 0);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  for (const args of [["--help"], ["evaluate", "--help"], ["plan", "--help"], ["help", "plan"]]) {
    const { code, stdout, stderr } = await runHere(args);
    assert.is(code, 0, args.join(" "));
    assert.is(stderr, "");
    assert.ok(stdout.startsWith("Usage: motelearn"));
  }
});

test.run();
