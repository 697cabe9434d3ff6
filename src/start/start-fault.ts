import { Framing } from "../node/framing.ts";
import { OUTBOX_BYTES } from "../node/outbox.ts";
import type { BytePort, FramePort } from "../node/ports.ts";
import { putText } from "../wire/encoder.ts";
import { NAME } from "../wire/messages.ts";

/** How the log line of a node that can't start begins. */
export const CANNOT_START = "can't start: ";

/** Level of a log's line: an error. */
const ERROR = 0;

/**
 * Says over its wire why a node can't start, as a log line, where it would else be silent. A keyed peer refuses the line, which has no tag:
 * there is no session.
 */
export class StartFault {
  private readonly wire: FramePort;

  constructor(
    port: BytePort | FramePort,
    private readonly reason: string,
  ) {
    this.wire = "windowBytes" in port ? port : new Framing(port, OUTBOX_BYTES);
  }

  /** Sends the line. Call it again every second, for a peer that comes later. */
  say(): void {
    const { wire } = this;
    const log = wire.outgoing(NAME.log);
    log.level = ERROR;
    log.length = putText(log.text, CANNOT_START + this.reason);
    if (!wire.waiting) wire.send(NAME.log, true);
    wire.flush();
  }
}
