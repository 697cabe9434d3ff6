import { NodeAbsent } from "../../tools/ports/mqtt.ts";
import type { Level } from "./log.ts";

/** Milliseconds for which nodes may come back after their broker did. */
const BACK_MS = 60_000;
/** Nodes that a line names; it counts the others. */
const NAMED = 3;

interface OutagePorts {
  /** Writes a line about a broker. */
  readonly say: (level: Level, event: string, text: string) => void;
  /** Calls `act` after so many milliseconds; returns a function that prevents it. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
}

interface Outage {
  readonly since: number;
  /** The nodes that lost their line with the broker, or while it was away. */
  readonly nodes: Set<string>;
  /** Those of them that aren't back. */
  readonly away: Set<string>;
  /** Prevents the line about those that stay away; undefined: the broker is away itself. */
  forget?: () => void;
}

/**
 * The outages of brokers. All nodes of a broker lose their lines with it, so a line says that it went, one
 * that it is back, and one how many of its nodes are, in place of lines for each node.
 */
export class Outages {
  private readonly open = new Map<string, Outage>();

  constructor(private readonly ports: OutagePorts) {}

  /**
   * A node at that broker lost its line, or doesn't get one.
   * @param why the reason, if the broker itself is lost; undefined: it says that the node isn't there.
   * @returns whether a line about the broker says it.
   */
  lost(broker: string, node: string, why: string | undefined): boolean {
    let outage = this.open.get(broker);
    if (why !== undefined && (!outage || outage.forget)) {
      outage?.forget?.();
      outage = { since: this.ports.now(), nodes: new Set(outage?.away), away: new Set(outage?.away) };
      this.open.set(broker, outage);
      this.ports.say("warn", "broker-lost", `${broker}: ${why}; its nodes have no line until it is back`);
    }
    outage?.nodes.add(node);
    outage?.away.add(node);
    if (why === undefined && outage) this.returned(broker, outage);
    return outage !== undefined;
  }

  /** A node at that broker has its line again. Returns whether a line about the broker says it. */
  back(broker: string, node: string): boolean {
    const outage = this.open.get(broker);
    if (!outage?.nodes.has(node)) return false;
    outage.away.delete(node);
    this.returned(broker, outage);
    if (outage.away.size === 0) this.close(broker, outage);
    return true;
  }

  /** The broker is there again: it answered for one of its nodes. */
  private returned(broker: string, outage: Outage): void {
    if (outage.forget) return;
    const { now, say, after } = this.ports;
    const seconds = Math.round((now() - outage.since) / 1000);
    say("info", "broker-back", `${broker}: back after ${seconds} s; ${outage.nodes.size} nodes had no line`);
    outage.forget = after(BACK_MS, () => this.close(broker, outage));
  }

  end(): void {
    for (const { forget } of this.open.values()) forget?.();
    this.open.clear();
  }

  private close(broker: string, { nodes, away, forget }: Outage): void {
    forget?.();
    this.open.delete(broker);
    if (away.size === 0) this.ports.say("info", "broker-back", `${broker}: all ${nodes.size} nodes are back`);
    else
      this.ports.say(
        "warn",
        "broker-back",
        `${broker}: ${away.size} of ${nodes.size} nodes aren't back: ${listNames([...away])}`,
      );
  }
}

function listNames(names: readonly string[]): string {
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The line of one node, which may be at a broker. */
export class NodeLine {
  private readonly broker: string | undefined;

  /** @param outages default: each loss is its own. */
  constructor(
    private readonly node: { readonly name: string; readonly port: string },
    private readonly outages?: Outages,
  ) {
    this.broker = /^mqtts?:\/\/[^/]+/.exec(node.port)?.[0];
  }

  /** The line is lost. Returns whether a line about its broker says it. */
  broke({ message, cause }: Error): boolean {
    const { broker, node, outages } = this;
    if (broker === undefined || !outages) return false;
    const why = cause instanceof NodeAbsent ? undefined : message.replace(`${node.port}: `, "");
    return outages.lost(broker, node.name, why);
  }

  /** The line is open. Returns whether a line about its broker says it. */
  mended(): boolean {
    const { broker, node, outages } = this;
    return broker !== undefined && (outages?.back(broker, node.name) ?? false);
  }
}
