import { printNote } from "../../host/terminal/print.ts";
import { Session } from "./session.ts";
import type { SessionEvents } from "./session-options.ts";

/** What a command line says of the line to a node: see `addPortOption`. */
interface LineFlags {
  readonly baud: number;
  readonly reset: boolean;
  readonly giveUp: number;
  readonly key?: Uint8Array;
  readonly ca?: string;
}

/** Opens a session for a command, which prints what keeps it from the node. */
export function openSession(port: string, flags: LineFlags, events: SessionEvents = {}): Promise<Session> {
  const { baud, reset, giveUp, key, ca } = flags;
  const obstructed = (why: string | undefined) => {
    if (why) printNote(`motelearn: ${port}: ${why}`);
  };
  return Session.open({ port, serial: { baud, reset }, giveUp, key, ca, events: { obstructed, ...events } });
}
