import { setImmediate } from "node:timers/promises";
import { EXIT_DOES_NOT_FIT, EXIT_OK, errorLine, exitCode } from "../../host/terminal/exit.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import { stopLines } from "../../host-sim/report/stops.ts";
import { assemble } from "../../host-sim/runs/results.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { readScenario } from "../../host-sim/scenario/scenario.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";

/** The outcome of a run of `simulate`. */
interface EngineTrial {
  /** Its exit code, and its line on stderr, or "". */
  readonly exit: number;
  readonly message: string;
  /** Its output with --json; undefined where it failed. */
  readonly result: SimulateResult | undefined;
  /** Every learner's result, with the name of its node. */
  readonly learners: readonly (LearnerResult & { readonly node: string })[];
}

/** The run on Node, and that on XS where the property asks for it. */
export interface Trial extends EngineTrial {
  readonly xs: EngineTrial | undefined;
  /** True if the two end with other exit codes, or a learner or node with another state hash. */
  readonly differs: boolean;
}

async function runOn(path: string, catalogue: Catalogue, maker?: NodeMaker): Promise<EngineTrial> {
  try {
    const scenario = readScenario(path, catalogue);
    const outcomes: NetworkOutcome[] = [];
    for (const run of planRuns(scenario, path)) {
      outcomes.push(await perform(run, { maker, catalogue }));
      await setImmediate(); // lets Ctrl-C be heard
    }
    const result = assemble(scenario, outcomes, "");
    const learners = result.nodes.flatMap((each) =>
      each.learners.map((one) => ({ node: each.node, ...one })),
    );
    const [message = ""] = stopLines(result);
    return { exit: message === "" ? EXIT_OK : EXIT_DOES_NOT_FIT, message, result, learners };
  } catch (error) {
    return { exit: exitCode(error), message: errorLine(error), result: undefined, learners: [] };
  }
}

const stateHashes = ({ exit, learners }: EngineTrial) =>
  JSON.stringify([exit, learners.map(({ stateHash, nodeHash }) => [stateHash, nodeHash])]);

/** Runs the scenario of that file. `xs` makes the nodes of a second run. */
export async function tryOut(path: string, catalogue: Catalogue, maker?: NodeMaker): Promise<Trial> {
  const node = await runOn(path, catalogue);
  const xs = maker && (await runOn(path, catalogue, maker));
  return { ...node, xs, differs: xs !== undefined && stateHashes(node) !== stateHashes(xs) };
}
