import { byteWords } from "../dictionary/byte-rows.ts";
import { SampleRing } from "../dictionary/sample-ring.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import { classes, isLabel, largestScore, problems } from "./classes.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions, decidedClass, Learner } from "./learner.ts";
import type { KnnOptions } from "./learner-options.ts";
import { choice, dimension, type ResolvedOptions, resolveOptions, whole } from "./options.ts";
import { stored } from "./storage.ts";
import { type DecisionTerms, regionValues } from "./terms.ts";

/** Values in place of literals. */
const MAJORITY = "majority";
const ERRORS = "errors";
/** The weight of the nearest sample in a majority: it decides a tie, and nothing else. */
const NEAREST = 1.5;

const KNN_OPTIONS = frozen({
  dimension,
  budget: whole({ default: 256, min: 1, max: 16384 }, "W, stored samples there is room for"),
  k: whole({ default: 5, min: 1, max: 64 }, "k, the nearest samples that vote"),
  vote: choice(
    [MAJORITY, "distance"],
    MAJORITY,
    "each of them counts the same, and the nearest decides a tie; or each counts 1 / (1 + D), D its squared distance in steps of the grid",
  ),
  keep: choice(
    ["all", ERRORS],
    "all",
    "the samples that are stored: all, or those that were predicted wrongly",
  ),
  ranges: frozen({
    ...stored.ranges,
    default: frozen([frozen([-5, 5] as const)]),
    doc: "ranges of the components: a value outside counts as the end of the range. A node gives its own ranges, or +-5 if it standardises",
  }),
  classes,
});

type ResolvedKnn = ResolvedOptions<typeof KNN_OPTIONS>;

function knnLayout({ dimension, budget, k, classes }: ResolvedKnn): Layout {
  return new Layout([
    ...SampleRing.regions(budget, dimension, k),
    ...commonRegions(dimension),
    { name: "weights", kind: "scratch", words: k },
    { name: "votes", kind: "scratch", words: k },
    { name: "scores", kind: "scratch", words: problems(classes) },
  ]);
}

/**
 * The last labelled samples, in 8 bits a component, vote on the nearest inputs. Distances are whole numbers.
 *
 *     D_i = |q(x) - q(x_i)|^2;   decision = sum of w_i y_i over the k least D_i / sum of w_i
 *     w_i = 1, 1.5 of the nearest; or 1 / (1 + D_i)
 *
 * When to use it: As the baseline that other learners have to beat at 32 KB; where the boundary is winding and labels are right. It takes
 * the most bytes for its accuracy where a few vectors with coefficients do, and instructions for each stored sample.
 *
 * q counts steps of 1/255 of the widest range, see `ByteRows`, so that all engines agree without floating point. On ties the lowest i is nearer. With
 * more than two classes f_c is the share of class c in the sum of w_i, and the decision the largest f_c, the lowest c on ties; region `scores` holds
 * them. Before the first label the decision is 0.
 *
 * A sample is stored with its label; in a full ring it replaces the oldest. With `keep: "errors"` a sample that was predicted rightly isn't
 * stored (Hart's condensed rule, online), so that the ring reaches further back; wrong labels then crowd it.
 *
 * State: W ceil(d / 4) + W / 4 words. Time W d a sample.
 *
 * @param options see `KnnOptions`. Throws an OptionError that names the invalid option.
 * @see Cover, Hart: Nearest neighbor pattern classification. IEEE Transactions on Information Theory 13(1), 1967
 * @see Hart: The condensed nearest neighbor rule. IEEE Transactions on Information Theory 14(3), 1968
 * @example
 * ```ts
 * import { Knn } from "motelearn";
 *
 * const learner = new Knn({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Knn extends Learner {
  private readonly ring: SampleRing;
  private readonly options: ResolvedKnn;
  private readonly problems: number;
  private readonly weights = this.layout.at("weights", this.range);
  private readonly votes = this.layout.at("votes", this.range);
  private readonly scores = this.layout.at("scores", this.range);

  constructor(options: KnnOptions) {
    const resolved = resolveOptions("knn", KNN_OPTIONS, options);
    const { dimension, budget, k, ranges, classes } = resolved;
    const layout = knnLayout(resolved);
    super(
      classes > 2 ? "multiclass" : "classification",
      dimension,
      layout,
      options.memory ?? layout.ownRange(),
    );
    this.options = resolved;
    this.problems = problems(classes);
    this.ring = new SampleRing(layout, this.range, budget, dimension, k, ranges);
  }

  get size(): number {
    return this.ring.size;
  }

  get capacity(): number {
    return this.options.budget;
  }

  override isSound(): boolean {
    return this.ring.isSound(this.options.classes);
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.problems);
  }

  predict(x: ArrayLike<number>): number {
    const { f32, input, scores, problems } = this;
    if (!f32.load(input, x, this.dimension)) return Number.NaN;
    const found = this.ring.search(input);
    this.weigh(found);
    if (problems > 1) return this.tallied(found);
    f32.words[scores] = f32.dot(this.weights, this.votes, found);
    return f32.words[scores];
  }

  /** The weights of the nearest, which add up to 1, and their votes for two classes. */
  private weigh(found: number): void {
    const { ring, weights, votes } = this;
    const { words, bits } = this.f32;
    let total = 0;
    for (let place = 0; place < found; place++) total += this.weight(place);
    for (let place = 0; place < found; place++) {
      words[weights + place] = this.weight(place) / total;
      words[votes + place] = ring.label(bits[ring.nearest + place]) > 0 ? 1 : -1;
    }
  }

  /** The scores of several classes; returns the class of the largest. */
  private tallied(found: number): number {
    const { ring, weights, scores, problems } = this;
    const { words, bits } = this.f32;
    words.fill(0, scores, scores + problems);
    for (let place = 0; place < found; place++)
      words[scores + ring.label(bits[ring.nearest + place])] += words[weights + place];
    return largestScore(words, scores, problems);
  }

  /** w_i of the sample at that place among the nearest. */
  private weight(place: number): number {
    const { ring, options } = this;
    if (options.vote === MAJORITY) return place === 0 ? NEAREST : 1;
    return 1 / (1 + this.f32.bits[ring.nearest + options.k + place]);
  }

  protected update(y: number, decision: number): void {
    if (this.options.keep === ERRORS && this.size > 0 && decidedClass(this.task, decision) === y) {
      this.increment(COUNT.quantized);
      return;
    }
    this.increment(COUNT.inserted);
    if (this.ring.store(this.input, this.problems > 1 ? y : y > 0 ? 1 : 0)) this.increment(COUNT.evicted);
  }
}

/** The votes of the nearest samples, of several classes those for class c. The first word of a row stands for it. */
const KNN_TERMS: DecisionTerms = frozen({
  weights: ["bytes"],
  terms(learner, c) {
    const { layout, range, task } = learner;
    const [nearest, labels] = [layout.at("nearest", range), layout.at("labels", range)];
    const { bits } = range.f32;
    const weights = regionValues(learner, "weights");
    const votes = regionValues(learner, "votes");
    const terms = Array.from(weights.subarray(0, learner.size), (weight, place) => {
      const row = bits[nearest + place];
      const label = (bits[labels + (row >> 2)] >>> (8 * (row & 3))) & 255;
      return {
        of: `stored sample ${row}`,
        weight,
        by: task === "multiclass" ? (label === c ? 1 : 0) : votes[place],
        place: row * byteWords(learner.dimension),
      };
    });
    return [terms];
  },
  inTurn: ({ task }) => task === "multiclass",
});

export const KNN: readonly Family[] = frozen([
  {
    name: "knn",
    task: "classification",
    title: "k nearest neighbours in 8 bits",
    paper:
      "Cover, Hart: Nearest neighbor pattern classification. IEEE Transactions on Information Theory 13(1), 1967",
    options: KNN_OPTIONS,
    manyClasses: true,
    traits: {
      searched: [
        { option: "k", values: [1, 5, 15] },
        { option: "keep", values: ["all", "errors"] },
      ],
      decision: KNN_TERMS,
    },
    layout: (options) => knnLayout(resolveOptions("knn", KNN_OPTIONS, options)),
    create: (options) => new Knn(options as KnnOptions),
  },
]);
