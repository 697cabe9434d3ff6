import { OptionError } from "../../src/index.ts";
import { Catalogue, PluginError } from "../catalogue/catalogue.ts";
import { type NetworkOutcome, type Prepared, prepare, runNetwork } from "../network/network.ts";
import type { NodeMaker } from "../network/simulated-node.ts";
import { type Scenario, ScenarioError } from "../scenario.ts";
import { StreamError } from "../streams/index.ts";

/** One network: one learner of one task. */
export interface NetworkRun {
  readonly scenario: Scenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly source: string;
  readonly task: number;
  readonly learner: number;
}

/** Every network of a scenario, in the order of the results. */
export function runsOf(scenario: Scenario, source: string): NetworkRun[] {
  return scenario.tasks.flatMap(({ learners }, task) =>
    learners.map((_, learner) => ({ scenario, source, task, learner })),
  );
}

/** What a task's streams follow from: neither its learners nor another task. */
function preparedKey({ scenario, source, task }: NetworkRun): string {
  const { tasks, ...shared } = scenario;
  const { learners: _, ...own } = tasks[task];
  const kinds = tasks.map((each) => each.task);
  return JSON.stringify([shared, kinds, own, source]);
}

let prepared: { key: string; streams: Prepared } | undefined;

/**
 * Performs a run, with the catalogue's learners and stages. The streams of the last task are kept: the next run is mostly of
 * the same. `reached` hears how much of it is done, 0..1.
 */
export async function perform(
  run: NetworkRun,
  maker?: NodeMaker,
  catalogue = Catalogue.shipped,
  reached?: (share: number) => void,
): Promise<NetworkOutcome> {
  const { scenario, source, task, learner } = run;
  const key = preparedKey(run);
  if (prepared?.key !== key) prepared = { key, streams: await prepare(scenario, source, task, catalogue) };
  return runNetwork({ scenario, prepared: prepared.streams, task, learner, maker, catalogue, reached });
}

/** Whether what the user gave is to blame. */
export function isGiven(error: Error): boolean {
  return [PluginError, ScenarioError, StreamError, OptionError].some((kind) => error instanceof kind);
}
