import { setTimeout as pause } from "node:timers/promises";
import { JetStreamApiError, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import { nuid } from "@nats-io/transport-node";
import { LabelLog, type LoggedLabel, type LogRecord, type Places } from "../store/label-log.ts";

/** Records after which one summary replaces them. */
const WHOLE_EVERY = 32;
const ANSWER_MS = 2000;
const RETRY_MS = 100;
const WRONG_LAST_SEQUENCE = 10071;
const MESSAGE_ID = "Nats-Msg-Id";

/** Another gateway took the node, or this one released it. */
export class NodeGone extends Error {}

/** The stream in which all nodes' logs lie, a subject each. */
export interface LogStream {
  readonly name: string;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** Labels of a node that aren't in a checkpoint, and the last one that is. */
interface WaitingLabels {
  readonly durable: number;
  readonly labels: readonly LoggedLabel[];
  readonly places?: Places;
}

/**
 * The log of one node, as the gateway that holds the node writes it. Each record names the one before it, so
 * the stream refuses a record of a gateway that doesn't know yet that another took the node. So two gateways
 * never number its labels.
 */
export class NodeLog {
  readonly log = new LabelLog();
  private last = 0;
  private records = 0;
  private gone = false;
  private written: Promise<void> = Promise.resolve();

  /** @param lost is called once, when another gateway turns out to hold the node. */
  private constructor(
    private readonly stream: LogStream,
    private readonly subject: string,
    private readonly lost: () => void,
  ) {}

  /** Takes the node from its holder, and reads its log. */
  static async take(
    stream: LogStream,
    subject: string,
    by: string,
    { lost, isWanted }: { readonly lost: () => void; readonly isWanted: () => boolean },
  ): Promise<NodeLog> {
    const taken = new NodeLog(stream, subject, lost);
    const limit = () => {
      if (!isWanted()) taken.leave();
    };
    await taken.write({ is: "taken", by }, false, limit);
    // The last holder's records may have been under way: all are in the log before this one.
    await taken.write({ is: "read", by }, false, limit);
    await taken.read(limit);
    if (taken.records >= WHOLE_EVERY) await taken.shorten();
    return taken;
  }

  /**
   * Writes which labels wait: the result of `state` once everything before is written. Resolves with them
   * when they are in the log; rejects with NodeGone.
   */
  keep(state: () => WaitingLabels): Promise<WaitingLabels> {
    const kept = this.written.then(async () => {
      const waiting = state();
      const record = this.log.change(waiting.durable, waiting.labels, waiting.places);
      this.check();
      if (!record) return waiting;
      await this.write(record, true);
      this.log.apply(record);
      if (this.records >= WHOLE_EVERY) await this.shorten();
      return waiting;
    });
    this.written = kept.then(
      () => {},
      () => {},
    );
    return kept;
  }

  /** Writes nothing more. */
  leave(): void {
    this.gone = true;
  }

  private check(): void {
    if (this.gone) throw new NodeGone();
  }

  /**
   * Writes a record, and repeats until it is stored. `fenced`: only if the log's last record is the last one
   * known here.
   */
  private async write(record: LogRecord, fenced: boolean, limit = () => {}): Promise<void> {
    const { client } = this.stream;
    const msgID = nuid.next();
    const text = JSON.stringify(record);
    for (;;) {
      limit();
      this.check();
      try {
        const expect = fenced ? { lastSubjectSequence: this.last } : {};
        const { seq } = await client.publish(this.subject, text, { msgID, timeout: ANSWER_MS, expect });
        this.last = seq;
        this.records++;
        return;
      } catch (error) {
        if (!(error instanceof JetStreamApiError) || error.code !== WRONG_LAST_SEQUENCE)
          await pause(RETRY_MS);
        else if (await this.isLast(msgID)) return;
      }
    }
  }

  /** True if the log's last record is that one, whose answer didn't come: else another gateway wrote. */
  private async isLast(msgID: string): Promise<boolean> {
    const { manager, name } = this.stream;
    const last = await manager.streams.getMessage(name, { last_by_subj: this.subject }).catch(() => null);
    if (!last) return false;
    if (last.header.get(MESSAGE_ID) !== msgID) {
      this.leave();
      this.lost();
      throw new NodeGone();
    }
    this.last = last.seq;
    this.records++;
    return true;
  }

  /** Reads the log up to the last record that this gateway wrote. */
  private async read(limit: () => void): Promise<void> {
    const { manager, name } = this.stream;
    this.records = 0;
    for (let seq = 0; seq < this.last; ) {
      limit();
      this.check();
      const query = { seq: seq + 1, next_by_subj: this.subject };
      const next = await manager.direct.getMessage(name, query).catch(() => null);
      // A replica may be behind.
      if (!next) await pause(RETRY_MS);
      else {
        this.log.apply(next.json<LogRecord>());
        this.records++;
        seq = next.seq;
      }
    }
  }

  /** Writes one record that says everything, and removes those before. */
  private async shorten(): Promise<void> {
    const { manager, name } = this.stream;
    await this.write(this.log.whole, true);
    this.records = 1;
    await manager.streams.purge(name, { filter: this.subject, seq: this.last }).catch(() => {});
  }
}
