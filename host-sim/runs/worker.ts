import type { Catalogue } from "../catalogue/catalogue.ts";
import type { NodeMaker } from "../network/simulated-node.ts";
import { isGiven, type NetworkJob, performJob } from "./runs.ts";
import { answer } from "./threads.ts";

/**
 * In a thread of `simulate`: performs the runs that it receives, one at a time, with nodes from `maker` and the catalogue's learners and
 * stages. `blame` gives the error that a fault is reported as.
 */
export function answerRuns(
  maker?: NodeMaker,
  catalogue?: Catalogue,
  blame = (error: unknown): unknown => error,
): void {
  const work = async (job: NetworkJob, reached: (share: number) => void) => {
    try {
      return await performJob(job, { maker, catalogue, reached });
    } catch (error) {
      throw blame(error);
    }
  };
  answer(work, isGiven);
}
