import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { COUNTERS, type Counter } from "../../src/learn/learner.ts";
import { NODE_COUNTERS, type NodeCounter } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort } from "../../src/node/ports.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import { FRAME_MAX } from "../../src/wire/messages.ts";
import {
  ANSWER,
  COMMAND,
  FIGURES,
  FLASH_BYTES,
  HEARD,
  HEARD_FIGURES,
  HEARD_LENGTH,
  RESTORED,
  TAIL,
} from "./programs/pipe.ts";
import type { ServedOptions } from "./programs/served-options.ts";

/**
 * The parts to start a node's machine: the program of `buildLinux`, the script, and the bytes of its block.
 */
export interface Machine {
  readonly program: string;
  readonly script: string;
  readonly blockBytes: number;
}

/** Why a machine gave up. `sample` is the last one that the node received; 0: it never started. */
export interface MachineStop {
  readonly sample: number;
  readonly why: string;
  /** Bytes of the memory request that failed; 0 if that wasn't the cause. */
  readonly asked: number;
}

/** The surroundings of a machine's node: the simulator's UART, flash and time. */
export interface MachineParts {
  readonly options: NodeOptions;
  /** True if its samples come over the line. */
  readonly fed: boolean;
  /** `room`: bytes that it takes at once. */
  readonly uart: BytePort & { readonly room: number };
  /** Whatever it throws ends the node's turn: its power failed. */
  readonly flash: BlockDevice;
  readonly time: { readonly now: number };
  /** Called for each label that the node answers, and each sample that it predicts. */
  readonly listener: {
    answered(number: number, status: number): void;
    predicted(seq: number, decision: number): void;
    remarked(seq: number, remarks: number): void;
  };
}

/** The machine's ends of the pipes, and the length that marks a machine that gave up: see pipe.c. */
const COMMANDS = 10;
const ANSWERS = 11;
const FAULT = 0xffffffff;
/** Exit codes for full memory and for a full stack: see machine.h. */
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
 * A node's `Station` in an XS machine of its own, a process, which takes one command at a time. The machine
 * ends when this process closes its end of a pipe, or ends in any way.
 */
export class NodeOnXs {
  /** Set once the machine gave up; then the node does nothing more. */
  stop: MachineStop | undefined;
  private readonly child: ChildProcess;
  private readonly commands: number;
  private readonly answers: number;
  private readonly command: Float64Array;
  private readonly chunk = new Uint8Array(FRAME_MAX);
  private tail: Float64Array = new Float64Array(TAIL);
  private started = false;
  private given = 0;

  constructor(
    machine: Machine,
    private readonly parts: MachineParts,
  ) {
    const { learner, ...options } = parts.options;
    const served: ServedOptions = { ...options, learner: learner.name };
    const given = ["--block", String(machine.blockBytes), "--serve", String(process.pid), machine.script];
    const job = JSON.stringify({ ...served, fed: parts.fed });
    this.child = spawn(machine.program, [...given, job], { stdio: "ignore" });
    this.child.on("error", () => {}); // told in the next line
    if (this.child.pid === undefined) throw new Error(`no machine starts from ${machine.program}`);
    this.child.unref();
    this.commands = openPipe(this.child, COMMANDS, "w");
    this.answers = openPipe(this.child, ANSWERS, "r");
    this.command = new Float64Array(Math.max(FRAME_MAX, options.channels) + FLASH_BYTES + 3);
  }

  start(boot: number): RestoreStatus {
    this.command.set([COMMAND.start, this.parts.time.now, boot]);
    this.ask(3);
    return RESTORED[this.figure("restored")];
  }

  sample(readings: Float32Array): number {
    this.given++;
    this.command[0] = COMMAND.sample;
    this.command.set(readings, 1);
    this.command[1 + readings.length] = this.parts.time.now;
    this.ask(2 + readings.length);
    return this.stop ? Number.NaN : this.figure("decision");
  }

  poll(): boolean {
    const { chunk, command, parts } = this;
    const { uart, time } = parts;
    const count = this.figure("more") === 1 ? 0 : uart.read(chunk);
    command.set([COMMAND.poll, time.now, uart.room]);
    for (let i = 0; i < count; i++) command[3 + i] = chunk[i];
    const sent = Uint8Array.from(this.ask(3 + count));
    uart.write(sent, 0, sent.length);
    return this.figure("more") === 1;
  }

  /** The learner's hash and the node's; empty once the machine gave up. */
  hashes(): { state: string; node: string } {
    this.command[0] = COMMAND.hashes;
    const text = String.fromCharCode(...this.ask(1));
    return { state: text.slice(0, HASH_LENGTH), node: text.slice(HASH_LENGTH) };
  }

  get dueAt(): number {
    return this.figure("due");
  }

  get waiting(): boolean {
    return this.figure("waiting") === 1;
  }

  get sid(): number {
    return this.figure("sid");
  }

  /** Number of the last sample that the node answered. */
  get seq(): number {
    return this.figure("seq");
  }

  get labelled(): number {
    return this.figure("labelled");
  }

  get size(): number {
    return this.figure("size");
  }

  get judges(): boolean {
    return this.figure("judges") === 1;
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

  private figure(name: (typeof FIGURES)[number]): number {
    return this.tail[FIGURES.indexOf(name)];
  }

  /**
   * Sends the command to the node, and serves its flash requests. Returns the answer before its tail. Throws
   * the flash's error once the node has ended its turn.
   */
  private ask(words: number): Float64Array {
    if (!this.started && !this.stop) this.started = this.receive() !== undefined;
    if (this.stop) return new Float64Array(0);
    this.send(words);
    let fault: unknown;
    for (;;) {
      const answer = this.receive();
      if (!answer) return new Float64Array(0);
      if (answer[0] === ANSWER.done) {
        this.tail = answer.subarray(answer.length - TAIL);
        const heard = answer.subarray(2, 2 + HEARD_LENGTH * answer[1]);
        this.hear(heard);
        if (fault) throw fault;
        return answer.subarray(2 + heard.length, answer.length - TAIL);
      }
      try {
        this.send(this.askFlash(answer));
      } catch (error) {
        fault = error;
        this.command.set([COMMAND.flash, 0]);
        this.send(2);
      }
    }
  }

  /** Passes on what was heard, each with the node's figures as they were; then they are the present ones again. */
  private hear(heard: Float64Array): void {
    const { listener } = this.parts;
    const present = HEARD_FIGURES.map((name) => this.figure(name));
    const show = (figures: ArrayLike<number>) =>
      HEARD_FIGURES.forEach((name, i) => {
        this.tail[FIGURES.indexOf(name)] = figures[i];
      });
    for (let i = 0; i < heard.length; i += HEARD_LENGTH) {
      show(heard.subarray(i + 3, i + HEARD_LENGTH));
      if (heard[i] === HEARD.acknowledgement) listener.answered(heard[i + 1], heard[i + 2]);
      else if (heard[i] === HEARD.remarks) listener.remarked(heard[i + 1], heard[i + 2]);
      else listener.predicted(heard[i + 1], heard[i + 2]);
    }
    show(present);
  }

  /** Serves the answer's flash request; returns the words of the reply, which is the next command. */
  private askFlash([what, offset, ...rest]: Float64Array): number {
    const { command, parts } = this;
    const bytes = what === ANSWER.read ? new Uint8Array(rest[0]) : Uint8Array.from(rest);
    if (what === ANSWER.read) parts.flash.read(offset, bytes);
    else if (what === ANSWER.erase) parts.flash.erase(offset);
    else parts.flash.program(offset, bytes);
    command.set([COMMAND.flash, 1]);
    if (what !== ANSWER.read) return 2;
    command.set(bytes, 2);
    return 2 + bytes.length;
  }

  private send(words: number): void {
    const bytes = Buffer.alloc(4 + 8 * words);
    bytes.writeUInt32LE(words);
    bytes.set(new Uint8Array(this.command.buffer, 0, 8 * words), 4);
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.commands, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error; // its last words are still to be read
    }
  }

  /** Takes an answer. Undefined if the machine gave up instead. */
  private receive(): Float64Array | undefined {
    const length = this.read(4).readUInt32LE();
    if (length === FAULT) {
      this.giveUp();
      return undefined;
    }
    const bytes = this.read(8 * length);
    return new Float64Array(bytes.buffer as ArrayBuffer, 0, length);
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
