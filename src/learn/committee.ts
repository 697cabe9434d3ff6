import { byteWords } from "../dictionary/byte-rows.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, POSITIVE, type Region, TO_ONE } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { AROW } from "./arow.ts";
import { BayesVote, EVERY } from "./bayes-vote.ts";
import { filterClass } from "./class-filter.ts";
import { isLabel, largestScore, problems } from "./classes.ts";
import type { Family, UserOptions } from "./family.ts";
import { KNN } from "./knn.ts";
import { LabelSilence } from "./label-silence.ts";
import { COUNT, COUNTERS, commonRegions, Learner } from "./learner.ts";
import { OLK } from "./olk.ts";
import { resolveOptions } from "./options.ts";
import { SharedClasses, type SharedOptions, sharedLayout } from "./shared-classes.ts";
import { SharedPlanes, type SharedPlanesOptions, sharedPlanesLayout } from "./shared-planes.ts";
import type { Term } from "./terms.ts";

const [PLANE] = AROW;
const [OLK_C] = OLK;
const [NEIGHBOURS] = KNN;

/** Handicaps of the voters behind the members, as in `Auto`. */
const HANDICAP = 3;
/** The share of a class's count that a label leaves. */
const KEEP = 0.999;
/** The voters that use labels alone: the majority and the last label, and of several classes the recent labels. */
const ON_LABELS = 2;
const ON_LABELS_OF_CLASSES = 3;
/** How many times as likely the model of classes that last takes a label, and a member's vote, where it is for the true class. */
const LABEL_RATIO = 20;
const VOTE_RATIO = 8;
/** Least weight of the present votes where every member cast a wrong vote, as in `Auto`. */
const RENEWED = 0.2;
/** A note has a byte for each vote, and behind them one that says that it is a note. */
const NOTED = 1 << 24;
/** Where no bytes are given. */
export const USUAL_BYTES = 8192;
/** From so many bytes on neighbours get what the expansion leaves: it has a share of what other members leave, and so many vectors at most. */
const LEAST_SHARED = 4096;
const VECTORS_SHARE = 2;
const VECTORS_SHARE_OF_CLASSES = 4;
const MOST_VECTORS = 128;
/** A full covariance may take this share of the bytes. */
const COVARIANCE_SHARE = 8;
const COVARIANCE_SHARE_OF_CLASSES = 4;
/** Vectors of 16 bits, over the ranges of standardised inputs. */
const STORAGE = frozen({ storage: "q15", ranges: frozen([frozen([-5, 5])]) });

/** What a committee is made for. */
export interface CommitteeOptions {
  /** Components of an input. */
  readonly dimension: number;
  /** Two, with labels -1 and +1, or more, with labels 0 to K - 1. */
  readonly classes: number;
  /** The most that it may take; 0: 8,192, or twice what the least members take, if that is more. */
  readonly bytes: number;
  readonly memory?: MemoryRange;
}

/** A member with its options. */
interface MemberSpec {
  readonly name: string;
  readonly family: Pick<Family, "layout" | "create">;
  readonly options: UserOptions;
  readonly handicap: number;
}

/** OLK-C whose classes share a dictionary. */
function kernelOptions({ classes, memory, ...own }: UserOptions): SharedOptions {
  return { ...resolveOptions("auto", OLK_C.options, own), classes, memory } as SharedOptions;
}

const KERNELS = frozen({
  layout: (options: UserOptions) => sharedLayout(kernelOptions(options)),
  create: (options: UserOptions) => new SharedClasses(OLK_C.name, kernelOptions(options)),
});

/** The expansion and the neighbours. */
function storing(options: CommitteeOptions, vectors: number, neighbours: number): MemberSpec[] {
  const { dimension, classes } = options;
  const [family, shared] = classes > 2 ? [KERNELS, { ...STORAGE, classes }] : [OLK_C, STORAGE];
  const kernel = { dimension, budget: vectors, ...shared };
  const nearest = { dimension, budget: neighbours, classes };
  const specs = [
    { name: "kernel", family, options: kernel, handicap: 1 },
    { name: "neighbours", family: NEIGHBOURS, options: nearest, handicap: 1 },
  ];
  return neighbours > 0 ? specs : specs.slice(0, 1);
}

const PLANES = frozen({
  layout: (options: UserOptions) => sharedPlanesLayout(options as SharedPlanesOptions),
  create: (options: UserOptions) => new SharedPlanes(options as SharedPlanesOptions),
});

/** Planes: `tracking` only where both leave the other members room. */
function planes({ dimension, classes, bytes }: CommitteeOptions): MemberSpec[] {
  const [family, share] = classes > 2 ? [PLANES, COVARIANCE_SHARE_OF_CLASSES] : [PLANE, COVARIANCE_SHARE];
  const own = { dimension, noiseVariance: 10, ...(classes > 2 && { classes, forgetting: 1 }) };
  const fits = (covariance: string) => 4 * share * family.layout({ ...own, covariance }).state <= bytes;
  const options = { ...own, covariance: fits("full") ? "full" : "diagonal" };
  const cautious = { name: "cautious", family, options, handicap: 0 };
  if (classes > 2 && !fits(options.covariance)) return [cautious];
  return [cautious, { name: "tracking", family, options: { ...options, forgetting: 0.99 }, handicap: 2 }];
}

/** A committee's members, and its memory. */
interface Plan {
  readonly specs: readonly MemberSpec[];
  readonly layout: Layout;
}

/** Beliefs in the present class: by the labels, by each member's votes, and the latter with its vote on the present sample. */
function stayRegions(classes: number, members: number): Region[] {
  return [
    { name: "recent", kind: "state", words: classes, holds: [TO_ONE] },
    { name: "stay", kind: "state", words: members * classes, holds: [TO_ONE] },
    { name: "present", kind: "scratch", words: members * classes },
  ];
}

function planCommittee(options: CommitteeOptions, vectors: number, neighbours: number): Plan {
  const { dimension, classes } = options;
  const specs = [...storing(options, vectors, neighbours), ...planes(options)];
  const layouts = specs.map(({ family, options }) => family.layout(options));
  const votes = classes > 2 ? 2 * specs.length + ON_LABELS_OF_CLASSES : specs.length + ON_LABELS;
  const own: Region[] = layouts.flatMap((layout, i) => layout.parts(specs[i].name, ["state"]));
  return {
    specs,
    layout: new Layout([
      ...own,
      ...BayesVote.regions(votes),
      {
        name: "running",
        kind: "state",
        words: classes + 1,
        holds: [...Array(classes).fill(POSITIVE), classes],
      },
      ...(classes > 2 ? stayRegions(classes, specs.length) : []),
      LabelSilence.region(),
      ...commonRegions(dimension),
      { name: "members", kind: "counters", words: COUNTERS.length },
      { name: "note", kind: "scratch", words: (votes >> 2) + 1 },
      { name: "sample", kind: "scratch", words: dimension },
      { name: "votes", kind: "scratch", words: votes },
      { name: "scores", kind: "scratch", words: problems(classes) },
      { name: "shared", kind: "scratch", words: Math.max(...layouts.map(({ scratch }) => scratch)) },
    ]),
  };
}

/** Fills the bytes: vectors and neighbours come by fours, whose words are whole. Throws an OptionError where the least don't fit. */
function planFor(given: CommitteeOptions): Plan {
  const options = { ...given, bytes: given.bytes || USUAL_BYTES };
  const { bytes, dimension, classes } = options;
  const isShared = bytes >= LEAST_SHARED;
  const least = planCommittee(options, 4, isShared ? 4 : 0);
  const free = (bytes - least.layout.bytes) / 4;
  if (free < 0 && given.bytes === 0) return planFor({ ...given, bytes: 2 * least.layout.bytes });
  if (free < 0)
    throw new OptionError("auto", "bytes", bytes, `${least.layout.bytes} or more for these inputs`);
  const [kernel] = least.specs;
  const of = (budget: number) => kernel.family.layout({ ...kernel.options, budget }).bytes / 4;
  const words = of(8) - of(4);
  const share = isShared ? (classes > 2 ? VECTORS_SHARE_OF_CLASSES : VECTORS_SHARE) : 1;
  const vectors = Math.min(MOST_VECTORS / 4, Math.floor(free / share / words));
  const left = free - vectors * words;
  const neighbours = isShared ? 4 + 4 * Math.floor(left / (4 * byteWords(dimension) + 1)) : 0;
  return planCommittee(options, 4 + 4 * vectors, neighbours);
}

/** The memory of a committee: `bytes` at most. Throws an OptionError where its least members don't fit. */
export function committeeLayout(options: CommitteeOptions): Layout {
  return planFor(options).layout;
}

/** What a committee's instructions follow from: its vectors, its neighbours, its planes, and whether these have a full covariance. */
export function committeeSizes(options: CommitteeOptions): {
  vectors: number;
  neighbours: number;
  planes: number;
  isFull: boolean;
} {
  const { specs } = planFor(options);
  const findBudget = (member: string) => specs.find(({ name }) => name === member)?.options.budget ?? 0;
  const planes = specs.filter(({ options }) => options.covariance !== undefined);
  return {
    vectors: findBudget("kernel"),
    neighbours: findBudget("neighbours"),
    planes: planes.length,
    isFull: planes[0].options.covariance === "full",
  };
}

/**
 * The form of `auto` that fits a given memory where the whole doesn't, and of several classes, which share all members. They vote for a
 * class: OLK-C with one dictionary, its largest part; nearest neighbours, from 4 KB on; two planes by AROW, for several classes
 * `SharedPlanes`; the majority of the labels; and the last label. `BayesVote` weighs them by the votes that they cast when the sample came.
 *
 *     f_c = sum of the weights of the members that vote for c
 *
 * With two classes the decision is f_+1 - f_-1; with more the largest f_c, the lowest c on ties.
 *
 * Several classes are often states that last. So more vote by a model of classes that last, see `filterClass`: one on the labels as they
 * came, and one for each member, on its votes for the samples up to the present one. As in `Auto`, votes cast don't distinguish members where every
 * member cast a wrong one, as at the first labels of a class; there the votes that they would cast now count for .2. Where labels
 * stop (`LabelSilence`), the voters on labels have no weight until one comes.
 */
export class Committee extends Learner {
  private readonly specs: readonly MemberSpec[];
  private readonly members: readonly Learner[];
  private readonly vote: BayesVote;
  private readonly silence: LabelSilence;
  private readonly K: number;
  /** Word of the counts of each class, behind them the last label's class plus 1; 0: none yet. */
  private readonly running: number;
  private readonly noteAt: number;
  private readonly votesAt: number;
  private readonly scores: number;
  private readonly shared: number;
  private readonly sample: number;
  private readonly x: Float32Array;
  private readonly voters: number;
  /** A bit for each voter on samples. */
  private readonly onSamples: number;
  /** Words of the beliefs in the present class; several classes have them. */
  private readonly recent: number = 0;
  private readonly stay: number = 0;
  private readonly present: number = 0;

  constructor(options: CommitteeOptions) {
    const { dimension, classes, memory } = options;
    const { specs, layout } = planFor(options);
    const task = classes > 2 ? "multiclass" : "classification";
    super(task, dimension, layout, memory ?? layout.ownRange());
    const { range } = this;
    this.specs = specs;
    this.K = classes;
    this.running = layout.at("running", range);
    this.noteAt = layout.at("note", range);
    this.votesAt = layout.at("votes", range);
    this.scores = layout.at("scores", range);
    this.shared = layout.at("members", range);
    this.sample = layout.at("sample", range);
    this.x = this.f32.words.subarray(this.sample, this.sample + dimension);
    this.members = specs.map(({ name, family, options }) =>
      family.create({ ...options, memory: this.part(name) }),
    );
    this.voters = layout.regionWords("votes");
    const others = this.voters - specs.length;
    const handicaps = [...specs.map(({ handicap }) => handicap), ...Array(others).fill(HANDICAP)];
    const onLabels = classes > 2 ? ON_LABELS_OF_CLASSES : ON_LABELS;
    this.onSamples = EVERY - (((1 << onLabels) - 1) << specs.length);
    this.vote = new BayesVote(layout, range, handicaps, undefined, classes - 1);
    this.silence = new LabelSilence(layout, range);
    if (classes === 2) return;
    this.recent = layout.at("recent", range);
    this.stay = layout.at("stay", range);
    this.present = layout.at("present", range);
    this.f32.words.fill(1 / classes, this.recent, this.recent + classes);
    this.f32.words.fill(1 / classes, this.stay, this.stay + classes * specs.length);
  }

  /** A member's memory: its own state, and the counters and scratch that all share. */
  private part(name: string): MemoryRange {
    const { layout, range } = this;
    const { state } = layout.within(name, range);
    return { f32: range.f32, state, counters: this.shared, scratch: layout.at("shared", range) };
  }

  get size(): number {
    let sum = 0;
    for (let i = 0; i < this.members.length; i++) sum += this.members[i].size;
    return sum;
  }

  get capacity(): number {
    let sum = 0;
    for (let i = 0; i < this.members.length; i++) sum += this.members[i].capacity;
    return sum;
  }

  override counted(place: number): number {
    const own = super.counted(place);
    return place <= COUNT.refused ? own : (own + this.f32.bits[this.shared + place]) >>> 0;
  }

  override isSound(): boolean {
    for (let i = 0; i < this.members.length; i++) if (!this.members[i].isSound()) return false;
    return true;
  }

  override restartConfidence(): boolean {
    let has = false;
    for (let i = 0; i < this.members.length; i++) has = this.members[i].restartConfidence() || has;
    return has;
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, problems(this.K));
  }

  predict(x: ArrayLike<number>): number {
    const { f32, input, members, votesAt, dimension, K } = this;
    if (!f32.load(input, x, dimension)) return Number.NaN;
    f32.copy(this.sample, input, dimension);
    const majority = largestScore(f32.words, this.running, K);
    for (let i = 0; i < members.length; i++) {
      const decision = members[i].predict(this.x);
      f32.bits[votesAt + i] = K === 2 ? (decision > 0 ? 1 : 0) : decision < K ? decision : majority;
    }
    const last = f32.bits[this.running + K];
    const at = votesAt + members.length;
    f32.bits[at] = majority;
    f32.bits[at + 1] = last > 0 ? last - 1 : 0;
    return K > 2 ? this.chooseClass(at + ON_LABELS) : this.decide();
  }

  private decide(): number {
    const { votesAt, scores, vote, voters } = this;
    const { words, bits } = this.f32;
    words[scores] = 0;
    for (let i = 0; i < voters; i++)
      words[scores] += bits[votesAt + i] > 0 ? vote.weight(i) : -vote.weight(i);
    return words[scores];
  }

  /** The class with the largest sum of weights. `at`: word of the vote of the recent labels. Leaves the beliefs with this sample in `present`. */
  private chooseClass(at: number): number {
    const { f32, members, votesAt, scores, present, recent, stay, vote, voters, K } = this;
    const { words, bits } = f32;
    bits[at] = largestScore(words, recent, K);
    f32.copy(present, stay, members.length * K);
    for (let i = 0; i < members.length; i++)
      bits[at + 1 + i] = filterClass(f32, present + i * K, K, bits[votesAt + i], VOTE_RATIO);
    words.fill(0, scores, scores + K);
    for (let i = 0; i < voters; i++) words[scores + bits[votesAt + i]] += vote.weight(i);
    return largestScore(words, scores, K);
  }

  /** The terms of the last decision, of several classes those of f_c. */
  terms(c: number): Term[] {
    const { f32, specs, vote, votesAt, K } = this;
    const names = specs.map(({ name }) => name);
    const voters = [...names, "majority", "last label"];
    if (K > 2) voters.push("recent labels", ...names.map((name) => `filtered ${name}`));
    return voters.map((name, place) => {
      const voted = f32.bits[votesAt + place];
      const by = K > 2 ? (voted === c ? 1 : 0) : voted > 0 ? 1 : -1;
      return { of: `member ${name}`, weight: vote.weight(place), by, place };
    });
  }

  override note(): void {
    const { f32, members, noteAt, votesAt, voters, K } = this;
    const { bits } = f32;
    const mark = noteAt + (voters >> 2);
    bits.fill(0, noteAt, mark);
    bits[mark] = NOTED;
    for (let i = 0; i < voters; i++) bits[noteAt + (i >> 2)] |= bits[votesAt + i] << (8 * (i & 3));
    if (K > 2) f32.copy(this.stay, this.present, members.length * K);
    if (this.silence.countSample()) this.vote.restrict(this.onSamples);
  }

  protected update(y: number): void {
    const { members, noteAt, voters, K } = this;
    const { bits } = this.f32;
    if (!this.noted || bits[noteAt + (voters >> 2)] >>> 24 === 0) this.note();
    const label = K > 2 ? y : y > 0 ? 1 : 0;
    this.judge(label);
    for (let i = 0; i < members.length; i++) members[i].learn(this.x, y);
    this.receive(label);
    this.silence.end();
  }

  private judge(label: number): void {
    const { noteAt, votesAt, voters, K } = this;
    const { bits } = this.f32;
    const members = this.members.length;
    let cast = 0;
    let now = 0;
    for (let i = 0; i < voters; i++) {
      const voted = (bits[noteAt + (i >> 2)] >>> (8 * (i & 3))) & 255;
      if (voted === label) cast |= 1 << i;
      if ((i < members ? bits[votesAt + i] : voted) === label) now |= 1 << i;
    }
    const isBlind = K > 2 && (cast & ((1 << members) - 1)) === 0;
    this.vote.learn(cast, now, isBlind ? RENEWED : 0, 1, 1, 0);
  }

  private receive(label: number): void {
    const { f32, running, K } = this;
    f32.scale(running, KEEP, K);
    f32.words[running + label]++;
    f32.bits[running + K] = label + 1;
    if (K > 2) filterClass(f32, this.recent, K, label, LABEL_RATIO);
  }
}
