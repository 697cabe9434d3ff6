import type { NodeReplay } from "../../host-sim/network/journal.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import type { Supply, SupplyEnd } from "./supply.ts";

/** Samples that lie in memory. */
export interface StoredSamples {
  readonly channels: number;
  /** count x channels, sample by sample. */
  readonly readings: Float32Array;
  /** By sample, from 1 at place 0: the label that the node must process before the sample is fed. */
  readonly after: ArrayLike<number>;
}

/** Sample `seq` of them. */
export function storedSample(
  { channels, readings, after }: StoredSamples,
  seq: number,
): FedSample | undefined {
  if (seq > readings.length / channels) return undefined;
  return { x: readings.subarray((seq - 1) * channels, seq * channels), after: after[seq - 1] };
}

/** Labels and samples in memory, available again at any time. */
export class MemorySupply implements Supply {
  readonly ready = true;
  readonly lost = 0;
  readonly channels: number;

  constructor(
    readonly node: string,
    private readonly labels: readonly DueLabel[],
    private readonly samples: StoredSamples,
    readonly end: SupplyEnd,
    readonly options?: NodeReplay["options"],
    readonly mapping?: string,
  ) {
    this.channels = samples.channels;
  }

  label(number: number): DueLabel | undefined {
    return this.labels[number - 1];
  }

  sample(seq: number): FedSample | undefined {
    return storedSample(this.samples, seq);
  }

  goOn(): void {}

  passed(): void {}

  durable(): void {}

  async close(): Promise<void> {}
}

/** What a simulated node received. */
export function replaySupply({ node, options, samples, after, labels, ...hashes }: NodeReplay): MemorySupply {
  const { channels } = options;
  const end = { labels: labels.length, samples: after.length, ...hashes };
  return new MemorySupply(node, labels, { channels, readings: samples, after }, end, options);
}
