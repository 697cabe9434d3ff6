import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { awaited } from "./awaited.ts";
import { childOfTest } from "./contained.ts";

const PROGRAM = join(process.cwd(), "dist/motelearn.js");

// biome-ignore lint/suspicious/noExplicitAny: each type of record has a form of its own, which the test states.
export type MonitorRecord = any;

/** `motelearn monitor --json` in a process of its own. */
export class RunningMonitor {
  readonly records: MonitorRecord[] = [];
  stderr = "";
  code: number | null | undefined;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private look: () => void = () => {};

  constructor(...args: string[]) {
    this.child = childOfTest(
      spawn(process.execPath, [PROGRAM, "monitor", ...args, "--json"], { stdio: ["pipe", "pipe", "pipe"] }),
    );
    createInterface(this.child.stdout).on("line", (line) => {
      this.records.push(JSON.parse(line));
      this.look();
    });
    this.child.stderr.on("data", (text) => {
      this.stderr += text;
    });
    this.child.on("close", (code) => {
      this.code = code;
      this.look();
    });
  }

  /** The first record of that type, from number `from` on, for which `holds` is true, once it came. */
  record(
    type: string,
    holds: (record: MonitorRecord) => boolean = () => true,
    from = 0,
  ): Promise<MonitorRecord> {
    const found = () => this.records.slice(from).find((record) => record.type === type && holds(record));
    return this.until(`a record ${type}`, found);
  }

  press(keys: string): void {
    this.child.stdin.write(keys);
  }

  interrupt(): void {
    this.child.kill("SIGINT");
  }

  /** Its exit code, once it ended. */
  async ended(): Promise<number> {
    await this.until("its end", () => (this.code === undefined ? undefined : true));
    return this.code as number;
  }

  private until<T>(what: string, found: () => T | undefined): Promise<T> {
    const finding = new Promise<T>((resolve, reject) => {
      this.look = () => {
        const value = found();
        if (value !== undefined) resolve(value);
        else if (this.code !== undefined) reject(new Error(`it ended without ${what}: ${this.stderr}`));
        else return;
        this.look = () => {};
      };
      this.look();
    });
    return awaited(what, finding, () => `${JSON.stringify(this.records.at(-1))} ${this.stderr}`);
  }
}
