import { areRowsSound, placeRows, rowRegions, type StorageOptions, vectorForm } from "../dictionary/grid.ts";
import { boundArguments } from "../math/bound.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, Layout, type MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { ownMethod } from "../memory/own-method.ts";
import { aggressiveness, ERRORS, errorRegions } from "./aggressiveness.ts";
import { classes, isLabel, problems } from "./classes.ts";
import type { Family } from "./family.ts";
import { type CorrectedTarget, makeCorrection, refuseRates, sources } from "./label-noise.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import type { ILolOptions, LolOptions } from "./learner-options.ts";
import { budget, choice, dimension, type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { stored } from "./storage.ts";
import { type DecisionTerms, linearTerms, type Term } from "./terms.ts";

const PAPER =
  "Zhou, Zheng, Hu, Xu, You: One-pass online learning: a local approach. Pattern Recognition, 2016";

const shared = frozen({
  dimension,
  budget,
  ...stored,
  prototypes: whole(
    { default: 0, min: 0, max: 4096 },
    "k, prototypes, at most the budget; 0: as many as the budget",
  ),
  C: aggressiveness("C, weight of the loss and largest step", "d"),
  count: choice(
    ["macqueen", "literal"],
    "macqueen",
    "n_i counts a sample before it moves the prototype (which so is its samples' mean), or after, as Algorithm 1 prints",
  ),
  classes,
  sources,
});

const LOL_OPTIONS = frozen({
  ...shared,
  lambda: real(
    { default: 1, above: 0 },
    "lambda, weight of |w|^2: how far prototypes have weights of their own",
  ),
});
const I_LOL_OPTIONS = frozen({ ...shared });

/** The options, checked, with `prototypes` resolved to k. Throws an OptionError. */
function resolveLol<T extends typeof shared>(name: string, table: T, options: object): ResolvedOptions<T> {
  const resolved = resolveOptions(name, table, options);
  const { prototypes, budget, classes, sources } = resolved as ResolvedOptions<typeof shared>;
  if (classes > 2) refuseRates(name, sources);
  if (prototypes > budget) {
    throw new OptionError(name, "prototypes", prototypes, `a number <= budget, which is ${budget}`);
  }
  return { ...resolved, prototypes: prototypes || budget };
}

/** Their region, where they are of float32. */
const PROTOTYPES = "prototypes";

/** The largest corrected step. */
const CORRECTED_MOST = 1;

/** In this order: a local model, and the scratch behind the input, as the primitives know them. */
function lolLayout(resolved: ResolvedOptions<typeof shared>): Layout {
  const { dimension, prototypes, classes } = resolved;
  const across = problems(classes) * dimension;
  return new Layout([
    ...rowRegions(prototypes, resolved, PROTOTYPES),
    { name: "n", kind: "state", words: prototypes, holds: [ANY] },
    { name: "size", kind: "state", words: 1, holds: [prototypes] },
    { name: "w", kind: "state", words: across },
    { name: "u", kind: "state", words: ceil4(prototypes) * across },
    ...(resolved.sources.length ? [] : errorRegions(resolved.C)),
    ...commonRegions(dimension),
    { name: "scores", kind: "scratch", words: problems(classes) },
    { name: "distances", kind: "scratch", words: ceil4(prototypes) },
    { name: "nearest", kind: "scratch", words: 1 },
    { name: "nextW", kind: "scratch", words: across },
    { name: "nextU", kind: "scratch", words: across },
  ]);
}

/**
 * The base of LOL and I-LOL: prototypes, and for each binary problem a w for all inputs and a u_i for those whose
 * nearest prototype is i. w holds the problems' vectors one after the other, and so does each row i of u.
 */
abstract class LocalLearner extends Learner {
  /** Words of the local model, as the primitives know it, and of its size. */
  private readonly local: number;
  /** The form of prototypes for the primitives. */
  private readonly form: number;
  private readonly stored = this.layout.at("size", this.range);
  private readonly storage: StorageOptions;
  private readonly problems: number;
  private readonly most: number;
  private readonly C: number;
  /** Word of `ERRORS`; 0 where the user sets C, or labels are corrected. */
  private readonly errorsAt: number = 0;
  /** How much n_i grows by a sample before the sample moves the prototype: 1 or 0. */
  private readonly before: number;
  /** Correction for wrong labels; undefined without the option `sources`. */
  private readonly correction: CorrectedTarget | undefined;

  /** @param share 1/lambda: the part of a step that w takes, where u_i takes all of it. */
  constructor(
    resolved: ResolvedOptions<typeof shared>,
    private readonly share: number,
    memory?: MemoryRange,
  ) {
    const layout = lolLayout(resolved);
    const task = resolved.classes > 2 ? "multiclass" : "classification";
    super(task, resolved.dimension, layout, memory ?? layout.ownRange());
    this.local = placeRows(layout, this.range, resolved, PROTOTYPES);
    this.form = vectorForm(resolved);
    const { dimension, storage, ranges } = resolved;
    this.storage = { dimension, storage, ranges };
    this.problems = problems(resolved.classes);
    this.most = resolved.prototypes;
    this.C = resolved.C;
    this.before = resolved.count === "macqueen" ? 1 : 0;
    this.correction = makeCorrection(resolved.sources);
    if (resolved.C === 0 && !this.correction) this.errorsAt = layout.at(ERRORS.name, this.range);
    this.bind();
  }

  /** Where the engine binds calls, one predicts, and one learns. */
  private bind(): void {
    const { f32, input: x, local: set, most: capacity, form: d, problems: flags } = this;
    const { predict, update } = LocalLearner.prototype;
    if (!f32.bindLocal || this.predict !== predict || this.update !== update) return;
    const { share: a, C: b, before: word, errorsAt: errors } = this;
    const counts = this.counterAt(COUNT.overflowed);
    const options = boundArguments(f32, { x, set, capacity, d, flags, a, b, word, counts, errors });
    ownMethod(this, "predict", f32.bindLocal(options));
    if (!this.correction) ownMethod(this, "learn", f32.bindLocalStep?.(options) as Learner["learn"]);
  }

  get size(): number {
    return this.f32.bits[this.stored];
  }

  get capacity(): number {
    return this.most;
  }

  override isSound(): boolean {
    return areRowsSound(this.f32, this.local, this.most, this.storage);
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.problems);
  }

  predict(x: ArrayLike<number>): number {
    return this.f32.localDecision(this.input, x, this.local, this.most, this.form, this.problems);
  }

  /**
   * It computes in scratch. Of the steps that can fail, the prototype's move is last; then it stores the
   * weights.
   */
  protected update(y: number, decision: number): void {
    const { correction } = this;
    if (!correction) this.step(y, this.largest(y, decision));
    else if (correction.take(y, this.source, this.confidence))
      this.stepCorrected(correction.coefficient(decision, this.f32));
    else this.increment(COUNT.passed);
  }

  /** C of this sample. */
  private largest(y: number, decision: number): number {
    const { f32, errorsAt, problems } = this;
    return errorsAt ? f32.aggressiveness(errorsAt, y, decision, problems) / this.dimension : this.C;
  }

  /**
   * The corrected step: f(x) moves by a, as a hinge step with the loss |a| would move it.
   */
  private stepCorrected(a: number): void {
    const y = a < 0 ? -1 : 1;
    this.f32.words[this.input + this.dimension] = y - a;
    this.step(y, CORRECTED_MOST);
  }

  private step(y: number, most: number): void {
    const done = this.f32.localStep(
      this.input,
      this.local,
      this.most,
      this.form,
      this.problems,
      y,
      this.share,
      most,
      this.before,
    );
    if (done === 0) this.increment(COUNT.overflowed);
    else if (done === 2) this.increment(COUNT.inserted);
  }
}

/**
 * Prototypes cut the input space into cells; each cell has a hyperplane of its own, and all share one.
 *
 *     e = min(C, l / ((1 + 1/lambda) |x|^2))   (19)
 *     w <- w + (e / lambda) y x;   u_i <- u_i + e y x   (14), (15), (18);   p_i <- p_i + (x - p_i) / n_i   (20)
 *
 * When to use it: The boundary is curved and bytes are scarce: it takes fewer than kernel learners. Several
 * classes share the prototypes.
 *
 * All inputs share w; those nearest to prototype i have u_i. At each sample of prototype i they are the minimum of lambda/2 |w - w_t|^2 + 1/2 sum_i
 * |u_i - u_i,t|^2 + C xi under y f(x) >= 1 - xi, xi >= 0 (13), f(x) = (w + u_i).x:
 *
 *     i = argmin_i |x - p_i|   (the lowest on ties, before p_i moves);   l = max(0, 1 - y f(x))
 *     n_i <- n_i + 1 before p_i moves   (20), count "macqueen"
 *
 * The first k samples are the prototypes; until there are k, predict gives w.x. k is the budget, or option `prototypes` if that is fewer.
 * Prototypes don't depend on labels. So several classes (one binary problem each, the largest f wins, the lowest class on ties) share
 * them, and they move once a sample. Region `scores` holds f, or the K of them; region `nearest` holds i.
 *
 * With storage "q15" only prototypes are of 16 bits. A prototype stays where it is if a sample would move it by less than half a step of the grid.
 *
 * There is no offset, as in the paper: within the cell of p_i, u_i along p_i is one.
 *
 * The paper's (18) lacks y, its Algorithm 1 the factor 1/sqrt(lambda) of (14); its line 8 moves p_i before it counts
 * (count "literal"), so that the first sample to come replaces the prototype. (23), a loss never above PA's, does not
 * hold step by step.
 *
 * C = 0, the default, takes C of each sample from the errors, see `ERRORS`: the aggressiveness divided by d, which is |x|^2 of a
 * standardised input.
 *
 * With the option `sources`, for two classes, e y x is such that f(x) moves by a step on the likelihood of the received label, on every label,
 * see `CorrectedTarget`.
 *
 * @param options see `LolOptions`. Throws an OptionError that names the invalid option.
 * @see Zhou, Zheng, Hu, Xu, You: One-pass online learning: a local approach. Pattern Recognition, 2016
 * @example
 * ```ts
 * import { Lol } from "motelearn";
 *
 * const learner = new Lol({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Lol extends LocalLearner {
  constructor(options: LolOptions) {
    const resolved = resolveLol("lol", LOL_OPTIONS, options);
    super(resolved, 1 / resolved.lambda, options.memory);
  }
}

/**
 * LOL without the shared hyperplane: each cell learns alone.
 *
 *     e = min(C, l / |x|^2);   u_i <- u_i + e y x
 *
 * When to use it: The cells have nothing in common. Otherwise LOL learns from fewer samples.
 *
 * This is LOL with w = 0 throughout, as lambda grows without bound.
 *
 * @param options see `ILolOptions`. Throws an OptionError that names the invalid option.
 * @see Zhou, Zheng, Hu, Xu, You: One-pass online learning: a local approach. Pattern Recognition, 2016
 * @example
 * ```ts
 * import { ILol } from "motelearn";
 *
 * const learner = new ILol({ dimension: 2, budget: 4 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class ILol extends LocalLearner {
  constructor(options: ILolOptions) {
    super(resolveLol("i-lol", I_LOL_OPTIONS, options), 0, options.memory);
  }
}

/** The local part of the nearest prototype, of several classes that of class c; prototypes' weights lie in fours. */
function localTerms(learner: Learner, c: number): Term[] {
  const { layout, range, dimension } = learner;
  const across = layout.regionWords("w");
  const { bits, words } = range.f32;
  const i = bits[layout.at("nearest", range)];
  const [input, u] = [layout.at("input", range), layout.at("nextU", range) + c * dimension];
  return Array.from({ length: dimension }, (_, j) => ({
    of: `weight ${j + 1} of prototype ${i}`,
    weight: words[u + j],
    by: words[input + j],
    place: across + 4 * across * (i >> 2) + 4 * (c * dimension + j) + (i & 3),
  }));
}

/** w.x + u_i.x. */
const LOCAL_TERMS: DecisionTerms = frozen({
  weights: ["w", "u"],
  terms: (learner, c) => [linearTerms(learner, c), localTerms(learner, c)],
  rounds: true,
});

export const LOL: readonly Family[] = frozen([
  {
    name: "lol",
    task: "classification",
    title: "LOL, local online learning",
    paper: PAPER,
    options: LOL_OPTIONS,
    manyClasses: true,
    traits: {
      searched: [
        { option: "C", values: [0, 1] },
        { option: "lambda", values: [0.1, 1] },
      ],
      decision: LOCAL_TERMS,
    },
    layout: (options) => lolLayout(resolveLol("lol", LOL_OPTIONS, options)),
    create: (options) => new Lol(options as LolOptions),
  },
  {
    name: "i-lol",
    task: "classification",
    title: "I-LOL, independent local online learning",
    paper: PAPER,
    options: I_LOL_OPTIONS,
    manyClasses: true,
    traits: { searched: [{ option: "C", values: [0, 0.1, 1] }], decision: LOCAL_TERMS },
    layout: (options) => lolLayout(resolveLol("i-lol", I_LOL_OPTIONS, options)),
    create: (options) => new ILol(options as ILolOptions),
  },
]);
