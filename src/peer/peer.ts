import { REQUEST } from "../node/requests.ts";
import { type DownName, type Message, PROTOCOL, TABLE_HASH, type UpName } from "../wire/messages.ts";
import type { Thrown } from "../wire/receiver.ts";
import type { PeerCounts } from "./counts.ts";
import type { Credit } from "./credit.ts";
import type { PeerPort } from "./framing.ts";
import { LabelSender, type LabelSource } from "./labels.ts";
import { Line } from "./line.ts";
import { MessageTable } from "./message-table.ts";
import type { NodePosition } from "./position.ts";
import { Requests } from "./requests.ts";
import { SampleSender, type SampleSource } from "./samples.ts";
import type { UpdateSender } from "./update.ts";

/** A peer's options: its node's port, its labels, and its listeners. */
export interface PeerOptions {
  /** Sends bytes, which are only valid during the call; or a line that keeps messages whole. */
  readonly write: ((bytes: Uint8Array) => void) | PeerPort;
  /** A random number 0..2^32-1 that identifies this start of the peer. */
  readonly id: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  /** The node's key, 16 bytes, if the node is keyed; then `write` takes bytes. Default: an unkeyed line. */
  readonly key?: Uint8Array;
  /** A source of 32 unpredictable bits, which a key needs. */
  readonly random?: () => number;
  /**
   * Sees every message of the node, before the peer acts upon it; the record is only valid during the call.
   */
  readonly on?: <N extends UpName>(name: N, message: Message<N>) => void;
  /** The labels to send; default: none. */
  readonly labels?: LabelSource;
  /** The samples to feed to a node without sensors; default: none. */
  readonly samples?: SampleSource;
  /** Labels on their way at once; no more than the node says that it can hold. Default 16. */
  readonly window?: number;
  /** Milliseconds after which the peer sends again what the node hasn't answered. Default 400. */
  readonly resendMs?: number;
}

const HELLO_MS = 1000;
/** Successive credits for another peer that prove that it holds the node: a single one may have been on its way. */
const FOREIGN_CREDITS = 2;
/** Milliseconds from one tick to the next, at most, while a model is on its way. */
const TICK_MS = 50;
/** Least bytes of a useful window. */
const WINDOW_MIN = 40;
/**
 * Milliseconds without credit from a node that is heard, after which the peer assumes that it grants none. Until then the node may be in a
 * long turn.
 */
const UNGRANTED_MS = 1500;
const HEARD_MS = 750;
const SILENCE_MS = 2000;

/**
 * The other end of a station's wire, without input or output of its own. It sends labels down within credit, resends them
 * until the node answers, and leaves them with their source until they are durable. It feeds samples in order. A start of
 * either end loses nothing that the sources still have. Call `receive` with the received bytes, and `tick` after it
 * and at least every 50 ms.
 */
export class Peer {
  /** Its counters since it was made. */
  readonly counts: PeerCounts = {
    starts: 0,
    labelsSent: 0,
    labelsResent: 0,
    samplesFed: 0,
    samplesRefed: 0,
    samplesLost: 0,
  };
  /** The credit that the node grants, and the bytes that were lost on the way. */
  readonly credit: Credit;
  /** Firmware for the node, if there is any. */
  update: UpdateSender | undefined;
  /** The node's position, as far as it has reported it. */
  readonly node: NodePosition = {
    boot: 0,
    sid: 0,
    seq: 0,
    labelled: 0,
    durable: 0,
    channels: 0,
    fed: false,
    labelWindow: 0,
    frame: 0,
  };
  /** The other peer that holds the node, if one does. This peer asks for the node again each second. */
  holder: number | undefined;
  /** The node's protocol, if it isn't this peer's. Then the peer never welcomes the node. */
  otherProtocol: number | undefined;
  /** Messages in which the two ends' tables differ, by name; undefined until that is known. */
  differences: readonly string[] | undefined;
  /**
   * When to call `tick` again if nothing comes from node or sources, in milliseconds of `now`; valid after a
   * `tick`.
   */
  dueAt = Number.NEGATIVE_INFINITY;
  private readonly line: Line;
  private readonly port: PeerPort;
  private readonly labels: LabelSender;
  private readonly samples: SampleSender;
  private readonly requests: Requests;
  private readonly theirTable = new MessageTable();
  private readonly superseded = new Set<number>();
  private heardAt = Number.NEGATIVE_INFINITY;
  private askedAt = Number.NEGATIVE_INFINITY;
  /** When anything last arrived; when the node last granted credit or said hello; and the number of credits for another peer since. */
  private cameAt = 0;
  private grantedAt = 0;
  private foreignCredits = 0;

  constructor(private readonly options: PeerOptions) {
    const { window = 16, resendMs = 400, labels, samples } = options;
    const { node, counts } = this;
    this.line = new Line(options);
    this.port = this.line.port;
    this.credit = this.line.credit;
    this.requests = new Requests(this.line);
    this.labels = new LabelSender(this.line, node, counts, window, resendMs, labels);
    this.samples = new SampleSender(this.line, node, counts, resendMs, samples);
  }

  /** True if the node has been heard. */
  get met(): boolean {
    return this.counts.starts > 0;
  }

  /** The number that labels and samples carry between this start of the node and this start of the peer. */
  private get start(): number {
    return (this.node.boot ^ this.options.id) >>> 0;
  }

  /** Received bytes and frames that were no message. */
  get thrown(): Thrown {
    return this.port.thrown;
  }

  /** Takes bytes from the node. */
  receive(bytes: Uint8Array): void {
    this.line.receive(bytes, this.took, this.heard);
  }

  /** Takes a message of the node, whose record is the port's: where messages come whole. */
  take(name: UpName): void {
    this.options.on?.(name, this.port.incoming(name));
    this.handle(name);
  }

  private readonly took = (name: UpName) => this.take(name);

  /** A keyed hello came: only its session can show whether it is an old one. */
  private readonly heard = () => {
    if (this.speaksOurs()) this.welcome(this.options.now());
  };

  /** Asks for something, as soon as credit allows. Returns how that is withdrawn, as long as it waits. */
  request(what: keyof typeof REQUEST): () => void {
    return this.requests.add(what);
  }

  /** Sends a configuration as soon as credit allows; the node answers with its own. Returns how that is withdrawn. */
  configure(configuration: Omit<Message<"configuration">, "length">): () => void {
    return this.requests.configure(configuration);
  }

  /**
   * The millisecond of `now` since which the node, though heard, has granted no credit: another peer holds it (`holder`), it
   * doesn't hear this peer, or it refuses. Undefined while it grants credit.
   */
  get ungrantedSince(): number | undefined {
    const { grantedAt, cameAt, holder } = this;
    const late = this.options.now() - grantedAt >= UNGRANTED_MS && cameAt - grantedAt >= HEARD_MS;
    return this.met && (late || holder !== undefined) ? grantedAt : undefined;
  }

  /** The millisecond of `now` since which the node has processed none of the labels sent; undefined for the first 5 seconds. */
  get unansweredSince(): number | undefined {
    return this.labels.unansweredSince;
  }

  /**
   * Has the node restore the checkpoint before its newest, as soon as credit allows. It answers with
   * `rollback`, and restarts unless nothing changed. Returns how that is withdrawn.
   * @param boot the start of the node that is meant: a later one is left alone. Default: the present one.
   */
  rollback(boot = this.node.boot): () => void {
    return boot === this.node.boot ? this.requests.rollback() : () => {};
  }

  /** Asks for `count` words of the node's memory, from word `first` on, as soon as credit allows; they come as `memory`. */
  inspect(first: number, count: number): void {
    this.requests.inspect(first, count);
  }

  /**
   * Sends a message for another program that uses this peer's node, as this peer's own, if credit allows. `fill` gives its record
   * all but `start`. Returns its place, see `Credit.pass`; 0: nothing was sent, try again later.
   */
  pass<N extends DownName>(name: N, fill: (message: Message<N>) => void): number {
    if (!this.met || this.holder !== undefined) return 0;
    const message = this.port.outgoing(name);
    fill(message);
    if ("start" in message) (message as { start: number }).start = this.start;
    return this.line.send(name);
  }

  /** Leaves the node to the next peer, if credit allows. */
  leave(): void {
    if (!this.met || this.holder !== undefined) return;
    this.port.outgoing("leave").start = this.start;
    this.line.send("leave");
  }

  /** Sends what time, credit and the sources allow. */
  tick(): void {
    const now = this.options.now();
    const silent = now - this.heardAt >= SILENCE_MS || (this.met && this.line.spent);
    if ((silent || this.holder !== undefined) && now - this.askedAt >= HELLO_MS) this.askForHello(now);
    const askAt = this.askedAt + HELLO_MS;
    this.dueAt = this.holder === undefined ? Math.max(this.heardAt + SILENCE_MS, askAt) : askAt;
    if (!this.met || this.holder !== undefined) return;
    this.requests.tick(this.start);
    this.tickUpdate(now);
    if (!this.update?.holdsLabels) this.dueAt = Math.min(this.dueAt, this.labels.tick(now, this.start));
    this.dueAt = Math.min(this.dueAt, this.samples.tick(now, this.start));
  }

  private tickUpdate(now: number): void {
    const { credit, node, port, image } = this;
    if (!image) return;
    // A quarter of the window may stay unreported until the next credit is due: what needs more than the rest would wait for it.
    const largest = Math.min(Math.floor(0.75 * credit.largest), node.frame);
    image.tick(now, this.start, port, largest, (name) => this.line.send(name) > 0);
    // Where nothing could be sent, the node's next credit brings the next tick.
    this.dueAt = Math.min(this.dueAt, image === this.update ? now : Math.max(image.dueAt, now + TICK_MS));
  }

  /** The image that goes to the node in blocks: firmware or a checkpoint before a model. */
  private get image(): UpdateSender | undefined {
    return this.update?.isDone === false ? this.update : (this.labels.install ?? this.update);
  }

  private handle(name: UpName): void {
    const now = this.options.now();
    this.cameAt = now;
    if (name === "hello") this.greet(now);
    if (!this.met) return;
    if (name === "credit") this.takeCredit(now);
    else if (name === "acknowledgement") this.takeAcknowledgement();
    else if (name === "prediction") this.takePrediction();
    else if (name === "schema") this.takeSchema();
    else if (name === "updating") this.image?.take(this.port.incoming("updating"), now);
    else if (name === "occupied") this.takeRefusal(now);
    else if (name !== "hello") this.heardAt = now;
  }

  private greet(now: number): void {
    const { boot, table } = this.port.incoming("hello");
    if (!this.speaksOurs()) return;
    // The hello of an earlier start comes late, unless the later start has fallen silent: then that one came late.
    if (this.superseded.has(boot) && now - this.heardAt < SILENCE_MS) return;
    this.superseded.delete(boot);
    this.heardAt = now;
    if (!this.met || boot !== this.node.boot) this.restart();
    this.labels.resend();
    if (!this.options.key) this.welcome(now);
    if (table === TABLE_HASH) this.differences = [];
    else if (!this.differences && !this.requests.has("schema")) this.request("schema");
  }

  /** True if the node speaks this peer's protocol. */
  private speaksOurs(): boolean {
    const { protocol } = this.port.incoming("hello");
    this.otherProtocol = protocol === PROTOCOL ? undefined : protocol;
    return protocol === PROTOCOL;
  }

  private welcome(now: number): void {
    const welcome = this.port.outgoing("welcome");
    welcome.boot = this.port.incoming("hello").boot;
    welcome.peer = this.options.id;
    welcome.table = TABLE_HASH;
    welcome.sent = (this.credit.sent + this.port.messageBytes("welcome")) >>> 0;
    this.foreignCredits = 0;
    this.line.transmit("welcome", now);
  }

  /** The node started: it resumes where its hello says. */
  private restart(): void {
    const hello = this.port.incoming("hello");
    const { boot, sid, seq, labelled, durable, since, channels, fed, labelWindow, frame } = hello;
    const { node, counts } = this;
    if (this.met) this.superseded.add(node.boot);
    this.grantedAt = this.options.now();
    if (this.met && fed === 0) counts.samplesLost += Math.max(0, node.seq - since);
    counts.starts++;
    Object.assign(node, { boot, sid, seq, labelled, durable, channels, fed: fed !== 0, labelWindow, frame });
    this.credit.revoke();
    this.samples.restart(seq + 1);
    this.labels.restart(labelled, durable);
    this.differences = undefined;
    this.requests.restart();
    this.update?.restart();
    this.theirTable.restart();
  }

  private takeCredit(now: number): void {
    const { boot, peer, received, window, seq, labelled, durable } = this.port.incoming("credit");
    if (boot !== this.node.boot) {
      if (!this.superseded.has(boot) && now - this.askedAt >= HELLO_MS) this.askForHello(now);
      return;
    }
    this.heardAt = now;
    if (peer !== this.options.id) {
      if (++this.foreignCredits >= FOREIGN_CREDITS) this.holder = peer;
    } else {
      this.foreignCredits = 0;
      this.holder = undefined;
      if (window >= WINDOW_MIN) this.grantedAt = now;
      this.credit.grant(received, window, now);
    }
    this.advance(seq, labelled, durable);
  }

  private takeRefusal(now: number): void {
    const { boot, peer, holder } = this.port.incoming("occupied");
    if (boot !== this.node.boot) return;
    this.heardAt = now;
    if (peer === this.options.id) this.holder = holder;
  }

  private takeAcknowledgement(): void {
    const { boot, number, status, labelled, durable } = this.port.incoming("acknowledgement");
    if (boot !== this.node.boot) return;
    this.labels.acknowledged(number, status);
    this.advance(this.node.seq, labelled, durable);
  }

  private takePrediction(): void {
    const { sid, seq } = this.port.incoming("prediction");
    if (sid === this.node.sid && !this.node.fed) this.advance(seq, 0, 0);
  }

  /** Takes the node's position. A late message holds an earlier position, which is ignored. */
  private advance(seq: number, labelled: number, durable: number): void {
    const { node } = this;
    if (seq > node.seq) {
      node.seq = seq;
      this.samples.arrived(seq);
    }
    if (labelled > node.labelled) {
      node.labelled = labelled;
      this.labels.processed(labelled);
    }
    if (durable > node.durable) {
      node.durable = durable;
      this.labels.durable(durable);
    }
  }

  private takeSchema(): void {
    this.differences = this.theirTable.take(this.port.incoming("schema")) ?? this.differences;
  }

  private askForHello(now: number): void {
    this.askedAt = now;
    this.port.outgoing("request").what = REQUEST.hello;
    this.line.transmit("request", now);
  }
}
