import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { COUNTERS, type Counter } from "../../src/learn/learner.ts";
import { NODE_COUNTERS, type NodeCounter, type NodeOptions } from "../../src/node/node.ts";
import type { Label, LabelStatus } from "../../src/node/ports.ts";
import { COMMAND, FIGURES, TAIL } from "./programs/pipe.ts";
import type { ServedOptions } from "./programs/served-options.ts";

/** What a node's machine is started from: the program of `buildLinux`, the script, and the bytes of its block. */
export interface Machine {
  readonly program: string;
  readonly script: string;
  readonly blockBytes: number;
}

/** Why a machine gave up. `sample` is the last one that the node was given; 0: it never started. */
export interface MachineStop {
  readonly sample: number;
  readonly why: string;
  /** Bytes of the request that found no room; 0 if that wasn't the cause. */
  readonly asked: number;
}

/** The machine's ends of the pipes, and what stands for an answer's length when the machine gave up: see pipe.c. */
const COMMANDS = 10;
const ANSWERS = 11;
const FAULT = 0xffffffff;
/** Exit codes of a machine whose memory is full, or its stack: see machine.h. */
const FULL = [71, 72];
const START_MS_MAX = 30_000;
const HASH_LENGTH = 16;

/** Opens a pipe of another process, once it is there. */
function openPipe(child: ChildProcess, end: number, flags: string): number {
  for (let waited = 0; ; waited++) {
    try {
      return openSync(`/proc/${child.pid}/fd/${end}`, flags);
    } catch (error) {
      if (waited === START_MS_MAX) throw new Error(`no machine answers: ${(error as Error).message}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/**
 * A sensor node in an XS machine of its own, a process, which is driven one command at a time. The machine ends when
 * this process closes its end of a pipe or ends, however it ends.
 */
export class NodeOnXs {
  /** Set once the machine gave up; then the node does nothing more. */
  stop: MachineStop | undefined;
  private readonly child: ChildProcess;
  private readonly commands: number;
  private readonly answers: number;
  private readonly command: Float64Array;
  private tail: Float64Array = new Float64Array(TAIL);
  private started = false;
  private given = 0;

  /** @param acknowledge is told of each label that the node answers, before `label` returns. */
  constructor(
    machine: Machine,
    { learner, ...options }: NodeOptions,
    private readonly acknowledge: (number: number, status: LabelStatus) => void,
  ) {
    const served: ServedOptions = { ...options, learner: learner.name };
    const given = ["--block", String(machine.blockBytes), "--serve", String(process.pid), machine.script];
    this.child = spawn(machine.program, [...given, JSON.stringify(served)], { stdio: "ignore" });
    this.child.on("error", () => {}); // told in the next line
    if (this.child.pid === undefined) throw new Error(`no machine starts from ${machine.program}`);
    this.child.unref();
    this.commands = openPipe(this.child, COMMANDS, "w");
    this.answers = openPipe(this.child, ANSWERS, "r");
    this.command = new Float64Array(Math.max(4, options.channels) + 1);
  }

  sample(readings: Float32Array): number {
    this.given++;
    this.command[0] = COMMAND.sample;
    this.command.set(readings, 1);
    this.ask(1 + readings.length);
    return this.stop ? Number.NaN : this.tail[0];
  }

  label({ number, sid, seq, y }: Label): void {
    this.command.set([COMMAND.label, number, sid, seq, y]);
    const answered = this.ask(5);
    for (let i = 0; i < answered.length; i += 2)
      this.acknowledge(answered[i], answered[i + 1] as LabelStatus);
  }

  /** The learner's hash and the node's; empty once the machine gave up. */
  hashes(): { state: string; node: string } {
    this.command[0] = COMMAND.hashes;
    const text = String.fromCharCode(...this.ask(1));
    return { state: text.slice(0, HASH_LENGTH), node: text.slice(HASH_LENGTH) };
  }

  /** Number of the last sample that the node answered. */
  get seq(): number {
    return this.tail[1];
  }

  get size(): number {
    return this.tail[2];
  }

  count(name: NodeCounter): number {
    return this.tail[FIGURES.length + COUNTERS.length + NODE_COUNTERS.indexOf(name)];
  }

  learnerCount(name: Counter): number {
    return this.tail[FIGURES.length + COUNTERS.indexOf(name)];
  }

  close(): void {
    closeSync(this.commands);
    closeSync(this.answers);
    this.child.kill("SIGKILL");
  }

  /** Gives the command's first words to the node. Returns what its answer has before the tail. */
  private ask(words: number): Float64Array {
    if (!this.started && !this.stop) this.started = this.receive() !== undefined;
    if (this.stop) return new Float64Array(0);
    const bytes = Buffer.alloc(4 + 8 * words);
    bytes.writeUInt32LE(words);
    bytes.set(new Uint8Array(this.command.buffer, 0, 8 * words), 4);
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.commands, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error; // its last words are still to be read
    }
    return this.receive() ?? new Float64Array(0);
  }

  /** Takes an answer. Undefined if the machine gave up instead. */
  private receive(): Float64Array | undefined {
    const length = this.read(4).readUInt32LE();
    if (length === FAULT) {
      this.giveUp();
      return undefined;
    }
    const bytes = this.read(8 * length);
    const words = new Float64Array(bytes.buffer as ArrayBuffer, 0, length);
    this.tail = words.subarray(length - TAIL);
    return words.subarray(0, length - TAIL);
  }

  private giveUp(): void {
    const head = this.read(12);
    const why = this.read(head.readUInt32LE(8)).toString("utf8");
    if (!FULL.includes(head.readUInt32LE(0))) throw new Error(`the machine: ${why}`);
    this.stop = { sample: this.started ? this.given : 0, why, asked: head.readUInt32LE(4) };
  }

  private read(length: number): Buffer {
    const bytes = Buffer.from(new ArrayBuffer(length));
    for (let got = 0; got < length; ) {
      const more = readSync(this.answers, bytes, got, length - got, null);
      if (more === 0) throw new Error("the machine ended without a word");
      got += more;
    }
    return bytes;
  }
}
