import type { Random } from "../../host/random.ts";
import { FAULT_KINDS, Fault, type FaultKind } from "./fault.ts";
import { numberOption, type OptionSpec, optionFault, withDefaults } from "./options.ts";
import { MAGNITUDE_OPTION } from "./random-fault.ts";
import type { SignalStage, StageContext } from "./stage.ts";

export interface FaultInjectorOptions {
  kinds: readonly FaultKind[];
  episodes: number;
  length: number;
  magnitude: number;
}

export const FAULT_INJECTOR_OPTIONS: readonly OptionSpec[] = [
  {
    name: "kinds",
    type: "choices",
    values: FAULT_KINDS,
    default: FAULT_KINDS,
    doc: "kinds of fault, taken in turn",
  },
  {
    name: "episodes",
    type: "integer",
    min: 0,
    max: 100000,
    default: 12,
    doc: "faults over the whole stream",
  },
  numberOption(
    "length",
    [1, 1e6],
    40,
    "mean length in samples (1 + exponential, cut at half of a fault's share of the stream)",
  ),
  MAGNITUDE_OPTION,
];

/** A fault that is planned: samples start .. start + length - 1. */
export interface FaultEpisode {
  kind: FaultKind;
  start: number;
  length: number;
}

/**
 * Injects faults of known truth. The stream is cut into as many equal shares as there are episodes; each
 * holds one, at a random place in it, with at least a sample of health before and after. So episodes never
 * touch.
 */
export class FaultInjector implements SignalStage {
  /** In order of time. */
  readonly episodes: readonly FaultEpisode[];
  private readonly fault: Fault;
  private next = 0;
  private begun = -1;

  /**
   * @param options throws an OptionError for an unknown or wrong one, and for more episodes than the stream has room for (four samples
   * each).
   * @param count samples of the stream.
   */
  constructor(options: Partial<FaultInjectorOptions>, context: StageContext, count: number) {
    const filled = withDefaults<FaultInjectorOptions>("faults", FAULT_INJECTOR_OPTIONS, options);
    this.episodes = plan(filled, context.random, count);
    this.fault = new Fault(filled.magnitude, context);
  }

  /** +1 while a fault is active, else -1. */
  truthAt(index: number): 1 | -1 {
    let low = 0;
    let high = this.episodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.episodes[middle].start <= index) low = middle + 1;
      else high = middle;
    }
    const last = this.episodes[low - 1];
    return last !== undefined && index < episodeEnd(last) ? 1 : -1;
  }

  apply(x: Float32Array, index: number): boolean {
    while (this.next < this.episodes.length && index >= episodeEnd(this.episodes[this.next])) this.next++;
    if (this.truthAt(index) < 0) {
      this.fault.pass(x);
      return true;
    }
    if (this.begun !== this.next) this.fault.begin(this.episodes[this.next].kind);
    this.begun = this.next;
    this.fault.corrupt(x);
    return true;
  }
}

function episodeEnd({ start, length }: FaultEpisode): number {
  return start + length;
}

function plan(options: FaultInjectorOptions, random: Random, count: number): FaultEpisode[] {
  const { kinds, episodes, length } = options;
  if (episodes === 0) return [];
  const share = Math.floor(count / episodes);
  if (share < 4) {
    const takes = `at most ${Math.floor(count / 4)} in ${count} samples`;
    throw optionFault("faults", "episodes", episodes, takes);
  }
  return Array.from({ length: episodes }, (_, i) => {
    const drawn = 1 + Math.floor(random.exponential(length - 1) + 0.5);
    const lasts = Math.min(drawn, share >> 1);
    const start = i * share + 1 + random.below(share - lasts - 1);
    return { kind: kinds[i % kinds.length], start, length: lasts };
  });
}
