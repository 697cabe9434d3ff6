import { type FeaturesOption, featureDimension, resolveFeatures } from "../../src/signal/features.ts";
import { FeatureMaker } from "../../tools/explanation/feature-maker.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { readFloats } from "../store/tables.ts";
import type { ExplainStore } from "./explain-thread.ts";

/** Samples that are replayed for one explanation: the gateway does nothing else meanwhile. */
export const SAMPLES_MAX = 50_000;

const SAMPLES = `
  SELECT sid, seq, x FROM (
    SELECT sid, seq, x, ran FROM sample WHERE node = ? AND ran <= ? ORDER BY ran DESC, seq DESC LIMIT ${SAMPLES_MAX})
  ORDER BY ran, seq`;

/** Vectors of samples, as the learner sees them; undefined: samples that it needs aren't stored. */
export type Vectors = (sid: number, seq: number, x: Float32Array) => Float32Array | undefined;

/** What the node may make of its readings: what the fleet file says, else the readings, as they are or standardised. */
export function candidateFeatures(
  { channels, dimension }: Hello,
  options: FeaturesOption | undefined,
): readonly FeaturesOption[] {
  if (!options && channels === dimension) return [{}, { standardise: true }];
  if (!options)
    throw new Error("the node makes features of its readings: give them as its features in the fleet file");
  const made = featureDimension(channels, options);
  if (made === dimension) return [options];
  throw new Error(
    `features: the fleet file makes ${made} inputs of ${channels} readings, and the node makes ${dimension}`,
  );
}

/** The vectors of samples that came until `ran`. */
export function computeVectors(
  store: ExplainStore,
  { name, channels }: { readonly name: string; readonly channels: number },
  option: FeaturesOption,
  ran: number,
): Vectors {
  const { window, standardise } = resolveFeatures(option);
  if (window === 0 && !standardise) return (_sid, _seq, x) => x;
  const sessions = new Map<number, SessionFeatures>();
  for (const { sid, seq, x } of store.read(SAMPLES, [name, ran], name)) {
    const session = sessions.get(Number(sid)) ?? new SessionFeatures(channels, option);
    sessions.set(Number(sid), session);
    session.take(Number(seq), readFloats(x));
  }
  return (sid, seq) => sessions.get(sid)?.vectors.get(seq);
}

/**
 * The features of one session's samples. A window is known once it is full of samples that follow each other. What was standardised is
 * known only from the node's first sample on.
 */
class SessionFeatures {
  readonly vectors = new Map<number, Float32Array>();
  private maker: FeatureMaker | undefined;
  private last = 0;
  /** Samples until features are known again. */
  private lacks = 0;

  constructor(
    private readonly channels: number,
    private readonly option: FeaturesOption,
  ) {}

  take(seq: number, x: Float32Array): void {
    if (!this.maker || seq !== this.last + 1) this.begin(seq);
    this.last = seq;
    const vector = this.maker?.next(x);
    if (!vector) return;
    if (this.lacks > 0) this.lacks--;
    else this.vectors.set(seq, vector);
  }

  private begin(seq: number): void {
    const { window, standardise, burst = 1 } = resolveFeatures(this.option);
    this.maker = new FeatureMaker(this.channels, this.option);
    if (seq === 1) this.lacks = 0;
    else this.lacks = standardise ? Number.POSITIVE_INFINITY : Math.ceil(window / burst) - 1;
  }
}
