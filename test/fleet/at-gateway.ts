/** Nodes that sample by themselves at one gateway: a board in QEMU, labels over HTTP, and the same node in this process. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import type { NodeState } from "../../fleet/api/node-state.ts";
import type { FleetStore } from "../../fleet/store/fleet-store.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { Stream } from "../../targets/emulator/programs/stream.ts";
import { Session } from "../../tools/session/session.ts";
import { become, pause } from "../tools/awaited.ts";
import { inFolder } from "../tools/stations.ts";

const CHANNELS = 2;
export const SAMPLE_MS = 200;
const CHIP = "rv32imac";
const BUDGET = 8;
const learner = familyNamed("olk-c")!;
const NODE: NodeOptions = {
  sid: 1,
  channels: CHANNELS,
  learner,
  options: { budget: BUDGET },
  checkpointEvery: 4,
};
/** The options of the nodes, as their programs take them. */
export const NODE_GIVEN = { ...NODE, learner: learner.name };

const hex = (...words: number[]) => words.map((word) => word.toString(16).padStart(8, "0")).join("");

/** The readings of sample n, from 1, of the stream that every engine sees. */
export function generated(n: number): number[] {
  const stream = new Stream(CHANNELS);
  for (let i = 0; i < n; i++) stream.next(learner.task);
  return [...stream.x];
}

/** Those of the tests' stations. */
export function counted(n: number): number[] {
  return Array.from({ length: CHANNELS }, (_, i) => ((7 * (CHANNELS * (n - 1) + i + 1) + i) % 11) / 4);
}

/** Starts a board in QEMU that samples by itself, with its serial line at a Unix socket. */
export async function startSensingBoard(unix: string): Promise<{ close(): Promise<void> }> {
  const emulator = await import(pathToFileURL(join(process.cwd(), "targets/emulator/board.mjs")).href);
  const firmware = await emulator.boardFirmware(CHIP, join(process.cwd(), "dist/programs-for-xs.js"));
  const argument = { run: "station", node: NODE_GIVEN, sampleMs: SAMPLE_MS, selfTest: false };
  return emulator.startBoard({ firmware, argument, uart: { unix }, flash: inFolder("flash") });
}

/** The states of a gateway's nodes. */
export async function statesAt(url: string): Promise<NodeState[]> {
  const response = await fetch(`${url}/api/nodes`);
  return ((await response.json()) as { nodes: NodeState[] }).nodes;
}

/** Samples that have a label, by gateway, node, session and number: a second label for one is no further label. */
const taught = new Set<string>();

/** Labels these nodes' newest samples, `count` of each, until each has dealt with so many more labels. */
export async function teach(url: string, names: readonly string[], count: number): Promise<void> {
  const sent = new Map(names.map((name) => [name, 0]));
  const begun = new Map<string, number>();
  let states: NodeState[] = [];
  const done = () =>
    states.length > 0 &&
    states.every(
      ({ name, labelled = 0 }) => labelled >= (begun.get(name) ?? Number.POSITIVE_INFINITY) + count,
    );
  const round = async () => {
    states = (await statesAt(url)).filter(({ name }) => names.includes(name));
    for (const { name, node, seq = 0, labelled = 0 } of states) {
      const own = sent.get(name) ?? 0;
      const sample = `${url} ${name} ${node?.sid} ${seq}`;
      if (!node || seq === 0 || own >= count || taught.has(sample)) continue;
      if (!begun.has(name)) begun.set(name, labelled);
      const response = await fetch(`${url}/api/nodes/${name}/labels`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ seq, label: seq % 3 === 0 ? 1 : -1, by: "anna" }),
      });
      if (response.status !== 202) continue;
      taught.add(sample);
      sent.set(name, own + 1);
    }
  };
  let over = false;
  const rounds = (async () => {
    while (!over) {
      await round();
      await pause(50);
    }
  })();
  await become(`labels of ${names.join(" and ")}`, done, () => JSON.stringify(states)).finally(() => {
    over = true;
  });
  await rounds;
}

/** The hash of the learner of a node at the broker, and how many labels it has answered. */
export async function hashAt(port: string): Promise<{ labelled: number; hash: string }> {
  const session = await Session.open({ port, giveUp: 0 });
  const { labelled, learnerHigh, learnerLow } = await session.ask("state");
  await session.close();
  return { labelled, hash: hex(learnerHigh, learnerLow) };
}

/** The hash of a simulated node that takes a node's labels in the gateway's database, each once. */
export function simulated(
  store: FleetStore,
  name: string,
  readings: (n: number) => number[],
): { labelled: number; hash: string } {
  const plain = loneNode(NODE);
  const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
  rows.forEach(({ seq, y, source, confidence }, i) => {
    plain.sample(readings(Number(seq)));
    const options = { y: Number(y), source: Number(source), confidence: Number(confidence) };
    assert.is(plain.label({ number: i + 1, sid: 1, seq: i + 1, ...options }), LABEL_STATUS.applied);
  });
  return { labelled: rows.length, hash: plain.learner.stateHash() };
}
