/** A fleet that learns together, at a real gateway with its broker in a process of its own. */
import type { NodeState } from "../../fleet/api/node-state.ts";
import { become } from "../tools/awaited.ts";
import { freePort } from "../tools/ports.ts";
import { statesAt } from "./at-gateway.ts";
import { fleet, type StartedGateway, startGateway } from "./fleets.ts";

/** A gateway that was started, and where its nodes are. */
export interface TogetherFleet {
  readonly file: string;
  readonly gateway: StartedGateway;
  /** The address of that node at the gateway's broker. */
  at(node: string): string;
}

/** Starts a gateway for nodes of these names. @param group the fleet file's `together` */
export async function together(
  name: string,
  nodes: readonly string[],
  group: object,
): Promise<TogetherFleet> {
  const port = await freePort();
  const at = (node: string) => `mqtt://127.0.0.1:${port}/${node}`;
  const file = fleet(
    name,
    nodes.map((node) => ({ name: node, port: at(node) })),
    { broker: port, labelsPerMinute: 1_000_000, together: group },
  );
  return { file, gateway: await startGateway(file), at };
}

/** Waits until a gateway's states of its nodes are so; returns them. */
export async function statesBecome(
  url: string,
  what: string,
  are: (states: NodeState[]) => boolean,
): Promise<NodeState[]> {
  let states: NodeState[] = [];
  const done = async () => {
    states = await statesAt(url);
    return are(states);
  };
  await become(
    what,
    done,
    () => JSON.stringify(states.map(({ name, waiting, together }) => ({ name, waiting, ...together }))),
    100,
  );
  return states;
}
