import { average } from "../../host/statistics.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { ChairVarshney, type FusionRule, MajorityVote } from "../labels/index.ts";
import { NodeLabels } from "../prequential/node-labels.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { FusionResult } from "../scoring/result.ts";
import type { TaskStreams } from "./prepare.ts";

/**
 * The fused labels of all scenes. They depend on no node, so nodes can be simulated apart once they are
 * known.
 */
export interface Fusion {
  /** The label of each scene by the scenario's rule, -1 or +1; 0 where nodes get their own (oracle). */
  readonly labels: Int8Array;
  readonly result: FusionResult;
}

/** A rule, compared with the others on every scene, and how often its decision wasn't a node's truth. */
interface ComparedRule {
  readonly name: string;
  readonly rule: FusionRule;
  wrong: number;
}

/** The inputs of a fusion: the votes of nodes that see one scene follow from them. */
export interface FusionParts {
  /** With the task's labels. */
  readonly scenario: Scenario;
  readonly catalogue: Catalogue;
  readonly task: string;
  readonly classes: readonly number[];
  readonly prepared: TaskStreams;
}

/** Where each node's label comes from, before it is fused or delayed. */
export function labelSource(
  { scenario, catalogue, task, classes }: Omit<FusionParts, "prepared">,
  node: string,
  index: number,
): NodeLabels {
  const { labels, seed } = scenario;
  return new NodeLabels(catalogue, labels, classes, index, `${task}/${node}`, seed);
}

/** The votes of all nodes, scene by scene, and each rule's decision; the scenario's rule gives the label. */
class VoteCounter {
  private readonly sources: readonly NodeLabels[];
  private readonly truths: readonly (() => number)[];
  private readonly votes: Int8Array;
  private readonly wrongVotes: Float64Array;
  /** The truth of the present scene as each node has it. */
  private readonly seen: Int8Array;
  /** One of the rules, which also estimates each node's reliability. */
  private readonly reliability: ChairVarshney;
  private readonly rules: readonly ComparedRule[];
  private decisions = 0;

  constructor(
    private readonly parts: FusionParts,
    private readonly names: readonly string[],
  ) {
    const { scene = [] } = parts.prepared;
    this.sources = names.map((name, index) => labelSource(parts, name, index));
    this.truths = scene.map((each) => each.open());
    this.votes = new Int8Array(names.length);
    this.wrongVotes = new Float64Array(names.length);
    this.seen = new Int8Array(names.length);
    this.reliability = new ChairVarshney(names.length);
    this.rules = [
      { name: "majority", rule: new MajorityVote(), wrong: 0 },
      { name: "chair-varshney", rule: this.reliability, wrong: 0 },
    ];
  }

  /** The label of the next scene; 0 where the rule is none. */
  next(): number {
    const { truths, sources, votes, seen, wrongVotes } = this;
    const truth = truths[0]();
    for (let i = 0; i < sources.length; i++) {
      seen[i] = i > 0 && i < truths.length ? truths[i]() : truth;
      votes[i] = sources[i].corrupt(seen[i]);
      if (votes[i] !== seen[i]) wrongVotes[i]++;
    }
    this.decisions++;
    let fused = 0;
    for (const compared of this.rules) {
      const decision = compared.rule.decide(votes);
      compared.rule.observe(votes);
      for (let i = 0; i < seen.length; i++) if (decision !== seen[i]) compared.wrong++;
      if (compared.name === this.parts.scenario.fusion.rule) fused = decision;
    }
    return fused;
  }

  /** How good the labels were. */
  result(): FusionResult {
    const { names, reliability } = this;
    const { rule } = this.parts.scenario.fusion;
    const { decisions } = this;
    const byNode = (of: (index: number) => number) =>
      Object.fromEntries(names.map((name, index) => [name, of(index)]));
    const votes = byNode((index) => this.wrongVotes[index] / decisions);
    const labels = decisions * names.length;
    const rules = Object.fromEntries(this.rules.map(({ name, wrong }) => [name, wrong / labels]));
    const mean = average(Object.values(votes));
    return {
      task: this.parts.task,
      rule,
      decisions,
      error: rules[rule] ?? mean,
      rules,
      votes,
      estimated: byNode((index) => reliability.rate(index)),
      alarms: reliability.alarms.map(({ node, scene, rate }) => ({
        node: names[node],
        decision: scene,
        rate,
      })),
    };
  }
}

/** All votes on all scenes; undefined where nodes see no scene together. */
export function fuse(parts: FusionParts): Fusion | undefined {
  const { streams, scene } = parts.prepared;
  if (!scene) return undefined;
  const ballots = new VoteCounter(
    parts,
    streams.map(({ node }) => node),
  );
  const labels = Int8Array.from({ length: streams[0].count }, () => ballots.next());
  return { labels, result: ballots.result() };
}
