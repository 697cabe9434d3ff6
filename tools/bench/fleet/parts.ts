import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** What a process of the bench does. */
export type Part =
  | { readonly part: "broker" }
  | { readonly part: "gateway"; readonly fleet: string }
  | {
      readonly part: "nodes";
      readonly broker: string;
      readonly names: readonly string[];
      readonly periodMs: number;
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

/** What a process says to the bench. */
export type Told =
  | { readonly told: "ready"; readonly port: number }
  | ({ readonly told: "usage" } & Usage)
  | { readonly told: "sampled"; readonly samples: readonly Sampled[] };

const WORKER = new URL("./fleet-worker.js", import.meta.url);

/** A process of the bench, so that each one's CPU and memory are its own. */
export class PartProcess {
  /** The TCP port at which it listens; 0: none. */
  port = 0;

  private constructor(private readonly child: ChildProcess) {}

  /** Starts it; resolves when it is ready. Rejects if it ends before. */
  static async start(part: Part, sampled?: (samples: readonly Sampled[]) => void): Promise<PartProcess> {
    const child = fork(WORKER, [JSON.stringify(part)]);
    const started = new PartProcess(child);
    child.on("message", (message: Told) => {
      if (message.told === "sampled") sampled?.(message.samples);
    });
    started.port = (await started.next("ready")).port;
    return started;
  }

  async usage(): Promise<Usage> {
    this.child.send("usage");
    const { cpuMs, rssBytes } = await this.next("usage");
    return { cpuMs, rssBytes };
  }

  async stop(): Promise<void> {
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
