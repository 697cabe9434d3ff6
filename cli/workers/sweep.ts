// A thread of `sweep` and `reproduce`.
import { workerData } from "node:worker_threads";
import { catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { networkRows } from "../../host-sim/runs/rows.ts";
import { type NetworkJob, perform } from "../../host-sim/runs/runs.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { withInstructions } from "../../lab/sweep/instructions.ts";

const { plugin } = workerData as { readonly plugin: readonly string[] };
const catalogue = await catalogueWith(plugin);

answer(async (job: NetworkJob) => {
  const outcome = await perform(job, { catalogue });
  if (job.piece) return outcome;
  return withInstructions(networkRows(outcome as NetworkOutcome), job.scenario, catalogue);
});
