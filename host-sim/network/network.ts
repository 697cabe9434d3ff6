import { Catalogue } from "../catalogue/catalogue.ts";
import type { FusionResult, LearnerResult } from "../result.ts";
import { type Scenario, ScenarioError } from "../scenario.ts";
import { truthClasses } from "../scoring/scorer.ts";
import { FusionCentre } from "./centre.ts";
import type { Journal, NodeReplay } from "./journal.ts";
import { chosenFamily } from "./learner.ts";
import type { Mote } from "./mote.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { Seat } from "./seat.ts";
import { HERE, type NodeMaker } from "./simulated-node.ts";

export { type Prepared, prepare };

/** What a network came to: each node's result, and how good the fused labels were. */
export interface NetworkOutcome {
  readonly nodes: readonly { readonly node: string; readonly result: LearnerResult }[];
  readonly fusion?: FusionResult;
  /** What each node was given, if that was asked for. */
  readonly replays?: readonly NodeReplay[];
}

/** Which network of a scenario, and how it is run. */
export interface NetworkOptions {
  readonly scenario: Scenario;
  readonly prepared: Prepared;
  /** Places of the task in the scenario, and of the learner in the task. */
  readonly task: number;
  readonly learner: number;
  /** Whether what each node was given is kept, to be given to a real one; default false. */
  readonly keepJournals?: boolean;
  /** What the nodes run on; default this process. */
  readonly maker?: NodeMaker;
  readonly catalogue?: Catalogue;
  /** Hears, a hundred times, how much of the samples was taken: 0..1. */
  readonly reached?: (share: number) => void;
}

/** Samples after the last one within which every label must have come: far more than any link takes. */
const FLUSH_MAX = 1_000_000;

/** Runs one network: every node with a learner of its own, one fusion centre, lines between them. */
export function runNetwork(options: NetworkOptions): NetworkOutcome {
  const { prepared, keepJournals = false, maker = HERE, catalogue = Catalogue.shipped } = options;
  const task = options.scenario.tasks[options.task];
  const { labels = options.scenario.labels, node = options.scenario.node } = task;
  if (node.sleep && node.fed)
    throw new ScenarioError("node.sleep: a node that is fed never sleeps; leave out node.fed or node.sleep");
  if (labels.budget < 1 && node.fed)
    throw new ScenarioError(
      "labels.budget: what a fed node asks for isn't known when its samples are recorded; leave out node.fed or labels.budget",
    );
  const scenario = { ...options.scenario, labels, node };
  const choice = chosenFamily(catalogue, task, task.learners[options.learner], prepared.classCount);
  const classes = truthClasses(choice.family.task, prepared.classCount);
  const { length: nodes } = prepared.streams;
  const seats: Seat[] = [];
  try {
    prepared.streams.forEach((stream, index) => {
      const { name } = task;
      const keepJournal = keepJournals;
      seats.push(
        new Seat({ scenario, task: name, stream, index, nodes, choice, classes, maker, keepJournal }),
      );
    });
    const motes = seats.map(({ mote }) => mote);
    const centre = new FusionCentre(
      scenario,
      catalogue,
      task.name,
      choice.family.task,
      classes,
      prepared,
      motes,
    );
    replay(seats, centre, prepared, options.reached);
    return {
      nodes: seats.map((seat) => ({ node: seat.mote.stream.node, result: seat.result() })),
      fusion: centre.result(),
      ...(keepJournals && { replays: motes.map(replayOf) }),
    };
  } finally {
    for (const { mote } of seats) mote.node.close();
  }
}

/** Every sample of every node in the order of time, then every label that is still under way. */
function replay(
  seats: readonly Seat[],
  centre: FusionCentre,
  { streams }: Prepared,
  reached: (share: number) => void = () => {},
): void {
  const end = Math.max(...streams.map(({ count }) => count));
  const hundredth = Math.ceil(end / 100);
  for (let k = 0; k < end || !centre.idle; k++) {
    if (k - end > FLUSH_MAX) throw new ScenarioError("link: labels don't get through; lower link.loss");
    for (const seat of seats) seat.advance(k);
    centre.step(k);
    if (k < end && (k + 1) % hundredth === 0) reached((k + 1) / end);
  }
}

function replayOf({ journal, node }: Mote): NodeReplay {
  const hashes = node.hashes();
  return (journal as Journal).finish(hashes.state, hashes.node);
}
