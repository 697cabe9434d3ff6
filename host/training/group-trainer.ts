import type { Learner } from "../../src/learn/learner.ts";
import { Random } from "../random.ts";
import { Basis } from "./basis.ts";
import {
  type Candidate,
  candidateShares,
  mainCandidate,
  makeCandidates,
  meanWeights,
  type NodeCandidates,
  widenPriors,
} from "./candidates.ts";
import type { Belief, LogisticPosterior } from "./logistic.ts";
import {
  areLearnable,
  fitLessons,
  installable,
  type Lesson,
  likeliestNature,
  type ModelForm,
  type Nature,
} from "./model.ts";
import { GroupTrust, type Trust } from "./trust.ts";

/** Lessons that the group's model learns in all: the last ones of each node. */
const GROUP_LESSONS = 8000;
/** Lessons in all among which vectors are chosen, by which the group's nature is judged, and from which the folds are learned. */
const BASIS_LESSONS = 2000;
const NATURE_LESSONS = 400;
const FOLD_LESSONS = 1000;
/** Lessons of a node that the folds learn at most. */
const FOLD_SHARE = 60;
/** Other nodes that show how far nodes are alike, at most, each by its last labels. */
const FELLOWS = 20;
const FELLOW_LESSONS = 30;
/** The group's model is trained again when its labels have grown by this factor. */
const GROUP_GROWTH = 1.1;
/** A node gets a model when its own labels have grown by OWN_GROWTH, or the group's by FELLOWS_GROWTH, from at least FEWEST. */
const OWN_GROWTH = 1.5;
const FELLOWS_GROWTH = 2;
const FEWEST = 5;

/** What a group trains by. */
interface GroupOptions extends ModelForm {
  /** The seed of the order in which a newcomer's learner learns. Default 1. */
  readonly seed?: number;
}

/** The weights of a node's model, and the candidate that has most of it. */
interface Choice {
  readonly candidate: Candidate;
  readonly weights: Float64Array;
}

interface TrainedModel {
  /** The node's place in its group. */
  readonly node: number;
  readonly candidate: Candidate;
  /** The bytes of an `InstalledModel`. */
  readonly bytes: Uint8Array;
}

/** What the gateway knows of a node of a group. */
export interface Standing extends Trust {
  readonly labels: number;
  /** False if it was unlike its group, more likely than not, when it was sent a model: then it got one mostly of its own labels. */
  readonly isAlike: boolean;
  /** The candidate that has most of the model that it was sent last. */
  readonly candidate?: Candidate;
}

/** What a trainer remembers of a node besides its lessons. */
export interface KeptMember {
  readonly labels: number;
  readonly sent?: Candidate;
  readonly isAlike: boolean;
  /** Own labels, and the group's, when it got its last model. */
  readonly ownThen: number;
  readonly groupThen: number;
}

/** A node of a group. */
class GroupMember {
  readonly lessons: Lesson[] = [];
  /** Its labels. */
  labels = 0;
  sent: Candidate | undefined;
  isAlike = true;
  /** Own labels, and the group's, when it got its last model. */
  ownThen = 0;
  groupThen = FEWEST;

  take(lesson: Lesson, most: number): void {
    this.lessons.push(lesson);
    this.labels++;
    if (this.lessons.length > 2 * most) this.lessons.splice(0, this.lessons.length - most);
  }

  /** Own labels with which it gets a model. */
  get next(): number {
    return Math.max(this.ownThen + 1, Math.floor(OWN_GROWTH * this.ownThen));
  }

  get kept(): KeptMember {
    const { labels, sent, isAlike, ownThen, groupThen } = this;
    return { labels, ...(sent && { sent }), isAlike, ownThen, groupThen };
  }

  resume({ labels, sent, isAlike, ownThen, groupThen }: KeptMember): void {
    Object.assign(this, { labels, sent, isAlike, ownThen, groupThen });
  }

  isDue(group: number): boolean {
    return this.labels >= this.next || group >= FELLOWS_GROWTH * this.groupThen;
  }
}

/** What a group knows when its model is trained. */
interface GroupModel {
  readonly basis: Basis;
  readonly nature: Nature;
  /** Of all trusted nodes. */
  readonly model: LogisticPosterior;
  /** By fold: what the weights of a node in it may be, as the other nodes' labels have it. */
  readonly priors: readonly (readonly Belief[])[];
  /** Merits of the candidates of some nodes. */
  readonly merits: Map<number, readonly number[]>;
}

/**
 * Trains models for nodes that are alike, from the labels of all: the gateway trains, the node judges. It is a function of the lessons in their order
 * and of the times at which models are asked for: the same give the same models, bit for bit.
 *
 * @example
 * ```ts
 * const trainer = new GroupTrainer(8, { dimension: 4, vectors: 64 });
 * trainer.take(0, { x: Float32Array.of(0.1, -1, 0.5, 2), y: 1 });
 * for (const { node, bytes } of trainer.models()) install(node, bytes);
 * ```
 */
export class GroupTrainer {
  private readonly members: readonly GroupMember[];
  private readonly seed: number;
  private readonly trust: GroupTrust;
  private group: GroupModel | undefined;
  private labels = 0;
  /** The group's labels when its model was trained. */
  private labelsThen = 0;

  /** @param nodes how many nodes the group has */
  constructor(
    nodes: number,
    private readonly form: GroupOptions,
  ) {
    this.members = Array.from({ length: nodes }, () => new GroupMember());
    this.trust = new GroupTrust(nodes);
    this.seed = form.seed ?? 1;
  }

  /** Takes a label of a node, with the features that its sample had there. It ignores a label whose features nothing can be learned from, see `areLearnable`. */
  take(node: number, lesson: Lesson): void {
    if (!areLearnable(lesson.x, this.form.dimension)) return;
    this.members[node].take(lesson, GROUP_LESSONS);
    this.labels++;
  }

  /**
   * The models that are due now: at about 1, 2, 3, 4, 6, 9, 13, 19 and so on own labels of a node, and when the group has learned as much again.
   *
   * @param isThere whether a node takes models yet
   */
  models(isThere: (node: number) => boolean = () => true): TrainedModel[] {
    if (this.labels === 0) return [];
    const isDue = (node: number) => isThere(node) && this.members[node].isDue(this.labels);
    const due = [...this.members.keys()].filter(isDue);
    if (due.length === 0) return [];
    const group = this.groupModel();
    return due.map((node) => this.modelFor(node, group));
  }

  /** Labels until the node gets a model for its own ones, at least 1. */
  labelsUntilModel(node: number): number {
    const { next, labels } = this.members[node];
    return Math.max(1, next - labels);
  }

  /** What it remembers of a node besides its lessons. */
  kept(node: number): KeptMember {
    return this.members[node].kept;
  }

  /**
   * Resumes as an earlier trainer was, of which it took the lessons: a restart of the gateway costs no experience.
   * @param kept what that one remembered of each node; undefined: nothing
   */
  resume(kept: readonly (KeptMember | undefined)[]): void {
    this.members.forEach((member, node) => {
      const its = kept[node];
      if (its) member.resume(its);
    });
    this.labels = this.members.reduce((sum, { labels }) => sum + labels, 0);
    if (this.members.some(({ sent }) => sent)) this.groupModel();
  }

  /** Has a node get a model at the next `models`, whatever was learned since its last. */
  order(node: number): void {
    this.members[node].groupThen = 0;
  }

  /**
   * Has the untrained learner of a newcomer begin with what the group knows: it learns the labels of the trusted nodes once each, and restarts its
   * confidence, so that its own labels count. It has no protection against being unlike the group.
   */
  teach(newcomer: Learner): void {
    const lessons = this.lessons;
    new Random(this.seed, "newcomer").shuffle(lessons);
    for (const { x, y } of lessons) newcomer.learn(x, y);
    newcomer.restartConfidence();
  }

  /** The lessons of the trusted nodes that the group's model learns, node by node. */
  get lessons(): Lesson[] {
    const each = this.shareEach(GROUP_LESSONS);
    return this.members.flatMap(({ lessons }, j) => (this.trust.of(j).isTrusted ? lessons.slice(-each) : []));
  }

  standing(node: number): Standing {
    const { labels, sent, isAlike } = this.members[node];
    return { ...this.trust.of(node), labels, isAlike, ...(sent && { candidate: sent }) };
  }

  /** A node's share of so many lessons, at least one. */
  private shareEach(lessons: number): number {
    return Math.ceil(lessons / this.members.length);
  }

  /** The last lessons of all nodes, about so many in all. */
  private lastLessons(all: number): Lesson[] {
    const share = this.shareEach(all);
    return this.members.flatMap(({ lessons }) => lessons.slice(-share));
  }

  /** The group's model, trained again if there is enough to learn. */
  private groupModel(): GroupModel {
    if (this.group && this.labels < GROUP_GROWTH * this.labelsThen) return this.group;
    const { form, members, trust } = this;
    this.labelsThen = this.labels;
    const basis = new Basis(form, this.lastLessons(BASIS_LESSONS));
    const nature = likeliestNature(basis, this.lastLessons(NATURE_LESSONS));
    const nodes = members.map(({ lessons }) => lessons);
    trust.judge(basis, nodes, Math.min(FOLD_SHARE, this.shareEach(FOLD_LESSONS)), nature);
    const model = fitLessons(basis, this.lessons, nature);
    const priors = trust.folds.all.map(widenPriors);
    const group = { basis, nature, model, priors, merits: new Map<number, readonly number[]>() };
    const labelled = [...members.keys()].filter((j) => members[j].lessons.length > 0);
    for (const j of labelled.slice(0, FELLOWS))
      group.merits.set(j, this.candidatesFor(j, group, FELLOW_LESSONS).merits);
    this.group = group;
    return group;
  }

  private candidatesFor(node: number, { basis, nature, priors }: GroupModel, most?: number): NodeCandidates {
    const { lessons } = this.members[node];
    const own = most ? lessons.slice(-most) : lessons;
    return makeCandidates(basis, priors[this.trust.folds.foldNumber(node)], own, nature);
  }

  /** The merits of other nodes' candidates. */
  private meritsBeside(node: number, { merits }: GroupModel): (readonly number[])[] {
    return [...merits].filter(([j]) => j !== node).map(([, its]) => its);
  }

  private modelFor(node: number, group: GroupModel): TrainedModel {
    const member = this.members[node];
    const unlike = this.trust.unlikeness(group.basis, node, member.lessons);
    const { candidate, weights } = this.choiceFor(node, group, unlike);
    const groupThen = Math.max(FEWEST, this.labels);
    Object.assign(member, { sent: candidate, isAlike: unlike <= 0.5, ownThen: member.labels, groupThen });
    return { node, candidate, bytes: installable(this.form, group.basis, weights) };
  }

  /** The weights of a node's model, and the candidate that has most of it. Without own labels there is nothing but the group's model. */
  private choiceFor(node: number, group: GroupModel, unlike: number): Choice {
    const { model } = group;
    if (this.members[node].lessons.length === 0) return { candidate: "group", weights: model.mean };
    const { models, merits, certainties } = this.candidatesFor(node, group);
    const shares = candidateShares(merits, this.meritsBeside(node, group), unlike);
    const weighed = shares.map((share, c) => share * certainties[c]);
    return { candidate: mainCandidate(shares), weights: meanWeights([model, ...models.slice(1)], weighed) };
  }
}
