import type { ListenTrust } from "../ports/listen.ts";
import type { PortFlags } from "../ports/options.ts";
import type { Taught } from "../record/recording.ts";
import { openSession } from "../session/open-session.ts";
import type { Session } from "../session/session.ts";
import type { SessionEvents } from "../session/session-options.ts";
import { Guests } from "./guests.ts";
import { LentNode } from "./lent-node.ts";

/** Events of a session whose node another program may use, too. */
export interface SharedEvents extends SessionEvents {
  /** The other program teaches the node; the record is only valid during the call. */
  sent?: (...taught: Taught) => void;
}

/** A session that others may share, and how it ends. */
interface SharedSession {
  readonly session: Session;
  close(): Promise<void>;
}

/**
 * A session whose node another program can use, too, by a socket at `share`: tcp://HOST:PORT or unix:PATH.
 * The session is the node's peer, and lends it. Throws a UserError or DeviceError if it can't listen there,
 * or the port can't be opened.
 */
export async function sharedSession(
  port: string,
  share: string,
  { insecure, ...flags }: PortFlags & Pick<ListenTrust, "insecure">,
  events: SharedEvents,
): Promise<SharedSession> {
  const keyed = flags.key !== undefined;
  let session: Session | undefined;
  let lent: LentNode | undefined;
  /** An error that a listener threw: it ends the session, not the program. */
  let fault: Error | undefined;
  const sent: SharedEvents["sent"] = (...taught) => {
    try {
      events.sent?.(...taught);
    } catch (error) {
      fault ??= error as Error;
    }
  };
  const guests = await Guests.listen(
    share,
    { insecure },
    {
      came: (write) => {
        if (!session) return undefined;
        const node = new LentNode({ peer: session.peer, keyed, write, sent });
        lent = node;
        return (bytes) => node.fromGuest(bytes);
      },
      left: () => {
        lent = undefined;
      },
      deaf: () => events.obstructed?.("who shares the line doesn't read what the node says, and is cut off"),
    },
  );
  try {
    session = await openSession(port, flags, {
      ...events,
      message: (...received) => {
        events.message?.(...received);
        lent?.fromNode(...received);
      },
      turned: () => {
        if (fault) throw fault;
        lent?.pass();
      },
    });
    const own = session;
    return { session, close: () => guests.close().then(() => own.close()) };
  } catch (error) {
    await guests.close();
    throw error;
  }
}
