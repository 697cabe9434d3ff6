import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { within } from "../../host/within.ts";
import type { ExplainedDecision } from "../api/api.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { FollowedNode } from "./followed-node.ts";

const WORKER = new URL("./explain-worker.js", import.meta.url);
/** Milliseconds that an explanation may take, and explanations that may wait for another. */
const LIMIT_MS = 30_000;
const WAITING_MAX = 8;

/** What an explanation reads of the gateway's store. */
export type ExplainStore = Pick<FleetStore, "read" | "readCopy">;

/** A thread's line to the store: it asks over `port`, and waits until `answered` is 1. */
interface StoreLine {
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

/** What a thread explains, with its line to the store. */
export interface ExplainedAsk extends StoreLine {
  readonly node: FollowedNode;
  readonly sid: number;
  readonly seq: number;
}

interface ExplanationRequest {
  readonly call: keyof ExplainStore;
  readonly given: readonly unknown[];
}

interface ThreadAnswer {
  readonly result?: unknown;
  readonly fault?: string;
}

/** In the thread: the gateway's store, whose file only the gateway's own thread opens. */
export class ExplanationStore implements ExplainStore {
  constructor(private readonly line: StoreLine) {}

  read(...given: Parameters<FleetStore["read"]>): ReturnType<FleetStore["read"]> {
    return this.ask({ call: "read", given }) as ReturnType<FleetStore["read"]>;
  }

  readCopy(...given: Parameters<FleetStore["readCopy"]>): ReturnType<FleetStore["readCopy"]> {
    return this.ask({ call: "readCopy", given }) as ReturnType<FleetStore["readCopy"]>;
  }

  private ask(asked: ExplanationRequest): unknown {
    const { port, answered } = this.line;
    Atomics.store(answered, 0, 0);
    port.postMessage(asked);
    Atomics.wait(answered, 0, 0);
    const received = receiveMessageOnPort(port) as { readonly message: ThreadAnswer };
    const { result, fault } = received.message;
    if (fault !== undefined) throw new Error(fault);
    return result;
  }
}

function answerRequest(store: ExplainStore, { call, given }: ExplanationRequest): ThreadAnswer {
  try {
    const asked = store[call] as (...given: readonly unknown[]) => unknown;
    return { result: asked.apply(store, given as unknown[]) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Explains decisions one after the other, each in a thread of its own, so that none can hold the gateway. */
export class Explanations {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private readonly over = new AbortController();

  /** @param limitMs milliseconds that one may take. */
  constructor(
    private readonly store: ExplainStore,
    private readonly limitMs = LIMIT_MS,
    private readonly worker = WORKER,
  ) {}

  /** Gives up those that are asked for. */
  close(): void {
    this.over.abort(new Error("the gateway ends"));
  }

  /** Rejects with an Error with the reason if the decision can't be explained, or not in time. */
  async explain(node: FollowedNode, sid: number, seq: number): Promise<ExplainedDecision> {
    if (this.waiting >= WAITING_MAX) throw new Error("other decisions are being explained: ask again later");
    this.waiting++;
    const before = this.last;
    const explained = before.then(() => this.inThread(node, sid, seq));
    this.last = explained.catch(() => {});
    try {
      return await explained;
    } finally {
      this.waiting--;
    }
  }

  private async inThread(node: FollowedNode, sid: number, seq: number): Promise<ExplainedDecision> {
    const { signal } = this.over;
    signal.throwIfAborted();
    const { port1: own, port2: port } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const asked: ExplainedAsk = { node, sid, seq, port, answered };
    const thread = new Worker(this.worker, { workerData: asked, transferList: [port] });
    own.on("message", (question: ExplanationRequest) => {
      own.postMessage(answerRequest(this.store, question));
      Atomics.store(answered, 0, 1);
      Atomics.notify(answered, 0);
    });
    let giveUp = () => {};
    const answer = new Promise<ExplainedDecision>((resolve, reject) => {
      giveUp = () => reject(signal.reason);
      thread.on("message", ({ explained, refused }) => {
        if (refused === undefined) resolve(explained);
        else reject(new Error(refused));
      });
      thread.on("error", reject);
      thread.on("exit", () => reject(new Error("its thread ended")));
    });
    signal.addEventListener("abort", giveUp);
    const late = `explaining it takes longer than ${this.limitMs / 1000} s: it was given up`;
    return within(this.limitMs, () => answer, late).finally(() => {
      signal.removeEventListener("abort", giveUp);
      own.close();
      return thread.terminate();
    });
  }
}
