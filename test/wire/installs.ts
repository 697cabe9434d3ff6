import { Random } from "../../host/random.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { encodeModel } from "../../src/learn/model-bytes.ts";
import type { MemoryRange } from "../../src/memory/layout.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import { installTag } from "../../src/peer/install.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import { featureDimension } from "../../src/signal/features.ts";
import type { LabelTag } from "../../src/wire/label-tag.ts";
import { Disk, Ends, NODE } from "./ends.ts";
import { recorded, type stream } from "./recorded.ts";

export const TOGETHER: NodeOptions = { ...NODE, fleetBudget: 4 };
export const DIMENSION = featureDimension(NODE.channels, NODE.features);
/** Every fifth item is an install. */
const EVERY = 5;
export const LABELS = 60;
export const ITEMS = (LABELS * EVERY) / (EVERY - 1);

export type Item = ReturnType<LabelSource["at"]>;

export function drawModel(random: Random, vectors: number, dimension = DIMENSION): Uint8Array {
  const numbers = (count: number) => Array.from({ length: count }, () => random.normal());
  return encodeModel({
    weights: numbers(dimension),
    bias: random.normal(),
    gamma: vectors > 0 ? 0.2 : 0,
    coefficients: numbers(vectors),
    vectors: Array.from({ length: vectors }, () => numbers(dimension)),
  });
}

/** The labels of a stream, and installs among them: of planes and of up to 4 vectors. */
export function drawItems(seed: number, samples: ReturnType<typeof stream>): Item[] {
  const random = new Random(seed, "models");
  let seq = 0;
  return Array.from({ length: ITEMS }, (_, i) => {
    const number = i + 1;
    if (number % EVERY === 0) return { number, model: drawModel(random, random.below(5)) };
    return { number, sid: NODE.sid, seq: ++seq, y: samples[seq - 1].y };
  });
}

/** The same, each with its labeller's tag. */
export function taggedItems(labelTag: LabelTag, items: readonly Item[]): Item[] {
  return items.map((item) => {
    if (!item) return item;
    if ("model" in item) return { ...item, tag: installTag(labelTag, item, NODE.sid) };
    labelTag.compute({ ...item, source: SOURCE_UNTOLD, confidence: CERTAIN });
    return { ...item, tag: [labelTag.low, labelTag.high] };
  });
}

export function newNode(options: NodeOptions, memory?: MemoryRange): SensorNode {
  return loneNode(options, memory, new Disk());
}

export function withoutWire(
  samples: ReturnType<typeof stream>,
  items: readonly Item[],
  node = newNode(TOGETHER),
): SensorNode {
  let next = 0;
  for (const { x } of samples.slice(0, LABELS)) {
    node.sample(x);
    for (let item = items[next]; item && !("seq" in item && item.seq > node.seq); item = items[++next]) {
      if ("model" in item) installWhole(node, item.number, item.model);
      else node.label(item);
    }
  }
  return node;
}

export function over(
  seed: number,
  rate: number,
  items: readonly Item[],
  samples: ReturnType<typeof stream>,
  on?: unknown,
  labelKey?: Uint8Array,
) {
  const { samples: fed } = recorded(samples.slice(0, LABELS));
  const after = (seq: number) => Math.floor(((seq - NODE.pending!) * EVERY) / (EVERY - 1));
  const at = (seq: number) => fed.at(seq) && { ...fed.at(seq), after: after(seq) };
  const labels = { at: (number: number) => items[number - 1] };
  return new Ends({
    seed,
    rate,
    fed: true,
    node: TOGETHER,
    labelKey,
    peer: { samples: { at }, labels, on: on as never },
  });
}

export const isFinished = ({ station: { node } }: Ends) => node.seq === LABELS && node.labelled === ITEMS;
