import type { Learner } from "../../src/learn/learner.ts";
import type { MemoryRange } from "../../src/memory/layout.ts";
import { arithmetic } from "../arithmetic.ts";
import { Random } from "../random.ts";
import {
  CANDIDATES,
  type Candidate,
  chooseModel,
  type Experience,
  NodeCandidates,
  noExperience,
} from "./candidates.ts";
import { bestPasses } from "./folds.ts";
import {
  FULL,
  installable,
  type Lesson,
  type ModelForm,
  type ModelLearner,
  modelLayout,
  trainModel,
} from "./model.ts";
import { GroupTrust, type Trust } from "./trust.ts";

/** Lessons that the group's model learns in all: the last ones of each node. */
const GROUP_LESSONS = 8000;
/** Lessons of a node that a cross-validation learns. */
const FOLD_LESSONS = 60;
/** The group's model is trained again when its labels have grown by this factor. */
const GROUP_GROWTH = 1.1;
/** A node gets a model when its own labels have grown by OWN_GROWTH, or the group's by FELLOWS_GROWTH, from at least FEWEST. */
const OWN_GROWTH = 1.5;
const FELLOWS_GROWTH = 2;
const FEWEST = 5;
/** The candidate of a node that isn't like its group. */
const GROUP = CANDIDATES.indexOf("group");
const OWN = CANDIDATES.indexOf("own");

/** What a group trains by. */
interface GroupOptions extends ModelForm {
  /** The seed of all orders in which lessons are learned. Default 1. */
  readonly seed?: number;
}

/** A model for a node. */
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
  /** False if its labels contradicted the others' model when it was sent one: then it got one of its own labels alone. */
  readonly isAlike: boolean;
  /** The candidate that it was sent last. */
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
  /** Discounted errors of each candidate, and labels. */
  readonly errors: readonly number[];
  readonly judged: number;
}

/** A node of a group. */
class GroupMember {
  readonly lessons: Lesson[] = [];
  readonly candidates: NodeCandidates;
  /** Its labels. */
  labels = 0;
  sent: Candidate | undefined;
  isAlike = true;
  /** Own labels, and the group's, when it got its last model. */
  ownThen = 0;
  groupThen = FEWEST;

  constructor(form: ModelForm) {
    this.candidates = new NodeCandidates(form);
  }

  take(lesson: Lesson, most: number): void {
    this.candidates.judge(lesson);
    this.lessons.push(lesson);
    this.labels++;
    if (this.lessons.length > 2 * most) this.lessons.splice(0, this.lessons.length - most);
  }

  /** Own labels with which it gets a model. */
  get next(): number {
    return Math.max(this.ownThen + 1, Math.floor(OWN_GROWTH * this.ownThen));
  }

  get kept(): KeptMember {
    const { candidates, labels, sent, isAlike, ownThen, groupThen } = this;
    const { errors, labels: judged } = candidates.experience;
    return { labels, ...(sent && { sent }), isAlike, ownThen, groupThen, errors: [...errors], judged };
  }

  resume({ errors, judged, ...kept }: KeptMember): void {
    Object.assign(this, kept);
    this.candidates.experience.errors.set(errors);
    this.candidates.experience.labels = judged;
  }

  isDue(group: number): boolean {
    return this.labels >= this.next || group >= FELLOWS_GROWTH * this.groupThen;
  }
}

/**
 * Trains models for nodes that are alike, from the labels of all: the gateway trains, the node judges. It is a function of the lessons in their order, of
 * the times at which models are asked for, and of the seed: the same give the same models, bit for bit.
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
  private readonly memory: MemoryRange;
  private readonly trust: GroupTrust;
  private group: ModelLearner | undefined;
  private labels = 0;
  /** The group's labels when its model was trained. */
  private labelsThen = 0;

  /** @param nodes how many nodes the group has */
  constructor(
    nodes: number,
    private readonly form: GroupOptions,
  ) {
    this.members = Array.from({ length: nodes }, () => new GroupMember(form));
    this.trust = new GroupTrust(form, nodes);
    this.seed = form.seed ?? 1;
    this.memory = arithmetic().allocate(modelLayout(form));
  }

  /** Takes a label of a node, with the features that its sample had there. */
  take(node: number, lesson: Lesson): void {
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
    const all = this.sumOfTrusted();
    return due.map((node) => this.modelFor(node, group, all));
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
    if (!this.members.some(({ sent }) => sent)) return;
    const group = this.groupModel();
    for (const [node, { candidates, lessons, labels, sent }] of this.members.entries())
      if (sent) candidates.train(group, lessons, `${this.seed}/${node}/${labels}`);
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
    const each = this.share;
    return this.members.flatMap(({ lessons }, j) => (this.trust.of(j).isTrusted ? lessons.slice(-each) : []));
  }

  standing(node: number): Standing {
    const { labels, sent, isAlike } = this.members[node];
    return { ...this.trust.of(node), labels, isAlike, ...(sent && { candidate: sent }) };
  }

  private get share(): number {
    return Math.ceil(GROUP_LESSONS / this.members.length);
  }

  /** The group's model, trained again if there is enough to learn. */
  private groupModel(): ModelLearner {
    if (this.group && this.labels < GROUP_GROWTH * this.labelsThen) return this.group;
    const { form, members } = this;
    const nodes = members.map(({ lessons }) => lessons);
    const seed = `${this.seed}/${this.labels}`;
    const each = Math.min(FOLD_LESSONS, this.share);
    this.labelsThen = this.labels;
    const trust = this.trust.judge(nodes, `${seed}/trust`, each);
    const groups = nodes.length > 1 ? nodes : nodes[0].slice(-FOLD_LESSONS).map((lesson) => [lesson]);
    const isLearned = (j: number) => nodes.length === 1 || trust[j].isTrusted;
    const passes = bestPasses(form, groups, isLearned, `${seed}/passes`, each);
    this.group = trainModel(form, this.memory, this.lessons, new Random(this.seed, seed), {
      ...FULL,
      passes,
    });
    return this.group;
  }

  private sumOfTrusted(): Experience {
    const sum = noExperience();
    this.members.forEach(({ candidates }, j) => {
      if (this.trust.of(j).isTrusted) add(sum, candidates.experience, 1);
    });
    return sum;
  }

  /** @param all the experience of all trusted nodes */
  private modelFor(node: number, group: ModelLearner, all: Experience): TrainedModel {
    const member = this.members[node];
    const { candidates, lessons } = member;
    const others = add(
      add(noExperience(), all, 1),
      candidates.experience,
      this.trust.of(node).isTrusted ? -1 : 0,
    );
    candidates.train(group, lessons, `${this.seed}/${node}/${member.labels}`);
    const isAlike = this.trust.isAlike(node, lessons);
    const place = isAlike ? this.choiceFor(member, others) : OWN;
    const candidate = CANDIDATES[place];
    Object.assign(member, {
      sent: candidate,
      isAlike,
      ownThen: member.labels,
      groupThen: Math.max(FEWEST, this.labels),
    });
    return { node, candidate, bytes: installable(this.form, candidates.at(place) as ModelLearner) };
  }

  /** The candidate for a node like its group. Without own labels there is nothing that a model could have followed. */
  private choiceFor({ candidates, lessons }: GroupMember, others: Experience): number {
    return lessons.length === 0 ? GROUP : chooseModel(candidates.experience, others);
  }
}

/** sum <- sum + factor * each. */
function add(sum: Experience, each: Experience, factor: number): Experience {
  each.errors.forEach((errors, c) => {
    sum.errors[c] += factor * errors;
  });
  sum.labels += factor * each.labels;
  return sum;
}
