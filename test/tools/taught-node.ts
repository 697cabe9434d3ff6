import * as assert from "uvu/assert";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import { become, LIMIT_MS } from "./awaited.ts";

/** The options of the stations in a gateway's tests. */
export const NODE: NodeOptions = {
  sid: 9,
  channels: 2,
  pending: 256,
  labelWindow: 16,
  checkpointEvery: 4,
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
};

/** Such a node keeps 8192 samples pending: on a busy machine a gateway takes long to start, and no label may expire meanwhile. */
export const PATIENT: NodeOptions = { ...NODE, pending: 8192 };

/** The station's readings, sample by sample. */
export function readings(count: number): number[][] {
  let taken = 0;
  return Array.from({ length: count }, () => [0, 1].map((i) => ((7 * ++taken + i) % 11) / 4));
}

interface NodeSaid {
  readonly name: string;
  readonly labelled: number;
  readonly durable: number;
  readonly waiting: number;
  readonly connected: boolean;
  readonly seq: number;
  readonly node: { readonly sid: number };
}

/** A gateway's states of its nodes. */
export async function fetchNodes(url: string): Promise<NodeSaid[]> {
  const response = await fetch(`${url}/api/nodes`);
  const { nodes } = (await response.json()) as { nodes: Awaited<ReturnType<typeof fetchNodes>> };
  return nodes;
}

/** Waits until a gateway reports a state of its first node for which `right` holds; returns that state. */
export async function stateBecomes(
  url: string,
  what: string,
  right: (said: NodeSaid) => boolean,
): Promise<NodeSaid> {
  let [said] = await fetchNodes(url);
  const done = async () => {
    [said] = await fetchNodes(url);
    return right(said);
  };
  await become(what, done, () => JSON.stringify(said));
  return said;
}

/** The state of such a node in this process after these labels, in order; each must be applied. */
export function replayed(rows: readonly Record<string, unknown>[], node = NODE): string {
  const plain = loneNode(node);
  let sampled = 0;
  const samples = readings(Math.max(...rows.map(({ seq }) => Number(seq))));
  rows.forEach(({ seq, y }, i) => {
    while (sampled < Number(seq)) plain.sample(samples[sampled++]);
    const status = plain.label({ number: i + 1, sid: NODE.sid, seq: Number(seq), y: Number(y) });
    assert.is(status, LABEL_STATUS.applied, `label ${i + 1}, of sample ${seq}`);
  });
  return plain.learner.stateHash();
}

/** The hash of the learner of a node that listens there, and the last label that it answered. */
export async function readState(
  port: string,
  key?: Uint8Array,
): Promise<{ readonly hash: string; readonly labelled: number }> {
  const session = await Session.open({ port, giveUp: LIMIT_MS / 1000, key });
  const { stateHash: hash, labelled } = stateFields(await session.ask("state"));
  await session.close();
  return { hash, labelled };
}
