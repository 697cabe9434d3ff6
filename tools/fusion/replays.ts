import { UserError } from "../../host/errors.ts";
import { suggestion } from "../../host/suggestions.ts";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { type NetworkOutcome, prepare, runNetwork } from "../../host-sim/network/network.ts";
import { readScenario } from "../../host-sim/scenario/scenario.ts";
import { scenarioFile } from "../../host-sim/scenario/scenario-file.ts";

export interface NetworkChoice {
  /** A scenario file, or the name of one that ships; default four-motes. */
  readonly scenario?: string;
  /** Instead of the scenario's. */
  readonly seed?: number;
  /** Default: the first. */
  readonly task?: string;
  readonly learner?: string;
}

/** The place of a name among names; 0 if none is given. */
function chooseIndex(what: string, name: string | undefined, names: readonly string[]): number {
  if (name === undefined) return 0;
  const index = names.indexOf(name);
  if (index < 0) throw new UserError(`--${what} ${name}: not in the scenario${suggestion(name, names)}`);
  return index;
}

/** A simulated network: what each node received, and how good the fused labels were. */
interface SimulatedNetwork extends Pick<NetworkOutcome, "fusion"> {
  readonly replays: readonly NodeReplay[];
}

/** Runs that network, and returns what each node received. */
export async function simulatedReplays(choice: NetworkChoice): Promise<readonly NodeReplay[]> {
  return (await simulatedNetwork(choice)).replays;
}

export async function simulatedNetwork(choice: NetworkChoice): Promise<SimulatedNetwork> {
  const { scenario, seed, task, learner } = choice;
  const file = scenarioFile(scenario);
  const read = readScenario(file);
  const seeded = seed === undefined ? read : { ...read, seed };
  const taskIndex = chooseIndex(
    "task",
    task,
    seeded.tasks.map(({ name }) => name),
  );
  const learners = seeded.tasks[taskIndex].learners.map((choice) => choice.learner);
  const learnerIndex = chooseIndex("learner", learner, learners);
  const prepared = await prepare(seeded, file, taskIndex);
  // A real node has its own power: the simulated one's never fails.
  const power = { ...seeded.power, at: [], count: 0 };
  const network = {
    scenario: { ...seeded, power },
    prepared,
    task: taskIndex,
    learner: learnerIndex,
    keepJournals: true,
  };
  const { replays, fusion } = runNetwork(network);
  return { replays: replays as readonly NodeReplay[], fusion };
}
