import type { Message } from "../../src/wire/messages.ts";
import type { PortFlags } from "../ports/options.ts";
import type { TaughtName } from "../record/recording.ts";
import { openSession } from "../session/open-session.ts";
import type { Session } from "../session/session.ts";
import type { Configuration, SessionEvents } from "../session/session-options.ts";
import { type LinkStatus, linkStatus } from "./status.ts";

/** Events of a monitor's line. */
export interface LineEvents extends SessionEvents {
  /** Another program teaches the node; the record is only valid during the call. */
  sent?: <N extends TaughtName>(name: N, message: Message<N>) => void;
}

/** A node's line as a monitor uses it. */
export interface Line {
  readonly link: LinkStatus;
  request(what: "checkpoint" | "statistics" | "selfTest"): void;
  /** Changes options while the node runs; resolves with their former values. */
  configure(change: Partial<Configuration>): Promise<Partial<Configuration>>;
  /** Resolves when `done` is true; rejects with a DeviceError when the node is gone for too long. */
  until(done: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** A line that nobody else uses. */
export async function ownLine(port: string, flags: PortFlags, events: SessionEvents): Promise<Line> {
  return makeLine(await openSession(port, flags, events));
}

export function makeLine(session: Session): Line {
  return {
    get link() {
      return linkStatus(session.port, session.peer.thrown);
    },
    request: (what) => session.peer.request(what),
    configure: (change) => session.configure(change),
    until: (done) => session.until(done),
    close: () => session.close(),
  };
}
