import type { Server, Socket } from "node:net";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { listen } from "../ports/listen.ts";
import { type CentreLine, FUSION_SCHEMA, LineSplitter, lineOf, nameLearner } from "./lines.ts";

/** What happens at a centre. */
export interface CentreEvents {
  subscribed?(node: string, label: number, sample: number | null): void;
  durable?(node: string, number: number): void;
  refused?(error: string): void;
}

const LINES_AT_ONCE = 64;

/** A replay's labels and samples as lines, from label `label` and sample `sample` on, each as late as may be. */
function* replayLines(replay: NodeReplay, label: number, sample: number | null): Generator<CentreLine> {
  const { node, options, samples, after, labels, stateHash, nodeHash } = replay;
  const { channels } = options;
  let seq = sample ?? after.length + 1;
  for (let number = label; number <= labels.length; ) {
    const { seq: of, y, due } = labels[number - 1];
    if (Math.max(of, due) < seq || seq > after.length) {
      yield { node, number, seq: of, label: y, due };
      number++;
    } else {
      yield sampleLine(seq++);
    }
  }
  while (seq <= after.length) yield sampleLine(seq++);
  yield { node, end: true, labels: labels.length, samples: after.length, stateHash, nodeHash };

  function sampleLine(at: number): CentreLine {
    const x = Array.from(samples.subarray((at - 1) * channels, at * channels));
    return { node, seq: at, x, after: after[at - 1] };
  }
}

/** One `labels` that asks. */
class Client {
  private readonly splitter = new LineSplitter();
  private lines: Iterator<CentreLine> | undefined;
  private node = "";

  constructor(
    private readonly socket: Socket,
    private readonly replays: readonly NodeReplay[],
    private readonly events: CentreEvents,
  ) {
    socket.setNoDelay(true);
    socket.on("data", (bytes) => {
      for (const line of this.splitter.take(bytes)) this.take(line);
    });
    socket.on("drain", () => this.pump());
    socket.on("error", () => socket.destroy());
  }

  private take(text: string): void {
    let line: { readonly [name: string]: unknown };
    try {
      line = JSON.parse(text);
    } catch {
      this.refuse(`not JSON: ${text.slice(0, 40)}`);
      return;
    }
    if (Number.isInteger(line?.durable)) this.events.durable?.(this.node, line.durable as number);
    else if (line?.schema === FUSION_SCHEMA) this.subscribe(line);
    else this.refuse(`no schema ${FUSION_SCHEMA}`);
  }

  private subscribe({ ask, node, label, sample }: { readonly [name: string]: unknown }): void {
    const replay = this.replays.find((one, i) => one.node === node || i + 1 === node);
    const names = this.replays.map((one) => one.node).join(", ");
    if (!replay) {
      this.refuse(`no node ${JSON.stringify(node)}; there are ${names}`);
      return;
    }
    if (!isNumber(ask, 0) || !isNumber(label, 1) || !(sample === null || isNumber(sample, 1))) {
      this.refuse("ask, label or sample isn't a number");
      return;
    }
    this.node = replay.node;
    this.events.subscribed?.(replay.node, label, sample);
    const options = nameLearner(replay.options);
    this.socket.write(lineOf({ schema: FUSION_SCHEMA, ask, node: replay.node, label, options }));
    this.lines = replayLines(replay, label, sample);
    this.pump();
  }

  private refuse(error: string): void {
    this.events.refused?.(error);
    this.lines = undefined;
    this.socket.end(lineOf({ error }));
  }

  /** Writes as much as the socket takes. */
  private pump(): void {
    while (this.lines && !this.socket.writableNeedDrain) {
      const some: Uint8Array[] = [];
      while (this.lines && some.length < LINES_AT_ONCE) {
        const { value, done } = this.lines.next();
        if (done) this.lines = undefined;
        else some.push(lineOf(value));
      }
      this.socket.write(Buffer.concat(some));
    }
  }
}

function isNumber(value: unknown, min: number): value is number {
  return Number.isInteger(value) && (value as number) >= min;
}

/** A fusion centre that replays simulated nodes' labels to whoever asks. */
export class FusionServer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Where it listens: the address, with the port that a port 0 became. */
    readonly address: string,
  ) {}

  /** Throws a UserError or DeviceError if it can't listen there. */
  static async listen(
    name: string,
    replays: readonly NodeReplay[],
    events: CentreEvents,
  ): Promise<FusionServer> {
    const { server, address } = await listen("--listen", name);
    const made = new FusionServer(server, address);
    server.on("connection", (socket) => {
      made.sockets.add(socket);
      socket.once("close", () => made.sockets.delete(socket));
      new Client(socket, replays, events);
    });
    return made;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}
