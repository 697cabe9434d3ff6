import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type SensorNode, UNFIT } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import { spoilt } from "../learn/hostile-states.ts";
import { drawModel } from "../wire/installs.ts";

const COMMON = { sid: 1, channels: 2, pending: 8, labelWindow: 4 };
const named = (name: string) => familyNamed(name) as NodeOptions["learner"];

/** Nodes that have every part of a node between them. */
export const NODES: { readonly [name: string]: NodeOptions } = {
  plain: { ...COMMON, learner: named("olk-c"), options: { budget: 8 } },
  "with windows, sets and alarms": {
    ...{ ...COMMON, learner: named("arow"), options: {}, features: { window: 4, standardise: true } },
    ...{ labelBudget: 0.3, coverage: 0.9, drift: "restart" },
  },
  "with a spectrum": {
    ...{ ...COMMON, learner: named("bsgd"), options: { budget: 8 } },
    features: { window: 64, bands: 3, standardise: true },
  },
  "of a committee": { ...COMMON, learner: named("auto"), options: { budget: 8, landmarks: 5 } },
  "with a fleet's model": { ...COMMON, learner: named("olk-c"), options: { budget: 8 }, fleetBudget: 3 },
  "with intervals": { ...COMMON, learner: named("qkrls"), options: { budget: 8 }, coverage: 0.8 },
};

class Played {
  readonly node: SensorNode;
  private readonly random = new Random(1, "played");

  constructor(options: NodeOptions) {
    this.node = loneNode(options);
  }

  step(): void {
    const { node, random } = this;
    const x = Float32Array.of(random.normal(), random.normal());
    node.sample(x);
    if (node.fleet && node.seq % 8 === 0)
      installWhole(node, node.labelled + 1, drawModel(random, node.seq % 3, 2));
    const { labelled, sid, seq } = node;
    // The second comes before its turn, and is held.
    node.label({ number: labelled + 2, sid, seq: seq - 1, y: x[0] > 0 ? 1 : -1 });
    node.label({ number: labelled + 1, sid, seq, y: x[0] * x[1] > 0 ? 1 : -1, confidence: 200 });
  }
}

/** Gives a node so many hostile states, and returns what went wrong, and how many it refused. */
export function besiegeNode(options: NodeOptions, count: number) {
  const played = new Played(options);
  const { node } = played;
  const saved: Uint32Array[] = [];
  for (let t = 0; t < 60; t++) {
    if ([0, 5, 59].includes(t)) saved.push(new Uint32Array(node.checkpointView.slice().buffer));
    played.step();
  }
  const random = new Random(1, "hostile node");
  const words = node.layout.state;
  const faults: string[] = [];
  let refused = 0;
  for (let i = 0; i < count; i++) {
    const state = spoilt(saved[i % saved.length], words, random);
    node.checkpointView.set(new Uint8Array(state.buffer));
    if (!node.adopt()) {
      refused++;
      if (node.fault >= 0) faults.push(`state ${i}: refused, and not fresh`);
      continue;
    }
    for (let t = 0; t < 4; t++) played.step();
    const { fault } = node;
    if (fault >= 0) faults.push(`state ${i}: ${fault === UNFIT ? "words that don't fit" : `word ${fault}`}`);
  }
  return { faults, refused };
}
