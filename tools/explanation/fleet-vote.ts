import { UserError } from "../../host/errors.ts";
import { modelBytes } from "../../src/learn/installed-model.ts";
import { modelCrc } from "../../src/learn/model-bytes.ts";
import { type Layout, Layout as MemoryLayout, type MemoryRange } from "../../src/memory/layout.ts";
import { FleetModel } from "../../src/node/fleet-model.ts";
import { Lesson } from "../../src/node/lesson.ts";
import type { Explanation, Part } from "./explanation.ts";
import { addInLanes, checkedBits } from "./sums.ts";

/** Where a node, or what follows one, has the model of its fleet, and the vector that is judged. */
export interface FleetMemory {
  readonly layout: Layout;
  readonly range: MemoryRange;
  readonly fleet: FleetModel;
}

/** The losses by which a node votes. */
const LOSSES = "installed.losses";

const voteRegions = (dimension: number, capacity: number) => [
  ...FleetModel.regions(dimension, capacity),
  ...Lesson.regions(dimension),
];

/** Words of state that such a node has of its fleet. They lie right before those of its learner. */
export function fleetWords(dimension: number, capacity: number): number {
  return new MemoryLayout(voteRegions(dimension, capacity)).state;
}

/**
 * Takes the losses, and so the vote, of a node whose memory was copied. @param words the node's state, in which its learner's begins at word `from`
 */
export function resumeVote({ layout, range, fleet }: FleetMemory, words: Uint32Array, from: number): void {
  const { capacity, dimension } = fleet.model;
  const regions = new MemoryLayout(voteRegions(dimension, capacity));
  const place = regions.regions.find(({ name }) => name === LOSSES);
  if (!place) return;
  const at = from - (regions.state - place.offset);
  range.f32.bits.set(words.subarray(at, at + place.words), layout.at(LOSSES, range));
}

/** Vectors of the largest of these models, of so many features. */
export function largestModel(models: readonly Uint8Array[], dimension: number): number {
  const [none, one] = [0, 1].map((vectors) => modelBytes(dimension, vectors));
  return Math.max(0, ...models.map(({ length }) => Math.floor((length - none) / (one - none))));
}

/**
 * The vote between own learner and model, as it stands: who judges, the own labels that both were judged by, their errors on these, and what the node
 * compares.
 */
export function describeVote(fleet: FleetModel) {
  const { model } = fleet;
  return {
    judge: fleet.judges ? ("fleet" as const) : ("own" as const),
    labels: fleet.judged,
    own: { errors: fleet.ownLoss, against: fleet.againstOwn },
    fleet: { errors: fleet.modelLoss, against: fleet.againstModel },
    model: { crc: model.crc.toString(16).padStart(8, "0"), vectors: model.size },
  };
}

export type Vote = ReturnType<typeof describeVote>;

/** Installs a model, which must be one for this place. */
export function putModel({ model }: FleetModel, bytes: Uint8Array): void {
  if (bytes.length > model.stageView.length)
    throw new Error(`a model of ${bytes.length} bytes: there is room for ${model.stageView.length}`);
  model.stageView.set(bytes);
  model.install(bytes.length, modelCrc(bytes));
}

/** The model of a fleet and its vote with a node's own learner, followed from label to label outside a node. */
export class FollowedVote implements FleetMemory {
  readonly layout: Layout;
  readonly range: MemoryRange;
  readonly fleet: FleetModel;
  private readonly vector: Float32Array;

  /** @param capacity vectors of the largest model that is followed */
  constructor(dimension: number, capacity: number) {
    const vector = { name: "vector", kind: "scratch", words: dimension } as const;
    this.layout = new MemoryLayout([...voteRegions(dimension, capacity), vector]);
    this.range = this.layout.ownRange();
    const at = this.layout.at("vector", this.range);
    this.vector = this.range.f32.words.subarray(at, at + dimension);
    this.fleet = new FleetModel(this.layout, this.range, dimension, capacity, at);
  }

  /** The node's label y of vector x, on which the own learner had decided `own`. */
  learn(own: number, x: Float32Array, y: number): void {
    this.vector.set(x);
    this.fleet.learn(own, y);
  }

  /** What the model decides on x. */
  score(x: Float32Array): number {
    return scoreByFleet(this, x);
  }
}

/** What the model decides on x. */
function scoreByFleet({ layout, range, fleet }: FleetMemory, x: Float32Array): number {
  const at = layout.at("vector", range);
  range.f32.words.set(x, at);
  return fleet.model.score(at);
}

/**
 * Explains the decision of the installed model on x: each weight times its input, the offset, and each vector's coefficient times its kernel. A vector
 * is a sample of a node of the fleet; `sample` of no part says which. Throws an Error if the parts don't give the decision's bits.
 * @param inputs names of the inputs, where they are known
 */
export function explainModel(
  memory: FleetMemory,
  x: Float32Array,
  inputs: readonly string[] = [],
): Explanation {
  const { layout, range, fleet } = memory;
  const { dimension, size } = fleet.model;
  const decision = scoreByFleet(memory, x);
  if (Number.isNaN(decision)) throw new UserError("the model refuses this sample: it isn't finite");
  const { words } = range.f32;
  const [plane, coefficients, row] = ["plane", "coefficients", "row"].map((name) =>
    layout.at(`installed.${name}`, range),
  );
  const weights = Array.from({ length: dimension }, (_, j) => ({
    ...makePart(`weight ${j + 1}`, words[plane + j], x[j]),
    ...(inputs[j] !== undefined && { input: inputs[j] }),
  }));
  const offset = makePart("offset", words[plane + dimension], 1);
  const vectors = Array.from({ length: size }, (_, i) =>
    makePart(`vector ${i}`, words[coefficients + i], words[row + i]),
  );
  const sums = [weights, [offset], vectors].map((parts) => addInLanes(parts.map(({ part }) => part)));
  const sum = sums.reduce((all, one) => all + one, 0);
  const parts = [...weights, offset, ...vectors].filter(({ weight }) => size === 0 || weight !== 0);
  return { decision, parts, sum, after: [], total: sum, bits: checkedBits(sum, decision) };
}

function makePart(of: string, weight: number, by: number): Part {
  return { of, part: Math.fround(weight * by), weight, by, sample: null, label: null, source: null };
}

/** The features that vector i of the model was made of. */
export function readVector({ layout, range, fleet }: FleetMemory, i: number): Float32Array {
  const { dimension } = fleet.model;
  const [rows, vector] = ["installed.rows", "vector"].map((name) => layout.at(name, range));
  range.f32.fetchRow(vector, rows, i, dimension);
  return range.f32.words.slice(vector, vector + dimension);
}
