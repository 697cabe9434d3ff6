import type { ListenTrust } from "../ports/listen.ts";
import type { PortFlags } from "../ports/options.ts";
import { openSession } from "../session/open-session.ts";
import type { Session } from "../session/session.ts";
import { Guests } from "./guests.ts";
import { LentNode } from "./lent-node.ts";
import { type Line, type LineEvents, makeLine } from "./line.ts";

/**
 * A line whose node another program can also use, through a socket at `share`: tcp://HOST:PORT or unix:PATH.
 * The monitor is the node's peer, and lends it. Throws a UserError or DeviceError if it can't listen there,
 * or the port can't be opened.
 */
export async function sharedLine(
  port: string,
  share: string,
  { insecure, ...flags }: PortFlags & Pick<ListenTrust, "insecure">,
  events: LineEvents,
): Promise<Line> {
  const keyed = flags.key !== undefined;
  let session: Session | undefined;
  let lent: LentNode | undefined;
  /** An error that a listener threw: it ends the wait, not the program. */
  let fault: Error | undefined;
  const sent: LineEvents["sent"] = (name, message) => {
    try {
      events.sent?.(name, message);
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
      message: (name, message) => {
        events.message?.(name, message);
        lent?.fromNode(name, message);
      },
    });
  } catch (error) {
    await guests.close();
    throw error;
  }
  const line = makeLine(session);
  return {
    ...line,
    get link() {
      return line.link;
    },
    until: (done) =>
      line.until(() => {
        if (fault) throw fault;
        lent?.pass();
        return done();
      }),
    close: async () => {
      await guests.close();
      await line.close();
    },
  };
}
