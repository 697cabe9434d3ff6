import type { Task } from "../../src/learn/learner.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { ChairVarshney, type FusionRule, MajorityVote } from "../labels/index.ts";
import { NodeLabels } from "../labels/node-labels.ts";
import type { FusionResult } from "../result.ts";
import type { Scenario } from "../scenario.ts";
import { truthOf } from "../scoring/scorer.ts";
import type { Mote } from "./mote.ts";
import type { Prepared } from "./prepare.ts";

/** A rule, compared with the others on every scene, and how often it was wrong. */
interface ComparedRule {
  readonly name: string;
  readonly rule: FusionRule;
  wrong: number;
}

/** A label that waits for its time, and the one that waits for the same time behind it: behind the last the first. */
interface Waiting {
  mote: Mote;
  sid: number;
  seq: number;
  y: number;
  taken: number;
  right: boolean;
  next: Waiting | undefined;
}

/**
 * The fusion centre: gets every node's label as the node's surroundings tell it, by its rule makes one of those of nodes
 * that see one scene, holds it back, and hands it to the node's peer.
 */
export class FusionCentre {
  private readonly sources: readonly NodeLabels[];
  private readonly rules: readonly ComparedRule[];
  private readonly wrongVotes: number[];
  /** One of the rules, which also knows how far each node is to be relied on. */
  private readonly reliability: ChairVarshney;
  private readonly votes: Int8Array;
  private decisions = 0;
  /** The last label of each sample at which some go out; those of one node in the order of their samples. */
  private readonly waiting = new Map<number, Waiting>();
  /** Labels that went out: the next are made of them. */
  private spare: Waiting | undefined;
  private readonly said: Float64Array;
  private readonly numbered: number[];

  constructor(
    private readonly scenario: Scenario,
    catalogue: Catalogue,
    private readonly place: string,
    private readonly task: Task,
    classes: readonly number[],
    private readonly prepared: Prepared,
    private readonly motes: readonly Mote[],
  ) {
    const { labels, seed } = scenario;
    this.sources = motes.map(
      ({ stream }, index) =>
        new NodeLabels(catalogue, labels, classes, index, `${place}/${stream.node}`, seed),
    );
    this.reliability = new ChairVarshney(motes.length);
    this.rules = [
      { name: "majority", rule: new MajorityVote(), wrong: 0 },
      { name: "chair-varshney", rule: this.reliability, wrong: 0 },
    ];
    this.wrongVotes = motes.map(() => 0);
    this.votes = new Int8Array(motes.length);
    this.said = new Float64Array(motes.length);
    this.numbered = motes.map(() => 0);
  }

  /** Labels for what was sampled at `now`, and those whose time has come. */
  step(now: number): void {
    const { motes, sources, said } = this;
    const { streams, oneScene } = this.prepared;
    for (let i = 0; i < motes.length; i++) {
      const truth = now < streams[i].count ? streams[i].truth[now] : Number.NaN;
      said[i] = Number.isNaN(truth) ? truth : sources[i].corrupt(truth);
    }
    const fused = oneScene && now < streams[0].count ? this.fuse(now) : Number.NaN;
    for (let i = 0; i < motes.length; i++) if (now < streams[i].count) this.label(i, now, fused);
    this.release(now);
  }

  /** The label of what node i sampled at `now`, if it sampled anything. */
  private label(i: number, now: number, fused: number): void {
    const mote = this.motes[i];
    const delay = this.sources[i].delay();
    if (mote.samples === this.numbered[i]) return;
    this.numbered[i] = mote.samples;
    if (!mote.wantsLabel) return;
    if (Number.isNaN(delay)) {
      mote.lose();
      return;
    }
    const told = this.scenario.fusion.rule === "oracle" ? this.said[i] : fused;
    const { sid, seq } = mote.newest;
    const label = this.blank(mote);
    label.sid = sid;
    label.seq = seq;
    label.y = truthOf(this.task, told);
    label.taken = now;
    label.right = told === this.prepared.streams[i].truth[now];
    this.hold(label, now + delay);
  }

  /** A label to be filled in. */
  private blank(mote: Mote): Waiting {
    const label = this.spare;
    if (!label) return { mote, sid: 0, seq: 0, y: 0, taken: 0, right: false, next: undefined };
    this.spare = label.next;
    label.mote = mote;
    return label;
  }

  private hold(label: Waiting, until: number): void {
    const last = this.waiting.get(until);
    label.next = last ? last.next : label;
    if (last) last.next = label;
    this.waiting.set(until, label);
  }

  /** One label of all nodes' votes; every rule decides, for comparison, and the scenario's counts. */
  private fuse(now: number): number {
    const truth = this.prepared.streams[0].truth[now];
    this.decisions++;
    for (let i = 0; i < this.said.length; i++) {
      this.votes[i] = this.said[i];
      if (this.said[i] !== truth) this.wrongVotes[i]++;
    }
    let fused = Number.NaN;
    for (const compared of this.rules) {
      const decision = compared.rule.decide(this.votes);
      compared.rule.observe(this.votes);
      if (decision !== truth) compared.wrong++;
      if (compared.name === this.scenario.fusion.rule) fused = decision;
    }
    return fused;
  }

  private release(now: number): void {
    const last = this.waiting.get(now);
    if (!last) return;
    this.waiting.delete(now);
    const first = last.next as Waiting;
    last.next = undefined;
    for (let label: Waiting | undefined = first; label; label = label.next) label.mote.issue(label);
    last.next = this.spare;
    this.spare = first;
  }

  /** Whether every label has come through. */
  get idle(): boolean {
    return this.waiting.size === 0 && this.motes.every((mote) => mote.idle);
  }

  /** How good the labels were; undefined where there was nothing to fuse. */
  result(): FusionResult | undefined {
    if (this.decisions === 0) return undefined;
    const share = (count: number) => count / this.decisions;
    const votes = Object.fromEntries(
      this.motes.map(({ stream }, i) => [stream.node, share(this.wrongVotes[i])]),
    );
    const rules = Object.fromEntries(this.rules.map(({ name, wrong }) => [name, share(wrong)]));
    const rule = this.scenario.fusion.rule;
    const mean = Object.values(votes).reduce((sum, error) => sum + error, 0) / this.motes.length;
    return {
      task: this.place,
      rule,
      decisions: this.decisions,
      error: rules[rule] ?? mean,
      rules,
      votes,
      estimated: Object.fromEntries(
        this.motes.map(({ stream }, i) => [stream.node, this.reliability.rate(i)]),
      ),
      alarms: this.reliability.alarms.map(({ node, scene, rate }) => ({
        node: this.motes[node].stream.node,
        decision: scene,
        rate,
      })),
    };
  }
}
