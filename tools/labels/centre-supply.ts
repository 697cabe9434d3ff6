import { DeviceError, UserError } from "../../host/errors.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Clock } from "../../src/node/ports.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import { tagWords } from "../fusion/centre-tags.ts";
import { LineSplitter } from "../fusion/line-splitter.ts";
import {
  type CentreLine,
  type EndLine,
  encodeLine,
  FUSION_SCHEMA,
  type Greeting,
  type LabelLine,
  type NamedOptions,
} from "../fusion/lines.ts";
import { CENTRE_LINE_MAX, excerpt, readCentreLine, withLearner } from "../fusion/read-line.ts";
import type { Span } from "../fusion/spans.ts";
import { MACHINE_CLOCK } from "../ports/clock.ts";
import { Port } from "../ports/port.ts";
import { SESSION, type Supply } from "./supply.ts";

/** Most labels and samples kept ahead of the node; beyond them the centre waits. */
const AHEAD_MAX = 8192;
/** Missing or invalid lines after which a server without valid ones isn't a centre. */
const STRANGE_MAX = 3;

/** A centre's connection, and the seconds without it before giving up; 0: never. */
export interface CentreOptions {
  readonly baud: number;
  readonly giveUp: number;
  /** The clock for them; default: this machine's. */
  readonly clock?: Clock;
}

export interface CentreLinkEvents {
  lost?(error: DeviceError): void;
  reopened?(): void;
}

/**
 * One node's labels from a fusion centre. The connection requests what the node needs, and again after a lost
 * link, a missing line, or a restart of the node. It only keeps what lies ahead of the node.
 */
export class CentreSupply implements Supply {
  ready = false;
  lost = 0;
  /** How often the link was lost, and how often lines were missing or invalid. */
  gaps = 0;
  node = "";
  options: NodeOptions | undefined;
  private last: EndLine | undefined;
  private port: Port | undefined;
  private splitter = new LineSplitter(CENTRE_LINE_MAX);
  private ask = 0;
  private lines = 0;
  private strange = 0;
  private fault: Error | undefined;
  private readonly askedFirst: number;
  /** The node's position: its next label and sample, and its sessions. */
  private next: { label: number; sample: number | null; readonly spans: readonly Span[] } | undefined;
  /** The expected number and sample of the next line; and the centre's numbers less the node's. */
  private nextLabel = 0;
  private nextSample = 0;
  private offset = 0;
  /** The largest sum of both: beyond it, everything is new. */
  private farthest = 0;
  private readonly labels = new Map<number, DueLabel>();
  private readonly samples = new Map<number, FedSample>();
  private firstLabel = 0;
  private firstSample = 0;

  private constructor(
    private readonly name: string,
    private readonly wanted: string | number,
    private readonly giveUp: number,
    private readonly clock: Clock,
  ) {
    this.askedFirst = clock.now();
  }

  /** @param wanted the node's name at the centre, or its place there, from 1. Throws as `Port.open` does. */
  static async open(
    name: string,
    wanted: string | number,
    { baud, giveUp, clock = MACHINE_CLOCK }: CentreOptions,
    events: CentreLinkEvents,
  ): Promise<CentreSupply> {
    const supply = new CentreSupply(name, wanted, giveUp, clock);
    const ofPort = {
      data: (bytes: Uint8Array) => supply.receive(bytes),
      lost: (error: DeviceError) => events.lost?.(error),
      reopened: () => {
        events.reopened?.();
        supply.splitter = new LineSplitter(CENTRE_LINE_MAX);
        supply.subscribe();
      },
    };
    supply.port = await Port.open(name, { baud, reset: false }, ofPort, clock);
    return supply;
  }

  get channels(): number | undefined {
    return this.options?.channels;
  }

  get end(): EndLine | undefined {
    return this.last && { ...this.last, labels: this.last.labels - this.offset };
  }

  label(number: number): DueLabel | undefined {
    this.check();
    return this.labels.get(number);
  }

  sample(seq: number): FedSample | undefined {
    this.check();
    return this.samples.get(seq);
  }

  goOn(label: number, sample: number | null, spans: readonly Span[]): void {
    this.next = { label, sample, spans: [...spans] };
    this.subscribe();
  }

  passed(label: number, seq: number): void {
    if (!this.next) return;
    this.next.label = label + 1;
    if (this.next.sample !== null) this.next.sample = seq + 1;
    while (this.firstLabel <= label) this.labels.delete(this.firstLabel++);
    while (this.firstSample <= seq && this.samples.size > 0) this.samples.delete(this.firstSample++);
    if (this.labels.size + this.samples.size < AHEAD_MAX / 2) this.port?.resume();
  }

  durable(number: number): void {
    this.port?.write(encodeLine({ durable: number + this.offset }));
  }

  async close(): Promise<void> {
    await this.port?.close();
  }

  /** Throws the error that ended the source. */
  private check(): void {
    if (this.fault) throw this.fault;
    const { giveUp, port } = this;
    if (giveUp === 0 || this.end) return;
    const now = this.clock.now();
    if (!this.ready && now - this.askedFirst > 1000 * giveUp) {
      throw new DeviceError(`${this.name}: no fusion centre answered in ${giveUp} s`);
    }
    if (port?.lostAt !== undefined && now - port.lostAt > 1000 * giveUp) {
      throw port.goneFor(giveUp);
    }
  }

  /**
   * Subscribes from the node's position. Lines already under way carry another `ask`, and are ignored. Labels
   * and samples kept ahead are discarded: they would count as ahead and hold up the answer, for which the
   * node waits.
   */
  private subscribe(): void {
    if (!this.next || !this.port?.open) return;
    const { label, sample, spans } = this.next;
    this.ask++;
    this.nextLabel = 0;
    this.last = undefined;
    this.labels.clear();
    this.samples.clear();
    this.port.resume();
    const line = { schema: FUSION_SCHEMA, ask: this.ask, node: this.wanted, sample, spans } as const;
    this.port.write(encodeLine({ ...line, label: label + this.offset }));
  }

  private receive(bytes: Uint8Array): void {
    for (const text of this.splitter.take(bytes)) {
      if (this.fault) return;
      this.lines++;
      const line = readCentreLine(text);
      if (typeof line === "string") this.meetStrange(`${line}: ${excerpt(text)}`);
      else this.take(line);
    }
    if (this.splitter.overlong) this.fail(`a line longer than ${CENTRE_LINE_MAX} bytes`);
    if (this.labels.size + this.samples.size > AHEAD_MAX) this.port?.pause();
  }

  private take(line: CentreLine): void {
    if ("error" in line) this.fail(line.error);
    else if ("schema" in line) this.greet(line);
    else if (this.nextLabel === 0)
      return; // it was under way before the last subscription
    else if ("end" in line) this.takeEnd(line);
    else if ("x" in line)
      this.takeSample(line.seq, { x: line.x, after: line.after && line.after - this.offset });
    else this.takeLabel(line);
  }

  /** Ends the source; the first reason counts. */
  private fail(what: string): void {
    this.fault ??= new UserError(`${this.name}: ${what}`);
  }

  private greet({ schema, ask, node, label, options }: Greeting): void {
    if (schema !== FUSION_SCHEMA) {
      this.fail(`speaks ${schema}; ${FUSION_SCHEMA} is needed`);
    }
    if (this.fault || ask !== this.ask || !this.next) return;
    const missing = label - this.next.label - this.offset;
    this.lost += Math.max(0, missing);
    this.offset += Math.max(0, missing);
    this.node = node;
    this.options = options && this.parseNode(options);
    this.nextLabel = this.firstLabel = this.next.label;
    this.nextSample = this.firstSample = this.next.sample ?? 0;
    this.ready = true;
  }

  /** The options in a node's form. Options that no node can have end the source. */
  private parseNode(options: NamedOptions): NodeOptions | undefined {
    try {
      return withLearner(options);
    } catch (error) {
      this.fail((error as Error).message);
      return undefined;
    }
  }

  /** Fewer lines than it counts: some were lost. */
  private takeEnd(line: EndLine): void {
    const lacksSamples = this.next?.sample !== null && line.samples >= this.nextSample;
    if (line.labels - this.offset >= this.nextLabel || lacksSamples) {
      this.meetStrange(`the end counts ${line.labels} labels and ${line.samples} samples, and not all came`);
    } else this.last = line;
  }

  private takeLabel({ number: theirs, seq, label, due = seq, source, confidence, tag }: LabelLine): void {
    const number = theirs - this.offset;
    if (number > this.nextLabel)
      this.meetStrange(`label ${theirs} came where ${this.nextLabel + this.offset} was due`);
    if (number !== this.nextLabel) return;
    const place = tag ? { sid: tag.sid, seq: tag.seq, tag: tagWords(tag.hash) } : { sid: SESSION, seq };
    this.labels.set(number, { number, ...place, y: label, source, confidence, due });
    this.nextLabel++;
    this.noteProgress();
  }

  private takeSample(seq: number, sample: FedSample): void {
    if (seq > this.nextSample) this.meetStrange(`sample ${seq} came where ${this.nextSample} was due`);
    if (seq !== this.nextSample) return;
    this.samples.set(seq, sample);
    this.nextSample++;
    this.noteProgress();
  }

  /** Repeated lines don't prove that the other end is a fusion centre. */
  private noteProgress(): void {
    const reached = this.nextLabel + this.nextSample;
    if (reached > this.farthest) this.strange = 0;
    this.farthest = Math.max(this.farthest, reached);
  }

  /**
   * Handles an invalid line, or one out of order: a serial line lost bytes. Requests everything after it
   * again.
   */
  private meetStrange(what: string): void {
    this.gaps++;
    if (++this.strange < STRANGE_MAX) this.subscribe();
    else this.fail(`line ${this.lines}: ${what}; ${FUSION_SCHEMA} is needed, see docs/spec/fusion.md`);
  }
}
