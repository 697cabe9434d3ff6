import type { NodeOptions } from "../../src/node/node-options.ts";
import { featureDimension } from "../../src/signal/features.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import { type Scenario, ScenarioError, type TogetherOptions, taskScenario } from "../scenario/scenario.ts";
import type { FusionResult, LearnerResult } from "../scoring/result.ts";
import { truthClasses } from "../scoring/scorer.ts";
import { FusionCentre } from "./centre.ts";
import { type Fusion, type FusionParts, fuse, labelSource } from "./fusion.ts";
import { Groups } from "./groups.ts";
import type { Journal, NodeReplay } from "./journal.ts";
import { type ChosenFamily, chosenFamily } from "./learner.ts";
import type { Mote } from "./mote.ts";
import { NodeKind } from "./node-kind.ts";
import { NodeRun, type NodeRunParts, nodeOptions } from "./node-run.ts";
import { prepare, type TaskStreams } from "./prepare.ts";
import { HERE, type NodeMaker } from "./simulated-node.ts";
import { type StartState, startState, taughtState } from "./start-state.ts";

export { prepare, type TaskStreams };

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
export function concatenate<T>(parts: readonly (readonly T[])[]): T[] {
  const { length: of } = parts;
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  return Array.from({ length: count }, (_, i) => parts[i % of][Math.floor(i / of)]);
}

const WHOLE: Part = { part: 0, of: 1 };

/** Which network of a scenario, and how it is run. */
export interface NetworkOptions {
  readonly scenario: Scenario;
  readonly prepared: TaskStreams;
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
  const scenario = taskScenario(options.scenario, task);
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
  checkTogether(scenario, options, choice);
  const classes = truthClasses(choice.family.task, prepared.classes?.count ?? 0);
  const hasNames = task.classes !== undefined || (scenario.stream.type === "files" && task.task !== "faults");
  const classNames = hasNames ? prepared.classes?.names : undefined;
  return { options, scenario, catalogue, task: task.name, classes, classNames, prepared, choice, maker };
}

/** Throws a ScenarioError where nodes can't learn together. */
function checkTogether(
  { together, node }: Scenario,
  { keepJournals }: NetworkOptions,
  { name, family }: ChosenFamily,
): void {
  if (!together) return;
  const refuse = (what: string) => {
    throw new ScenarioError(`together: ${what}`);
  };
  if (node.fed) refuse("a fed node's samples don't say which labels came before; leave out node.fed");
  if (keepJournals) refuse("a replay has no models; leave out together");
  if (family.task !== "classification")
    refuse(`takes a learner of two classes; ${name} is for ${family.task}`);
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
 * which are an input here. So running a network in parts gives the same bits as running it whole. Nodes that learn together run side by side.
 */
export function runPart(options: NetworkOptions, { part, of }: Part, fused?: ArrayLike<number>): PartOutcome {
  const network = resolvedNetwork(options);
  const { streams } = options.prepared;
  const ownOptions = nodeOptions(network.scenario, network.choice, streams[0].channels, 0);
  const { state } = options.prepared;
  const start = state && startState(state, ownOptions);
  const end = Math.max(...streams.map(({ count }) => count));
  const own = [...streams.keys()].filter((index) => index % of === part);
  const progress = new Progress(own.length * end, (streams.length * end) / 100, options.reached);
  const run = { network, ownOptions, start, end, progress, fused };
  const runs = network.scenario.together ? runTogether(run, network.scenario.together) : runEach(run, own);
  return {
    nodes: runs.map(({ node, result }) => ({ node, result })),
    ...(options.keepJournals && { replays: runs.map(({ replay }) => replay as NodeReplay) }),
  };
}

/** The surroundings in which the nodes of a part run. */
interface PartRun {
  readonly network: ResolvedNetwork;
  /** The options of a node, the same for all but for the session. */
  readonly ownOptions: NodeOptions;
  readonly start?: StartState;
  /** Samples of the longest stream. */
  readonly end: number;
  readonly progress: Progress;
  readonly fused?: ArrayLike<number>;
}

/** A node of the network and its fusion centre, sample by sample. */
class NodeLife {
  readonly nodeRun: NodeRun;
  private readonly centre: FusionCentre;

  constructor(
    private readonly run: PartRun,
    own: Pick<NodeRunParts, "index" | "kind" | "start" | "member">,
  ) {
    const { network, fused } = run;
    const { scenario, choice, options, prepared } = network;
    const { streams } = prepared;
    const stream = streams[own.index];
    const keepJournal = options.keepJournals ?? false;
    this.nodeRun = new NodeRun({ ...network, ...own, stream, nodes: streams.length, keepJournal });
    const source = labelSource(network, stream.node, own.index);
    const voted = scenario.fusion.rule === "oracle" ? undefined : fused;
    this.centre = new FusionCentre(this.nodeRun.mote, source, choice.family.task, voted);
  }

  /** Sample k, or after the network's end the labels that are still under way. */
  step(k: number): void {
    const { run, nodeRun, centre } = this;
    if (k - run.end > FLUSH_MAX)
      throw new ScenarioError("link: labels don't get through; lower link.loss, or raise link.baud");
    const truth = nodeRun.advance(k);
    if (k < nodeRun.mote.stream.count) centre.step(k, truth);
    else centre.release(k);
  }

  /** True if every label has come through. */
  get isIdle(): boolean {
    return this.centre.idle;
  }

  finish() {
    const { nodeRun, run } = this;
    const replay = run.network.options.keepJournals ? finishReplay(nodeRun.mote) : undefined;
    return { node: nodeRun.mote.stream.node, result: nodeRun.result(), replay };
  }
}

/** Nodes one after the other: each has every sample up to the network's end, then every label that is still under way. */
function runEach(run: PartRun, own: readonly number[]): ReturnType<NodeLife["finish"]>[] {
  const { start, end, progress } = run;
  const kind = new NodeKind(run.ownOptions);
  return own.map((index) => {
    const life = new NodeLife(run, { index, kind, start });
    try {
      for (let k = 0; k < end || !life.isIdle; k++) {
        life.step(k);
        if (k < end) progress.step();
      }
      return life.finish();
    } finally {
      life.nodeRun.mote.node.close();
    }
  });
}

/** Nodes that learn together, side by side: at each sample the models go out that the labels up to then make due. */
function runTogether(run: PartRun, together: TogetherOptions): ReturnType<NodeLife["finish"]>[] {
  const { network, ownOptions, end, progress } = run;
  const names = network.prepared.streams.map(({ node }) => node);
  const { channels, features } = ownOptions;
  const groups = new Groups(network.scenario, together, names, featureDimension(channels, features));
  groups.members.forEach(({ joins }, i) => {
    if (joins > end)
      throw new ScenarioError(`together.newcomers: ${names[i]} joins at sample ${joins}; takes 1 to ${end}`);
  });
  const lives: NodeLife[] = [];
  const begin = (index: number) => {
    const member = groups.members[index];
    const isTaught = member.joins > 0 && together.start === "group" && member.trainer !== undefined;
    const start = isTaught ? taughtState({ ...ownOptions, sid: index + 1 }, member.trainer) : run.start;
    lives[index] = new NodeLife(run, { index, kind: new NodeKind(ownOptions, false), start, member });
  };
  try {
    for (let k = 0; k < end || !lives.every(({ isIdle }) => isIdle); k++) {
      groups.members.forEach(({ joins }, index) => {
        if (Math.max(0, joins - 1) === k) begin(index);
        lives[index]?.step(k);
        if (k < end) progress.step();
      });
      groups.install(k + 1, (node, model) => lives[node].nodeRun.mote.install(model));
    }
    return lives.map((life) => life.finish());
  } finally {
    for (const life of lives) life?.nodeRun.mote.node.close();
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

function finishReplay({ journal, node }: Mote): NodeReplay {
  const hashes = node.hashes();
  return (journal as Journal).finish(hashes.state, hashes.node);
}
