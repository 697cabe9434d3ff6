import { setTimeout as pause } from "node:timers/promises";
import {
  AckPolicy,
  type Consumer,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type NatsConnection, nanos } from "@nats-io/transport-node";
import { DeviceError, UserError } from "../../../host/errors.ts";
import { connectNats } from "../../../host/nats.ts";
import { printNote } from "../../../host/terminal/print.ts";
import { within } from "../../../host/within.ts";

/** The work queue: each job until a worker acknowledges it. */
const JOBS = "MOTELEARN_RUNS";
/** Outcomes, and the files that runs read. */
const RESULTS = "MOTELEARN_RESULTS";
/** How long jobs, outcomes and files stay. */
const KEPT_MS = 7 * 24 * 3600 * 1000;
/** How long the servers know a message's id. */
const IDS_MS = 3600 * 1000;
/** A job whose worker was silent for so long goes to another. */
export const SILENT_MS = 10_000;
const ANSWER_MS = 5000;
const RETRY_MS = 300;
const CONNECT_TRIES = 3;
const ASK_TRIES = 15;
const TRY_MS = 1000;
const REPLICAS = 3;
const UNDER_WAY_MAX = 10_000;

export const jobSubject = (program: string, run: string) => `motelearn.runs.job.${program}.${run}`;
export const doneSubject = (program: string, run: string) => `motelearn.runs.done.${program}.${run}`;
export const chunkSubject = (sha256: string, chunk: number) => `motelearn.runs.file.${sha256}.${chunk}`;
/** Where sweeps announce their program, and workers answer. */
export const GREETINGS = "motelearn.runs.here";

/** Number of tries: a server may stop just then, and the others elect a leader. */
async function tries<T>(times: number, act: () => Promise<T>): Promise<T> {
  for (let left = times - 1; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0) throw error;
      await pause(TRY_MS);
    }
  }
}

export interface Servers {
  readonly servers: readonly string[];
  readonly user?: string;
}

/** The streams of jobs and outcomes at NATS servers: JetStream's queue, de-duplication and replicas do the rest. */
export class RunQueue {
  private readonly client: JetStreamClient;
  private waits = false;

  private constructor(
    readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
  ) {
    this.client = jetstream(connection, { timeout: ANSWER_MS });
  }

  /** Throws a DeviceError if no server answers. */
  static async open({ servers, user }: Servers): Promise<RunQueue> {
    let connection: NatsConnection | undefined;
    try {
      const connected = await tries(CONNECT_TRIES, () => connectNats(servers, user));
      connection = connected;
      const manager = await tries(ASK_TRIES, () => jetstreamManager(connected, { timeout: ANSWER_MS }));
      return new RunQueue(connection, manager);
    } catch (error) {
      await connection?.close();
      throw new DeviceError(
        `workers: no server of ${servers.join(", ")} takes this program: ${(error as Error).message}`,
      );
    }
  }

  /** Makes the streams, unless they are there: on three servers where as many are given. Throws a DeviceError. */
  async prepare({ servers }: Servers): Promise<void> {
    const shared = {
      storage: StorageType.File,
      num_replicas: servers.length >= REPLICAS ? REPLICAS : 1,
      max_age: nanos(KEPT_MS),
      max_msgs_per_subject: 1,
      duplicate_window: nanos(IDS_MS),
    };
    const jobs = { name: JOBS, subjects: ["motelearn.runs.job.>"], retention: RetentionPolicy.Workqueue };
    const subjects = ["motelearn.runs.done.>", "motelearn.runs.file.>"];
    const results = { name: RESULTS, subjects, retention: RetentionPolicy.Limits };
    for (const stream of [jobs, results]) {
      try {
        await this.manager.streams
          .info(stream.name)
          .catch(() => this.manager.streams.add({ ...stream, ...shared }));
      } catch (error) {
        const what = `can't keep runs on ${shared.num_replicas} servers with JetStream`;
        throw new DeviceError(`workers: ${servers.join(", ")} ${what}: ${(error as Error).message}`);
      }
    }
  }

  /**
   * Publishes until a majority of the servers has it; a message with a known id is dropped. Returns its
   * place, and whether it was dropped. Throws a UserError for more than they take.
   */
  publish(subject: string, data: string | Uint8Array, msgID?: string) {
    const why = this.tooLarge(data);
    if (why) throw new UserError(`workers: ${why}`);
    return this.until(() => this.client.publish(subject, data, { msgID, timeout: ANSWER_MS }));
  }

  /** Why the servers take no message of that size; undefined: they do. */
  tooLarge(data: string | Uint8Array): string | undefined {
    const max = this.connection.info?.max_payload ?? Number.MAX_SAFE_INTEGER;
    const bytes = Buffer.byteLength(data);
    if (bytes <= max) return undefined;
    return `a message of ${bytes} bytes, and the servers take ${max}; raise their max_payload`;
  }

  /** True if a message of the job stream still waits there. */
  async isQueued(seq: number): Promise<boolean> {
    return (await this.until(() => this.manager.streams.getMessage(JOBS, { seq }))) !== null;
  }

  /** The last outcome or chunk of a subject, which may have wildcards. */
  last(subject: string) {
    return this.until(() => this.manager.streams.getMessage(RESULTS, { last_by_subj: subject }));
  }

  async drop(seq: number): Promise<void> {
    await this.manager.streams.deleteMessage(RESULTS, seq).catch(() => {}); // it is gone, or outlives this
  }

  /**
   * The first outcome of a program's runs behind a place of their stream; null: none is there yet. The place is the reader's own, so that
   * no server that goes takes it along, as it does with an ordered consumer.
   */
  next(program: string, behind: number) {
    const query = { seq: behind + 1, next_by_subj: doneSubject(program, "*") };
    return this.until(() => this.manager.streams.getMessage(RESULTS, query));
  }

  /** The jobs of a program; each goes to one worker. Rejects until a sweep has made the stream. */
  async jobs(program: string): Promise<Consumer> {
    await this.manager.consumers.add(JOBS, {
      durable_name: program,
      filter_subject: jobSubject(program, "*"),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(SILENT_MS),
      max_ack_pending: UNDER_WAY_MAX,
      inactive_threshold: nanos(KEPT_MS),
    });
    return this.client.consumers.get(JOBS, program);
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** Tries again until the servers answer: one may be going, and the others choose who leads. Rejects once it is closed. */
  private async until<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await within(2 * ANSWER_MS, act);
        this.waits = false;
        return result;
      } catch (error) {
        if (this.connection.isClosed()) throw error;
        if (!this.waits)
          printNote(`motelearn: the servers don't answer: ${(error as Error).message}; waiting`);
        this.waits = true;
        await pause(RETRY_MS);
      }
    }
  }
}
