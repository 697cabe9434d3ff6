/** Where and when a sample was taken, in the names of ECMA-419. */
export interface SampleProvenance {
  /** Milliseconds since 1970-01-01 UTC. */
  time?: number;
  /** Milliseconds of the node's own clock. */
  ticks?: number;
  /** What the sensor said was wrong, as it was recorded; null for nothing. */
  faults?: unknown;
  /** The node that took it. */
  node?: string;
}

/** The provenance of all rows, in row order. A column that no row has is absent. */
export interface Provenance {
  /** NaN where a row has none. */
  time?: Float64Array;
  /** NaN where a row has none. */
  ticks?: Float64Array;
  /** null where a row has none. */
  faults?: unknown[];
  /** "" where a row has none. */
  node?: string[];
}

/** Collects `Provenance` row by row. */
export class ProvenanceColumns {
  private readonly rows = new Map<number, SampleProvenance>();

  add(row: number, sample: SampleProvenance): void {
    this.rows.set(row, sample);
  }

  finish(count: number): Provenance | undefined {
    const has = { time: false, ticks: false, faults: false, node: false };
    for (const sample of this.rows.values()) {
      has.time ||= sample.time !== undefined;
      has.ticks ||= sample.ticks !== undefined;
      has.faults ||= sample.faults !== undefined;
      has.node ||= sample.node !== undefined;
    }
    if (!has.time && !has.ticks && !has.faults && !has.node) return undefined;
    const column = <T>(value: (sample: SampleProvenance) => T): T[] =>
      Array.from({ length: count }, (_, row) => value(this.rows.get(row) ?? {}));
    return {
      ...(has.time && { time: Float64Array.from(column((sample) => sample.time ?? NaN)) }),
      ...(has.ticks && { ticks: Float64Array.from(column((sample) => sample.ticks ?? NaN)) }),
      ...(has.faults && { faults: column((sample) => sample.faults ?? null) }),
      ...(has.node && { node: column((sample) => sample.node ?? "") }),
    };
  }
}
