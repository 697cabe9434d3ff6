import type { BadRowsReport, MissingTally, NamedColumns } from "../../host/streams/index.ts";

/**
 * The truth, sample by sample: -1 or +1 (+1: event, fault, class +1), class 0..K-1, or a regression's target.
 */
export interface TruthSource {
  /** From the first sample on. */
  open(): () => number;
}

/** A stream's samples, one after the other. */
export interface SampleReader {
  /** The truth about the sample that `next` reached, even if the node never gets it. */
  readonly truth: number;
  /**
   * Moves to the next sample and fills in its readings. Returns false where the sample is missing; its time
   * passes anyway.
   */
  next(readings: Float32Array): boolean;
}

/** One node's stream, sample by sample. Only a stream from a file is held whole. */
export interface NodeStream {
  readonly node: string;
  readonly channels: number;
  /** Samples, those that never reach the node among them. */
  readonly count: number;
  /** Missing readings of the node's rows, where `stream.missing` takes such rows. */
  readonly missing?: MissingTally;
  /** How many samples have no label, whose truth is NaN, if any. */
  readonly unlabelled?: number;
  /** What the columns of its file are, where that is CSV. */
  readonly columns?: NamedColumns;
  /** The rows of its file that were skipped, where the file's description has bad ones skipped. */
  readonly badRows?: BadRowsReport;
  /** From the first sample on. */
  open(): SampleReader;
}

/** A stream that is held: count x channels readings, sample by sample, and a truth each. */
export interface HeldStream
  extends Pick<NodeStream, "node" | "channels" | "count" | "missing" | "unlabelled" | "columns" | "badRows"> {
  readonly readings: Float32Array;
  readonly truth: Float64Array;
  /** 1 where there is no sample. Default: nowhere. */
  readonly gaps?: Uint8Array;
}

class HoldingReader implements SampleReader {
  truth = Number.NaN;
  private at = 0;

  constructor(private readonly held: HeldStream) {}

  next(x: Float32Array): boolean {
    const { readings, truth, gaps, channels } = this.held;
    const k = this.at++;
    this.truth = truth[k];
    for (let c = 0; c < channels; c++) x[c] = readings[k * channels + c];
    return gaps?.[k] !== 1;
  }
}

/** Reads a held stream sample by sample. */
export function replayStream(held: HeldStream): NodeStream {
  const { node, channels, count, missing, unlabelled, columns, badRows } = held;
  const tallies = {
    ...(missing && { missing }),
    ...(unlabelled && { unlabelled }),
    ...(columns && { columns }),
    ...(badRows && { badRows }),
  };
  return { node, channels, count, ...tallies, open: () => new HoldingReader(held) };
}

/** Reads a whole stream into memory; a lost sample has the readings that it would have had. */
export function holdStream(stream: NodeStream): HeldStream {
  const { node, channels, count, missing } = stream;
  const [readings, truth] = [new Float32Array(count * channels), new Float64Array(count)];
  const gaps = new Uint8Array(count);
  const reader = stream.open();
  const x = new Float32Array(channels);
  for (let k = 0; k < count; k++) {
    gaps[k] = reader.next(x) ? 0 : 1;
    readings.set(x, k * channels);
    truth[k] = reader.truth;
  }
  return { node, channels, count, readings, truth, gaps, ...(missing && { missing }) };
}
