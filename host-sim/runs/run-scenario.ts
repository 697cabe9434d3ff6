import { join } from "node:path";
import { Catalogue, type Plugin } from "../catalogue/catalogue.ts";
import type { NetworkOutcome } from "../network/network.ts";
import { parseScenario } from "../scenario/scenario.ts";
import type { SimulateResult } from "../scoring/result.ts";
import { assemble } from "./results.ts";
import { perform, planRuns } from "./runs.ts";

/** Options of `runScenario`: the folder of its files, and learners and stages that the scenario may name besides the shipped ones. */
export interface RunOptions extends Plugin {
  /** The folder to which paths in the scenario are relative. Default: the working directory. */
  readonly folder?: string;
}

/**
 * Runs a scenario in this thread, one network after the other. Returns the result that `motelearn simulate --json` prints, without the
 * command that repeats it. The scenario may name `learners`, `signalStages` and `labelNoises` of the options besides the shipped ones.
 *
 * @param scenario the content of a scenario file (`motelearn.scenario/1`); type `WrittenScenario` has a compiler check its keys.
 * @throws ScenarioError or PluginError, one line with what is wrong, where, and what would be right; a
 * RangeError for a learner's options.
 */
export async function runScenario(
  scenario: object,
  { folder = process.cwd(), ...brought }: RunOptions = {},
): Promise<Omit<SimulateResult, "repeat">> {
  const catalogue =
    Object.keys(brought).length > 0 ? Catalogue.shipped.with(brought, "runScenario") : Catalogue.shipped;
  const source = join(folder, "scenario");
  const parsed = parseScenario(JSON.stringify(scenario), source, catalogue);
  const outcomes: NetworkOutcome[] = [];
  for (const run of planRuns(parsed, source)) outcomes.push(await perform(run, { catalogue }));
  const { repeat: _, ...result } = assemble(parsed, outcomes, "");
  return result;
}
