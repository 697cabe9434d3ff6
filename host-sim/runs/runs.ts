import { Catalogue } from "../catalogue/catalogue.ts";
import type { Fusion } from "../network/fusion.ts";
import {
  fuseNetwork,
  type NetworkOptions,
  type NetworkOutcome,
  type Part,
  type PartOutcome,
  prepare,
  runNetwork,
  runPart,
  type TaskStreams,
} from "../network/network.ts";
import type { NodeMaker } from "../network/simulated-node.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** One network: one learner of one task. */
export interface NetworkRun {
  readonly scenario: Scenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly source: string;
  readonly task: number;
  readonly learner: number;
  readonly piece?: undefined;
}

/** A piece of a network's run: the fusion of all votes, or some of its nodes, with the labels that were fused for them: without, they are fused again. */
export type Piece = { readonly fuses: true } | (Part & { readonly fused?: Int8Array });

/** A run, or a piece of it. */
export interface NetworkJob extends Omit<NetworkRun, "piece"> {
  /** Default: all of it. */
  readonly piece?: Piece;
}

/** Every network of a scenario, in the order of the results. */
export function planRuns(scenario: Scenario, source: string): NetworkRun[] {
  return scenario.tasks.flatMap(({ learners }, task) =>
    learners.map((_, learner) => ({ scenario, source, task, learner })),
  );
}

/** Everything that determines a task's streams: neither its learners nor another task. */
function preparedKey({ scenario, source, task }: NetworkJob): string {
  const { tasks, ...shared } = scenario;
  const { learners: _, ...own } = tasks[task];
  const kinds = tasks.map((each) => each.task);
  return JSON.stringify([shared, kinds, own, source]);
}

let prepared: { key: string; streams: TaskStreams } | undefined;

export interface PerformOptions {
  readonly maker?: NodeMaker;
  readonly catalogue?: Catalogue;
  /** Called with the share that is done, 0..1. */
  readonly reached?: (share: number) => void;
}

/** The options of a run's network. The last task's streams are kept: the next run mostly has the same. */
async function makeNetwork(
  run: NetworkJob,
  { maker, catalogue = Catalogue.shipped, reached }: PerformOptions,
): Promise<NetworkOptions> {
  const { scenario, source, task, learner } = run;
  const key = preparedKey(run);
  if (prepared?.key !== key) prepared = { key, streams: await prepare(scenario, source, task, catalogue) };
  return { scenario, prepared: prepared.streams, task, learner, maker, catalogue, reached };
}

/** The outcome of a job: a whole network, its fusion if it has one, or some of its nodes. */
export type JobOutcome = NetworkOutcome | Fusion | PartOutcome | undefined;

export async function perform(run: NetworkRun, options?: PerformOptions): Promise<NetworkOutcome>;
export async function perform(job: NetworkJob, options?: PerformOptions): Promise<JobOutcome>;
export async function perform(job: NetworkJob, options: PerformOptions = {}): Promise<JobOutcome> {
  const network = await makeNetwork(job, options);
  const { piece } = job;
  if (!piece) return runNetwork(network);
  return "fuses" in piece
    ? fuseNetwork(network)
    : runPart(network, piece, piece.fused ?? fusedFor(job, network));
}

let fused: { key: string; labels: Int8Array | undefined } | undefined;

/** The fused labels for a part that comes without them. The last network's are kept: the next part mostly is of the same. */
function fusedFor(
  { scenario, source, task, learner }: NetworkJob,
  network: NetworkOptions,
): Int8Array | undefined {
  if (scenario.fusion.rule === "oracle") return undefined;
  const key = JSON.stringify([scenario, source, task, learner]);
  if (fused?.key !== key) fused = { key, labels: fuseNetwork(network)?.labels };
  return fused.labels;
}
