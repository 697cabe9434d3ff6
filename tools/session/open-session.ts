import { printNote } from "../../host/terminal/print.ts";
import type { PortFlags } from "../ports/options.ts";
import { Session } from "./session.ts";
import type { SessionEvents } from "./session-options.ts";

/** What a command line says of the line to a node: see `addPortOption`. */
type LineFlags = Pick<PortFlags, "baud" | "reset" | "giveUp" | "key" | "ca">;

/** Opens a session for a command, which prints what keeps it from the node. */
export function openSession(port: string, flags: LineFlags, events: SessionEvents = {}): Promise<Session> {
  const { baud, reset, giveUp, key, ca } = flags;
  const obstructed = (why: string | undefined) => {
    if (why) printNote(`motelearn: ${port}: ${why}`);
  };
  return Session.open({ port, serial: { baud, reset }, giveUp, key, ca, events: { obstructed, ...events } });
}
