import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { StoredMsg } from "@nats-io/jetstream";
import { DeviceError } from "../../../host/errors.ts";
import { printNote } from "../../../host/terminal/print.ts";
import type { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import type { NetworkRows } from "../../../host-sim/runs/rows.ts";
import { InputError } from "../../../host-sim/runs/threads.ts";
import type { Scenario } from "../../../host-sim/scenario/scenario.ts";
import { type IdentifiedRun, pieceIdentity, type RunDone } from "../jobs.ts";
import { programName } from "../keep.ts";
import { isLarge, LargeRun, type PieceRows, type RunPiece } from "../large.ts";
import { type HashTable, VERSION } from "../program-key.ts";
import { FilesSent } from "./files.ts";
import { type Job, readGreeting, readOutcome } from "./messages.ts";
import { doneSubject, GREETINGS, jobSubject, RunQueue, type Servers } from "./queue.ts";

/** Jobs that are published at once. */
const AT_ONCE = 64;
const GREETING_MS = 3000;
/** Greetings without an answer, after which a line says so. */
const UNANSWERED_MAX = 3;
/** How long it waits before it looks again for an outcome. */
const LOOK_MS = 100;

/** The parts with which workers perform runs. */
interface RemoteWorkers extends Servers {
  /** Hash of the program and of the plugins. */
  readonly program: string;
  /** The scenario's file, and the hashes of the files that it names. */
  readonly source: string;
  readonly files: HashTable;
  readonly catalogue: Catalogue;
}

/** Has workers at NATS servers perform runs, until all are done or `stop`; `done` hears of each as its outcome comes, once. */
export async function performOnWorkers(
  jobs: readonly IdentifiedRun[],
  on: RemoteWorkers,
  done: RunDone,
  stop: AbortSignal,
): Promise<void> {
  if (jobs.length === 0 || stop.aborted) return;
  const files = new FilesSent(listScenarios(jobs), on.source, on.files);
  const queue = await RunQueue.open(on);
  try {
    await queue.prepare(on);
    await new RemoteRuns(queue, on, files, jobs, done).perform(stop);
  } finally {
    await queue.close();
  }
}

/** One at a time: of a large sweep all would fill memory. */
function* listScenarios(jobs: readonly IdentifiedRun[]): Generator<Scenario> {
  for (const { scenario } of jobs) yield scenario;
}

/** A run whose outcome is awaited, or a piece of a large one. */
interface PendingJob {
  readonly id: string;
  readonly job: IdentifiedRun;
  readonly of?: { readonly large: LargeRun; readonly piece: RunPiece };
}

/** A large run comes in its pieces. */
function makePendingJobs(job: IdentifiedRun, { source, catalogue }: RemoteWorkers): PendingJob[] {
  if (!isLarge(job.scenario, source)) return [{ id: job.id, job }];
  const large = new LargeRun(job, catalogue);
  return large.pieces.map((piece) => ({ id: pieceIdentity(job.id, piece), job, of: { large, piece } }));
}

/** The runs of a sweep that workers perform. */
class RemoteRuns {
  private readonly awaited: Map<string, PendingJob>;
  /** The place in the stream of the last outcome that was there before. */
  private before = 0;
  private read = 0;
  private ended = false;

  constructor(
    private readonly queue: RunQueue,
    private readonly on: RemoteWorkers,
    private readonly files: FilesSent,
    jobs: readonly IdentifiedRun[],
    private readonly done: RunDone,
  ) {
    const all = jobs.flatMap((job) => makePendingJobs(job, on));
    this.awaited = new Map(all.map((each) => [each.id, each]));
  }

  async perform(stop: AbortSignal): Promise<void> {
    const stopped = once(stop, "abort");
    try {
      this.before = (await this.queue.last(doneSubject(this.on.program, "*")))?.seq ?? 0;
      const collecting = this.collect();
      const publishing = this.publishAll().then(() => collecting);
      this.greet();
      await Promise.race([collecting, publishing, stopped]);
    } finally {
      this.ended = true;
    }
  }

  /** Takes outcomes until all are there. What workers left while no sweep ran comes first. */
  private async collect(): Promise<void> {
    while (this.awaited.size > 0 && !this.ended) {
      const message = await this.queue.next(this.on.program, this.read);
      if (!message) {
        await pause(LOOK_MS);
        continue;
      }
      await this.take(message);
      this.read = message.seq;
    }
  }

  /** An outcome counts where its run is awaited, and it is whole. */
  private async take({ subject, data, seq }: StoredMsg): Promise<void> {
    const run = subject.slice(subject.lastIndexOf(".") + 1);
    const awaited = this.awaited.get(run);
    if (!awaited) return;
    const outcome = readOutcome(Buffer.from(data).toString());
    if (!outcome || outcome.run !== run || outcome.program !== this.on.program) return this.ignore(run, seq);
    const { kept, fault } = outcome;
    if (fault) {
      await this.queue.drop(seq);
      if (seq <= this.before) return; // the run is tried again
      if (fault.given) throw new InputError(fault.message);
      throw new DeviceError(`a worker fails at run ${run}: ${fault.message}`);
    }
    const { job, of } = awaited;
    const isRows = kept !== undefined && "error" in kept;
    if (of ? isRows || !of.large.take(of.piece, kept as PieceRows) : !isRows) return this.ignore(run, seq);
    this.awaited.delete(run);
    const rows = of ? of.large.rows : (kept as NetworkRows);
    if (rows) this.done(job, rows);
  }

  private async ignore(run: string, seq: number): Promise<void> {
    await this.queue.drop(seq);
    printNote(`motelearn: an outcome of run ${run} isn't whole, and is ignored`);
  }

  /** Publishes the runs that have no outcome yet. */
  private async publishAll(): Promise<void> {
    while (this.read < this.before && this.awaited.size > 0 && !this.ended) await pause(10);
    await this.files.send(this.queue);
    const left = [...this.awaited.values()];
    const drain = async () => {
      for (let next = left.shift(); next && !this.ended; next = left.shift()) await this.publish(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, drain));
  }

  /**
   * The servers drop a run that they know. Where it has left the queue, and its outcome isn't there either, it failed before: then it is
   * published again.
   */
  private async publish({ id, job: { scenario }, of }: PendingJob): Promise<void> {
    const { program } = this.on;
    const job: Job = { run: id, program, scenario, files: this.files.of(scenario), piece: of?.piece };
    const subject = jobSubject(program, id);
    const text = JSON.stringify(job);
    const { duplicate, seq } = await this.queue.publish(subject, text, id);
    if (!duplicate || (await this.queue.isQueued(seq))) return;
    if (this.awaited.has(id) && !(await this.queue.last(doneSubject(program, id))))
      await this.queue.publish(subject, text, `${id}-${randomUUID()}`);
  }

  /**
   * Announces its program repeatedly, and prints a line if no worker, or one with another program, answers.
   */
  private async greet(): Promise<void> {
    const { connection } = this.queue;
    const { program, servers } = this.on;
    const inbox = `${GREETINGS}.${randomUUID()}`;
    let answered = false;
    let saidOther = false;
    const callback = (_: unknown, message: { string(): string }) => {
      const greeting = readGreeting(message.string());
      if (greeting?.program === program) answered = true;
      if (!greeting || greeting.program === program || saidOther) return;
      saidOther = true;
      printNote(
        `motelearn: a worker refuses these runs: it is ${programName(greeting)}, and this is ${programName(this.own)}`,
      );
    };
    connection.subscribe(inbox, { callback });
    for (let turn = 0; !this.ended && !connection.isClosed(); turn++) {
      connection.publish(GREETINGS, JSON.stringify(this.own), { reply: inbox });
      if (turn === UNANSWERED_MAX && !answered)
        printNote(
          `motelearn: no worker answers; start \`motelearn worker ${servers.join(",")}\` of this version`,
        );
      await pause(GREETING_MS);
    }
  }

  private get own() {
    return { program: this.on.program, version: VERSION };
  }
}
