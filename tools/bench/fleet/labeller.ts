import { Agent, get, type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import { LABEL_STATUS } from "../../../src/node/ports.ts";
import type { Sampled } from "./parts.ts";

/** Requests that are on their way at once. */
const REQUESTS_MAX = 128;
/** A label that the gateway refuses is given so often. One that it didn't answer is given until it does. */
const TRIES = 30;

/** Labels samples of a fleet over HTTP, some time after they were taken, and hears of the nodes' answers as a page does. */
export class Labeller {
  readonly counts = { given: 0, taken: 0, refused: 0, applied: 0, otherwise: 0 };
  /** Milliseconds from when a label was given until the gateway heard that the node applied it. */
  readonly latencies: number[] = [];
  /** The samples whose labels the gateway said to have on disk, by node: "session number". */
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

  /** Labels that the gateway has neither taken nor refused for good. */
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

  /** Hears no more of answers. */
  unlisten(): void {
    this.stream?.destroy();
    this.givenAt.clear();
  }

  /** Labels these samples, unless it rests. */
  take(samples: readonly Sampled[]): void {
    if (this.resting || samples.length === 0) return;
    setTimeout(() => {
      for (const sample of samples) this.give(sample);
    }, this.delayMs);
  }

  /** Takes no further samples; resolves when each label that it has given is taken, or refused for good. */
  async rest(): Promise<void> {
    this.resting = true;
    await new Promise((done) => setTimeout(done, 2 * this.delayMs));
    while (this.open > 0) await new Promise((done) => setTimeout(done, this.delayMs));
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

  /** The gateway takes no label for a sample that hasn't reached it, and answers nothing while it is down: then it is sent again. */
  private send(sample: Sampled, tries: number): void {
    if (this.closed) return;
    const { agent, port, delayMs } = this;
    const { name, sid, seq, label } = sample;
    let over = false;
    const again = (left: number) => setTimeout(() => this.send(sample, left), delayMs);
    const sent = request(
      {
        ...{ agent, host: "127.0.0.1", port, method: "POST" },
        path: `/api/nodes/${encodeURIComponent(name)}/labels`,
        headers: { "content-type": "application/json" },
      },
      (response) => {
        over = true;
        response.resume();
        if (response.statusCode === 202) this.took(sample);
        else if (tries > 1) again(tries - 1);
        else this.counts.refused++;
      },
    );
    sent.on("error", () => over || again(tries));
    sent.end(JSON.stringify({ sid, seq, label, by: "bench" }));
  }

  private took({ name, sid, seq }: Sampled): void {
    this.counts.taken++;
    const own = this.taken.get(name);
    const sample = `${sid} ${seq}`;
    if (own) own.add(sample);
    else this.taken.set(name, new Set([sample]));
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
