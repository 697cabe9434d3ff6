import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { classes, isLabel, largestScore, problems } from "./classes.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import type { ILolOptions, LolOptions } from "./learner-options.ts";
import { budget, choice, dimension, real, type Settled, settle, whole } from "./options.ts";

const PAPER =
  "Zhou, Zheng, Hu, Xu, You: One-pass online learning: a local approach. Pattern Recognition, 2016";

const shared = frozen({
  dimension,
  budget,
  prototypes: whole(
    { default: 0, min: 0, max: 4096 },
    "k, prototypes, at most the budget; 0: as many as the budget",
  ),
  C: real({ default: 1, above: 0 }, "C, weight of the loss and largest step"),
  count: choice(
    ["macqueen", "literal"],
    "macqueen",
    "n_i counts a sample before it moves the prototype (which so is its samples' mean), or after, as Algorithm 1 prints",
  ),
  classes,
});

const LOL_OPTIONS = frozen({
  ...shared,
  lambda: real(
    { default: 1, above: 0 },
    "lambda, weight of |w|^2: how far prototypes have weights of their own",
  ),
});
const I_LOL_OPTIONS = frozen({ ...shared });

/** Options checked, `prototypes` settled to k. Throws an OptionError. */
function settleLol<T extends typeof shared>(name: string, table: T, given: object): Settled<T> {
  const settled = settle(name, table, given);
  const { prototypes, budget } = settled as Settled<typeof shared>;
  if (prototypes > budget) {
    throw new OptionError(name, "prototypes", prototypes, `a number <= budget, which is ${budget}`);
  }
  return { ...settled, prototypes: prototypes || budget };
}

/** n_i stops here: a word holds no more. */
const MOST_COUNTED = 0xffffffff;

function lolLayout({ dimension, prototypes, classes }: Settled<typeof shared>): Layout {
  const across = problems(classes) * dimension;
  return new Layout([
    { name: "prototypes", kind: "state", words: ceil4(prototypes) * dimension },
    { name: "n", kind: "state", words: prototypes },
    { name: "size", kind: "state", words: 1 },
    { name: "w", kind: "state", words: across },
    { name: "u", kind: "state", words: ceil4(prototypes) * across },
    ...commonRegions(dimension),
    { name: "scores", kind: "scratch", words: problems(classes) },
    { name: "distances", kind: "scratch", words: ceil4(prototypes) },
    { name: "nearest", kind: "scratch", words: 1 },
    { name: "nextW", kind: "scratch", words: across },
    { name: "nextU", kind: "scratch", words: across },
  ]);
}

/**
 * What LOL and I-LOL share: prototypes, and for each binary problem a w for all inputs and a u_i for those whose
 * nearest prototype is i. w holds the problems' vectors one after the other, and so does each row i of u.
 */
abstract class LocalLearner extends Learner {
  private readonly prototypes = this.layout.at("prototypes", this.range);
  private readonly n = this.layout.at("n", this.range);
  private readonly stored = this.layout.at("size", this.range);
  private readonly w = this.layout.at("w", this.range);
  private readonly u = this.layout.at("u", this.range);
  private readonly scores = this.layout.at("scores", this.range);
  private readonly distances = this.layout.at("distances", this.range);
  /** Word of the index of the input's prototype, as `predict` left it: scratch. */
  private readonly nearest = this.layout.at("nearest", this.range);
  /** Words of w and u_i, one after the other, as `predict` fetched them: scratch. */
  private readonly nextW = this.layout.at("nextW", this.range);
  private readonly nextU = this.layout.at("nextU", this.range);
  private readonly problems: number;
  private readonly most: number;
  private readonly C: number;
  /** What n_i counts of a sample before it moves the prototype: 1 or 0. */
  private readonly before: number;

  /** @param share 1/lambda: the part of a step that w takes, where u_i takes all of it. */
  constructor(
    local: Settled<typeof shared>,
    private readonly share: number,
    memory?: MemoryRange,
  ) {
    const layout = lolLayout(local);
    const task = local.classes > 2 ? "multiclass" : "classification";
    super(task, local.dimension, layout, memory ?? layout.ownRange());
    this.problems = problems(local.classes);
    this.most = local.prototypes;
    this.C = local.C;
    this.before = local.count === "macqueen" ? 1 : 0;
  }

  get size(): number {
    return this.f32.bits[this.stored];
  }

  get capacity(): number {
    return this.most;
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.problems);
  }

  /** The prototype that the input belongs to: while there are fewer than k, the one it would become. */
  private belongsTo(): number {
    const f32 = this.f32;
    const size = f32.bits[this.stored];
    if (size < this.most) return size;
    return f32.nearestRow(this.distances, this.prototypes, this.input, size, this.dimension);
  }

  // XS takes a destructuring of `this` for more than each property's look-up: none on the way of a prediction and a step.
  predict(x: ArrayLike<number>): number {
    const f32 = this.f32;
    if (!f32.load(this.input, x, this.dimension)) return Number.NaN;
    const K = this.problems;
    const scores = this.scores;
    const i = this.belongsTo();
    f32.bits[this.nearest] = i;
    const f = f32.localScores(scores, this.w, this.nextW, this.u, i, this.input, this.dimension, K);
    if (K === 1) return f - f === 0 ? f : Number.NaN;
    return f32.finite(scores, K) ? largestScore(f32.words, scores, K) : Number.NaN;
  }

  /** Everything is worked out in scratch, the prototype moves last of what can fail, and then the weights are stored. */
  protected update(y: number, decision: number): void {
    const f32 = this.f32;
    const i = f32.bits[this.nearest];
    if (!this.stepAll(y, decision) || !this.movePrototype(i)) {
      this.tally(COUNT.overflowed);
      return;
    }
    const across = this.problems * this.dimension;
    f32.copy(this.w, this.nextW, across);
    f32.storeRow(this.u, i, this.nextU, across);
  }

  /** The steps of all binary problems on `nextW` and `nextU`; false if float32 can't hold one. */
  private stepAll(y: number, decision: number): boolean {
    const f32 = this.f32;
    const d = this.dimension;
    const K = this.problems;
    let w = this.nextW;
    let u = this.nextU;
    for (let c = 0; c < K; c++) {
      const label = K === 1 ? y : y === c ? 1 : -1;
      const f = K === 1 ? decision : f32.words[this.scores + c];
      if (!f32.localStep(w, u, this.input, d, label, f, this.share, this.C)) return false;
      w += d;
      u += d;
    }
    return true;
  }

  /** (20): the input becomes prototype i or draws it nearer; false, and nothing moved, if float32 can't hold it. */
  private movePrototype(i: number): boolean {
    const f32 = this.f32;
    const at = this.n + i;
    const counted = f32.bits[at];
    if (counted === 0) {
      f32.storeRow(this.prototypes, i, this.input, this.dimension);
      f32.bits[this.stored] = i + 1;
      this.tally(COUNT.inserted);
    } else {
      const step = 1 / (counted + this.before);
      if (!f32.moveRowTowards(this.prototypes, i, step, this.input, this.dimension)) return false;
    }
    if (counted < MOST_COUNTED) f32.bits[at] = counted + 1;
    return true;
  }
}

/**
 * Local online learning, LOL: one hyperplane w + u_i for the inputs nearest to prototype i, w shared by all. At each
 * sample of prototype i the minimum of lambda/2 |w - w_t|^2 + 1/2 sum_i |u_i - u_i,t|^2 + C xi under
 * y f(x) >= 1 - xi, xi >= 0 (13), f(x) = (w + u_i).x:
 *
 *     i = argmin_i |x - p_i|   (the lowest on ties, before p_i moves)
 *     l = max(0, 1 - y f(x));   e = min(C, l / ((1 + 1/lambda) |x|^2))   (19)
 *     w <- w + (e / lambda) y x;   u_i <- u_i + e y x                     (14), (15), (18)
 *     n_i <- n_i + 1;   p_i <- p_i + (x - p_i) / n_i                      (20), count "macqueen"
 *
 * The first k samples are the prototypes; until there are k, predict gives w.x. k is the budget, unless
 * option `prototypes` says fewer. Prototypes take no
 * labels, so that several classes (one binary problem each, the largest f wins, the lowest class on ties) share
 * them, and they move once a sample. Region `scores` holds f, or the K of them; region `nearest` holds i.
 *
 * There is no offset, as in the paper: within the cell of p_i, u_i along p_i is one.
 *
 * The paper's (18) lacks y, its Algorithm 1 the factor 1/sqrt(lambda) of (14); its line 8 moves p_i before it counts
 * (count "literal"), so that the first sample to come replaces the prototype. (23), a loss never above PA's, does not
 * hold step by step.
 *
 * @param options see `LolOptions`. Throws an OptionError that names what can't be used.
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
    const settled = settleLol("lol", LOL_OPTIONS, options);
    super(settled, 1 / settled.lambda, options.memory);
  }
}

/**
 * Independent local online learning, I-LOL: LOL with w = 0 throughout, which is LOL as lambda grows without bound:
 *
 *     e = min(C, l / |x|^2);   u_i <- u_i + e y x
 *
 * @param options see `ILolOptions`. Throws an OptionError that names what can't be used.
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
    super(settleLol("i-lol", I_LOL_OPTIONS, options), 0, options.memory);
  }
}

export const LOL: readonly Family[] = frozen([
  {
    name: "lol",
    task: "classification",
    title: "LOL, local online learning",
    paper: PAPER,
    options: LOL_OPTIONS,
    manyClasses: true,
    layout: (given) => lolLayout(settleLol("lol", LOL_OPTIONS, given)),
    create: (given) => new Lol(given as LolOptions),
  },
  {
    name: "i-lol",
    task: "classification",
    title: "I-LOL, independent local online learning",
    paper: PAPER,
    options: I_LOL_OPTIONS,
    manyClasses: true,
    layout: (given) => lolLayout(settleLol("i-lol", I_LOL_OPTIONS, given)),
    create: (given) => new ILol(given as ILolOptions),
  },
]);
