import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { makeFolder } from "../folder.ts";

const folder = makeFolder();

/** A command's JSON on one path, without its wall-clock figures and the path's name. */
function told(path: string, ...command: string[]): string {
  const env = { ...process.env, MOTELEARN_ARITHMETIC: path };
  const options = [join(process.cwd(), "dist/motelearn.js"), ...command, "--json"];
  const printed = execFileSync(process.execPath, options, {
    env,
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: "pipe",
  });
  const { timing: _, arithmetic, ...result } = JSON.parse(printed);
  assert.is(arithmetic, path);
  return JSON.stringify(result);
}

test("simulate prints the same on both paths", () => {
  const command = ["simulate", "--report", folder];
  assert.is(told("webassembly", ...command), told("typescript", ...command));
});

test("evaluate prints the same on both paths, over several passes in one memory", () => {
  const file = join(folder, "data.csv");
  const random = new Random(1, "evaluate");
  const rows = Array.from({ length: 300 }, () => [random.normal(), random.normal(), random.below(3)].join());
  writeFileSync(file, `a,b,class\n${rows.join("\n")}\n`);
  for (const learner of ["lol", "olk-c", "qkrls"]) {
    const command = ["evaluate", "--learner", learner, "--train", file, "--repeat", "3", "--budget", "20"];
    assert.is(told("webassembly", ...command), told("typescript", ...command), learner);
  }
});

test.run();
