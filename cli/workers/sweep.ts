// A thread of `sweep` and `reproduce`.
import { workerData } from "node:worker_threads";
import { blamePlugin, catalogueWith } from "../../host-sim/catalogue/plugins.ts";
import { networkRows } from "../../host-sim/runs/rows.ts";
import { isGiven, type NetworkJob, perform, performJob } from "../../host-sim/runs/runs.ts";
import { answer } from "../../host-sim/runs/threads.ts";
import { withInstructions } from "../../lab/sweep/instructions.ts";

const { plugin } = workerData as { readonly plugin: readonly string[] };
const catalogue = await catalogueWith(plugin);

answer(async (run: NetworkJob) => {
  try {
    if (run.piece) return await performJob(run, { catalogue });
    const rows = networkRows(await perform(run, undefined, catalogue));
    return withInstructions(rows, run.scenario, catalogue);
  } catch (error) {
    throw blamePlugin(error);
  }
}, isGiven);
