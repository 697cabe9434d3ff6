import { setTimeout as pause } from "node:timers/promises";
import { Random } from "../../host/random.ts";
import type { BenchBroker } from "./brokers.ts";
import type { PartProcess } from "./parts.ts";

/** The parts of a running fleet that a storm kills, drops and restarts. */
interface StormTargets {
  readonly broker: BenchBroker;
  readonly gateway: { restart(): Promise<void> };
  /** Its nodes, and the processes that hold them. */
  readonly names: readonly string[];
  readonly findHolder: (name: string) => PartProcess;
  /** Called with each kill. */
  readonly say: (text: string) => void;
}

export interface StormCounts {
  /** SIGKILLs. */
  gateway: number;
  broker: number;
  /** Nodes' connections that were dropped, besides those that ended with the broker. */
  drops: number;
  /** Nodes that lost their power. */
  restarts: number;
}

/** Shares of the nodes that lose their power, and their connection, at each kill. */
const RESTARTED = 0.05;
const DROPPED = 0.01;
/** Milliseconds from a start to the next kill, short enough to hit a fleet that is still recovering. */
const GAP_MS = [500, 9500];

/**
 * Kills gateway and broker in random order at random times, so often each, while nodes lose power and
 * connections.
 */
export async function storm(fleet: StormTargets, kills: number, seed: number): Promise<StormCounts> {
  const random = new Random(seed, "storm");
  const counts: StormCounts = { gateway: 0, broker: 0, drops: 0, restarts: 0 };
  const kinds = Array.from({ length: 2 * kills }, (_, i) => (i < kills ? "gateway" : "broker"));
  random.shuffle(kinds);
  const some = (count: number) =>
    Array.from({ length: count }, () => fleet.names[random.below(fleet.names.length)]);
  const restarts = Math.max(1, Math.round(RESTARTED * fleet.names.length));
  const dropped = Math.max(1, Math.round(DROPPED * fleet.names.length));
  for (const [i, kind] of kinds.entries()) {
    const [least, most] = GAP_MS;
    await pause(least + random.uniform() * (most - least));
    const due = Math.round((restarts * (i + 1)) / kinds.length) - counts.restarts;
    await askEach(fleet, "restart", some(due));
    await askEach(fleet, "drop", some(dropped));
    fleet.say(`kill ${i + 1} of ${kinds.length}: the ${kind}`);
    if (kind === "gateway") await fleet.gateway.restart();
    else {
      await fleet.broker.kill?.();
      await fleet.broker.start?.();
    }
    counts[kind as "gateway" | "broker"]++;
    counts.restarts += due;
    counts.drops += dropped;
  }
  return counts;
}

async function askEach(
  { findHolder }: StormTargets,
  ask: "drop" | "restart",
  names: readonly string[],
): Promise<void> {
  await Promise.all(names.map((name) => findHolder(name).ask({ ask, names: [name] })));
}
