import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FLEET_VERSION } from "../../gateway/fleet-file.ts";
import { Labeller } from "./labeller.ts";
import { PartProcess, type Usage } from "./parts.ts";

/** What is measured. */
export interface FleetBench {
  readonly nodes: number;
  /** For how long, once all are met. */
  readonly seconds: number;
  /** mqtt://HOST:PORT of a broker that runs; undefined: one is started. */
  readonly broker?: string;
  /** Seconds between two samples of a node. */
  readonly period: number;
  /** NATS servers by which the gateway would share the fleet; default: it has it alone. */
  readonly cluster?: readonly string[];
  /** Processes that hold the nodes. */
  readonly processes: number;
}

/** What a part of the fleet used, of a core and of memory. */
export interface PartCost {
  readonly part: "gateway" | "broker" | "nodes";
  /** Microseconds of CPU for each second of each node. */
  readonly cpuUsPerNodeSecond: number;
  readonly rssBytes: number;
}

export interface FleetCost {
  readonly nodes: number;
  readonly seconds: number;
  readonly samples: number;
  readonly labels: Labeller["counts"];
  /** From given to known as applied, in milliseconds; undefined: none was. */
  readonly latencyMs: { readonly p50?: number; readonly p99?: number };
  readonly parts: readonly PartCost[];
}

/** A label comes so long after its sample: the gateway has the sample then. */
const LABEL_DELAY_MS = 1000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Runs a fleet of nodes at a broker with a gateway, each in processes of their own, each sample labelled over HTTP. */
export async function benchmarkFleet(given: FleetBench): Promise<FleetCost> {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-fleet-"));
  const started: PartProcess[] = [];
  const start = async (...what: Parameters<typeof PartProcess.start>) => {
    const part = await PartProcess.start(...what);
    started.push(part);
    return part;
  };
  try {
    return await measure(given, folder, start);
  } finally {
    await Promise.all(started.map((part) => part.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  { nodes, seconds, broker: address, cluster, period, processes }: FleetBench,
  folder: string,
  start: typeof PartProcess.start,
): Promise<FleetCost> {
  const broker = address === undefined ? await start({ part: "broker" }) : undefined;
  const at = address ?? `mqtt://127.0.0.1:${broker?.port}`;
  const names = Array.from({ length: nodes }, (_, i) => `node-${i + 1}`);
  const gateway = await start({ part: "gateway", fleet: fleetFile(folder, at, names, cluster) });
  const labeller = new Labeller(gateway.port, LABEL_DELAY_MS);
  await labeller.listen();
  let samples = 0;
  let measuring = false;
  const holders = await Promise.all(
    Array.from({ length: processes }, (_, i) => {
      const own = names.filter((_, n) => n % processes === i);
      const part = { part: "nodes", broker: at, names: own, periodMs: 1000 * period } as const;
      return start(part, (taken) => {
        if (!measuring) return;
        samples += taken.length;
        labeller.take(taken);
      });
    }),
  );
  await allConnected(gateway.port, nodes);
  const usages = () => Promise.all([gateway, broker, ...holders].map((part) => part?.usage()));
  const before = await usages();
  measuring = true;
  await pause(1000 * seconds);
  const after = await usages();
  labeller.close();
  const cost = (part: PartCost["part"], first: number, end: number): PartCost[] => {
    const used = after.slice(first, end).flatMap((usage, i) => {
      const earlier = before[first + i] as Usage;
      return usage ? [{ cpuMs: usage.cpuMs - earlier.cpuMs, rssBytes: usage.rssBytes }] : [];
    });
    if (used.length === 0) return [];
    const cpuMs = used.reduce((sum, usage) => sum + usage.cpuMs, 0);
    const rssBytes = used.reduce((sum, usage) => sum + usage.rssBytes, 0);
    return [{ part, cpuUsPerNodeSecond: (1000 * cpuMs) / (nodes * seconds), rssBytes }];
  };
  const parts = [...cost("gateway", 0, 1), ...cost("broker", 1, 2), ...cost("nodes", 2, after.length)];
  const { counts: labels, latencies } = labeller;
  return { nodes, seconds, samples, labels, latencyMs: percentiles(latencies), parts };
}

function fleetFile(
  folder: string,
  broker: string,
  names: readonly string[],
  servers: readonly string[] | undefined,
): string {
  const file = join(folder, "fleet.json");
  const nodes = names.map((name) => ({ name, port: `${broker}/${name}` }));
  const labelsPerMinute = 1_000_000;
  writeFileSync(
    file,
    JSON.stringify({
      ...{ schema: FLEET_VERSION, port: 0, store: "fleet.db", labelsPerMinute, nodes },
      ...(servers && { cluster: { servers, name: `bench-${process.pid}` } }),
    }),
  );
  return file;
}

/** Resolves when the gateway has met so many nodes. */
async function allConnected(port: number, nodes: number): Promise<void> {
  while ((await connectedAt(port)) < nodes) await pause(500);
}

function connectedAt(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path: "/healthz" }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(JSON.parse(Buffer.concat(chunks).toString()).connected);
    }).on("error", reject);
  });
}

function percentiles(values: readonly number[]): FleetCost["latencyMs"] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return { p50: at(0.5), p99: at(0.99) };
}
