import { Catalogue } from "../catalogue/catalogue.ts";
import { type Scenario, ScenarioError, scenarioOf } from "../scenario/scenario.ts";
import type { FusionResult, LearnerResult } from "../scoring/result.ts";
import { truthClasses } from "../scoring/scorer.ts";
import { FusionCentre } from "./centre.ts";
import { type Fusion, type FusionParts, fuse, labelSource } from "./fusion.ts";
import type { Journal, NodeReplay } from "./journal.ts";
import { type ChosenFamily, chosenFamily } from "./learner.ts";
import type { Mote } from "./mote.ts";
import { NodeKind } from "./node-kind.ts";
import { NodeRun, nodeOptions } from "./node-run.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { HERE, type NodeMaker } from "./simulated-node.ts";
import { type StartState, startState } from "./start-state.ts";

export { type Prepared, prepare };

/** The results of some nodes of a network. */
export interface PartOutcome {
  readonly nodes: readonly { readonly node: string; readonly result: LearnerResult }[];
  /** What each node received, if the run keeps it. */
  readonly replays?: readonly NodeReplay[];
}

/** A network's outcome: each node's result, and how good the fused labels were. */
export interface NetworkOutcome extends PartOutcome {
  readonly fusion?: FusionResult;
}

/** Every `of`-th node of a network, from node `part` on. */
export interface Part {
  readonly part: number;
  readonly of: number;
}

/** What all parts have for their nodes, in the order of the network's nodes. */
export function joined<T>(parts: readonly (readonly T[])[]): T[] {
  const { length: of } = parts;
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  return Array.from({ length: count }, (_, i) => parts[i % of][Math.floor(i / of)]);
}

const WHOLE: Part = { part: 0, of: 1 };

/** Which network of a scenario, and how it is run. */
export interface NetworkOptions {
  readonly scenario: Scenario;
  readonly prepared: Prepared;
  /** Places of the task in the scenario, and of the learner in the task. */
  readonly task: number;
  readonly learner: number;
  /** True to keep what each node received, so that a real node can be fed the same; default false. */
  readonly keepJournals?: boolean;
  /** What the nodes run on; default this process. */
  readonly maker?: NodeMaker;
  readonly catalogue?: Catalogue;
  /** Called about a hundred times in a whole network with the share of samples taken so far: 0..1. */
  readonly reached?: (share: number) => void;
}

/** Samples after the last one within which every label must have come: far more than any link takes. */
const FLUSH_MAX = 1_000_000;

/** A network whose options are checked, with the task's own labels and nodes. */
interface ResolvedNetwork extends FusionParts {
  readonly options: NetworkOptions;
  readonly choice: ChosenFamily;
  /** Names of the classes, from the scenario or its files. */
  readonly classNames?: readonly string[];
  readonly maker: NodeMaker;
}

function resolvedNetwork(options: NetworkOptions): ResolvedNetwork {
  const { prepared, maker = HERE, catalogue = Catalogue.shipped } = options;
  const task = options.scenario.tasks[options.task];
  const scenario = scenarioOf(options.scenario, task);
  const { labels, node } = scenario;
  if (node.sleep && node.fed)
    throw new ScenarioError("node.sleep: a node that is fed never sleeps; leave out node.fed or node.sleep");
  if (labels.budget < 1 && node.fed)
    throw new ScenarioError(
      "labels.budget: samples are recorded before a fed node can ask for labels; leave out node.fed or labels.budget",
    );
  if (node.state !== undefined && (node.fed || options.keepJournals))
    throw new ScenarioError(
      `node.state: ${node.fed ? "a node that is fed" : "a replay"} begins with sample 1; leave out ${node.fed ? "node.fed or " : ""}node.state`,
    );
  const choice = chosenFamily(catalogue, task, options.learner, prepared.classes?.count ?? 0);
  const classes = truthClasses(choice.family.task, prepared.classes?.count ?? 0);
  const hasNames = task.classes !== undefined || (scenario.stream.type === "files" && task.task !== "faults");
  const classNames = hasNames ? prepared.classes?.names : undefined;
  return { options, scenario, catalogue, task: task.name, classes, classNames, prepared, choice, maker };
}

/**
 * The labels of a network's scenes, which its parts take, and how good they are. Undefined where nodes see no
 * scene together.
 */
export function fuseNetwork(options: NetworkOptions): Fusion | undefined {
  return fuse(resolvedNetwork(options));
}

/** Runs one network: every node with a learner of its own, one fusion centre, lines between them. */
export function runNetwork(options: NetworkOptions): NetworkOutcome {
  const fusion = fuseNetwork(options);
  return { ...runPart(options, WHOLE, fusion?.labels), fusion: fusion?.result };
}

/**
 * Runs some nodes of a network, one after the other. A node depends on others only through the fused labels,
 * which are an input here. So running a network in parts gives the same bits as running it whole.
 */
export function runPart(options: NetworkOptions, { part, of }: Part, fused?: ArrayLike<number>): PartOutcome {
  const network = resolvedNetwork(options);
  const { streams } = options.prepared;
  const ownOptions = nodeOptions(network.scenario, network.choice, streams[0].channels, 0);
  const kind = new NodeKind(ownOptions);
  const { state } = options.prepared;
  const start = state && startState(state, ownOptions);
  const end = Math.max(...streams.map(({ count }) => count));
  const own = [...streams.keys()].filter((index) => index % of === part);
  const progress = new Progress(own.length * end, (streams.length * end) / 100, options.reached);
  const runs = own.map((index) => runNode({ network, kind, start, end, progress, fused }, index));
  return {
    nodes: runs.map(({ node, result }) => ({ node, result })),
    ...(options.keepJournals && { replays: runs.map(({ replay }) => replay as NodeReplay) }),
  };
}

/** The surroundings in which the nodes of a part run. */
interface PartRun {
  readonly network: ResolvedNetwork;
  readonly kind: NodeKind;
  readonly start?: StartState;
  /** Samples of the longest stream. */
  readonly end: number;
  readonly progress: Progress;
  readonly fused?: ArrayLike<number>;
}

/**
 * Every sample of a node in the order of time, up to the network's end, then every label that is still under
 * way.
 */
function runNode({ network, kind, start, end, progress, fused }: PartRun, index: number) {
  const { scenario, task, classes, prepared, choice, maker, options } = network;
  const { streams } = prepared;
  const stream = streams[index];
  const { keepJournals: keepJournal = false } = options;
  const { length: nodes } = streams;
  const { classNames } = network;
  const seat = new NodeRun({
    ...{ scenario, task, stream, index, nodes, choice, kind, start, classes, classNames, maker, keepJournal },
  });
  const { mote } = seat;
  try {
    const source = labelSource(network, stream.node, index);
    const voted = scenario.fusion.rule === "oracle" ? undefined : fused;
    const centre = new FusionCentre(mote, source, choice.family.task, voted);
    for (let k = 0; k < end || !centre.idle; k++) {
      if (k - end > FLUSH_MAX) throw new ScenarioError("link: labels don't get through; lower link.loss");
      const truth = seat.advance(k);
      if (k < stream.count) centre.step(k, truth);
      else centre.release(k);
      if (k < end) progress.step();
    }
    const replay = keepJournal ? replayOf(mote) : undefined;
    return { node: stream.node, result: seat.result(), replay };
  } finally {
    mote.node.close();
  }
}

/** Reports the share of steps done, every so many steps; a part with fewer steps reports at its end. */
class Progress {
  private done = 0;
  private readonly every: number;

  constructor(
    private readonly steps: number,
    every: number,
    private readonly reached: (share: number) => void = () => {},
  ) {
    this.every = Math.min(steps, Math.ceil(every));
  }

  step(): void {
    if (++this.done % this.every === 0) this.reached(this.done / this.steps);
  }
}

function replayOf({ journal, node }: Mote): NodeReplay {
  const hashes = node.hashes();
  return (journal as Journal).finish(hashes.state, hashes.node);
}
