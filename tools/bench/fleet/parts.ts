import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { DealtLabel } from "./bench-node.ts";

/** What a process of the bench does. */
export type Part =
  | { readonly part: "broker"; readonly port: number }
  | { readonly part: "gateway"; readonly fleet: string }
  | {
      readonly part: "nodes";
      readonly broker: string;
      readonly names: readonly string[];
      readonly periodMs: number;
      readonly speed: number;
      /** Of so many samples one is labelled. */
      readonly labelEvery: number;
    };

/** What a process has used since it began. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** A sample that a node took, with the label that is right for it. */
export interface Sampled {
  readonly name: string;
  readonly sid: number;
  readonly seq: number;
  readonly label: number;
}

/** Labels that a node was given, in the order of their numbers. */
export interface Dealt {
  readonly name: string;
  readonly labels: readonly DealtLabel[];
}

/** What is asked of a process; nodes alone take more than "usage". */
export type Ask =
  | { readonly ask: "usage" }
  | { readonly ask: "labelled" }
  | { readonly ask: "drop"; readonly names: readonly string[] }
  | { readonly ask: "restart"; readonly names: readonly string[] }
  | { readonly ask: "compare"; readonly dealt: Dealt };

/** What a process answers, by what it was asked. */
export interface Answers {
  usage: Usage;
  /** Labels that each of its nodes dealt with, by name. */
  labelled: Readonly<Record<string, number>>;
  drop: null;
  restart: null;
  /** Whether the node's hash is that of a simulated one. */
  compare: boolean;
}

/** What a process says to the bench by itself; `count`: samples since the last time, `samples`: those to be labelled. */
export type Told =
  | { readonly told: "ready"; readonly port: number }
  | { readonly told: "answer"; readonly answer: Answers[keyof Answers] }
  | { readonly told: "sampled"; readonly count: number; readonly samples: readonly Sampled[] };

const WORKER = new URL("./fleet-worker.js", import.meta.url);

/** A process of the bench, so that each one's CPU and memory are its own. */
export class PartProcess {
  /** The TCP port at which it listens; 0: none. */
  port = 0;
  /** Resolves when what was asked before is answered. */
  private asked: Promise<unknown> = Promise.resolve();

  private constructor(private readonly child: ChildProcess) {}

  /** Starts it; resolves when it is ready. Rejects if it ends before. */
  static async start(
    part: Part,
    sampled?: (count: number, samples: readonly Sampled[]) => void,
  ): Promise<PartProcess> {
    const child = fork(WORKER, [JSON.stringify(part)]);
    const started = new PartProcess(child);
    child.on("message", (message: Told) => {
      if (message.told === "sampled") sampled?.(message.count, message.samples);
    });
    started.port = (await started.next("ready")).port;
    return started;
  }

  /** Asks it something; what is asked meanwhile waits. */
  ask<A extends Ask["ask"]>(ask: Extract<Ask, { ask: A }>): Promise<Answers[A]> {
    const answered = this.asked.then(async () => {
      this.child.send(ask);
      return (await this.next("answer")).answer as Answers[A];
    });
    this.asked = answered.catch(() => {});
    return answered;
  }

  usage(): Promise<Usage> {
    return this.ask({ ask: "usage" });
  }

  /** Ends it by SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }

  private next<T extends Told["told"]>(told: T): Promise<Extract<Told, { told: T }>> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const over = () => {
        child.off("message", take);
        child.off("exit", gone);
      };
      const take = (message: Told) => {
        if (message.told !== told) return;
        over();
        resolve(message as Extract<Told, { told: T }>);
      };
      const gone = (code: number | null) => {
        over();
        reject(new Error(`a process of the bench ended with ${code}`));
      };
      child.on("message", take);
      child.once("exit", gone);
    });
  }
}
