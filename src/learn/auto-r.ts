import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, POSITIVE } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { KRLS_T, KrlsT } from "./krls-t.ts";
import { LabelSilence } from "./label-silence.ts";
import { COUNT, COUNTERS, commonRegions, Learner, TASK } from "./learner.ts";
import type { AutoROptions } from "./learner-options.ts";
import { budget, dimension, type ResolvedOptions, resolveOptions } from "./options.ts";
import { OutlierLimit, outlierLimit } from "./outlier-limit.ts";
import { RLS } from "./rls.ts";
import { type DecisionTerms, regionValues } from "./terms.ts";

const AUTO_R_OPTIONS = frozen({
  dimension,
  budget: { ...budget, default: 20, doc: "stored vectors of the kernel member that there is room for" },
  outlierLimit: outlierLimit("labels' magnitudes |y|"),
});

type ResolvedAutoROptions = ResolvedOptions<typeof AUTO_R_OPTIONS>;

/** Members, by their places. */
const LAST = 0;
const LINEAR = 1;
const QUICK = 2;
const RESIDUAL = 3;
const KERNEL = 4;
const CHANGES = 5;
const MEMBERS = 6;
const NAMES = frozen(["last label", "linear", "quick", "residual", "kernel", "changes"]);

/** A bit for each member; and for those whose estimate doesn't begin at the last label, and whose memory is long. */
const EVERY = -1;
const WITHOUT_LABELS = (1 << LINEAR) | (1 << KERNEL);

/** `forgetting` of `linear` and `residual`, and of `quick` and `changes`. */
const FORGETTING = 0.999;
const QUICK_FORGETTING = 0.99;
/** What of a loss remains one label later; at the n-th label at most n / (n + 2), so that first errors soon weigh nothing. */
const KEEP = 0.998;
/** Learning rate, relative to Bayes' for errors that are independent, where labels come at once. */
const RATE = 0.3;
/** Errors of a forecast last as long as its labels take: a sample of delay lowers the rate by this share. */
const DEPENDENCE = 0.5;
/** Labels that the mean delay is of. */
const DELAYS = 16;
/** The most that losses take off a log-weight. */
const MOST_EVIDENCE = 10;
/** Log-weights at the start. */
const PRIORS = frozen([0, 0, -2, 0, -2, 0]);
/** The least squared error of a label counts at most so many times the best member's mean, the others in proportion. */
const MOST_DEVIATION = 25;
/** They count at most so many times what the least may. */
const MOST_WORSE = 2;
/** Labels from which the mean is known. */
const KNOWN = 8;
const LEAST_LOSS = 1e-30;
const MOST_LOSS = 1e30;
/** What stands for the last label of a sample that came before any label: no number. */
const NONE = 0x7fc00000;
/** A 0 of a note, which differs from no note. */
const MINUS_ZERO = 0x80000000;
/** Places of the words in region `received`: the last label, the weight of all losses, whether a label came, samples noted, the labels' mean delay. */
const LABEL = 0;
const JUDGED = 1;
const RECEIVED = 2;
const SAMPLES = 3;
const DELAY = 4;
/** Place of the sample's number in a note, behind the members' estimates. */
const NUMBER = MEMBERS;

const [RLS_FAMILY] = RLS;
const [KERNEL_FAMILY] = KRLS_T;

/** Each member has its own state. They share scratch and counters, one after the other. */
function autoRLayout({ budget, dimension }: ResolvedAutoROptions): Layout {
  const linear = RLS_FAMILY.layout({ dimension });
  const kernel = KERNEL_FAMILY.layout({ dimension, budget });
  const changes = RLS_FAMILY.layout({ dimension, bias: false });
  return new Layout([
    ...linear.parts(NAMES[LINEAR], ["state"]),
    ...linear.parts(NAMES[QUICK], ["state"]),
    ...linear.parts(NAMES[RESIDUAL], ["state"]),
    ...kernel.parts(NAMES[KERNEL], ["state"]),
    ...changes.parts(NAMES[CHANGES], ["state"]),
    { name: "latest", kind: "state", words: 2 * dimension },
    { name: "losses", kind: "state", words: MEMBERS, holds: [POSITIVE] },
    { name: "weights", kind: "state", words: MEMBERS, holds: [POSITIVE] },
    { name: "received", kind: "state", words: 5 },
    LabelSilence.region(),
    OutlierLimit.region(),
    ...commonRegions(dimension),
    { name: "members", kind: "counters", words: COUNTERS.length },
    { name: "note", kind: "scratch", words: MEMBERS + 1 },
    { name: "estimates", kind: "scratch", words: MEMBERS },
    { name: "sample", kind: "scratch", words: dimension },
    { name: "change", kind: "scratch", words: dimension },
    { name: "shared", kind: "scratch", words: Math.max(linear.scratch, kernel.scratch) },
  ]);
}

/**
 * A committee for numbers, above all for forecasts. It needs no option. Standardise the inputs, for example by a node's
 * `features.standardise`; labels may have any unit and offset.
 *
 * Six members estimate: `last label`, the last that came (of a forecast, persistence); `linear` and `quick`, RLS with forgetting .999 and
 * .99; `residual`, RLS on the label less the last one that had come when the sample was predicted; `kernel`, KRLS-T on the label less
 * the estimate of `linear`; `changes`, which adds to the last label what the inputs changed since it came. RLS learns that from the
 * changes from one label to the next, so it is persistence where a reading at hand is newer than the last label. The estimate is
 * their mean, by weights from their losses L_k, discounted by .998 a label:
 *
 *     f = sum_k p_k f_k;   p_k ~ prior_k exp(-min(10, .15 (L_k - min L) W / (min L (1 + T / 2)))),   W: the sum of the discounts
 *
 * T is the mean delay of labels, in samples: errors of a forecast last as long as what it missed, so that late labels say less.
 *
 * A member is judged by the estimate that it cast when the sample came (see `Learner.note`): with late labels, it couldn't know then what it
 * knows now. Where the best of them errs by more than five times its usual error, all squared errors of the label are scaled to that: a
 * label that is wrong is as far from all estimates, and a series whose errors grow soon judges by the large ones. The members learn y
 * clipped, see `OutlierLimit`. The last label is clipped, too, unless two in a row are beyond the limit: those are another level.
 *
 * Where labels stop (`LabelSilence`), `linear` and `kernel` alone have a weight: the others begin at the last label, or have learned few.
 *
 * A note takes 28 bytes of each sample that waits. State: four RLS, each (n^2 + 3n) / 2 with n = d + 1, or d for `changes`, two inputs, `krls-t`.
 *
 * @param options see `AutoROptions`. Throws an OptionError that names the invalid option.
 * @see This project's own: a Bayes mixture of persistence, RLS and KRLS-T
 * @example
 * ```ts
 * import { AutoR } from "motelearn";
 *
 * const learner = new AutoR({ dimension: 1 });
 * for (let t = 0; t < 200; t++) learner.learn([(t % 10) / 5], 20 + (t % 10) / 10);
 * console.log(learner.predict([1]).toFixed(2));
 * // 20.50
 * ```
 */
export class AutoR extends Learner {
  private readonly linear: Learner;
  private readonly quick: Learner;
  private readonly residual: Learner;
  private readonly kernel: KrlsT;
  private readonly changes: Learner;
  private readonly losses = this.layout.at("losses", this.range);
  private readonly weights = this.layout.at("weights", this.range);
  private readonly received = this.layout.at("received", this.range);
  private readonly members = this.layout.at("members", this.range);
  private readonly noteAt = this.layout.at("note", this.range);
  private readonly estimates = this.layout.at("estimates", this.range);
  private readonly sample = this.layout.at("sample", this.range);
  /** Word of the input that was predicted last; behind it the one that was so when the last label came. */
  private readonly latest = this.layout.at("latest", this.range);
  private readonly changeAt = this.layout.at("change", this.range);
  private readonly limit: OutlierLimit;
  private readonly silence: LabelSilence;
  private readonly x: Float32Array;
  private readonly change: Float32Array;

  constructor(options: AutoROptions) {
    const resolved = resolveOptions("auto-r", AUTO_R_OPTIONS, options);
    const layout = autoRLayout(resolved);
    super(TASK.regression, resolved.dimension, layout, options.memory ?? layout.ownRange());
    const { dimension, budget, outlierLimit } = resolved;
    this.limit = new OutlierLimit(this.f32, outlierLimit, layout, this.range);
    this.silence = new LabelSilence(layout, this.range);
    this.linear = this.rls(LINEAR, FORGETTING, true);
    this.quick = this.rls(QUICK, QUICK_FORGETTING, true);
    this.residual = this.rls(RESIDUAL, FORGETTING, true);
    this.changes = this.rls(CHANGES, QUICK_FORGETTING, false);
    this.kernel = new KrlsT({ dimension, budget, memory: this.part(KERNEL) });
    this.x = this.f32.words.subarray(this.sample, this.sample + dimension);
    this.change = this.f32.words.subarray(this.changeAt, this.changeAt + dimension);
    this.weigh(EVERY);
  }

  private rls(member: number, forgetting: number, bias: boolean): Learner {
    return RLS_FAMILY.create({ dimension: this.dimension, forgetting, bias, memory: this.part(member) });
  }

  /** A member's memory: its own state, and the counters and scratch that all share. */
  private part(member: number): MemoryRange {
    const { layout, range } = this;
    return {
      f32: range.f32,
      state: layout.within(NAMES[member], range).state,
      counters: layout.at("members", range),
      scratch: layout.at("shared", range),
    };
  }

  get size(): number {
    return this.kernel.size;
  }

  get capacity(): number {
    return this.kernel.capacity;
  }

  override isSound(): boolean {
    return this.kernel.isSound();
  }

  override counted(place: number): number {
    const own = super.counted(place);
    return place <= COUNT.refused ? own : (own + this.f32.bits[this.members + place]) >>> 0;
  }

  predict(x: ArrayLike<number>): number {
    const { f32, dimension, estimates, sample, input } = this;
    if (!f32.load(input, x, dimension)) return Number.NaN;
    f32.copy(sample, input, dimension);
    const { words } = f32;
    const last = words[this.received + LABEL];
    words[estimates + LAST] = last;
    this.estimate(LINEAR, this.linear.predict(this.x), 0);
    this.estimate(QUICK, this.quick.predict(this.x), 0);
    this.estimate(RESIDUAL, this.residual.predict(this.x), last);
    this.estimate(KERNEL, this.kernel.predict(this.x), words[estimates + LINEAR]);
    this.estimate(CHANGES, this.changes.predict(this.changeTo(sample)), last);
    const f = f32.dot(this.weights, estimates, MEMBERS);
    return f - f === 0 ? f : Number.NaN;
  }

  /** What the inputs changed since the last label came, up to the one at that word. */
  private changeTo(input: number): Float32Array {
    const { f32, changeAt, latest, dimension } = this;
    f32.copy(changeAt, input, dimension);
    f32.addScaled(changeAt, -1, latest + dimension, dimension);
    return this.change;
  }

  /** Writes a member's estimate, `base` with what it adds; where that isn't finite, the last label. */
  private estimate(member: number, value: number, base: number): void {
    const { words } = this.f32;
    const f = Math.fround(base + value);
    words[this.estimates + member] = f - f === 0 ? f : words[this.received + LABEL];
  }

  override note(): void {
    const { f32, noteAt, estimates, received } = this;
    f32.copy(noteAt, estimates, MEMBERS);
    f32.copy(this.latest, this.sample, this.dimension);
    f32.bits[noteAt + NUMBER] = ++f32.bits[received + SAMPLES];
    if (f32.words[received + RECEIVED] === 0) f32.bits[noteAt + LAST] = NONE;
    else if (f32.bits[noteAt + LAST] === 0) f32.bits[noteAt + LAST] = MINUS_ZERO;
    if (this.silence.countSample()) this.weigh(WITHOUT_LABELS);
  }

  protected update(y: number): void {
    const { f32, noteAt } = this;
    const { words, bits } = f32;
    const label = Math.fround(y);
    const target = this.limit.clipLabel(label);
    if (this.limit.outgrown) this.forgetLosses();
    if (!this.noted || bits[noteAt + LAST] === 0) this.note();
    if (bits[noteAt + LAST] !== NONE) {
      this.followDelay((bits[this.received + SAMPLES] - bits[noteAt + NUMBER]) | 0);
      this.judge(label);
      this.residual.learn(this.x, Math.fround(target - this.clamp(words[noteAt + LAST])));
    } else this.weigh(EVERY);
    const rest = Math.fround(target - words[this.estimates + LINEAR]);
    this.linear.learn(this.x, target);
    this.quick.learn(this.x, target);
    this.kernel.learn(this.x, rest);
    this.silence.end();
    this.receive(this.limit.run > 1 ? label : target, target);
  }

  /** Follows the labels' mean delay, in samples. A note of a state that came later counts as 0. */
  private followDelay(delay: number): void {
    const { words } = this.f32;
    const at = this.received + DELAY;
    words[at] += ((delay > 0 ? delay : 0) - words[at]) / DELAYS;
  }

  /** Learns what the inputs changed from the last label to this one, which takes its place: as it is, once two in a row are beyond the limit. */
  private receive(y: number, target: number): void {
    const { f32, latest, received, dimension } = this;
    const { words } = f32;
    if (words[received + RECEIVED] !== 0)
      this.changes.learn(this.changeTo(latest), Math.fround(target - this.clamp(words[received + LABEL])));
    f32.copy(latest + dimension, latest, dimension);
    words[received + LABEL] = y;
    words[received + RECEIVED] = 1;
  }

  /** A label within the limit, or at it. */
  private clamp(y: number): number {
    const { limit } = this;
    return y < 0 ? -limit.clamp(-y) : limit.clamp(y);
  }

  /** Labels were of another scale, and so were the errors: the members, which restart likewise, are judged anew. */
  private forgetLosses(): void {
    const { f32, losses, received } = this;
    f32.words.fill(0, losses, losses + MEMBERS);
    f32.words[received + JUDGED] = 0;
    this.limit.restart();
  }

  /** Adds the members' squared errors, as they were cast, to their losses. */
  private judge(y: number): void {
    const { f32, losses, received, noteAt } = this;
    const { words } = f32;
    const judged = words[received + JUDGED];
    const most = this.mostSquare(judged);
    const least = this.leastSquare(y);
    const scale = least > most ? most / least : 1;
    // The sum of the discounts is n / 3 after n of the first labels.
    const early = (3 * judged) / (3 * judged + 2);
    const keep = early < KEEP ? early : KEEP;
    f32.scale(losses, keep, MEMBERS);
    words[received + JUDGED] = keep * judged + 1;
    for (let k = 0; k < MEMBERS; k++) {
      const e = y - words[noteAt + k];
      const square = scale * e * e;
      words[losses + k] += square < MOST_WORSE * most ? square : MOST_WORSE * most;
    }
    this.weigh(EVERY);
  }

  /** The most that a label's least squared error counts. */
  private mostSquare(judged: number): number {
    const most = judged < KNOWN ? MOST_LOSS : (MOST_DEVIATION * this.leastLoss(EVERY)) / judged;
    return most < MOST_LOSS ? most : MOST_LOSS;
  }

  private leastSquare(y: number): number {
    const { words } = this.f32;
    let least = Infinity;
    for (let k = 0; k < MEMBERS; k++) {
      const e = y - words[this.noteAt + k];
      if (e * e < least) least = e * e;
    }
    return least;
  }

  private leastLoss(voters: number): number {
    const { words } = this.f32;
    let least = MOST_LOSS;
    for (let k = 0; k < MEMBERS; k++)
      if ((voters >> k) & 1 && words[this.losses + k] < least) least = words[this.losses + k];
    return least > LEAST_LOSS ? least : LEAST_LOSS;
  }

  /**
   * Computes the weights from the losses; a member without a bit in `voters` has none. Lowers a loss whose weight is next to 0, so that a
   * member that recovers soon counts again.
   */
  private weigh(voters: number): void {
    const { f32, losses, weights, received } = this;
    const { words } = f32;
    const least = this.leastLoss(voters);
    const dependent = 1 + DEPENDENCE * words[received + DELAY];
    const rate = (RATE * words[received + JUDGED]) / (2 * least * dependent);
    let sum = 0;
    for (let k = 0; k < MEMBERS; k++) {
      words[weights + k] = 0;
      if (((voters >> k) & 1) === 0) continue;
      const worse = words[losses + k] - least;
      const evidence = worse > 0 ? rate * worse : 0;
      if (evidence > MOST_EVIDENCE) words[losses + k] = least + MOST_EVIDENCE / rate;
      words[weights + k] = f32.exp(PRIORS[k] - (evidence < MOST_EVIDENCE ? evidence : MOST_EVIDENCE));
      sum += words[weights + k];
    }
    f32.scale(weights, 1 / sum, MEMBERS);
  }
}

const MIXTURE_TERMS: DecisionTerms = frozen({
  weights: ["weights"],
  terms(learner) {
    const estimates = regionValues(learner, "estimates");
    const terms = Array.from(regionValues(learner, "weights"), (weight, k) => {
      return { of: `member ${NAMES[k]}`, weight, by: estimates[k], place: k };
    });
    return [terms];
  },
});

export const AUTO_R: readonly Family[] = frozen([
  /**
   * The last label, four linear and a kernel member estimate; the mean follows those that erred least.
   *
   *     f = sum_k p_k f_k;   p_k ~ prior_k exp(-min(10, .15 (L_k - min L) W / (min L (1 + T / 2))))
   *     T: the mean delay of labels, in samples;   W: the sum of the discounts
   *     L_k: the discounted squared errors of member k, as it estimated when the sample came
   *
   * When to use it: You want numbers, forecasts above all, and don't want to choose options. It takes more instructions than any of its
   * members.
   */
  {
    name: "auto-r",
    task: "regression",
    title: "Committee for numbers and forecasts",
    paper: "This project's own: a Bayes mixture of persistence, RLS and KRLS-T",
    options: AUTO_R_OPTIONS,
    traits: { members: NAMES, decision: MIXTURE_TERMS, costs: { finder: "krls-t" } },
    layout: (options) => autoRLayout(resolveOptions("auto-r", AUTO_R_OPTIONS, options)),
    create: (options) => new AutoR(options as AutoROptions),
  },
]);
