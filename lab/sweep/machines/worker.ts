import { setTimeout as pause } from "node:timers/promises";
import { Worker as Thread } from "node:worker_threads";
import type { Consumer, JsMsg } from "@nats-io/jetstream";
import { errorLine, isUsersFault } from "../../../host/terminal/exit.ts";
import type { Interrupt } from "../../../host/terminal/interrupt.ts";
import { printNote } from "../../../host/terminal/print.ts";
import { within } from "../../../host/within.ts";
import type { Catalogue } from "../../../host-sim/catalogue/catalogue.ts";
import type { NetworkRows } from "../../../host-sim/runs/rows.ts";
import type { JobOutcome, NetworkJob } from "../../../host-sim/runs/runs.ts";
import { Threads } from "../../../host-sim/runs/threads.ts";
import { parseScenario } from "../../../host-sim/scenario/scenario.ts";
import { pieceIdentity, runIdentity } from "../jobs.ts";
import { programName } from "../keep.ts";
import { pieceRows } from "../large.ts";
import { VERSION, WORKER } from "../program-key.ts";
import { FilesReceived } from "./files.ts";
import { FAULT_MAX, type Job, type Outcome, outcomeLine, readGreeting, readJob } from "./messages.ts";
import { doneSubject, GREETINGS, RunQueue, type Servers, SILENT_MS } from "./queue.ts";

/** How long a worker waits for a job before it asks again. */
const WAIT_MS = 2000;
const RETRY_MS = 500;
/** Programs of sweeps that it refuses in a line of their own. */
const REFUSED_MAX = 16;

/** Performs runs and pieces of runs. */
type RunThread = Threads<NetworkJob, NetworkRows | JobOutcome>;

/** The parts with which a worker performs runs. */
interface WorkerOptions extends Servers {
  readonly program: string;
  readonly plugin: readonly string[];
  readonly catalogue: Catalogue;
  readonly threads: number;
}

/** Takes runs off the queue and performs them. */
export class SweepWorker {
  private readonly files: FilesReceived;
  private readonly refused = new Set<string>();
  private consumer: Consumer | undefined;
  /** Runs, and pieces of large ones, that it performed. */
  performed = 0;

  private constructor(
    private readonly queue: RunQueue,
    private readonly options: WorkerOptions,
    private readonly interrupt: Interrupt,
  ) {
    this.files = new FilesReceived(queue);
    this.answerGreetings();
  }

  /** Throws a DeviceError if no server answers. */
  static async open(options: WorkerOptions, interrupt: Interrupt): Promise<SweepWorker> {
    return new SweepWorker(await RunQueue.open(options), options, interrupt);
  }

  /** Performs runs, one a thread, until it is interrupted; those under way are finished. */
  async perform(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: this.options.threads }, () => this.performOnThread()));
    } finally {
      this.files.close();
      await this.queue.close();
    }
  }

  private async performOnThread(): Promise<void> {
    const { plugin } = this.options;
    const open = (): RunThread => new Threads(1, () => new Thread(WORKER, { workerData: { plugin } }));
    let thread = open();
    while (!this.interrupt.asked) {
      const message = await this.next();
      if (message && !(await this.take(message, thread))) {
        await thread.close();
        thread = open();
      }
    }
    await thread.close();
  }

  /** The next job; null: none came in a while. */
  private async next(): Promise<JsMsg | null> {
    try {
      const consumer =
        this.consumer ?? (await within(4 * WAIT_MS, () => this.queue.jobs(this.options.program)));
      this.consumer = consumer;
      return await within(2 * WAIT_MS, () => consumer.next({ expires: WAIT_MS }));
    } catch {
      this.consumer = undefined; // no sweep has made the queue yet, or a server goes
      await pause(RETRY_MS);
      return null;
    }
  }

  /** Performs a job, publishes its outcome, and only then takes it off the queue. Returns whether the thread is of further use. */
  private async take(message: JsMsg, thread: RunThread): Promise<boolean> {
    const busy = setInterval(() => message.working(), SILENT_MS / 3);
    try {
      const job = readJob(message.string());
      const fault = job ? this.findFault(job) : "isn't a job";
      if (!job || fault !== undefined) {
        printNote(`motelearn: a run is refused: ${fault}`);
        message.term();
        return true;
      }
      const outcome = await this.performJob(job, thread);
      await this.send(outcome);
      message.ack();
      this.performed++;
      return outcome.kept !== undefined || outcome.fault?.given === true;
    } finally {
      clearInterval(busy);
    }
  }

  /** Why a job isn't performed; undefined: it is what its identity says, and for this program. */
  private findFault({ run, program, scenario, files, piece }: Job): string | undefined {
    const own = this.options.program;
    if (program !== own) return `it is for program ${program.slice(0, 8)}, and this is ${own.slice(0, 8)}`;
    const hashes = files.map(({ sha256 }) => sha256);
    const whole = runIdentity(scenario, hashes, program);
    if ((piece ? pieceIdentity(whole, piece) : whole) !== run)
      return "it isn't the run that its identity names";
    return undefined;
  }

  private async performJob(
    { run, program, scenario: given, files, piece }: Job,
    thread: RunThread,
  ): Promise<Outcome> {
    try {
      const checked = parseScenario(JSON.stringify(given), "a run's scenario", this.options.catalogue);
      const scenario = await this.files.localize(checked, files);
      const [outcome] = await thread.perform([{ scenario, source: "", task: 0, learner: 0, piece }], {});
      const kept = piece ? pieceRows(outcome as JobOutcome) : (outcome as NetworkRows);
      return { run, program, kept };
    } catch (error) {
      const message = this.files.withNames(errorLine(error)).slice(0, FAULT_MAX);
      printNote(`motelearn: run ${run} fails: ${message}`);
      return { run, program, fault: { message, given: isUsersFault(error) } };
    }
  }

  /**
   * Publishes an outcome. Rows are the same whoever performs the run, so that the servers keep them once; a fault may pass. Rows that a
   * sweep dropped, as something else had taken their place, are published again.
   */
  private async send(outcome: Outcome): Promise<void> {
    const { run, program } = outcome;
    const line = outcomeLine(outcome);
    const tooLarge = this.queue.tooLarge(line);
    if (tooLarge) return this.send({ run, program, fault: { message: tooLarge, given: true } });
    const subject = doneSubject(program, run);
    const id = outcome.fault ? undefined : run;
    const { duplicate } = await this.queue.publish(subject, line, id);
    if (duplicate && !(await this.queue.last(subject))) await this.queue.publish(subject, line);
  }

  /** Tells sweeps which program it runs. It prints a line about a sweep with another program, whose runs it never gets. */
  private answerGreetings(): void {
    const { program } = this.options;
    const own = { program, version: VERSION };
    const callback = (_: unknown, message: { string(): string; respond(data: string): boolean }) => {
      const greeting = readGreeting(message.string());
      if (!greeting) return;
      message.respond(JSON.stringify(own));
      if (greeting.program === program || this.refused.has(greeting.program)) return;
      if (this.refused.size >= REFUSED_MAX) return;
      this.refused.add(greeting.program);
      const advice = "run one version on all machines, with the same --plugin";
      printNote(
        `motelearn: a sweep of ${programName(greeting)} is refused: this is ${programName(own)}; ${advice}`,
      );
    };
    this.queue.connection.subscribe(GREETINGS, { callback });
  }
}
