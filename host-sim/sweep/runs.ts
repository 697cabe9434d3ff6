import { OptionError } from "../../src/index.ts";
import { Catalogue, PluginError } from "../catalogue/catalogue.ts";
import type { MakeNode } from "../network/driven-node.ts";
import { type NetworkOutcome, type Prepared, prepare, runNetwork } from "../network/network.ts";
import { type Scenario, ScenarioError } from "../scenario.ts";
import { StreamError } from "../streams/index.ts";

/** One network: one learner of one task, with the scenario's labels or with ideal ones. */
export interface Job {
  readonly scenario: Scenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly source: string;
  readonly task: number;
  readonly learner: number;
  readonly ideal: boolean;
}

/** Every network of a scenario, in the order of the results. */
export function jobsOf(scenario: Scenario, source: string): Job[] {
  return scenario.tasks.flatMap(({ learners }, task) =>
    learners.flatMap((_, learner) =>
      [false, true].map((ideal) => ({ scenario, source, task, learner, ideal })),
    ),
  );
}

let prepared: { key: string; streams: Prepared } | undefined;

/**
 * Runs a job, with the catalogue's learners and stages. The streams of the last task are kept: the next job is mostly of
 * the same.
 */
export async function runJob(
  job: Job,
  makeNode?: MakeNode,
  catalogue = Catalogue.shipped,
): Promise<NetworkOutcome> {
  const key = JSON.stringify([job.scenario, job.source, job.task]);
  if (prepared?.key !== key)
    prepared = { key, streams: await prepare(job.scenario, job.source, job.task, catalogue) };
  return runNetwork(
    job.scenario,
    prepared.streams,
    job.task,
    job.learner,
    job.ideal,
    false,
    makeNode,
    catalogue,
  );
}

/** Whether what the user gave is to blame. */
export function isGiven(error: Error): boolean {
  return [PluginError, ScenarioError, StreamError, OptionError].some((kind) => error instanceof kind);
}
