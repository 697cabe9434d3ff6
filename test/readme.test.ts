import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES } from "../src/learn/registry.ts";
import { nodeLayout } from "../src/node/node.ts";

const README = readFileSync(join(process.cwd(), "README.md"), "utf8");

test("the table of learners is the registry, with the bytes that the plan gives", () => {
  const rows = [...README.matchAll(/^\| `([^`]+)` +\| (.+?) +\| (.+?) +\| (\d+) +\|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const listed = FAMILIES.map((learner) => {
    const { bytes } = nodeLayout({ sid: 1, channels: 8, learner, options: {} });
    return [learner.name, learner.title, learner.task, String(bytes)];
  });
  assert.equal(rows, listed);
});

test("the program in the README runs", () => {
  const code = /```ts\n([\s\S]+?)```/.exec(README)?.[1] as string;
  const folder = mkdtempSync(join(process.cwd(), "dist/readme-"));
  try {
    writeFileSync(join(folder, "program.mjs"), code);
    const printed = execFileSync(process.execPath, [join(folder, "program.mjs")], { encoding: "utf8" });
    assert.match(printed, /^0 1 [0-9a-f]{16}\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the commands in the README are the program's", () => {
  const help = execFileSync(process.execPath, ["dist/motelearn.js", "--help"], { encoding: "utf8" });
  for (const [, command] of README.matchAll(/^npx motelearn (\w+)/gm))
    assert.match(help, new RegExp(`^ {2}${command} `, "m"));
});

test.run();
