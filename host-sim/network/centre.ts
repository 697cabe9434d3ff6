import type { Task } from "../../src/learn/learner.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { ChairVarshney, type FusionRule, type LabelNoise, MajorityVote } from "../labels/index.ts";
import { Random } from "../random.ts";
import type { FusionResult } from "../result.ts";
import { type LabelOptions, type Scenario, ScenarioError } from "../scenario.ts";
import type { Mote } from "./mote.ts";
import type { Prepared } from "./prepare.ts";

/** A label that waits for its time. */
interface Waiting {
  readonly ready: number;
  readonly mote: Mote;
  readonly seq: number;
  readonly taken: number;
  readonly label: number;
  readonly right: boolean;
}

/** How one node's labels go wrong before they reach the centre: a chain of noises, each with draws of its own. */
class LabelSource {
  private readonly noises: readonly LabelNoise[];
  private readonly random: Random;

  constructor(
    { labelNoises }: Catalogue,
    private readonly options: LabelOptions,
    private readonly classes: readonly number[],
    index: number,
    place: string,
    seed: number,
  ) {
    const noise = { ...options.noise };
    if (options.nodeRates.length > 0)
      noise.symmetric = { rate: options.nodeRates[index % options.nodeRates.length] };
    this.noises = Object.entries(labelNoises)
      .filter(([name]) => noise[name])
      .map(([name, { make }]) => make(noise[name] as object, new Random(seed, `${place}/labels/${name}`)));
    if (this.noises.length > 0 && classes.length === 0) {
      throw new ScenarioError("labels.noise: a regression's labels have no classes to confuse; leave it out");
    }
    this.random = new Random(seed, `${place}/labels`);
  }

  /** What is said instead of the truth. */
  corrupt(truth: number): number {
    let label = truth;
    for (const noise of this.noises) label = noise.corrupt(label, this.classes.indexOf(label), this.classes);
    return label;
  }

  /** Samples until the label comes; NaN if it never does. Two draws, whatever the options. */
  delay(): number {
    const { delayMean, delaySpread, delayMax, loss } = this.options;
    const lost = this.random.uniform() < loss;
    const delay = Math.round(delayMean + delaySpread * this.random.normal());
    return lost ? Number.NaN : Math.min(Math.max(delay, 0), delayMax);
  }
}

/**
 * The fusion centre: gets every node's label as the node's surroundings tell it, by its rule makes one of those of nodes
 * that see one scene, holds it back, and sends it until it is acknowledged.
 */
export class FusionCentre {
  private readonly sources: readonly LabelSource[];
  private readonly rules: ReadonlyMap<string, FusionRule>;
  private readonly wrong: Map<string, number>;
  private readonly wrongVotes: number[];
  private readonly votes: Int8Array;
  private decisions = 0;
  private waiting: Waiting[] = [];
  private nextReady = Number.POSITIVE_INFINITY;
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
        new LabelSource(catalogue, labels, classes, index, `${place}/${stream.node}`, seed),
    );
    this.rules = new Map<string, FusionRule>([
      ["majority", new MajorityVote()],
      ["chair-varshney", new ChairVarshney(motes.length)],
    ]);
    this.wrong = new Map([...this.rules.keys()].map((rule) => [rule, 0]));
    this.wrongVotes = motes.map(() => 0);
    this.votes = new Int8Array(motes.length);
    this.numbered = motes.map(() => 0);
  }

  /** What a learner is given for a label: a novelty learner takes an event as -1. */
  private target(label: number): number {
    return this.task === "novelty" ? -label : label;
  }

  /** Labels for what was sampled at `now`, and one round over every link. */
  step(now: number): void {
    const said = this.sources.map((source, i) =>
      now < this.prepared.streams[i].count ? source.corrupt(this.prepared.streams[i].truth[now]) : Number.NaN,
    );
    const fused =
      this.prepared.oneScene && now < this.prepared.streams[0].count ? this.fuse(said, now) : Number.NaN;
    this.motes.forEach((mote, i) => {
      if (now >= this.prepared.streams[i].count) return;
      const delay = this.sources[i].delay();
      if (mote.node.seq === this.numbered[i]) return; // it sampled nothing
      this.numbered[i] = mote.node.seq;
      if (Number.isNaN(delay)) {
        mote.lose();
        return;
      }
      const label = this.scenario.fusion.rule === "oracle" ? said[i] : fused;
      const right = label === this.prepared.streams[i].truth[now];
      this.hold({
        ready: now + delay,
        mote,
        seq: mote.node.seq,
        taken: now,
        label: this.target(label),
        right,
      });
    });
    this.release(now);
    for (const mote of this.motes) mote.exchange(now);
  }

  /** One label of all nodes' votes; every rule decides, for comparison, and the scenario's counts. */
  private fuse(said: readonly number[], now: number): number {
    const truth = this.prepared.streams[0].truth[now];
    this.votes.set(said);
    this.decisions++;
    said.forEach((vote, i) => {
      if (vote !== truth) this.wrongVotes[i]++;
    });
    let fused = Number.NaN;
    for (const [name, rule] of this.rules) {
      const decision = rule.decide(this.votes);
      rule.observe(this.votes);
      if (decision !== truth) this.wrong.set(name, (this.wrong.get(name) as number) + 1);
      if (name === this.scenario.fusion.rule) fused = decision;
    }
    return fused;
  }

  private hold(label: Waiting): void {
    this.waiting.push(label);
    if (label.ready < this.nextReady) this.nextReady = label.ready;
  }

  private release(now: number): void {
    if (now < this.nextReady) return;
    const due = this.waiting.filter(({ ready }) => ready <= now);
    this.waiting = this.waiting.filter(({ ready }) => ready > now);
    this.nextReady = this.waiting.reduce(
      (least, { ready }) => Math.min(least, ready),
      Number.POSITIVE_INFINITY,
    );
    due.sort((a, b) => a.ready - b.ready || a.seq - b.seq);
    for (const { mote, seq, label, taken, right } of due) mote.issue(seq, label, taken, right);
  }

  /** Whether every label has come through. */
  get idle(): boolean {
    return this.waiting.length === 0 && this.motes.every((mote) => mote.idle);
  }

  /** How good the labels were; undefined where there was nothing to fuse. */
  result(): FusionResult | undefined {
    if (this.decisions === 0) return undefined;
    const share = (count: number) => count / this.decisions;
    const votes = Object.fromEntries(
      this.motes.map(({ stream }, i) => [stream.node, share(this.wrongVotes[i])]),
    );
    const rules = Object.fromEntries([...this.wrong].map(([rule, count]) => [rule, share(count)]));
    const rule = this.scenario.fusion.rule;
    const mean = Object.values(votes).reduce((sum, error) => sum + error, 0) / this.motes.length;
    return { task: this.place, rule, decisions: this.decisions, error: rules[rule] ?? mean, rules, votes };
  }
}
