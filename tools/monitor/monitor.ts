import { briefly } from "../../host/briefly.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import type { Recording } from "../record/recording.ts";
import type { Configuration } from "../session/session-options.ts";
import type { Line, LineEvents } from "./line.ts";
import { NodeView } from "./node-view.ts";
import type { Output } from "./outputs.ts";
import type { NodeEvent } from "./status.ts";

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

/** Watches one node over a line, until `stop`. */
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
  private line: Line | undefined;

  constructor(private readonly options: MonitorOptions) {
    this.view = new NodeView((happening) => this.happened(happening));
  }

  readonly events: LineEvents = {
    started: (hello) => {
      this.starts++;
      this.options.log?.started(hello);
      this.view.start(hello);
    },
    described: (classes) => this.view.describe(classes),
    message: (name, message) => {
      this.view.take(name, message);
      if (this.options.log) record(this.options.log, name, message);
    },
    sent: (name, message) => this.options.log?.sent(name, message),
    lost: ({ message }) => this.happened({ type: "lost", reason: message }),
    reopened: () => this.happened({ type: "reopened" }),
    obstructed: (why) => this.happened({ type: "obstructed", why: why ?? null }),
    differences: (messages) => this.happened({ type: "differences", messages }),
  };

  /** m marks an event, c asks for a checkpoint, q quits. */
  press(key: string): void {
    if (key === "m") this.view.mark();
    else if (key === "c") this.line?.request("checkpoint");
    else if (key === "q") this.quit = true;
  }

  /**
   * Watches until the end, and records the samples that the node reports. Rejects with a DeviceError when the
   * node is gone for too long.
   */
  async run(line: Line): Promise<void> {
    this.line = line;
    const { log } = this.options;
    try {
      await line.until(() => this.turn(line));
      this.show(line);
      if (this.before && line.link.open) await briefly(line.configure(this.before), RESTORE_MS);
    } finally {
      if (log) {
        log.stay.linkLosses = line.link.losses;
        log.stay.bytesThrown = line.link.damagedBytes;
      }
    }
  }

  /** Performs due work. Returns whether to end. */
  private turn(line: Line): boolean {
    const now = performance.now();
    if (this.starts > this.configured) this.configure(line);
    if (now - this.askedAt >= ASK_MS && line.link.open) {
      this.askedAt = now;
      for (const what of this.view.lacks) line.request(what);
    }
    if (now - this.shownAt >= this.options.output.everyMs) this.show(line);
    return this.isOver(line, now);
  }

  private isOver(line: Line, now: number): boolean {
    const { maxSeconds, maxBytes, isInterrupted } = this.options;
    const late = maxSeconds > 0 && now - this.began >= 1000 * maxSeconds;
    return this.quit || isInterrupted() || late || (maxBytes > 0 && line.link.bytes >= maxBytes);
  }

  /** Has the node report as often as the monitor shows, and raw samples where they are recorded. */
  private configure(line: Line): void {
    this.configured = this.starts;
    const { statisticsMs, log } = this.options;
    line
      .configure({ statisticsMs, ...(log && { samples: 1 }) })
      .then((before) => {
        this.before = before;
      })
      .catch(() => {}); // what ended the wait ends `until` too
  }

  private show(line: Line): void {
    this.shownAt = performance.now();
    const { view, began, options } = this;
    const seconds = (this.shownAt - began) / 1000;
    const { prequential, marks } = view;
    options.output.show({ port: options.port, seconds, status: view.status(line.link), prequential, marks });
  }

  private happened(happening: NodeEvent): void {
    if (happening.type === "mark") this.options.log?.mark(happening);
    this.options.output.happened(happening);
  }
}

/** Logs the node's messages that belong in a log. */
function record<N extends UpName>(log: Recording, name: N, message: Message<N>): void {
  if (name === "sample") log.take(message as unknown as Message<"sample">);
  else if (name === "prediction") log.predicted(message as unknown as Message<"prediction">);
  else if (name === "acknowledgement") log.answered(message as unknown as Message<"acknowledgement">);
  else if (name === "credit") {
    const { boot, labelled } = message as unknown as Message<"credit">;
    log.answered({ boot, labelled });
  }
}
