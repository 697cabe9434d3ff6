import { Agent, get, type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { LABEL_STATUS } from "../../../src/node/ports.ts";
import type { Sampled } from "./parts.ts";

/** Requests that are on their way at once. */
const REQUESTS_MAX = 128;
const TRIES = 5;

/** Labels each sample of a fleet over HTTP, some time after it was taken, and hears of the nodes' answers as a page does. */
export class Labeller {
  readonly counts = { given: 0, taken: 0, refused: 0, applied: 0, otherwise: 0 };
  /** Milliseconds from when a label was given until the gateway heard that the node applied it. */
  readonly latencies: number[] = [];
  private readonly givenAt = new Map<string, number>();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: REQUESTS_MAX });
  private stream: IncomingMessage | undefined;
  private closed = false;

  constructor(
    private readonly port: number,
    private readonly delayMs: number,
  ) {}

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

  take(samples: readonly Sampled[]): void {
    setTimeout(() => {
      for (const sample of samples) this.give(sample);
    }, this.delayMs);
  }

  /** Gives nothing more; what is on its way counts as neither taken nor refused. */
  close(): void {
    this.closed = true;
    this.stream?.destroy();
    this.agent.destroy();
  }

  private give(sample: Sampled): void {
    if (this.closed) return;
    this.counts.given++;
    this.givenAt.set(`${sample.name} ${sample.sid} ${sample.seq}`, performance.now());
    this.send(sample, TRIES);
  }

  /** The gateway takes no label for a sample that hasn't reached it: then it is sent again. */
  private send(sample: Sampled, tries: number): void {
    if (this.closed) return;
    const { agent, port, counts } = this;
    const { name, sid, seq, label } = sample;
    const sent = request(
      {
        ...{ agent, host: "127.0.0.1", port, method: "POST" },
        path: `/api/nodes/${encodeURIComponent(name)}/labels`,
        headers: { "content-type": "application/json" },
      },
      (response) => {
        response.resume();
        if (response.statusCode === 202) counts.taken++;
        else if (tries > 1) setTimeout(() => this.send(sample, tries - 1), this.delayMs);
        else counts.refused++;
      },
    );
    sent.on("error", () => {
      if (!this.closed) counts.refused++;
    });
    sent.end(JSON.stringify({ sid, seq, label, by: "bench" }));
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
