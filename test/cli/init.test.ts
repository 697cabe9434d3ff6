import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { refusesHere, run } from "./program.ts";

const folder = mkdtempSync(join(tmpdir(), "motelearn-init-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const FILES = [
  ".gitignore",
  "main.ts",
  "manifest.json",
  "mod.json",
  "package.json",
  "recorded.csv",
  "scenario.json",
  "soil-moisture.ts",
  "tsconfig.json",
];

test("init writes a project whose package.json names this package's folder, and what to do next", () => {
  const project = join(folder, "a/new");
  const { code, stdout, stderr } = run("init", project);
  assert.equal([code, stderr], [0, ""]);
  assert.equal(readdirSync(project).sort(), FILES);
  for (const name of FILES) assert.ok(stdout.includes(`wrote ${join(project, name)}\n`), name);
  for (const step of [`cd ${project}`, "npm install", "npx motelearn simulate scenario.json"])
    assert.match(stdout, new RegExp(`^ {2}${step}$`, "m"));
  const { devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  assert.is(join(project, devDependencies.motelearn.replace("file:", "")), process.cwd());
});

test("a second init overwrites nothing, and brings back what is gone", () => {
  const project = join(folder, "again");
  run("init", project);
  writeFileSync(join(project, "main.ts"), "// mine\n");
  rmSync(join(project, "scenario.json"));
  const { code, stdout } = run("init", project);
  assert.is(code, 0);
  assert.is(readFileSync(join(project, "main.ts"), "utf8"), "// mine\n");
  assert.ok(stdout.includes(`kept  ${join(project, "main.ts")}\n`));
  assert.ok(stdout.includes(`wrote ${join(project, "scenario.json")}\n`));
});

test("beside a package.json of one's own it says what to install", () => {
  const project = mkdtempSync(join(folder, "own-"));
  writeFileSync(join(project, "package.json"), '{ "dependencies": { "motelearn": "0.1.0" } }');
  const { stdout } = run("init", project);
  assert.match(stdout, /^ {2}npm install --save-dev @moddable\/typings@5\.6\.0 typescript@7\.0\.2$/m);
});

test("a folder that can't be is refused on one line", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  await refusesHere(["init"], "folder");
  await refusesHere(["init", file], file, "a file has that name", "give a folder");
  await refusesHere(["init", join(file, "below")], "not a folder, but a file", "give another place");
  await refusesHere(["init", "/proc/motelearn"], "/proc/motelearn", "can't be written");
});

test("init's template records 400 samples of the emulated board, two readings and a label in each", () => {
  const [head, ...rows] = readFileSync("examples/own-sensor/recorded.csv", "utf8").trim().split("\n");
  assert.is(head, "moisture,temperature,label");
  assert.is(rows.length, 400);
  assert.ok(rows.every((row) => row.split(",").length === 3));
});

test.run();
