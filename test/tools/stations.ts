import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { makeFolder } from "../folder.ts";
import { awaited } from "./awaited.ts";
import { childOfTest, ended } from "./contained.ts";
import type { StationGiven } from "./station.program.ts";

const PROGRAM = join(process.cwd(), "dist/test/tools/station.program.js");
const folder = makeFolder();

/** A small node of a station. */
export const SMALL_NODE = {
  sid: 5,
  channels: 2,
  pending: 16,
  labelWindow: 16,
  checkpointEvery: 0,
  learner: "olk-c",
  options: { budget: 8 },
};

/** A path in a folder that is gone when the process ends. */
export function inFolder(name: string): string {
  return join(folder, name);
}

/** Starts a node in a process of its own; resolves when it listens. */
export function startStation(options: StationGiven): Promise<ChildProcess> {
  const child = childOfTest(
    spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const listening = new Promise<ChildProcess>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the station ended with ${code}`)));
    child.stdout?.once("data", () => resolve(child));
  });
  return awaited(`a node at ${options.listen}`, listening, () => "nothing");
}

/** Has a node with a sensor take so many samples. */
export function takeSamples(child: ChildProcess, count: number): void {
  child.stdin?.write(`${count}\n`);
}

/** Cuts its power. */
export async function killStation(child: ChildProcess): Promise<void> {
  await ended(child, "SIGKILL");
}
