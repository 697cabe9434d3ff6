import { StreamError } from "../../host/streams/index.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { PapersData } from "./lib/data.ts";
import type { MonteCarloRun } from "./lib/run.ts";
import { experimentNamed } from "./registry.ts";

/** In a thread of `papers`: performs the Monte Carlo runs that it receives. `folder` holds the data. */
export function answerPapers(folder: string | undefined): void {
  const data = new PapersData(folder);
  answer(
    async ({ experiment, seed }: MonteCarloRun) => experimentNamed(experiment).run(seed, data),
    (error) => error instanceof StreamError,
  );
}
