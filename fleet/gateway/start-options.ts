import type { Session } from "../../tools/session/session.ts";
import type { NodeEvents } from "./node-events.ts";

/** Sets a node's options after its starts: what it reports, and how often. */
export class StartOptions {
  /** The session in which they are being set, and whether the node started meanwhile. */
  private setting: Session | undefined;
  private isDue = false;

  constructor(
    private readonly statisticsMs: number,
    private readonly events: NodeEvents,
  ) {}

  /** Sets them once for all starts meanwhile: each time it waits until the node confirms. */
  async set(session: Session): Promise<void> {
    this.isDue = true;
    if (this.setting === session) return;
    this.setting = session;
    try {
      while (this.isDue && this.setting === session) {
        this.isDue = false;
        await session.configure({ statisticsMs: this.statisticsMs, samples: 1 });
      }
    } catch (error) {
      this.events.tell("debug", "configure", (error as Error).message);
    }
    if (this.setting === session) this.setting = undefined;
  }
}
