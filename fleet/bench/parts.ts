import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { DealtLabel } from "./bench-node.ts";

/** The role of a process of the bench. */
export type Part =
  | { readonly part: "broker"; readonly port: number }
  | { readonly part: "gateway"; readonly fleet: string }
  | {
      readonly part: "nodes";
      readonly broker: string;
      readonly names: readonly string[];
      readonly periodMs: number;
      readonly speed: number;
      /** Every n-th sample is labelled. */
      readonly labelEvery: number;
    };

/** A process's CPU and memory since its start. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** A node's sample with its correct label. */
export interface TrueSample {
  readonly name: string;
  readonly sid: number;
  readonly seq: number;
  readonly label: number;
}

/** A node's labels, in the order of their numbers. */
export interface Dealt {
  readonly name: string;
  readonly labels: readonly DealtLabel[];
}

/** Queries to a process; only nodes take others than "usage". */
export type Ask =
  | { readonly ask: "usage" }
  | { readonly ask: "labelled" }
  | { readonly ask: "drop"; readonly names: readonly string[] }
  | { readonly ask: "restart"; readonly names: readonly string[] }
  | { readonly ask: "compare"; readonly dealt: Dealt };

/** A process's answers, by query. */
export interface Answers {
  usage: Usage;
  /** Labels that each of its nodes has processed, by name. */
  labelled: Readonly<Record<string, number>>;
  drop: null;
  restart: null;
  /** True if the node's hash equals the simulated one's. */
  compare: boolean;
}

/** A process's own messages to the bench; `count`: samples since the last time, `samples`: those to label. */
export type PartMessage =
  | { readonly told: "ready" }
  | { readonly told: "answer"; readonly answer: Answers[keyof Answers] }
  | { readonly told: "sampled"; readonly count: number; readonly samples: readonly TrueSample[] };

const WORKER = new URL("./fleet-worker.js", import.meta.url);

/** Ends a process by SIGKILL; resolves when it is gone. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** A separate process of the bench, so that its CPU and memory can be measured. */
export class PartProcess {
  private static readonly running = new Set<PartProcess>();
  /** Resolves when the query before is answered. */
  private asked: Promise<unknown> = Promise.resolve();

  private constructor(private readonly child: ChildProcess) {}

  /** Starts it; resolves when it is ready. Rejects if it ends before. */
  static async start(
    part: Part,
    sampled?: (count: number, samples: readonly TrueSample[]) => void,
  ): Promise<PartProcess> {
    const child = fork(WORKER, [JSON.stringify(part)]);
    const started = new PartProcess(child);
    PartProcess.running.add(started);
    child.once("exit", () => PartProcess.running.delete(started));
    child.on("message", (message: PartMessage) => {
      if (message.told === "sampled") sampled?.(message.count, message.samples);
    });
    await started.next("ready");
    return started;
  }

  /** Ends all by SIGKILL, those that aren't ready yet, too; resolves when they are gone. */
  static async killAll(): Promise<void> {
    await Promise.all([...PartProcess.running].map((each) => each.kill()));
  }

  /** Sends a query; further queries wait. */
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

  kill(): Promise<void> {
    return killProcess(this.child);
  }

  private next<T extends PartMessage["told"]>(told: T): Promise<Extract<PartMessage, { told: T }>> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const over = () => {
        child.off("message", take);
        child.off("exit", gone);
      };
      const take = (message: PartMessage) => {
        if (message.told !== told) return;
        over();
        resolve(message as Extract<PartMessage, { told: T }>);
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
