import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";

/** The provenance of a sample that a file may have, by column and key names. */
export const PROVENANCE_NAMES = ["time", "ticks", "faults", "node", "source", "confidence"] as const;

/** The form of a source or a confidence. */
export const BYTE_NEEDED = "a whole number 0..255 is needed";

export function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

/** Where and when a sample was taken, in ECMA-419's names; and its labeller. */
export interface SampleProvenance {
  /** Milliseconds since 1970-01-01 UTC. */
  time?: number;
  /** Milliseconds of the node's own clock. */
  ticks?: number;
  /** The sensor's recorded faults; null for none. */
  faults?: unknown;
  /** The node that took it. */
  node?: string;
  /** The label's source and confidence, see `Label`: whole numbers 0..255. */
  source?: number;
  confidence?: number;
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
  /** 0, and 255, where a row says nothing else. */
  source?: Uint8Array;
  confidence?: Uint8Array;
}

/** Collects `Provenance` row by row. */
export class ProvenanceColumns {
  private readonly rows = new Map<number, SampleProvenance>();

  /** Adds a row's provenance. */
  add(row: number, sample: SampleProvenance): void {
    this.rows.set(row, { ...this.rows.get(row), ...sample });
  }

  finish(count: number): Provenance | undefined {
    const samples = [...this.rows.values()];
    const has = (name: keyof SampleProvenance) => samples.some((sample) => sample[name] !== undefined);
    if (!PROVENANCE_NAMES.some(has)) return undefined;
    const column = <T>(value: (sample: SampleProvenance) => T): T[] =>
      Array.from({ length: count }, (_, row) => value(this.rows.get(row) ?? {}));
    return {
      ...(has("time") && { time: Float64Array.from(column((sample) => sample.time ?? NaN)) }),
      ...(has("ticks") && { ticks: Float64Array.from(column((sample) => sample.ticks ?? NaN)) }),
      ...(has("faults") && { faults: column((sample) => sample.faults ?? null) }),
      ...(has("node") && { node: column((sample) => sample.node ?? "") }),
      ...(has("source") && { source: Uint8Array.from(column(({ source }) => source ?? SOURCE_UNTOLD)) }),
      ...(has("confidence") && {
        confidence: Uint8Array.from(column(({ confidence }) => confidence ?? CERTAIN)),
      }),
    };
  }
}
