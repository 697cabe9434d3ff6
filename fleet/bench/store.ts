import fs, { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuTime } from "../../host/cpu-time.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { FleetStore } from "../store/fleet-store.ts";

/** Of each node; an hour of a sample a second, five times as fast as real. */
const SAMPLES_PER_SECOND = 5;
/** Of the fleet. */
const LABELS_PER_SECOND = 500;
/** Labels that wait for the same commit. */
const GROUP = 128;
const GROUP_MS = (1000 * GROUP) / LABELS_PER_SECOND;
/** Labels of a node between two of its checkpoints. */
const CHECKPOINT_EVERY = 16;
const SESSION = 7;
const READINGS = Float32Array.of(0.5, -1.25, 3);
const PAGE_BYTES = 4096;
const START_MS = 1.7e12;

interface Distribution {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What a gateway's store costs, with the samples of a fleet and groups of labels in virtual time. */
interface StoreCost {
  /** How long a node's samples wait at most until they are moved to their tables; 0: each commit moves all. */
  readonly sweepSeconds: number;
  readonly samples: number;
  readonly labels: number;
  readonly commits: number;
  /** Pages that each commit writes: those into the file, when the log is full, too. */
  readonly pages: Distribution;
  readonly commitMs: Distribution;
  readonly bytesWritten: number;
  /** CPU of all that the store does, for each sample. */
  readonly cpuUsPerSample: number;
}

/** Counts what SQLite writes. It calls this function of Node for each page. */
class Written {
  pages = 0;
  bytes = 0;
  private readonly write = fs.writeSync;

  constructor() {
    const { write } = this;
    fs.writeSync = ((...options: Parameters<typeof write>) => {
      const bytes = write(...options);
      this.bytes += bytes;
      if (bytes === PAGE_BYTES) this.pages++;
      return bytes;
    }) as typeof write;
  }

  end(): void {
    fs.writeSync = this.write;
  }
}

/** A node's last sample, and its labels. */
interface BenchedNode {
  readonly name: string;
  seq: number;
  answered: number;
}

/** A sample that is labelled. */
interface LabelPlace {
  readonly node: BenchedNode;
  readonly seq: number;
}

/** A store, and what a gateway's nodes and labellers have it do. */
class Load {
  samples = 0;
  labels = 0;
  private now = START_MS;
  private readonly store: FleetStore;
  private readonly nodes: readonly BenchedNode[];
  private waiting: readonly LabelPlace[] = [];

  constructor(file: string, nodes: number, sweepMs: number) {
    const wall = () => this.now;
    const elapsedMs = () => this.now - START_MS;
    this.store = new FleetStore(file, wall, elapsedMs, sweepMs);
    this.nodes = Array.from({ length: nodes }, (_, i) => ({ name: `node-${i + 1}`, seq: 0, answered: 0 }));
  }

  get seconds(): number {
    return (this.now - START_MS) / 1000;
  }

  /** Samples come, and the answers to the last group; then the next group of labels. */
  take(): void {
    const { nodes, now } = this;
    const count = Math.round((nodes.length * SAMPLES_PER_SECOND * GROUP_MS) / 1000);
    const labelled: LabelPlace[] = [];
    for (let i = 0; i < count; i++) {
      this.now = now + Math.floor((i * GROUP_MS) / count);
      const node = nodes[this.samples++ % nodes.length];
      this.sample(node);
      if (Math.floor(((i + 1) * GROUP) / count) > Math.floor((i * GROUP) / count))
        labelled.push({ node, seq: node.seq });
    }
    this.now = now + GROUP_MS;
    for (const { node } of this.waiting) this.answer(node);
    for (const each of labelled) this.label(each);
    this.waiting = labelled;
  }

  commit(): void {
    this.store.commit();
  }

  /** Sends the labels that are on the disk now. */
  teach(): void {
    for (const { node } of this.waiting) this.store.labels.waiting(node.name);
  }

  close(): void {
    this.store.close();
  }

  private sample(node: BenchedNode): void {
    this.store.sample(node.name, SESSION, ++node.seq, READINGS);
    this.store.prediction(node.name, SESSION, node.seq, 0.25, 0);
  }

  private label({ node: { name }, seq }: LabelPlace): void {
    const { store } = this;
    const by = "bench";
    if (!store.knows(name, SESSION, seq) || store.labels.of(name, SESSION, seq)) return;
    store.labels.add(name, { sid: SESSION, seq, y: 1, source: 0, confidence: 255, by });
    store.labels.number(name, 0);
    store.audit(by, "127.0.0.1", "label", name, `session ${SESSION}, sample ${seq}: 1`);
    this.labels++;
  }

  private answer(node: BenchedNode): void {
    const number = ++node.answered;
    this.store.labels.storeAnswer(node.name, number, LABEL_STATUS.applied);
    if (number % CHECKPOINT_EVERY === 0) this.store.labels.durable(node.name, number);
  }
}

/** Percentiles of the values; of none each is undefined. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Measures a new store for so many seconds of virtual time. */
export function benchmarkStore(nodes: number, seconds: number, sweepMs: number): StoreCost {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-store-"));
  const written = new Written();
  try {
    const load = new Load(join(folder, "fleet.db"), nodes, sweepMs);
    const pages: number[] = [];
    const commitMs: number[] = [];
    const begin = cpuTime();
    while (load.seconds < seconds) {
      load.take();
      const [before, at] = [written.pages, performance.now()];
      load.commit();
      commitMs.push(performance.now() - at);
      pages.push(written.pages - before);
      load.teach();
    }
    const cpuUs = cpuTime() - begin;
    const { samples, labels } = load;
    const bytesWritten = written.bytes;
    load.close();
    return {
      ...{ sweepSeconds: sweepMs / 1000, samples, labels, commits: pages.length, bytesWritten },
      ...{ pages: distribution(pages), commitMs: distribution(commitMs) },
      cpuUsPerSample: cpuUs / samples,
    };
  } finally {
    written.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
