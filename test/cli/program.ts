import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import * as assert from "uvu/assert";
import type { runProgram } from "../../cli/program.ts";
import { makeFolder, type WriteFile, writerTo } from "../folder.ts";
import { awaited, LIMIT_MS } from "../tools/awaited.ts";
import { childOfTest, hasEnded } from "../tools/contained.ts";

const PROGRAM = join(process.cwd(), "dist/motelearn.js");

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `motelearn` as built. One that hangs is ended, and has no exit code. */
export function run(...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: "utf8",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  return { code: status, stdout, stderr };
}

/** Runs it with --json and returns what it printed, in its schema. */
// biome-ignore lint/suspicious/noExplicitAny: each command's result has a form of its own, which the test states.
export function runJson(schema: string, ...args: string[]): any {
  return readJson(schema, run(...args, "--json"));
}

function readJson(schema: string, { code, stdout, stderr }: Run) {
  assert.is(code, 0, stderr);
  assert.is(stderr, "");
  const result = JSON.parse(stdout);
  assert.is(result.schema, schema);
  return result;
}

/** What the program runs, as built: it finds the files that it has beside itself. */
const BUILT = join(process.cwd(), "dist/program.js");

/** Runs the program in this process, in a tenth of the time: for what needs no process of its own. */
export async function runHere(args: readonly string[]): Promise<Run> {
  const built: { runProgram: typeof runProgram } = await import(BUILT);
  const out = { stdout: "", stderr: "" };
  const { exitCode } = process;
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ["stdout", "stderr"] as const)
    process[name].write = (text: string | Uint8Array) => {
      out[name] += text;
      return true;
    };
  process.exitCode = 0;
  try {
    await built.runProgram(args);
    return { code: Number(process.exitCode), ...out };
  } finally {
    for (const name of ["stdout", "stderr"] as const) process[name].write = writes[name];
    process.exitCode = exitCode;
  }
}

/** runJson in this process. */
// biome-ignore lint/suspicious/noExplicitAny: each command's result has a form of its own, which the test states.
export async function runJsonHere(schema: string, ...args: string[]): Promise<any> {
  return readJson(schema, await runHere([...args, "--json"]));
}

/** It must end with exit code 2, nothing on stdout, and one line on stderr that says each of the parts. */
export function refuses(args: readonly string[], ...parts: string[]): void {
  isRefusal(run(...args), args, parts);
}

/** The same in this process. */
export async function refusesHere(args: readonly string[], ...parts: string[]): Promise<void> {
  isRefusal(await runHere(args), args, parts);
}

function isRefusal({ code, stdout, stderr }: Run, args: readonly string[], parts: readonly string[]): void {
  assert.is(code, 2, `${args.join(" ")}: ${stderr}`);
  assert.is(stdout, "");
  assert.match(stderr, /^motelearn: [^\n]+\n$/);
  for (const part of parts) assert.ok(stderr.includes(part), `"${stderr}" says ${part}`);
}

/** A folder for a test's files, gone when the process ends. */
export function temporaryFolder(): WriteFile {
  return writerTo(makeFolder());
}

/** The program while it runs. Each wait has a limit, which says what was awaited and what the program printed last. */
export interface Running {
  readonly child: ChildProcess;
  /** What it printed until now. */
  readonly printed: () => string;
  /** Resolves when it has printed that, behind its first `from` characters; rejects if it ended without. */
  says(part: string, from?: number, limitMs?: number): Promise<void>;
  readonly ended: Promise<Run>;
}

const HEARD_MAX = 300;

/** Starts `motelearn` as built. */
export function start(...args: string[]): Running {
  return watched(args, spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
}

/** The same behind a limit that a shell sets, such as `ulimit -f 2`: files of at most 1024 bytes. */
export function startLimited(limit: string, ...args: string[]): Running {
  const words = ["-c", `${limit}; exec "$@"`, "sh", process.execPath, PROGRAM, ...args];
  return watched(args, spawn("sh", words, { stdio: ["ignore", "pipe", "pipe"] }));
}

function watched(args: readonly string[], spawned: ChildProcess): Running {
  const child = childOfTest(spawned);
  const out = { stdout: "", stderr: "" };
  const looks = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      out[name] += text;
      for (const look of looks) look();
    });
  }
  const kill = () => child.kill("SIGKILL");
  const closed = new Promise<Run>((done) =>
    child.once("close", (code) => {
      done({ code, ...out });
      for (const look of looks) look();
    }),
  );
  const heard = () => `${out.stdout.slice(-HEARD_MAX)} and on stderr ${out.stderr.slice(-HEARD_MAX)}`;
  /** Ends a process awaited in vain: a test file lasts as long as its processes. */
  const orKilled = <T>(what: string, promise: Promise<T>, limitMs?: number) =>
    awaited(`${args[0]}: ${what}`, promise, heard, limitMs).catch((error) => {
      kill();
      throw error;
    });
  const saying = (part: string, from: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (out.stdout.includes(part, from)) resolve();
        else if (hasEnded({ child })) reject(new Error(`it ended without saying ${part}: ${out.stderr}`));
        else return;
        looks.delete(look);
      };
      looks.add(look);
      look();
    });
  return {
    child,
    printed: () => out.stdout,
    says: (part, from = 0, limitMs) => orKilled(`to say ${part}`, saying(part, from), limitMs),
    get ended() {
      return orKilled("to end", closed);
    },
  };
}
