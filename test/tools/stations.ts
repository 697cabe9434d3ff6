import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awaited } from "./awaited.ts";
import type { StationGiven } from "./station.program.ts";

const PROGRAM = join(process.cwd(), "dist/test/tools/station.program.js");
const started = new Set<ChildProcess>();
const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A path in a folder that is gone when the process ends. */
export function inFolder(name: string): string {
  return join(folder, name);
}

/** Starts a node in a process of its own; resolves when it listens. */
export function startStation(given: StationGiven): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(given)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.add(child);
  const listening = new Promise<ChildProcess>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the station ended with ${code}`)));
    child.stdout?.once("data", () => {
      // A test that fails leaves it running: that mustn't keep its file from ending.
      child.unref();
      (child.stdout as Socket).unref();
      (child.stdin as unknown as Socket).unref();
      resolve(child);
    });
  });
  return awaited(`a node at ${given.listen}`, listening, () => "nothing");
}

/** Has a node with a sensor take so many samples. */
export function takeSamples(child: ChildProcess, count: number): void {
  child.stdin?.write(`${count}\n`);
}

/** Cuts its power. */
export function killStation(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    const gone = () => {
      started.delete(child);
      done();
    };
    if (child.exitCode !== null || child.signalCode !== null) return gone();
    child.once("exit", gone);
    child.ref();
    child.kill("SIGKILL");
  });
}
