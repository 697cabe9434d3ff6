import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";

const PROGRAM = join(process.cwd(), "dist/motelearn.js");

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `motelearn` as built. */
export function run(...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });
  return { code: status, stdout, stderr };
}

/** Runs it with --json and returns what it printed, in its schema. */
// biome-ignore lint/suspicious/noExplicitAny: each command's result has a form of its own, which the test states.
export function runJson(schema: string, ...args: string[]): any {
  const { code, stdout, stderr } = run(...args, "--json");
  assert.is(code, 0, stderr);
  assert.is(stderr, "");
  const result = JSON.parse(stdout);
  assert.is(result.schema, schema);
  return result;
}

/** It must end with exit code 2, nothing on stdout, and one line on stderr that says each of the parts. */
export function refuses(args: readonly string[], ...parts: string[]): void {
  const { code, stdout, stderr } = run(...args);
  assert.is(code, 2, `${args.join(" ")}: ${stderr}`);
  assert.is(stdout, "");
  assert.match(stderr, /^motelearn: [^\n]+\n$/);
  for (const part of parts) assert.ok(stderr.includes(part), `"${stderr}" says ${part}`);
}

/** A folder for a test's files, gone when the process ends. */
export function temporaryFolder(): (name: string, text: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return (name, text) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
}
