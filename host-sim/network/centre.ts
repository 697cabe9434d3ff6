import type { Task } from "../../src/learn/learner.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { ChairVarshney, type FusionRule, type LabelNoise, MajorityVote } from "../labels/index.ts";
import { Random } from "../random.ts";
import type { FusionResult } from "../result.ts";
import { type LabelOptions, type Scenario, ScenarioError } from "../scenario.ts";
import { truthOf } from "../scoring/scorer.ts";
import type { Mote } from "./mote.ts";
import type { Prepared } from "./prepare.ts";

/** A label that waits for its time. */
interface Waiting {
  readonly mote: Mote;
  readonly sid: number;
  readonly seq: number;
  readonly taken: number;
  readonly y: number;
  readonly right: boolean;
}

/** How one node's labels go wrong before they reach the centre: a chain of noises, each with draws of its own. */
class NodeLabels {
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
 * that see one scene, holds it back, and hands it to the node's peer.
 */
export class FusionCentre {
  private readonly sources: readonly NodeLabels[];
  private readonly rules: ReadonlyMap<string, FusionRule>;
  private readonly wrong: Map<string, number>;
  private readonly wrongVotes: number[];
  private readonly votes: Int8Array;
  private decisions = 0;
  /** Labels by the sample at which they go out, those of one node in the order of their samples. */
  private readonly waiting = new Map<number, Waiting[]>();
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
    this.rules = new Map<string, FusionRule>([
      ["majority", new MajorityVote()],
      ["chair-varshney", new ChairVarshney(motes.length)],
    ]);
    this.wrong = new Map([...this.rules.keys()].map((rule) => [rule, 0]));
    this.wrongVotes = motes.map(() => 0);
    this.votes = new Int8Array(motes.length);
    this.said = new Float64Array(motes.length);
    this.numbered = motes.map(() => 0);
  }

  /** Labels for what was sampled at `now`, and those whose time has come. */
  step(now: number): void {
    const { motes, sources, said } = this;
    const { streams, oneScene } = this.prepared;
    for (let i = 0; i < motes.length; i++)
      said[i] = now < streams[i].count ? sources[i].corrupt(streams[i].truth[now]) : Number.NaN;
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
    if (Number.isNaN(delay)) {
      mote.lose();
      return;
    }
    const label = this.scenario.fusion.rule === "oracle" ? this.said[i] : fused;
    const right = label === this.prepared.streams[i].truth[now];
    const { sid, seq } = mote.newest;
    const waiting = { mote, sid, seq, taken: now, y: truthOf(this.task, label), right };
    const list = this.waiting.get(now + delay);
    if (list) list.push(waiting);
    else this.waiting.set(now + delay, [waiting]);
  }

  /** One label of all nodes' votes; every rule decides, for comparison, and the scenario's counts. */
  private fuse(now: number): number {
    const truth = this.prepared.streams[0].truth[now];
    this.votes.set(this.said);
    this.decisions++;
    this.said.forEach((vote, i) => {
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

  private release(now: number): void {
    const due = this.waiting.get(now);
    if (!due) return;
    this.waiting.delete(now);
    for (const { mote, sid, seq, y, taken, right } of due) mote.issue({ sid, seq }, y, taken, right);
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
    const rules = Object.fromEntries([...this.wrong].map(([rule, count]) => [rule, share(count)]));
    const rule = this.scenario.fusion.rule;
    const mean = Object.values(votes).reduce((sum, error) => sum + error, 0) / this.motes.length;
    return { task: this.place, rule, decisions: this.decisions, error: rules[rule] ?? mean, rules, votes };
  }
}
