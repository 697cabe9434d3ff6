import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../host/free-port.ts";
import { total } from "../../host/statistics.ts";
import { FLEET_VERSION } from "../gateway/fleet-schema.ts";
import { type BenchBroker, startBenchBroker } from "./brokers.ts";
import { Labeller } from "./labeller.ts";
import { PartProcess, type Usage } from "./parts.ts";
import { distribution } from "./store.ts";
import { type StormCounts, storm } from "./storm.ts";
import { judge, type Verdict } from "./verdict.ts";

/** What is measured. */
export interface FleetSetup {
  readonly nodes: number;
  /** Seconds of the nodes' time to measure, once the gateway has met all nodes. */
  readonly seconds: number;
  /** The nodes' clocks run so many times as fast as this machine's. */
  readonly speed: number;
  /** "mosquitto" to start one; mqtt://HOST:PORT of a running broker; undefined: starts the gateway's own. */
  readonly broker?: string;
  /** Seconds between two samples of a node. */
  readonly period: number;
  /** A node's every n-th sample is labelled. */
  readonly labelEvery: number;
  /** How often gateway and broker are each killed, after that time. */
  readonly kills: number;
  /** NATS servers with which the gateway shares the fleet; default: none, it keeps the fleet alone. */
  readonly cluster?: readonly string[];
}

interface FleetBench extends FleetSetup {
  /** Processes that hold the nodes. */
  readonly processes: number;
  /** Called with the bench's progress. */
  readonly say: (text: string) => void;
  /** Hears the measured costs before the storm begins: what follows may take as long again. */
  readonly measured: (cost: FleetCost) => void;
}

/** CPU and memory of a part of the fleet. */
interface PartCost {
  readonly part: "gateway" | "broker" | "nodes";
  /** Microseconds of CPU for each second of each node. */
  readonly cpuUsPerNodeSecond: number;
  /** Share of a core during the measurement. */
  readonly cores: number;
  readonly rssBytes: number;
}

export interface FleetCost extends Pick<FleetSetup, "nodes" | "seconds" | "speed"> {
  readonly samples: number;
  readonly labels: Labeller["counts"];
  /** From sending a label until it is known to be applied, in milliseconds; undefined: none was. */
  readonly latencyMs: { readonly p50?: number; readonly p99?: number };
  readonly parts: readonly PartCost[];
  /** The kills after that, and samples of the whole run; undefined: no kills. */
  readonly storm?: StormCounts;
  /** The verdict at the end; none for a cluster. */
  readonly verdict?: Verdict & { readonly samples: number };
}

/** Delay of a label after its sample, by when the gateway has the sample. */
const LABEL_DELAY_MS = 1000;
/** Time after which a node that hasn't processed its labels never will. */
const STUCK_MS = 120_000;
const STORM_SEED = 1;
/** The signals at which it ends its processes first; and its exit code then, less the signal's number. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const EXIT_SIGNALLED = 128;

/**
 * Runs nodes, a broker and a gateway in separate processes, and labels samples over HTTP. Then it may kill
 * gateway and broker; at the end it compares each node with a simulated one.
 */
export async function benchmarkFleet(options: FleetBench): Promise<FleetCost> {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-fleet-"));
  const started: (() => Promise<void>)[] = [];
  const end = async () => {
    await Promise.all([PartProcess.killAll(), ...started.map((end) => end())]);
    rmSync(folder, { recursive: true, force: true });
  };
  // A broker outlives the bench that started it, unless the bench ends it.
  const stop = (signal: (typeof SIGNALS)[number]) =>
    end().finally(() => process.exit(EXIT_SIGNALLED + constants.signals[signal]));
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await new RunningFleet(options, folder, (end) => started.push(end)).measure();
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await end();
  }
}

/** The processes of one bench. */
class RunningFleet {
  private readonly names: readonly string[];
  private gateway: PartProcess | undefined;
  private holders: PartProcess[] = [];
  /** In total. */
  private samples = 0;
  private measuring = false;

  constructor(
    private readonly given: FleetBench,
    private readonly folder: string,
    private readonly started: (end: () => Promise<void>) => void,
  ) {
    this.names = Array.from({ length: given.nodes }, (_, i) => `node-${i + 1}`);
  }

  async measure(): Promise<FleetCost> {
    const { given, started } = this;
    const { kills, cluster, say } = given;
    const broker = await startBenchBroker(given.broker, started);
    const port = await freePort();
    const fleet = this.fleetFile(broker.address, port);
    const startGateway = async () => {
      this.gateway = await PartProcess.start({ part: "gateway", fleet });
    };
    await startGateway();
    const labeller = new Labeller(port, LABEL_DELAY_MS);
    started(async () => labeller.close());
    await labeller.listen();
    await this.startNodes(broker.address, labeller);
    await this.allConnected(port);
    const measured = await this.measureCosts(broker, labeller);
    given.measured(measured);
    if (cluster) return measured;
    labeller.unlisten();
    const restart = async () => {
      await this.gateway?.kill();
      await startGateway();
    };
    const targets = { broker, gateway: { restart }, names: this.names, say };
    const { findHolder } = this;
    const counts = kills > 0 ? await storm({ ...targets, findHolder }, kills, STORM_SEED) : undefined;
    const verdict = await this.judge(labeller);
    return { ...measured, ...(counts && { storm: counts }), verdict: { ...verdict, samples: this.samples } };
  }

  private async measureCosts(broker: BenchBroker, labeller: Labeller): Promise<FleetCost> {
    const { nodes, seconds, speed, say } = this.given;
    say(`${nodes} nodes are met; measuring for ${Math.round(seconds / speed)} s`);
    const usages = () =>
      Promise.all([this.gateway?.usage(), broker.usage?.(), ...this.holders.map((each) => each.usage())]);
    const before = await usages();
    const began = performance.now();
    this.measuring = true;
    const samplesBefore = this.samples;
    await pause((1000 * seconds) / speed);
    const after = await usages();
    const parts = this.costs(before, after, performance.now() - began);
    const { p50, p99 } = distribution(labeller.latencies);
    const samples = this.samples - samplesBefore;
    return {
      ...{ nodes, seconds, speed, samples, labels: { ...labeller.counts }, parts },
      latencyMs: { p50, p99 },
    };
  }

  /** Ends the gateway once each node has answered its labels, and compares the nodes with simulated ones. */
  private async judge(labeller: Labeller): Promise<Verdict> {
    const { folder, names, given, findHolder } = this;
    given.say("waiting until each node has answered its labels");
    await labeller.rest();
    const labelled = await this.awaitSettled(labeller);
    await this.gateway?.kill();
    const file = join(folder, "fleet.db");
    given.say("comparing each node with a simulated one");
    return judge({ file, names, findHolder, taken: labeller.taken, labelled });
  }

  private async startNodes(broker: string, labeller: Labeller): Promise<void> {
    const { names } = this;
    const { processes, period, speed, labelEvery } = this.given;
    this.holders = await Promise.all(
      Array.from({ length: processes }, (_, i) => {
        const own = names.filter((_, n) => n % processes === i);
        const about = { broker, names: own, periodMs: 1000 * period, speed, labelEvery };
        return PartProcess.start({ part: "nodes", ...about }, (count, samples) => {
          this.samples += count;
          if (this.measuring) labeller.take(samples);
        });
      }),
    );
  }

  private readonly findHolder = (name: string): PartProcess =>
    this.holders[this.names.indexOf(name) % this.holders.length];

  /**
   * Waits until each node has processed the labels that the gateway took for it, or nothing has changed for
   * long. Returns the counts.
   */
  private async awaitSettled(labeller: Labeller): Promise<Readonly<Record<string, number>>> {
    let best = 0;
    let at = performance.now();
    for (;;) {
      const each = await Promise.all(this.holders.map((holder) => holder.ask({ ask: "labelled" })));
      const labelled: Record<string, number> = Object.assign({}, ...each);
      const sum = total(this.names.map((name) => labelled[name]));
      const open = this.names.filter((name) => labelled[name] < (labeller.taken.get(name)?.size ?? 0));
      if (sum !== best) at = performance.now();
      best = sum;
      await pause(LABEL_DELAY_MS); // the last answers reach the gateway's disk
      if (open.length === 0 || performance.now() - at > STUCK_MS) return labelled;
    }
  }

  private costs(
    before: readonly (Usage | undefined)[],
    after: readonly (Usage | undefined)[],
    ms: number,
  ): PartCost[] {
    const { nodes, seconds } = this.given;
    const cost = (part: PartCost["part"], first: number, end: number): PartCost[] => {
      const used = after.slice(first, end).flatMap((usage, i) => {
        const earlier = before[first + i] as Usage;
        return usage ? [{ cpuMs: usage.cpuMs - earlier.cpuMs, rssBytes: usage.rssBytes }] : [];
      });
      if (used.length === 0) return [];
      const cpuMs = total(used.map((usage) => usage.cpuMs));
      const rssBytes = total(used.map((usage) => usage.rssBytes));
      const cpuUsPerNodeSecond = (1000 * cpuMs) / (nodes * seconds);
      return [{ part, cpuUsPerNodeSecond, cores: cpuMs / ms, rssBytes }];
    };
    return [...cost("gateway", 0, 1), ...cost("broker", 1, 2), ...cost("nodes", 2, after.length)];
  }

  private fleetFile(broker: string, port: number): string {
    const { cluster: servers } = this.given;
    const file = join(this.folder, "fleet.json");
    const nodes = this.names.map((name) => ({ name, port: `${broker}/${name}` }));
    const labelsPerMinute = 1_000_000;
    writeFileSync(
      file,
      JSON.stringify({
        ...{ schema: FLEET_VERSION, port, store: "fleet.db", labelsPerMinute, nodes },
        ...(servers && { cluster: { servers, name: `bench-${process.pid}` } }),
      }),
    );
    return file;
  }

  /** Resolves when the gateway has met all nodes. */
  private async allConnected(port: number): Promise<void> {
    while ((await connectedAt(port)) < this.names.length) await pause(500);
  }
}

async function connectedAt(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`);
  const { connected } = (await response.json()) as { readonly connected: number };
  return connected;
}
