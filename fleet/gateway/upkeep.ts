import type { FleetStore } from "../store/fleet-store.ts";
import { ClockWatch } from "./clock-watch.ts";
import type { Fleet } from "./fleet.ts";
import type { Log } from "./log.ts";

const SHRINK_MS = 10_000;
const HOUR_MS = 3_600_000;
const CLOCK_MS = 1000;
/** Nodes that a line names. */
const NAMED_MAX = 8;

/** Removes from a gateway's database what is too old or too much, and warns of a clock that jumps, and of labels that nothing sends. */
export class Upkeep {
  private readonly clock = new ClockWatch(Date.now, () => performance.now());
  private timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly fleet: Pick<Fleet, "keepDays" | "keepMegabytes" | "nodes">,
    private readonly store: FleetStore,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timers = [
      setInterval(() => this.warnOfClock(this.clock.look()), CLOCK_MS),
      setInterval(() => this.forget(), HOUR_MS),
      setInterval(() => this.shrink(), SHRINK_MS),
    ];
    this.warnOfClock(this.clock.since(this.store.newestTime));
    this.warnOfStrays();
    this.forget();
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  private warnOfClock(text: string | undefined): void {
    if (text !== undefined) this.log.write("warn", "", "clock", text);
  }

  /** A node may have got another name, or have left the fleet, with labels on their way. */
  private warnOfStrays(): void {
    const names = new Set(this.fleet.nodes.map(({ name }) => name));
    const strays = [...this.store.labels.waitingByNode].filter(([node]) => !names.has(node));
    if (strays.length === 0) return;
    const more = strays.length > NAMED_MAX ? ` and ${strays.length - NAMED_MAX} more` : "";
    const named = strays.slice(0, NAMED_MAX).map(([node, count]) => `${node} (${count})`);
    this.log.write(
      "warn",
      "",
      "store",
      `labels wait for nodes that the fleet file doesn't name, and aren't sent: ${named.join(", ")}${more}; give a node that name again to send them`,
    );
  }

  /** Keeps the database to its age. */
  private forget(): void {
    this.tidy(() => this.store.forget(this.fleet.keepDays));
  }

  /** Keeps the database to its size. */
  private shrink(): void {
    const { keepMegabytes } = this.fleet;
    if (keepMegabytes !== undefined) this.tidy(() => this.store.shrink(1e6 * keepMegabytes));
  }

  /** A full disk may refuse even to remove rows; the gateway continues. */
  private tidy(remove: () => void): void {
    try {
      remove();
    } catch (error) {
      this.log.write("error", "", "store", (error as Error).message);
    }
  }
}
