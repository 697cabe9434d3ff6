// A thread of `sweep` and `reproduce`.
import { workerData } from "node:worker_threads";
import { networkRows } from "../../host-sim/sweep/rows.ts";
import { isGiven, type NetworkJob, perform, performJob } from "../../host-sim/sweep/runs.ts";
import { answer } from "../../host-sim/sweep/threads.ts";
import { blamePlugin, catalogueWith } from "../cli/plugins.ts";
import { withInstructions } from "../sweep/instructions.ts";

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
