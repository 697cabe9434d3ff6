// A thread of `papers`: performs the Monte Carlo runs that it receives.
import { workerData } from "node:worker_threads";
import { StreamError } from "../../host/streams/index.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { PapersData } from "../../lab/experiments/lib/data.ts";
import type { MonteCarloRun } from "../../lab/experiments/lib/run.ts";
import { experimentNamed } from "../../lab/experiments/registry.ts";

const data = new PapersData(workerData as string | undefined);
answer(
  async ({ experiment, seed }: MonteCarloRun) => experimentNamed(experiment).run(seed, data),
  (error) => error instanceof StreamError,
);
