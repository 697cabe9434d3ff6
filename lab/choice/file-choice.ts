import { UserError } from "../../host/errors.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import type { Scale } from "../evaluation/scaling.ts";
import { type Candidate, type CandidateRules, candidatesFor, withShortVectors } from "./candidates.ts";
import type { Candidates, FeatureChoice } from "./feature-search.ts";
import { featureSets, SPECTRUM_NEEDED, withLines } from "./feature-sets.ts";
import { standardises } from "./on-board.ts";
import { type KnownRanges, knownRanges } from "./ranges.ts";
import type { Readings } from "./readings.ts";
import { measureUnits } from "./units.ts";

/** What is wanted, whatever the features. */
interface FileWanted extends Omit<CandidateRules, "train" | "units" | "known" | "features" | "channels"> {
  readonly readings: Readings;
  readonly scale: Scale;
  /** The first pass's. */
  readonly order: Uint32Array;
  /** True if features are searched: the samples follow each other in time. */
  readonly searchesFeatures: boolean;
}

/** The candidates of a file, with features of its readings. */
export class FileChoice implements FeatureChoice {
  readonly sets: readonly FeaturesOption[];
  private readonly known = new Map<string, CandidateRules>();

  /** @throws UserError for bursts that are too short, or of too many sensors, for a spectrum. */
  constructor(private readonly of: FileWanted) {
    const { each, sensors } = of.readings;
    this.sets = featureSets(of.readings, of.searchesFeatures);
    if (this.sets.length > 0) return;
    const right = `${SPECTRUM_NEEDED}: a longer --period, or samples in the order of the file`;
    throw new UserError(`samples of ${each} readings of ${sensors} sensors make no spectrum; ${right}`);
  }

  candidatesWith(features: FeaturesOption): Candidates {
    return candidatesFor(this.wantedWith(features));
  }

  /** The spectrum's lines in which the classes differ most, beside its bands. */
  refine(features: FeaturesOption): FeaturesOption[] {
    const { readings, order, task, searchesFeatures } = this.of;
    if (!features.bands || task !== "classification" || !searchesFeatures) return [];
    return [withLines(readings, features, order)];
  }

  /** The candidate with vectors of 16 bits, see `withShortVectors`. */
  withShortVectors({ node, ...candidate }: Candidate): Candidate | undefined {
    return withShortVectors({ node, ...candidate }, this.wantedWith(node.features ?? {}));
  }

  knownRanges({ node }: Candidate): KnownRanges {
    return this.wantedWith(node.features ?? {}).known;
  }

  private wantedWith({ standardise: _, ...features }: FeaturesOption): CandidateRules {
    const key = JSON.stringify(features);
    const wanted = this.known.get(key) ?? this.madeWanted(features);
    this.known.set(key, wanted);
    return wanted;
  }

  private madeWanted(features: FeaturesOption): CandidateRules {
    const { readings, scale, order, ...wanted } = this.of;
    const train = readings.makeFeatures(features, order);
    return {
      ...wanted,
      train,
      units: measureUnits(train, wanted.task),
      known: knownRanges(train, scale, wanted.options),
      features: { ...features, standardise: standardises(scale) },
      channels: readings.channels(features),
    };
  }
}
