import { Agent, get, type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import type { TrueSample } from "./parts.ts";

/** Concurrent requests. */
const REQUESTS_MAX = 128;
/** How often to send a label that the gateway refuses. One that it refuses for now, or doesn't answer, is sent until it does. */
const TRIES = 30;
const SERVICE_UNAVAILABLE = 503;

/**
 * Labels samples of a fleet over HTTP, some time after they were taken, and receives the nodes' answers as a
 * page does.
 */
export class Labeller {
  readonly counts = { given: 0, taken: 0, refused: 0, applied: 0, otherwise: 0 };
  /** Milliseconds from sending a label until the gateway knew that the node applied it. */
  readonly latencies: number[] = [];
  /** The samples whose labels the gateway confirmed to have on disk, by node: "session number". */
  readonly taken = new Map<string, Set<string>>();
  private readonly givenAt = new Map<string, number>();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: REQUESTS_MAX });
  private stream: IncomingMessage | undefined;
  private resting = false;
  private closed = false;

  constructor(
    private readonly port: number,
    private readonly delayMs: number,
  ) {}

  /** Labels that the gateway has neither taken nor finally refused. */
  get open(): number {
    const { given, taken, refused } = this.counts;
    return given - taken - refused;
  }

  async listen(): Promise<void> {
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "127.0.0.1", port: this.port, path: "/api/live" }, resolve).on("error", reject);
    });
    stream.on("error", () => {}); // the gateway was ended
    this.stream = stream;
    let event = "";
    createInterface({ input: stream }).on("line", (line) => {
      if (line.startsWith("event: ")) event = line.slice("event: ".length);
      else if (event === "answer" && line.startsWith("data: "))
        this.answered(JSON.parse(line.slice("data: ".length)));
    });
  }

  /** Stops receiving answers. */
  unlisten(): void {
    this.stream?.destroy();
    this.givenAt.clear();
  }

  /** Labels these samples, unless it was stopped. */
  take(samples: readonly TrueSample[]): void {
    if (this.resting || samples.length === 0) return;
    setTimeout(() => {
      for (const sample of samples) this.give(sample);
    }, this.delayMs);
  }

  /** Takes no further samples; resolves when each label that it has sent is taken, or finally refused. */
  async rest(): Promise<void> {
    this.resting = true;
    await pause(2 * this.delayMs);
    while (this.open > 0) await pause(this.delayMs);
  }

  /** Sends nothing more; labels under way count as neither taken nor refused. */
  close(): void {
    this.closed = true;
    this.stream?.destroy();
    this.agent.destroy();
  }

  private give(sample: TrueSample): void {
    if (this.closed) return;
    this.counts.given++;
    this.givenAt.set(`${sample.name} ${sample.sid} ${sample.seq}`, performance.now());
    this.send(sample, TRIES);
  }

  /**
   * The gateway refuses a label for now whose sample hasn't reached it, and says when to send it again; it doesn't answer while it is
   * down. Then the label is sent again.
   */
  private send(sample: TrueSample, tries: number): void {
    if (this.closed) return;
    const { agent, port, delayMs } = this;
    const { name, sid, seq, label } = sample;
    let over = false;
    const again = (left: number, ms = delayMs) => setTimeout(() => this.send(sample, left), ms);
    const sent = request(
      {
        ...{ agent, host: "127.0.0.1", port, method: "POST" },
        path: `/api/nodes/${encodeURIComponent(name)}/labels`,
        headers: { "content-type": "application/json" },
      },
      (response) => {
        over = true;
        response.resume();
        const { statusCode, headers } = response;
        if (statusCode === 202) this.took(sample);
        else if (statusCode === SERVICE_UNAVAILABLE) again(tries, 1000 * Number(headers["retry-after"] ?? 1));
        else if (tries > 1) again(tries - 1);
        else this.counts.refused++;
      },
    );
    sent.on("error", () => over || again(tries));
    sent.end(JSON.stringify({ sid, seq, label, by: "bench" }));
  }

  private took({ name, sid, seq }: TrueSample): void {
    this.counts.taken++;
    const own = this.taken.get(name) ?? new Set();
    this.taken.set(name, own.add(`${sid} ${seq}`));
  }

  private answered({ node, sid, seq, status }: { node: string; sid: number; seq: number; status: number }) {
    const key = `${node} ${sid} ${seq}`;
    const at = this.givenAt.get(key);
    if (at === undefined) return;
    this.givenAt.delete(key);
    if (status !== LABEL_STATUS.applied) {
      this.counts.otherwise++;
      return;
    }
    this.counts.applied++;
    this.latencies.push(performance.now() - at);
  }
}
