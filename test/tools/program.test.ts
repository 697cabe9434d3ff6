import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../../src/learn/registry.ts";
import { refuses, run, runJson, start } from "./program.ts";
import { inFolder } from "./stations.ts";

/** The scene that ships, but short. */
const SCENE = inFolder("scene.json");
const shipped = JSON.parse(readFileSync("host-sim/scenarios/one-scene.json", "utf8"));
writeFileSync(SCENE, JSON.stringify({ ...shipped, stream: { ...shipped.stream, samples: 300 } }));

test("learners lists every learner with its options, defaults, ranges and paper", () => {
  const { learners } = runJson("motelearn.learners/1", "learners");
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
    const budget = learner.name === "auto" ? 32 : 64; // its kernel expansion is one member of six
    assert.is(options.get("budget")?.default, learner.takesBudget ? budget : undefined);
    for (const { takes, doc } of options.values()) assert.ok(takes.length > 0 && doc.length > 0);
  }
});

test("learners NAME describes that one, readable at 100 columns", () => {
  assert.is(runJson("motelearn.learners/1", "learners", "lol").learners.length, 1);
  const { code, stdout } = run("learners");
  assert.is(code, 0);
  for (const { name } of FAMILIES) assert.ok(stdout.includes(`${name}:`));
  for (const line of stdout.split("\n").filter((line) => line.startsWith(" "))) {
    assert.ok(line.length <= 100, `${line.length} columns: ${line}`);
  }
  refuses(["learners", "lool"], "lool", "lol");
});

test("an unknown command or option is refused in one line with the nearest right one", () => {
  refuses([], "simulate", "evaluate", "plan", "learners");
  refuses(["evalute"], "evalute", "evaluate");
  refuses(["nosuch"], "nosuch", "there are simulate, evaluate, explain, choose, plan");
  refuses(["learners", "--frobnicate"], "--frobnicate", "--help");
  refuses(["learners", "--jsn"], "--jsn", "--json");
  refuses(["--verion"], "--verion", "--version");
});

test("--version and --help are answered on stdout with exit code 0", () => {
  const version = run("--version");
  assert.is(version.code, 0);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  for (const args of [["--help"], ["evaluate", "--help"], ["plan", "--help"], ["help", "plan"]]) {
    const { code, stdout, stderr } = run(...args);
    assert.is(code, 0, args.join(" "));
    assert.is(stderr, "");
    assert.ok(stdout.startsWith("Usage: motelearn"));
  }
});

test("a folder for reports in which nothing can be made is named, by every command that has one", () => {
  const file = inFolder("two.csv");
  writeFileSync(file, "1,0,a\n0,1,b\n1,1,a\n0,0,b\n");
  for (const [folder, why] of [
    ["/proc/x", "can't be written"],
    ["/proc", "can't be written"],
    [`${file}/reports`, "not a folder"],
  ]) {
    for (const args of [["simulate"], ["papers", "--only", "qkrls-table-5"], ["choose", "--train", file]])
      refuses([...args, "--report", folder], `--report ${folder}: ${why}`);
  }
});

test("a test that waits for a word in vain is told which word, and what the program said", async () => {
  const listen = `unix:${inFolder("patience")}`;
  const centre = start("fusion", "--listen", listen, "--scenario", "one-scene");
  await centre.says("listening");
  const told = await centre.says("a word that it never says", 0, 1).catch((error) => error.message);
  assert.match(
    told,
    /^fusion: to say a word that it never says: not in 0\.001 s; heard last: .*node 4: \d+ labels/s,
  );
  await centre.ended;
  assert.is(
    centre.child.signalCode,
    "SIGKILL",
    "what isn't of use any more doesn't keep the file from ending",
  );
});

/** Its exit code, and what came on stderr, when those who read the streams `closed` go before it prints. */
async function readerGone(closed: readonly ("stdout" | "stderr")[], ...args: string[]) {
  const child = spawn(process.execPath, [join(process.cwd(), "dist/motelearn.js"), ...args]);
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.resume();
  for (const name of closed) child[name].destroy();
  const code = await new Promise((done) => child.on("close", done));
  return { code, complaints };
}

test("a reader that closes the pipe ends the program quietly, with the exit code it had come to", async () => {
  const plan = ["plan", "--learner", "olk-c", "--dimension", "8"];
  const misfit = [...plan, "--target", "esp32c3", "--period", "0.1"];
  const listen = `unix:${inFolder("unread")}`;
  for (const [code, args] of [
    [0, ["learners", "--json"]],
    [0, plan],
    [3, misfit],
    [2, ["learners", "lool"]],
    [0, ["simulate", SCENE, "--report", inFolder("unread-reports")]],
    [0, ["fusion", "--listen", listen, "--scenario", SCENE]],
  ] as const) {
    const { complaints, ...ended } = await readerGone(["stdout"], ...args);
    assert.equal(ended, { code }, args.join(" "));
    assert.is(complaints.split("\n").length - 1, code === 0 ? 0 : 1, complaints);
    assert.is((await readerGone(["stdout", "stderr"], ...args)).code, code, args.join(" "));
    if (code !== 0) assert.is((await readerGone(["stderr"], ...args)).code, code, args.join(" "));
  }
});

test.run();
