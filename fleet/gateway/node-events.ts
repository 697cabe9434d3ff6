import type { NodeEvent } from "../../tools/monitor/status.ts";
import { bitsParts } from "../../tools/session/bits-text.ts";
import { resetText } from "../../tools/session/hello.ts";
import { Quota } from "../access/quota.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { Live } from "./live.ts";
import type { Level, Log } from "./log.ts";

/** Events of a node in a minute; further ones are counted. They are lines of the log, rows of the database, and messages to pages. */
const EVENTS_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Where a node's events go. */
interface EventPorts {
  readonly log: Log;
  readonly store: FleetStore;
  readonly live: Live;
}

/** Writes what happens to one node to the log, the database and the pages. */
export class NodeEvents {
  /** True if only the log takes them still. */
  closed = false;
  private readonly quota: Quota;

  /** @param now milliseconds of a clock that nobody sets */
  constructor(
    private readonly node: string,
    private readonly ports: EventPorts,
    now: () => number,
  ) {
    this.quota = new Quota(EVENTS_PER_MINUTE, MINUTE_MS, now);
  }

  /**
   * @param said whether another line of the log says it, of many nodes at once.
   * @returns false if the event was one too many in its minute, and is only counted.
   */
  tell(level: Level, event: string, text: string, said = false): boolean {
    const { log, store, live } = this.ports;
    if (level === "debug") {
      log.write(level, this.node, event, text);
      return true;
    }
    const unsaid = this.quota.pass();
    if (unsaid === undefined) return false;
    const whole = unsaid > 0 ? `${text} (and ${unsaid} events before that weren't logged)` : text;
    log.write(said ? "debug" : level, this.node, event, whole);
    if (this.closed) return true;
    store.event(this.node, event, whole);
    live.event({ node: this.node, time: Date.now(), kind: event, text: whole });
    return true;
  }

  /** Tells what the node's view noticed. */
  happened(happening: NodeEvent): void {
    const [level, text] = describeEvent(happening);
    this.tell(level, happening.type, text);
  }
}

/** An event in words, and its level. */
function describeEvent(happening: NodeEvent): [Level, string] {
  switch (happening.type) {
    case "start": {
      const { learner, firmware, restore, seq, labelled, reset, crash } = happening.node;
      const why = reset === "unknown" ? "" : `, started by ${resetText({ name: reset, crash })}`;
      return [
        crash ? "warn" : "info",
        `${learner} on ${firmware}${why}, ${restore}: after sample ${seq}, label ${labelled}`,
      ];
    }
    case "checkpoint":
      return happening.kept
        ? ["debug", `checkpoint up to label ${happening.durable}`]
        : ["warn", "a checkpoint failed"];
    case "bits":
      return happening.bits.verdict === "different bits"
        ? ["error", `computes other bits than this machine: ${happening.bits.first} differs first`]
        : ["debug", bitsParts(happening.bits).join(", ")];
    case "reset":
      return [happening.crash ? "warn" : "info", `restarted: ${happening.reason} ${happening.text}`.trim()];
    case "log":
      return [happening.level === "note" ? "info" : "warn", happening.text];
    case "drift":
      return ["warn", `drift, by ${happening.by}, at sample ${happening.seq}`];
    default:
      return ["info", happening.type];
  }
}
