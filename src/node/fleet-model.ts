import { InstalledModel, MODEL_FAULT } from "../learn/installed-model.ts";
import type { Primitives } from "../math/primitives.ts";
import { type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { IMAGE_STATUS } from "../store/paged-image.ts";
import { ModelStage } from "./model-stage.ts";

/** The share of a loss that remains one label later. */
const KEEP = 0.998;
/** Losses by which the model may lag behind the own learner, while its errors are at most half of the labels and GRACE. */
const TRUST = 3;
const GRACE = 0.6;
/** The cost of each label for the model besides its errors: with many labels the own learner judges unless the model is better by a point. */
const COST = 0.01;
const OWN = 0;
const MODEL = 1;
const LABELS = 2;

/**
 * A model that the fleet trained, beside the node's own learner, which learns as it would without. The node's own labels decide which of both
 * judges. Of L_own and L_model, the discounted errors of each, and W, the discounted number of labels that both were judged by,
 *
 *     L_own <- .998 L_own + [own errs];   L_model <- .998 L_model + [model errs];   W <- .998 W + 1
 *     the model judges while   L_model + .01 W < L_own + h (1 - .002 W),   h = 3 if L_model <= W / 2 + .6, else 0
 *
 * Both are judged before the learner learns the label. This is a vote of two members by their losses (see `BayesVote`), where the heavier one
 * always wins; so the decision keeps the winner's magnitude. h makes the fleet judge a node that has few labels. It is 0 once most of these
 * contradict the model, as on a node that isn't like the others.
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
    const losses: Region = { name: "installed.losses", kind: "state", words: 3, holds: [POSITIVE] };
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

  /** Discounted errors of the own learner, and of the model. */
  get ownLoss(): number {
    return this.f32.words[this.losses + OWN];
  }

  /** Discounted errors of the model, on the same labels. */
  get modelLoss(): number {
    return this.f32.words[this.losses + MODEL];
  }

  /** Discounted number of these labels. */
  get judged(): number {
    return this.f32.words[this.losses + LABELS];
  }

  /** The score against the own learner: L_own + h. */
  get againstOwn(): number {
    const { judged, modelLoss, ownLoss } = this;
    const trust = modelLoss <= judged / 2 + GRACE ? TRUST * (1 - (1 - KEEP) * judged) : 0;
    return ownLoss + trust;
  }

  /** The score against the model: L_model + .01 W. */
  get againstModel(): number {
    return this.modelLoss + COST * this.judged;
  }

  /** True if the model judges, and not the own learner. */
  get judges(): boolean {
    return this.model.size >= 0 && this.againstModel < this.againstOwn;
  }

  /** The decision on the features, where the own learner's is `own`; NaN where that one is. */
  decide(own: number): number {
    return own - own === 0 && this.judges ? this.chosen(own, this.model.score(this.vector)) : own;
  }

  private chosen(own: number, score: number): number {
    return score - score === 0 ? score : own;
  }

  /**
   * Learns from label y of the features which of both is right. `own`: the own learner's decision before it learned y. Returns the node's
   * decision before that.
   */
  learn(own: number, y: number): number {
    const { losses, model } = this;
    if (model.size < 0) return own;
    const { words } = this.f32;
    const score = model.score(this.vector);
    const decision = this.judges ? this.chosen(own, score) : own;
    const ownErrs = own < 0 !== y < 0;
    const modelErrs = score - score !== 0 || score < 0 !== y < 0;
    words[losses + OWN] = KEEP * words[losses + OWN] + (ownErrs ? 1 : 0);
    words[losses + MODEL] = KEEP * words[losses + MODEL] + (modelErrs ? 1 : 0);
    words[losses + LABELS] = KEEP * words[losses + LABELS] + 1;
    return decision;
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
