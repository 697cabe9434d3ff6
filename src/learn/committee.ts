import { byteWords } from "../dictionary/byte-rows.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { AROW } from "./arow.ts";
import { BayesVote } from "./bayes-vote.ts";
import { isLabel, largestScore, problems } from "./classes.ts";
import type { Family, UserOptions } from "./family.ts";
import { KNN } from "./knn.ts";
import { COUNT, COUNTERS, commonRegions, Learner } from "./learner.ts";
import { LOL } from "./lol.ts";
import { OLK } from "./olk.ts";
import { oneVsAllFamily } from "./one-vs-all.ts";
import { PASSIVE_AGGRESSIVE } from "./passive-aggressive.ts";
import type { Term } from "./terms.ts";

const [PLANE] = AROW;
const [OLK_C] = OLK;
const [NEIGHBOURS] = KNN;
const [LOCAL] = LOL;
const [PLANES] = PASSIVE_AGGRESSIVE;

/** Handicaps of the members that use labels alone, as in `Auto`. */
const ON_LABELS = 3;
/** The share of a class's count that a label leaves. */
const KEEP = 0.999;
/** A note has a byte for each of seven members at most, and one that says that it is a note. */
const NOTED = 1 << 24;
/** From so many bytes on neighbours get what the expansion leaves: it has a share of what other members leave, and so many vectors at most. */
const LEAST_SHARED = 4096;
const VECTORS_SHARE = 2;
const VECTORS_SHARE_OF_CLASSES = 4;
const MOST_VECTORS = 128;
/** A full covariance may take this share of the bytes. */
const COVARIANCE_SHARE = 8;
/** Prototypes of several classes: each has a plane for each class. They take this share of the bytes at most, or it has planes alone. */
const PROTOTYPES = 4;
const LOCAL_SHARE = 4;
/** Vectors of 16 bits, over the ranges of standardised inputs. */
const STORAGE = frozen({ storage: "q15", ranges: frozen([frozen([-5, 5])]) });

/** What a committee is made for. */
export interface CommitteeOptions {
  /** Components of an input. */
  readonly dimension: number;
  /** Two, with labels -1 and +1, or more, with labels 0 to K - 1. */
  readonly classes: number;
  /** The most that it may take. */
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

/** The expansion and the neighbours. */
function storing(options: CommitteeOptions, vectors: number, neighbours: number): MemberSpec[] {
  const { dimension, classes } = options;
  const isTwo = classes === 2;
  const family = isTwo ? OLK_C : oneVsAllFamily(OLK_C);
  const shared = isTwo ? STORAGE : { ...STORAGE, classes, shared: true };
  const specs = [
    { name: "kernel", family, options: { dimension, budget: vectors, ...shared }, handicap: 1 },
    {
      name: "neighbours",
      family: NEIGHBOURS,
      options: { dimension, budget: neighbours, classes },
      handicap: 1,
    },
  ];
  return neighbours > 0 ? specs : specs.slice(0, 1);
}

/** One plane a class, or a few whose prototypes all classes share. */
function planesOfClasses({ dimension, classes, bytes }: CommitteeOptions): MemberSpec[] {
  const options = { dimension, classes, budget: PROTOTYPES };
  if (4 * LOCAL.layout(options).state * LOCAL_SHARE <= bytes)
    return [{ name: "local", family: LOCAL, options, handicap: 0 }];
  return [{ name: "planes", family: PLANES, options: { dimension, classes }, handicap: 0 }];
}

/** Members of a fixed size. */
function planes(given: CommitteeOptions): MemberSpec[] {
  const { dimension, classes, bytes } = given;
  if (classes > 2) return planesOfClasses(given);
  const full = PLANE.layout({ dimension });
  const covariance = 4 * full.state * COVARIANCE_SHARE > bytes ? "diagonal" : "full";
  return [
    { name: "cautious", family: PLANE, options: { dimension, covariance, noiseVariance: 10 }, handicap: 0 },
    {
      name: "tracking",
      family: PLANE,
      options: { dimension, covariance, noiseVariance: 10, forgetting: 0.99 },
      handicap: 2,
    },
  ];
}

/** A committee's members, and its memory. */
interface Plan {
  readonly specs: readonly MemberSpec[];
  readonly layout: Layout;
}

function planCommittee(options: CommitteeOptions, vectors: number, neighbours: number): Plan {
  const { dimension, classes } = options;
  const specs = [...storing(options, vectors, neighbours), ...planes(options)];
  const layouts = specs.map(({ family, options }) => family.layout(options));
  const votes = specs.length + 2;
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
      ...commonRegions(dimension),
      { name: "members", kind: "counters", words: COUNTERS.length },
      { name: "note", kind: "scratch", words: 2 },
      { name: "sample", kind: "scratch", words: dimension },
      { name: "votes", kind: "scratch", words: votes },
      { name: "scores", kind: "scratch", words: problems(classes) },
      { name: "shared", kind: "scratch", words: Math.max(...layouts.map(({ scratch }) => scratch)) },
    ]),
  };
}

/** Fills the bytes: vectors and neighbours come by fours, whose words are whole. Throws an OptionError where the least don't fit. */
function planFor(options: CommitteeOptions): Plan {
  const { bytes, dimension, classes } = options;
  const isShared = bytes >= LEAST_SHARED;
  const least = planCommittee(options, 4, isShared ? 4 : 0);
  const free = (bytes - least.layout.bytes) / 4;
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

/** What a committee's instructions follow from: its vectors, its neighbours, and whether its planes have a full covariance. */
export function committeeSizes(options: CommitteeOptions): {
  vectors: number;
  neighbours: number;
  isFull: boolean;
} {
  const { specs } = planFor(options);
  const findBudget = (member: string) => specs.find(({ name }) => name === member)?.options.budget ?? 0;
  const isFull = specs.some(({ options }) => options.covariance === "full");
  return { vectors: findBudget("kernel"), neighbours: findBudget("neighbours"), isFull };
}

/**
 * The form of `auto` that fits a given memory where the whole doesn't, and of several classes, which share all members. They vote for a
 * class: OLK-C with one dictionary, its largest part; nearest neighbours, from 4 KB on; two planes by AROW, or of several classes LOL's local
 * model; the majority of the labels; and the last label. `BayesVote` weighs them by the votes that they cast when the sample came.
 *
 *     f_c = sum of the weights of the members that vote for c
 *
 * With two classes the decision is f_+1 - f_-1; with more the largest f_c, the lowest c on ties.
 */
export class Committee extends Learner {
  private readonly specs: readonly MemberSpec[];
  private readonly members: readonly Learner[];
  private readonly vote: BayesVote;
  private readonly K: number;
  /** Word of the counts of each class, behind them the last label's class plus 1; 0: none yet. */
  private readonly running: number;
  private readonly noteAt: number;
  private readonly votesAt: number;
  private readonly scores: number;
  private readonly shared: number;
  private readonly sample: number;
  private readonly x: Float32Array;

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
    this.vote = new BayesVote(layout, range, [
      ...specs.map(({ handicap }) => handicap),
      ON_LABELS,
      ON_LABELS,
    ]);
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
    f32.bits[votesAt + members.length] = majority;
    f32.bits[votesAt + members.length + 1] = last > 0 ? last - 1 : 0;
    return this.decide();
  }

  private decide(): number {
    const { votesAt, scores, members, vote, K } = this;
    const { words, bits } = this.f32;
    words.fill(0, scores, scores + problems(K));
    for (let i = 0; i < members.length + 2; i++) {
      const voted = bits[votesAt + i];
      if (K > 2) words[scores + voted] += vote.weight(i);
      else words[scores] += voted > 0 ? vote.weight(i) : -vote.weight(i);
    }
    return K > 2 ? largestScore(words, scores, K) : words[scores];
  }

  /** The terms of the last decision of two classes. */
  terms(): Term[] {
    const { specs, vote, votesAt } = this;
    const names = [...specs.map(({ name }) => name), "majority", "last label"];
    return names.map((name, place) => ({
      of: `member ${name}`,
      weight: vote.weight(place),
      by: this.f32.bits[votesAt + place] > 0 ? 1 : -1,
      place,
    }));
  }

  override note(): void {
    const { bits } = this.f32;
    bits[this.noteAt] = 0;
    bits[this.noteAt + 1] = NOTED;
    for (let i = 0; i < this.members.length + 2; i++)
      bits[this.noteAt + (i >> 2)] |= bits[this.votesAt + i] << (8 * (i & 3));
  }

  protected update(y: number): void {
    const { members, noteAt } = this;
    const { bits } = this.f32;
    if (!this.noted || bits[noteAt + 1] >>> 24 === 0) this.note();
    const label = this.K > 2 ? y : y > 0 ? 1 : 0;
    let right = 0;
    for (let i = 0; i < members.length + 2; i++)
      if (((bits[noteAt + (i >> 2)] >>> (8 * (i & 3))) & 255) === label) right |= 1 << i;
    this.vote.learn(right, right, 0, 1, 1, 0);
    for (let i = 0; i < members.length; i++) members[i].learn(this.x, y);
    this.receive(label);
  }

  private receive(label: number): void {
    const { f32, running, K } = this;
    f32.scale(running, KEEP, K);
    f32.words[running + label]++;
    f32.bits[running + K] = label + 1;
  }
}
