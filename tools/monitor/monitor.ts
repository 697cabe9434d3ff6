import { briefly } from "../../host/briefly.ts";
import type { Recording } from "../record/recording.ts";
import type { Session } from "../session/session.ts";
import type { Configuration, Received } from "../session/session-options.ts";
import { NodeView } from "./node-view.ts";
import type { Output } from "./outputs.ts";
import type { SharedEvents } from "./shared-session.ts";
import { linkStatus, type NodeEvent } from "./status.ts";

interface MonitorOptions {
  readonly port: string;
  readonly output: Output;
  /** The recording of the node's messages. */
  readonly log?: Recording;
  /** Milliseconds between two reports of the node. */
  readonly statisticsMs: number;
  /** Ends after so many seconds, or bytes from the node; 0: never. */
  readonly maxSeconds: number;
  readonly maxBytes: number;
  readonly isInterrupted: () => boolean;
}

/** Milliseconds after which an unanswered request is repeated. */
const ASK_MS = 1000;
const RESTORE_MS = 1000;

/** Watches one node in a session, until `stop`. */
export class Monitor {
  private readonly view: NodeView;
  private readonly began = performance.now();
  private quit = false;
  /** Starts of the node, and after how many of them it was configured. */
  private starts = 0;
  private configured = 0;
  private askedAt = Number.NEGATIVE_INFINITY;
  private shownAt = Number.NEGATIVE_INFINITY;
  private before: Partial<Configuration> | undefined;
  private session: Session | undefined;

  constructor(private readonly options: MonitorOptions) {
    this.view = new NodeView((happening) => this.happened(happening));
  }

  readonly events: SharedEvents = {
    started: (hello) => {
      this.starts++;
      this.options.log?.started(hello);
      this.view.start(hello);
    },
    described: (classes) => this.view.describe(classes),
    message: (...received) => {
      this.view.take(received[0], received[1]);
      if (this.options.log) record(this.options.log, ...received);
    },
    sent: (...taught) => this.options.log?.sent(...taught),
    lost: ({ message }) => this.happened({ type: "lost", reason: message }),
    reopened: () => this.happened({ type: "reopened" }),
    obstructed: (why) => this.happened({ type: "obstructed", why: why ?? null }),
    differences: (messages) => this.happened({ type: "differences", messages }),
  };

  /** m marks an event, c asks for a checkpoint, q quits. */
  press(key: string): void {
    if (key === "m") this.view.mark();
    else if (key === "c") this.session?.peer.request("checkpoint");
    else if (key === "q") this.quit = true;
  }

  /**
   * Watches until the end, and records the samples that the node reports. Rejects with a DeviceError when the
   * node is gone for too long.
   */
  async run(session: Session): Promise<void> {
    this.session = session;
    const { port, peer } = session;
    const { log } = this.options;
    try {
      await session.until(() => this.turn(session));
      this.show(session);
      if (this.before && port.open) await briefly(RESTORE_MS, session.configure(this.before));
    } finally {
      if (log) {
        log.stay.linkLosses = port.losses;
        log.stay.bytesThrown = peer.thrown.bytes;
      }
    }
  }

  /** Performs due work. Returns whether to end. */
  private turn(session: Session): boolean {
    const now = performance.now();
    if (this.starts > this.configured) this.configure(session);
    if (now - this.askedAt >= ASK_MS && session.port.open) {
      this.askedAt = now;
      for (const what of this.view.lacks) session.peer.request(what);
    }
    if (now - this.shownAt >= this.options.output.everyMs) this.show(session);
    return this.isOver(session.port.received, now);
  }

  private isOver(bytes: number, now: number): boolean {
    const { maxSeconds, maxBytes, isInterrupted } = this.options;
    const late = maxSeconds > 0 && now - this.began >= 1000 * maxSeconds;
    return this.quit || isInterrupted() || late || (maxBytes > 0 && bytes >= maxBytes);
  }

  /** Has the node report as often as the monitor shows, and raw samples where they are recorded. */
  private configure(session: Session): void {
    this.configured = this.starts;
    const { statisticsMs, log } = this.options;
    session
      .configure({ statisticsMs, ...(log && { samples: 1 }) })
      .then((before) => {
        this.before = before;
      })
      .catch(() => {}); // what ended the wait ends `until` too
  }

  private show({ port, peer }: Session): void {
    this.shownAt = performance.now();
    const { view, began, options } = this;
    const seconds = (this.shownAt - began) / 1000;
    const { prequential, marks } = view;
    const status = view.status(linkStatus(port, peer.thrown));
    options.output.show({ port: options.port, seconds, status, prequential, marks });
  }

  private happened(happening: NodeEvent): void {
    if (happening.type === "mark") this.options.log?.mark(happening);
    this.options.output.happened(happening);
  }
}

/** Logs the node's messages that belong in a log. */
function record(log: Recording, ...[name, message]: Received): void {
  if (name === "sample") log.take(message);
  else if (name === "prediction") log.predicted(message);
  else if (name === "acknowledgement") log.answered(message);
  else if (name === "credit") log.answered({ boot: message.boot, labelled: message.labelled });
}
