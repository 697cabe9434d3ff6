import { OptionError } from "../memory/option-error.ts";
import { CERTAIN, LABEL_STATUS, SOURCE_UNTOLD } from "../node/ports.ts";
import { REQUEST } from "../node/station.ts";
import { KeyedPeer } from "../wire/keyed.ts";
import {
  type DownName,
  MESSAGES,
  type Message,
  type MessageName,
  PROTOCOL,
  seedsById,
  TABLE_HASH,
  type UpName,
} from "../wire/messages.ts";
import type { Thrown } from "../wire/receiver.ts";
import { Credit } from "./credit.ts";
import { PeerFraming, type PeerPort } from "./framing.ts";
import type { LabelSource } from "./labels.ts";
import type { UpdateSender } from "./update.ts";

/**
 * A recorded sample: the readings, and the number of the label that the node must have processed before the peer feeds
 * the sample; default none.
 */
export interface FedSample {
  readonly x: ArrayLike<number>;
  readonly after?: number;
}

/** The source of the samples that a peer feeds, by number, from 1. The peer may ask for any again. */
export interface SampleSource {
  /** Sample seq; undefined if it doesn't exist, or not yet. */
  at(seq: number): FedSample | undefined;
}

/** A peer's options: its node's port, its labels, and its listeners. */
export interface PeerOptions {
  /** Sends bytes, which are only valid during the call; or a line that keeps messages whole. */
  readonly write: ((bytes: Uint8Array) => void) | PeerPort;
  /** A random number 0..2^32-1 that identifies this start of the peer. */
  readonly id: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
  /** The node's key, 16 bytes, if `write` takes bytes and the node is keyed; and a source of 32 unpredictable bits. */
  readonly key?: Uint8Array;
  readonly random?: () => number;
  /**
   * Sees every message of the node, before the peer acts upon it; the record is only valid during the call.
   */
  readonly on?: <N extends UpName>(name: N, message: Message<N>) => void;
  readonly labels?: LabelSource;
  readonly samples?: SampleSource;
  /** Labels on their way at once; no more than the node says that it can hold. Default 16. */
  readonly window?: number;
  /** Milliseconds after which the peer sends again what the node hasn't answered. Default 400. */
  readonly resendMs?: number;
}

/** What a peer counts. */
export interface PeerCounts {
  /** starts of the node, the first that was heard of included */
  starts: number;
  labelsSent: number;
  labelsResent: number;
  samplesFed: number;
  samplesRefed: number;
  /** samples that were predicted and that a restarted node no longer knows */
  samplesLost: number;
}

const HELLO_MS = 1000;
/** Successive credits for another peer that prove that it holds the node: a single one may have been on its way. */
const FOREIGN_CREDITS = 2;
/** Least bytes of a useful window. */
const WINDOW_MIN = 40;
/** Milliseconds without credit, while the node was heard, after which the peer takes it that the node grants none: it may be in a long turn. */
const UNGRANTED_MS = 1500;
const HEARD_MS = 750;
/** Milliseconds after which unanswered labels seem not to arrive. */
const UNANSWERED_MS = 5000;
const SILENCE_MS = 2000;
/** Samples that the peer feeds before the node acknowledges the first of them. */
const SAMPLES_AHEAD = 4;
/** The node seldom discards a label that it holds, so resending one is seldom needed. */
const HELD_FACTOR = 4;

/** Places of samples that the peer keeps: more than it ever feeds ahead. */
const PLACES = 2 * SAMPLES_AHEAD;

/** A label on its way. */
interface Sent {
  number: number;
  at: number;
  held: boolean;
  /** Where its first frame ends among all that was sent, see `Credit.pass`. */
  place: number;
}

/**
 * The other end of a station's wire, without input or output of its own. It sends labels down within credit, resends them
 * until the node answers, and leaves them with their source until they are durable. It feeds samples in order. A start of
 * either end loses nothing that the sources still have. Call `receive` with the received bytes, and `tick` after it
 * and at least every 50 ms.
 */
export class Peer {
  readonly counts: PeerCounts = {
    starts: 0,
    labelsSent: 0,
    labelsResent: 0,
    samplesFed: 0,
    samplesRefed: 0,
    samplesLost: 0,
  };
  readonly credit = new Credit();
  /** Firmware for the node, if there is any. */
  update: UpdateSender | undefined;
  /**
   * The node's last known position: its session, last sample, last processed label, last label in a
   * checkpoint.
   */
  readonly node = {
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
  private readonly port: PeerPort;
  private readonly framing: PeerFraming | undefined;
  private readonly window: number;
  private readonly resendMs: number;
  private readonly superseded = new Set<number>();
  private readonly onTheWay: Sent[];
  private readonly theirSeeds = new Map<number, number>();
  /** Requests and a configuration that wait for credit. */
  private readonly waiting: number[] = [];
  private configurationWaits = false;
  private rollbackWaits = false;
  private inspectWaits = false;
  private heardAt: number;
  private askedAt = Number.NEGATIVE_INFINITY;
  /** When anything last arrived; when the node last granted credit or said hello; and the number of credits for another peer since. */
  private cameAt = 0;
  private grantedAt = 0;
  private foreignCredits = 0;
  /** When the first label was sent since the node last processed one. */
  private taughtAt: number | undefined;
  /**
   * The next sample to feed, how much of it was fed, the largest ever fed, and when the node last advanced.
   */
  private feeding = 1;
  private fedElements = 0;
  private fedMost = 0;
  private fedAt = 0;
  /** Where each sample's last part ends among all that was sent, by number mod their count. */
  private readonly fedPlaces = new Float64Array(PLACES);

  constructor(private readonly options: PeerOptions) {
    this.window = options.window ?? 16;
    this.resendMs = options.resendMs ?? 400;
    const { write, key, random } = options;
    if (key && (!random || typeof write !== "function"))
      throw new OptionError("peer", "key", "a key", "none without `random`, or where `write` takes messages");
    const keyed = key && random && new KeyedPeer(key, random);
    this.framing = typeof write === "function" ? new PeerFraming(write, keyed) : undefined;
    this.port = this.framing ?? (write as PeerPort);
    this.onTheWay = Array.from({ length: this.window }, () => ({ number: 0, at: 0, held: false, place: 0 }));
    this.heardAt = Number.NEGATIVE_INFINITY;
  }

  /** Whether the node has been heard. */
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
    this.framing?.receive(bytes, this.took, this.heard);
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

  /** Asks for something, as soon as credit allows. */
  request(what: keyof typeof REQUEST): void {
    this.waiting.push(REQUEST[what]);
  }

  /** Sends a configuration as soon as credit allows; the node answers with its own. */
  configure(configuration: Omit<Message<"configuration">, "length">): void {
    Object.assign(this.port.outgoing("configuration"), configuration);
    this.configurationWaits = true;
  }

  /**
   * The millisecond of `now` since which the node, though heard, has granted no credit: another peer holds it (`holder`), it
   * hears nothing, or it refuses. Undefined while it grants credit.
   */
  get ungrantedSince(): number | undefined {
    const { grantedAt, cameAt, holder } = this;
    const late = this.options.now() - grantedAt >= UNGRANTED_MS && cameAt - grantedAt >= HEARD_MS;
    return this.met && (late || holder !== undefined) ? grantedAt : undefined;
  }

  /** The millisecond of `now` since which the node has processed none of the labels sent; undefined for the first 5 seconds. */
  get unansweredSince(): number | undefined {
    const { taughtAt } = this;
    return taughtAt !== undefined && this.options.now() - taughtAt >= UNANSWERED_MS ? taughtAt : undefined;
  }

  /**
   * Has the node restore the checkpoint before its newest, as soon as credit allows. It answers with
   * `rollback`, and restarts unless nothing changed.
   */
  rollback(): void {
    this.rollbackWaits = true;
  }

  /** Asks for `count` words of the node's memory, from word `first` on, as soon as credit allows; they come as `memory`. */
  inspect(first: number, count: number): void {
    const inspect = this.port.outgoing("inspect");
    inspect.first = first;
    inspect.count = count;
    this.inspectWaits = true;
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
    return this.send(name);
  }

  /** Leaves the node to the next peer, if credit allows. */
  leave(): void {
    if (!this.met || this.holder !== undefined) return;
    this.port.outgoing("leave").start = this.start;
    this.send("leave");
  }

  /** Sends what time, credit and the sources allow. */
  tick(): void {
    const now = this.options.now();
    const silent = now - this.heardAt >= SILENCE_MS || (this.met && this.framing?.spent);
    if ((silent || this.holder !== undefined) && now - this.askedAt >= HELLO_MS) this.askForHello(now);
    const askAt = this.askedAt + HELLO_MS;
    this.dueAt = this.holder === undefined ? Math.max(this.heardAt + SILENCE_MS, askAt) : askAt;
    if (!this.met || this.holder !== undefined) return;
    while (this.waiting.length > 0 && this.sendRequest(this.waiting[0])) this.waiting.shift();
    if (this.configurationWaits && this.send("configuration") > 0) this.configurationWaits = false;
    if (this.rollbackWaits) this.sendRollback();
    if (this.inspectWaits) this.sendInspect();
    this.tickUpdate(now);
    this.sendLabels(now);
    this.feed(now);
  }

  private sendInspect(): void {
    this.port.outgoing("inspect").start = this.start;
    if (this.send("inspect") > 0) this.inspectWaits = false;
  }

  private sendRollback(): void {
    const rollback = this.port.outgoing("rollback");
    rollback.start = this.start;
    rollback.status = 0;
    if (this.send("rollback") > 0) this.rollbackWaits = false;
  }

  private tickUpdate(now: number): void {
    const { credit, node, port, update } = this;
    if (!update) return;
    // A quarter of the window may stay unreported until the next credit is due: what needs more than the rest would wait for it.
    const largest = Math.min(Math.floor(0.75 * credit.largest), node.frame);
    update.tick(now, this.start, port, largest, (name) => this.send(name) > 0);
    this.dueAt = now;
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
    else if (name === "updating") this.update?.take(this.port.incoming("updating"), now);
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
    for (const sent of this.onTheWay) sent.number = 0;
    if (!this.options.key) this.welcome(now);
    if (table === TABLE_HASH) this.differences = [];
    else if (!this.differences && !this.waiting.includes(REQUEST.schema)) this.request("schema");
  }

  /** Whether the node speaks this peer's protocol. */
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
    welcome.sent = (this.credit.sent + this.port.bytesOf("welcome")) >>> 0;
    this.foreignCredits = 0;
    this.transmit("welcome", now);
  }

  /** The node started: it resumes where its hello says. */
  private restart(): void {
    const hello = this.port.incoming("hello");
    const { boot, sid, seq, labelled, durable, since, channels, fed, labelWindow, frame } = hello;
    const { node, counts } = this;
    if (this.met) this.superseded.add(node.boot);
    this.grantedAt = this.options.now();
    this.taughtAt = undefined;
    if (this.met && fed === 0) counts.samplesLost += Math.max(0, node.seq - since);
    counts.starts++;
    Object.assign(node, { boot, sid, seq, labelled, durable, channels, fed: fed !== 0, labelWindow, frame });
    this.credit.revoke();
    this.feedFrom(seq + 1);
    this.options.labels?.restart?.(labelled);
    // The message that said so may have been lost, and the next checkpoint may be far.
    if (durable > 0) this.options.labels?.durable?.(durable);
    this.differences = undefined;
    this.rollbackWaits = false;
    this.update?.restart();
    this.theirSeeds.clear();
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
    const sent = this.onTheWay[number % this.window];
    if (sent.number === number) {
      this.credit.pass(sent.place);
      if (status === LABEL_STATUS.held) sent.held = true;
    }
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
      this.fedAt = this.options.now();
      if (node.fed) this.credit.pass(this.fedPlaces[seq % PLACES]);
      if (seq >= this.feeding) this.feedFrom(seq + 1);
    }
    if (labelled > node.labelled) {
      node.labelled = labelled;
      this.taughtAt = undefined;
      const sent = this.onTheWay[labelled % this.window];
      if (sent.number === labelled) this.credit.pass(sent.place);
    }
    if (durable > node.durable) {
      node.durable = durable;
      this.options.labels?.durable?.(durable);
    }
  }

  private takeSchema(): void {
    const { first, total, seeds, length } = this.port.incoming("schema");
    for (let i = 0; i < length; i++) this.theirSeeds.set(first + i, seeds[i]);
    if (this.theirSeeds.size === total) this.differences = differences(this.theirSeeds);
  }

  private askForHello(now: number): void {
    this.askedAt = now;
    this.port.outgoing("request").what = REQUEST.hello;
    this.transmit("request", now);
  }

  private sendRequest(what: number): boolean {
    this.port.outgoing("request").what = what;
    return this.send("request") > 0;
  }

  private sendLabels(now: number): void {
    const { node } = this;
    const last = node.labelled + Math.min(this.window, node.labelWindow);
    for (let number = node.labelled + 1; number <= last; number++) {
      const label = this.options.labels?.at(number);
      if (!label || (label.sid === node.sid && label.seq > node.seq)) return;
      const sent = this.onTheWay[number % this.window];
      const wait = this.resendMs * (sent.held ? HELD_FACTOR : 1);
      if (sent.number === number && now - sent.at < wait) {
        this.dueAt = Math.min(this.dueAt, sent.at + wait);
        continue;
      }
      const message = this.port.outgoing("label");
      message.start = this.start;
      message.number = number;
      message.sid = label.sid;
      message.seq = label.seq;
      message.y = label.y;
      message.source = label.source ?? SOURCE_UNTOLD;
      message.confidence = label.confidence ?? CERTAIN;
      message.length = label.tag?.length ?? 0;
      if (label.tag) message.tag.set(label.tag);
      const place = this.send("label");
      if (place === 0) return;
      this.taughtAt ??= now;
      if (sent.number === number) {
        this.counts.labelsResent++;
      } else {
        this.counts.labelsSent++;
        sent.number = number;
        sent.place = place;
      }
      sent.at = now;
      sent.held = false;
      this.dueAt = Math.min(this.dueAt, now + this.resendMs);
    }
  }

  private feedFrom(seq: number): void {
    this.feeding = seq;
    this.fedElements = 0;
    this.fedAt = this.options.now();
  }

  private feed(now: number): void {
    const { node, options } = this;
    if (!node.fed || !options.samples) return;
    if (this.feeding > node.seq + 1 && now - this.fedAt >= this.resendMs) this.feedFrom(node.seq + 1);
    this.feedAhead(now, options.samples);
    if (this.feeding > node.seq + 1) this.dueAt = Math.min(this.dueAt, this.fedAt + this.resendMs);
  }

  private feedAhead(now: number, samples: SampleSource): void {
    const { node } = this;
    while (this.feeding <= node.seq + SAMPLES_AHEAD) {
      const sample = samples.at(this.feeding);
      if (!sample || (sample.after ?? 0) > node.labelled) return;
      if (!this.feedParts(sample.x)) return;
      this.counts[this.feeding > this.fedMost ? "samplesFed" : "samplesRefed"]++;
      this.fedMost = Math.max(this.fedMost, this.feeding);
      if (this.feeding === node.seq + 1) this.fedAt = now;
      this.feeding++;
      this.fedElements = 0;
    }
  }

  /** Sends the sample's parts from `fedElements` on. Returns whether all were sent. */
  private feedParts(x: ArrayLike<number>): boolean {
    const { node } = this;
    if (x.length !== node.channels)
      throw new OptionError(
        "peer",
        "x",
        `${x.length} readings`,
        `${node.channels}`,
        `sample ${this.feeding}: got ${x.length} readings; the node takes ${node.channels}`,
      );
    const message = this.port.outgoing("sample");
    message.length = 0;
    const fixed = this.port.bytesOf("sample");
    const most = Math.min(
      message.x.length,
      Math.floor((Math.min(this.credit.largest, node.frame) - fixed) / 4),
    );
    while (most > 0 && this.fedElements < x.length) {
      message.start = this.start;
      message.sid = node.sid;
      message.seq = this.feeding;
      message.first = this.fedElements;
      message.total = x.length;
      message.length = Math.min(most, x.length - this.fedElements);
      for (let i = 0; i < message.length; i++) message.x[i] = x[this.fedElements + i];
      const place = this.send("sample");
      if (place === 0) return false;
      this.fedElements += message.length;
      if (this.feeding > this.fedMost) this.fedPlaces[this.feeding % PLACES] = place;
    }
    return this.fedElements === x.length;
  }

  /** Sends the frame if credit allows; returns its place, see `Credit.pass`, or 0. */
  private send(name: DownName): number {
    const bytes = this.port.bytesOf(name);
    if (this.framing?.spent) return 0;
    return this.credit.allows(bytes) ? this.put(name, bytes, this.options.now()) : 0;
  }

  /** Sends the frame without credit, as only a welcome and a request for hello may be. */
  private transmit(name: DownName, now: number): void {
    this.put(name, this.port.bytesOf(name), now);
  }

  private put(name: DownName, bytes: number, now: number): number {
    const place = this.credit.spend(bytes, now);
    this.port.send(name);
    return place;
  }
}

/** The messages in which our table differs from one with those seeds by id. */
function differences(theirs: ReadonlyMap<number, number>): string[] {
  const ours = seedsById();
  const names = new Map(
    (Object.keys(MESSAGES) as MessageName[]).map((name) => [MESSAGES[name].id as number, name]),
  );
  const found: string[] = [];
  for (let id = 0; id < Math.max(ours.length, theirs.size); id++) {
    const mine = ours[id] ?? 0;
    const other = theirs.get(id) ?? 0;
    if (mine === other) continue;
    const name = names.get(id) ?? `message ${id}`;
    if (other === 0) found.push(`${name}: the node doesn't have it`);
    else if (mine === 0) found.push(`${name}: only the node has it`);
    else found.push(`${name}: its fields differ`);
  }
  return found;
}
