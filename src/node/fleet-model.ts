import { InstalledModel, MODEL_FAULT } from "../learn/installed-model.ts";
import type { Primitives } from "../math/primitives.ts";
import { type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { IMAGE_STATUS } from "../store/paged-image.ts";
import { ModelStage } from "./model-stage.ts";

/** The share of a loss that remains one label later. */
const KEEP = 0.998;
/** The own learner's loss before its first label: how far the fleet is trusted then. */
const HANDICAP = 3;
/** What each label costs the model besides its errors: with many labels the own learner judges unless the model is better by a point. */
const COST = 0.01;
const OWN = 0;
const MODEL = 1;

/**
 * A model that the fleet trained, beside the node's own learner, which learns as it would without. The node's own labels decide which of both
 * judges: the one with the lower loss,
 *
 *     L_own <- .998 L_own + [own errs];   L_model <- .998 L_model + [model errs] + .01,   with L_own = 3 and L_model = 0 at the start
 *
 * both as they are before the learner learns the label. This is the vote of two members by their losses (see `BayesVote`), where the heavier
 * one always wins; so the decision keeps the winner's magnitude.
 */
export class FleetModel {
  private readonly f32: Primitives;
  private readonly losses: number;
  /** The model that judges, if one is installed. */
  readonly model: InstalledModel;
  /** Where the next model's bytes come. */
  readonly stage: ModelStage;

  /** @param capacity vectors of the largest model. */
  static regions(dimension: number, capacity: number): Region[] {
    const losses: Region = { name: "installed.losses", kind: "state", words: 2, holds: [POSITIVE] };
    return [...InstalledModel.regions(dimension, capacity), losses];
  }

  /** @param vector word of the features that are judged. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    dimension: number,
    capacity: number,
    private readonly vector: number,
  ) {
    this.f32 = range.f32;
    this.losses = layout.at("installed.losses", range);
    this.model = new InstalledModel(layout, range, dimension, capacity);
    this.stage = new ModelStage(this.model, range.f32);
  }

  /** Gives the losses their first values. */
  begin(): void {
    this.f32.words[this.losses + OWN] = HANDICAP;
  }

  /** Loss of the own learner, and of the model. */
  get ownLoss(): number {
    return this.f32.words[this.losses + OWN];
  }

  get modelLoss(): number {
    return this.f32.words[this.losses + MODEL];
  }

  /** True if the model judges, and not the own learner. */
  get judges(): boolean {
    return this.model.size >= 0 && this.modelLoss < this.ownLoss;
  }

  /** The decision on the features, where the own learner's is `own`; NaN where that one is. */
  decide(own: number): number {
    if (own - own !== 0 || !this.judges) return own;
    const score = this.model.score(this.vector);
    return score - score === 0 ? score : own;
  }

  /** Learns which of both is right on the features, whose label is y. `own`: the own learner's decision before it learned y. */
  learn(own: number, y: number): void {
    const { losses, model } = this;
    if (model.size < 0) return;
    const { words } = this.f32;
    const score = model.score(this.vector);
    words[losses + OWN] = KEEP * words[losses + OWN] + (own < 0 === y < 0 ? 0 : 1);
    // A score that isn't finite is wrong.
    words[losses + MODEL] =
      KEEP * words[losses + MODEL] + COST + (score < 0 === y < 0 && score - score === 0 ? 0 : 1);
  }

  /** True if bytes of that model are still to come; otherwise `install` takes or refuses it. */
  awaits(bytes: number, crc: number): boolean {
    this.stage.begin(bytes, crc);
    return this.stage.status === IMAGE_STATUS.coming;
  }

  /** Installs the model that `awaits` named last; false, with nothing changed, if it is none for this node. */
  install(): boolean {
    const { model, stage } = this;
    const isWhole = stage.status === IMAGE_STATUS.whole;
    stage.status = IMAGE_STATUS.none;
    return isWhole && model.install(stage.bytes, stage.crc) === MODEL_FAULT.none;
  }
}
