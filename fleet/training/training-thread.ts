import { Worker } from "node:worker_threads";
import type { NamedOptions } from "../../tools/fusion/lines.ts";
import type { KeptLesson } from "../store/lesson-rows.ts";
import { type GroupBeginning, type GroupTurn, TrainedGroup } from "./trained-group.ts";

const WORKER = new URL("./train-worker.js", import.meta.url);

/** What the thread is told of a group, by its place. */
export interface TrainingNews {
  readonly group: number;
  readonly begin?: GroupBeginning;
  readonly lesson?: KeptLesson;
  /** Nodes that take a model now, or don't. */
  readonly there?: Readonly<Record<string, boolean>>;
  /** Nodes that are to get a model anew. */
  readonly order?: readonly string[];
  /** A newcomer that waits for its first state. */
  readonly newcomer?: { readonly node: string; readonly options: NamedOptions };
}

/** In the thread: all groups. */
export class TrainedGroups {
  private readonly groups = new Map<number, TrainedGroup>();

  take({ group, begin, lesson, there = {}, order, newcomer }: TrainingNews): void {
    if (begin) this.groups.set(group, new TrainedGroup(begin));
    const its = this.groups.get(group);
    if (!its) return;
    if (lesson) its.take(lesson);
    for (const [node, isThere] of Object.entries(there)) its.set(node, isThere);
    if (order) its.order(order);
    if (newcomer) its.begin(newcomer.node, newcomer.options);
  }

  turn(group: number): GroupTurn | undefined {
    return this.groups.get(group)?.turn();
  }
}

interface ThreadEvents {
  /** A group was trained as far as it was due. */
  trained(group: number, turn: GroupTurn): void;
  /** The thread failed: nothing is trained any more. */
  failed(why: string): void;
}

/** Trains the models of all groups in a thread, so that the gateway does other work meanwhile. */
export class TrainingThread {
  private readonly thread: Worker;
  private isClosed = false;

  constructor(events: ThreadEvents, worker = WORKER) {
    this.thread = new Worker(worker);
    this.thread.on("message", ({ group, turn }) => events.trained(group, turn));
    this.thread.on("error", ({ message }) => events.failed(message));
    this.thread.on("exit", () => this.isClosed || events.failed("its thread ended"));
  }

  tell(news: TrainingNews): void {
    this.thread.postMessage(news);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.thread.terminate();
  }
}
