import type { Server, Socket } from "node:net";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { type ListenTrust, listen } from "../ports/listen.ts";
import { CentreTags } from "./centre-tags.ts";
import { LineSplitter } from "./line-splitter.ts";
import {
  type CentreLine,
  encodeLine,
  FUSION_SCHEMA,
  type LabelLine,
  nameLearner,
  type Subscription,
} from "./lines.ts";
import { ERROR_MAX, excerpt, REQUEST_MAX, readRequest } from "./read-line.ts";

export interface CentreEvents {
  subscribed?(node: string, label: number, sample: number | null): void;
  durable?(node: string, number: number): void;
  refused?(error: string): void;
}

/** How a centre serves. */
export interface CentreOptions extends Pick<ListenTrust, "insecure"> {
  /** The centre's key, with which it tags its labels, see `labelKey`; default: no tags. */
  readonly labelKey?: Uint8Array;
}

const BYTES_AT_ONCE = 1 << 13;
/** Most unread bytes kept for a client, and most clients at once. */
const UNREAD_MAX = 1 << 20;
const CLIENTS_MAX = 256;
const CLOSE_MS = 1000;

/**
 * A replay's labels and samples as lines, from label `label` and sample `sample` on, each as late as
 * possible.
 */
function* replayLines(
  replay: NodeReplay,
  label: number,
  sample: number | null,
  tags: CentreTags | undefined,
): Generator<CentreLine> {
  const { node, options, samples, after, labels, stateHash, nodeHash } = replay;
  const { channels } = options;
  let seq = sample ?? after.length + 1;
  for (let number = label; number <= labels.length; ) {
    const { seq: of, y, due, source, confidence } = labels[number - 1];
    if (Math.max(of, due) < seq || seq > after.length) {
      const line: LabelLine = { node, number, seq: of, label: y + 0, due, source, confidence }; // JSON has no -0
      yield tags ? { ...line, tag: tags.of(line) } : line;
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

/** A client: one `labels`. */
class Client {
  private readonly splitter = new LineSplitter(REQUEST_MAX);
  private lines: Iterator<CentreLine> | undefined;
  private replay: NodeReplay | undefined;
  /** True if the connection has ended, or will end after its last line. */
  private over = false;

  constructor(
    private readonly socket: Socket,
    private readonly replays: readonly NodeReplay[],
    private readonly events: CentreEvents,
    private readonly labelKey?: Uint8Array,
  ) {
    socket.setNoDelay(true);
    socket.on("data", (bytes) => this.receive(bytes));
    socket.on("drain", () => this.pump());
    socket.on("error", () => socket.destroy());
  }

  private receive(bytes: Uint8Array): void {
    if (this.over) return;
    for (const line of this.splitter.take(bytes)) if (!this.over) this.take(line);
    if (this.splitter.overlong && !this.over) this.refuse(`a line longer than ${REQUEST_MAX} bytes`);
  }

  private take(text: string): void {
    const line = readRequest(text);
    if (typeof line === "string") this.refuse(`${line}: ${excerpt(text)}`);
    else if ("schema" in line) this.subscribe(line);
    else this.noteDurable(line.durable);
  }

  private noteDurable(number: number): void {
    const { replay } = this;
    if (!replay) this.refuse("durable before a subscription");
    else if (number > replay.labels.length)
      this.refuse(`durable ${number} of ${replay.labels.length} labels`);
    else this.events.durable?.(replay.node, number);
  }

  private subscribe({ schema, ask, node, label, sample, spans }: Subscription): void {
    const { labelKey } = this;
    const replay = this.replays.find((one, i) => one.node === node || i + 1 === node);
    if (schema !== FUSION_SCHEMA || !replay) {
      const names = this.replays.map((one) => one.node).join(", ");
      this.refuse(
        replay ? `no schema ${FUSION_SCHEMA}` : `no node ${JSON.stringify(node)}; there are ${names}`,
      );
      return;
    }
    if (labelKey && !spans) {
      this.refuse("no spans, which its tagged labels need: see docs/spec/fusion.md");
      return;
    }
    this.replay = replay;
    this.events.subscribed?.(replay.node, label, sample);
    const options = nameLearner(replay.options);
    this.write(encodeLine({ schema: FUSION_SCHEMA, ask, node: replay.node, label, options }));
    const tags = labelKey && spans && new CentreTags(labelKey, replay.node, spans);
    this.lines = replayLines(replay, label, sample, tags);
    this.pump();
  }

  /** Sends the reason, and closes after it; cuts off a client that doesn't read or close. */
  private refuse(error: string): void {
    this.events.refused?.(error);
    this.over = true;
    this.lines = undefined;
    this.socket.end(encodeLine({ error: error.slice(0, ERROR_MAX) }));
    setTimeout(() => this.socket.destroy(), CLOSE_MS).unref();
  }

  /** Unread data is bounded: the client is cut off. */
  private write(bytes: Uint8Array): void {
    this.socket.write(bytes);
    if (this.socket.writableLength <= UNREAD_MAX || this.over) return;
    this.events.refused?.(`it left ${this.socket.writableLength} bytes unread; up to ${UNREAD_MAX} are kept`);
    this.over = true;
    this.lines = undefined;
    this.socket.destroy();
  }

  /** Writes as much as the socket takes. */
  private pump(): void {
    while (this.lines && !this.socket.writableNeedDrain) {
      const some: Uint8Array[] = [];
      for (let bytes = 0; this.lines && bytes < BYTES_AT_ONCE; ) {
        const { value, done } = this.lines.next();
        if (done) this.lines = undefined;
        else bytes += some[some.push(encodeLine(value)) - 1].length;
      }
      this.write(Buffer.concat(some));
    }
  }
}

/** A fusion centre that replays simulated nodes' labels to its clients. */
export class FusionServer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** Where it listens: the address, with the actual port for port 0. */
    readonly address: string,
  ) {}

  /** Throws a UserError or DeviceError if it can't listen there. */
  static async listen(
    name: string,
    replays: readonly NodeReplay[],
    events: CentreEvents,
    { insecure, labelKey }: CentreOptions = {},
  ): Promise<FusionServer> {
    const { server, address } = await listen("--listen", name, { insecure });
    const made = new FusionServer(server, address);
    server.maxConnections = CLIENTS_MAX;
    server.on("drop", () => events.refused?.(`more than ${CLIENTS_MAX} connections`));
    server.on("connection", (socket) => {
      made.sockets.add(socket);
      socket.once("close", () => made.sockets.delete(socket));
      new Client(socket, replays, events, labelKey);
    });
    return made;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }
}
