import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { type NetworkOutcome, prepare, runNetwork } from "../../host-sim/network/network.ts";
import { HERE, type NodeMaker } from "../../host-sim/network/simulated-node.ts";
import { parseScenario, type Scenario } from "../../host-sim/scenario/scenario.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";

/** A scenario's first network, with each node's inputs. */
export async function network(
  options: object,
  maker: NodeMaker = HERE,
): Promise<Required<Omit<NetworkOutcome, "fusion">> & { readonly scenario: Scenario }> {
  const text = JSON.stringify({ schema: "motelearn.scenario/1", ...options });
  const scenario = parseScenario(text, "test");
  const prepared = await prepare(scenario, "test", 0);
  const { nodes, replays = [] } = runNetwork({
    scenario,
    prepared,
    task: 0,
    learner: 0,
    maker,
    keepJournals: true,
  });
  return { nodes, replays, scenario };
}

/** A separate, untrained node. */
export function bareNode({ options }: NodeReplay): SensorNode {
  return loneNode({ ...options, checkpointEvery: 0 });
}

/**
 * The learner's state from samples and applied labels, without any line: each label directly before the
 * sample that would take its sample's place, or at the end, but never before its turn among the others.
 */
export function replayOfApplied(replay: NodeReplay): string {
  const node = bareNode(replay);
  const { samples, sessions, labels, applied, after, options } = replay;
  let given = 0;
  const labelUpTo = (number: number) => {
    while (given < applied.length && applied[given] <= number) {
      const { sid, seq, y } = labels[applied[given++] - 1];
      node.label({ number: given, sid, seq, y });
    }
  };
  for (let seq = 1; seq <= after.length; seq++) {
    for (const { sid, first } of sessions) if (first === seq) node.renew(sid);
    labelUpTo(after[seq - 1]);
    node.sample(samples.subarray((seq - 1) * options.channels, seq * options.channels));
  }
  labelUpTo(labels.length);
  return node.learner.stateHash();
}
