import { byName } from "../../host/by-name.ts";
import { COUNTERS } from "../../src/learn/learner.ts";
import { rowWords } from "../../src/math/primitives.ts";
import type { PlacedRegion } from "../../src/memory/layout.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { loneNode } from "./lone-node.ts";
import { stateFault } from "./state-fault.ts";

/** Regions that are vectors in interleaved rows, each of the learner's dimension. */
const ROWS = ["rows", "prototypes", "u"];
/** Rows of 16 bits, behind their grid. */
const LANES = "lanes";
const EXPONENT = 0x7f800000;

/** A region's values: numbers, or rows of them. */
export interface RegionValues {
  readonly name: string;
  readonly kind: string;
  readonly values: readonly number[] | readonly (readonly number[])[];
}

/** A model of the fleet on a node, and the discounted errors by which its own labels judge it, see `FleetModel`. */
export interface FleetJudgement {
  /** The model's vectors; 0: a plane. */
  readonly vectors: number;
  /** CRC-32 of its bytes. */
  readonly crc: number;
  /** True if it decides, and not the own learner. */
  readonly judges: boolean;
  /** The labels that judged both, and the errors of the own learner and the model on them; each discounted. */
  readonly labels: number;
  readonly ownLoss: number;
  readonly modelLoss: number;
}

/** A node in this machine's memory that holds a copy of another node's memory. */
export class NodeCopy {
  private readonly node: SensorNode;

  constructor(readonly options: NodeOptions) {
    this.node = loneNode(options);
  }

  /** Words of state and counters. */
  get words(): number {
    return this.node.words;
  }

  /** Takes over state and counters. */
  load(words: Uint32Array): void {
    const { f32, state } = this.node.range;
    f32.bits.set(words, state);
  }

  /** Why such a node can't have that state; undefined: it can. */
  get fault(): string | undefined {
    const { layout, learner, range } = this.node;
    return stateFault(learner, layout, range);
  }

  /** The words of that region. */
  region(name: string): Uint32Array {
    const { layout, range } = this.node;
    const at = layout.at(name, range);
    return range.f32.bits.subarray(at, at + layout.regionWords(name));
  }

  get learnerWords(): { readonly from: number; readonly to: number } {
    const { layout, range, learner } = this.node;
    const from = layout.within("learner", range).state - range.state;
    return { from, to: from + learner.layout.state };
  }

  get learnerState(): Uint32Array {
    const { range, layout } = this.node.learner;
    return range.f32.bits.subarray(range.state, range.state + layout.state);
  }

  get hashes(): { readonly learner: string; readonly whole: string } {
    return { learner: this.node.learner.stateHash(), whole: this.node.stateHash() };
  }

  /** Stored vectors, and the budget. */
  get fill(): { readonly size: number; readonly capacity: number } {
    const { size, capacity } = this.node.learner;
    return { size, capacity };
  }

  /** The model that the fleet installed, and who judges; undefined: the node takes none, or has none yet. */
  get fleet(): FleetJudgement | undefined {
    const { fleet } = this.node;
    if (!fleet || fleet.model.size < 0) return undefined;
    const { judges, judged: labels, ownLoss, modelLoss, model } = fleet;
    return { vectors: model.size, crc: model.crc, judges, labels, ownLoss, modelLoss };
  }

  get counters() {
    const { node } = this;
    return {
      learner: byName(COUNTERS, (name) => node.learner.count(name)),
      node: byName(NODE_COUNTERS, (name) => node.count(name)),
    };
  }

  /** The state of the learner, region by region. */
  get regions(): RegionValues[] {
    const { layout } = this.node.learner;
    return layout.regions.filter(({ kind }) => kind === "state").map((region) => this.readRegion(region));
  }

  private readRegion({ name, kind, offset, words }: PlacedRegion): RegionValues {
    const { f32, state } = this.node.learner.range;
    const bits = f32.bits.subarray(state + offset, state + offset + words);
    const floats = f32.words.subarray(state + offset, state + offset + words);
    const { dimension } = this.node.learner;
    const last = name.slice(name.lastIndexOf(".") + 1);
    if (ROWS.includes(last) && words % (4 * dimension) === 0)
      return { name, kind, values: splitRows(floats, dimension) };
    if (last === LANES) {
      const rows = state + offset;
      const grid = f32.words.subarray(rows - dimension - 2, rows);
      return { name: name.replace(LANES, ROWS[0]), kind, values: splitLanes(bits, grid, dimension) };
    }
    // A count has the bits of a float32 that no learner computes, less than 2^-126.
    return { name, kind, values: Array.from(bits, (word, i) => (word & EXPONENT ? floats[i] : word)) };
  }
}

/** Component j of row i lies at 4d (i div 4) + 4j + i mod 4. */
function splitRows(words: Float32Array, d: number): number[][] {
  return Array.from({ length: words.length / d }, (_, i) =>
    Array.from({ length: d }, (_, j) => words[4 * d * (i >> 2) + 4 * j + (i & 3)]),
  );
}

/** Lane q of component j stands for (q + o_j) u; two share a word, see "Rows of 16 bits" of `Primitives`. @param grid u, 1/u, o_0, o_1 and so on */
function splitLanes(words: Uint32Array, grid: Float32Array, d: number): number[][] {
  const [unit, , ...offsets] = grid;
  const each = rowWords(-d);
  return Array.from({ length: words.length / each }, (_, i) =>
    Array.from({ length: d }, (_, j) => {
      const word = words[4 * each * (i >> 2) + 4 * (j >> 1) + (i & 3)];
      const lane = j & 1 ? (word | 0) >> 16 : (word << 16) >> 16;
      return (lane + offsets[j]) * unit;
    }),
  );
}
