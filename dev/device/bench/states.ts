import { gaussianGamma } from "../../../src/kernel/kernel.ts";
import { KernelExpansion } from "../../../src/learn/expansion.ts";
import { type Family, takesBudget, type UserOptions, withBudget } from "../../../src/learn/family.ts";
import type { Learner } from "../../../src/learn/learner.ts";
import { FAMILIES, familyNamed } from "../../../src/learn/registry.ts";
import { Crc32 } from "../../../src/math/crc32.ts";
import { PortableF32 } from "../../../src/math/f32.ts";
import { Stream } from "../../../targets/emulator/programs/stream.ts";

/** The properties of a learner on which its goals depend. */
export type Kind = "kernel" | "local" | "features" | "linear";

export const NAMES = FAMILIES.map(({ name }) => name);

/** What is wrong with a learner's name, or undefined. */
export function nameFault(name: string): string | undefined {
  return NAMES.includes(name) ? undefined : `no learner ${name}; takes ${NAMES.join(", ")}`;
}

/** A learner and the stream that it has seen. */
interface StartedLearner {
  readonly family: Family;
  readonly learner: Learner;
  readonly stream: Stream;
}

/** Kernels have a width, so that the benchmark measures the learner, not the search for a width. */
const GIVEN = { kernel: { type: "gaussian", p: 1 } };

function findsWidth({ options }: Family): boolean {
  return (options.kernel?.default as { readonly width?: unknown } | undefined)?.width !== undefined;
}

/** The learner's options in the programs. */
export function programName(name: string): string {
  return findsWidth(familyNamed(name) as Family) ? `${name}/given` : name;
}

function benchOptions(family: Family, dimension: number, budget: number): UserOptions {
  return withBudget(family, { dimension, ...(findsWidth(family) && GIVEN) }, budget);
}

function begin(name: string, dimension: number, budget: number): StartedLearner {
  const family = familyNamed(name) as Family;
  const learner = family.create(benchOptions(family, dimension, budget));
  return { family, learner, stream: new Stream(dimension) };
}

function step({ learner, stream }: StartedLearner): void {
  const y = stream.next(learner.task);
  learner.learn(stream.x, y);
}

function learnerKind(family: Family, learner: Learner): Kind {
  if (learner instanceof KernelExpansion) return "kernel";
  if (family.options.prototypes) return "local";
  return takesBudget(family) && !family.traits?.members ? "features" : "linear";
}

/** Steps until the budget is full; `most` if it never is. */
export function stepsToFill(name: string, dimension: number, budget: number, most: number): number {
  const begun = begin(name, dimension, budget);
  let steps = 0;
  for (; steps < most && begun.learner.size < begun.learner.capacity; steps++) step(begun);
  return steps;
}

/** A learner after so many steps. */
export interface State {
  readonly kind: Kind;
  readonly stored: number;
  readonly hash: string;
  /** Its prediction for the last sample. */
  readonly prediction: number;
  /** The input of predict.c; undefined for a learner that it doesn't have. */
  readonly image?: Uint8Array;
  /** The input of learn.c, and the check sum to expect; undefined where no learn is bound. */
  readonly learn?: { readonly image: Uint8Array; readonly sum: number };
}

/** The state after so many steps; learn.c repeats the last ones. */
export function stateAfter(
  name: string,
  dimension: number,
  budget: number,
  steps: number,
  measured = 64,
): State {
  const begun = begin(name, dimension, budget);
  for (let i = 0; i < steps - measured; i++) step(begun);
  const learn = measureLearn(begun, budget, measured);
  const { learner, stream } = begun;
  const image = checkpointImage(begun);
  const hash = learner.stateHash();
  return {
    kind: learnerKind(begun.family, learner),
    stored: learner.size,
    hash,
    prediction: learner.predict(stream.x),
    ...(image && { image }),
    ...(learn && { learn }),
  };
}

/**
 * The learner's bound learn on XS, in a memory of its own; undefined where none is bound, or only a
 * member's.
 */
function boundTo(family: Family, options: UserOptions): { isLocal: boolean; given: ArrayBuffer } | undefined {
  const layout = family.layout(options);
  if (family.traits?.members) return undefined;
  let bound: { isLocal: boolean; given: ArrayBuffer } | undefined;
  const decide = () => Number.NaN;
  const binding = (isLocal: boolean) => (given: ArrayBuffer) => {
    bound = { isLocal, given };
    return decide;
  };
  class Binding extends PortableF32 {
    readonly bindExpansion = () => decide;
    readonly bindExpansionStep = binding(false);
    readonly bindLocal = () => decide;
    readonly bindLocalStep = binding(true);
  }
  family.create({ ...options, memory: layout.range(new Binding(new ArrayBuffer(layout.bytes))) });
  return bound;
}

/** Bytes of learn.c's own numbers, behind the bound call. */
const OWN = 24;

/** Takes the next steps; learn.c gets the memory before them and their samples. */
function measureLearn(begun: StartedLearner, budget: number, steps: number): State["learn"] {
  const { family, learner, stream } = begun;
  const { layout, range, dimension: d } = learner;
  const bound = boundTo(family, benchOptions(family, d, budget));
  const { bits } = range.f32;
  const words = layout.bytes / 4;
  const header = (bound?.given.byteLength ?? 0) + OWN;
  const image = new Uint8Array(header + 4 * (words + steps * (d + 1)));
  const own = [Number(bound?.isLocal), words, steps, range.state, layout.state, 0];
  if (bound) image.set(new Uint8Array(bound.given));
  new Int32Array(image.buffer, header - OWN, own.length).set(own);
  new Uint32Array(image.buffer, header, words).set(bits.subarray(0, words));
  const samples = new Float32Array(image.buffer, header + 4 * words);
  for (let i = 0; i < steps; i++) {
    const y = stream.next(learner.task);
    samples.set([...stream.x, y], i * (d + 1));
    learner.learn(stream.x, y);
  }
  if (!bound) return undefined;
  const state = bits.slice(range.state, range.state + layout.state);
  const sum = new Crc32().crc32(new Uint8Array(state.buffer), 0, 4 * layout.state, 0);
  return { image, sum };
}

/** The numbers added to the expansion, as predict.c takes them: a constant, and a word of the state with a sign. */
function addedTo({ traits }: Family): { constant: number; sign: number; region: string } {
  const addends = traits?.decision?.addends ?? [];
  const { times: sign = 0, region = "rows" } = addends.find(({ region }) => region !== undefined) ?? {};
  const constants = addends.filter(({ region }) => region === undefined);
  return { constant: constants.reduce((sum, { times }) => sum + times, 0), sign, region };
}

const EXPANSION = 0;
const LOCAL = 1;
/** Bytes before the memory. */
const HEADER = 72;

/** True if the prediction is more than an expansion and a term, which predict.c doesn't know. */
function isMore({ traits }: Family): boolean {
  return traits?.decision?.last !== undefined || traits?.decision?.terms !== undefined;
}

/** The image of predict.c: its header, the learner's memory, the sample. Expansions are Gaussian. */
function checkpointImage({ family, learner, stream }: StartedLearner): Uint8Array | undefined {
  const { layout, range, dimension, size } = learner;
  const kind = learnerKind(family, learner);
  const isKnown = kind === "local" || (kind === "kernel" && !isMore(family));
  if (!isKnown) return undefined;
  const at = (region: string) => layout.at(region, range);
  const words = layout.bytes / 4;
  const { constant, sign, region } = addedTo(family);
  const expansion = kind === "kernel";
  const kernel = findsWidth(family) ? GIVEN.kernel : family.options.kernel?.default;
  const gamma = expansion ? gaussianGamma(kernel as { p?: number }) : 0;
  const both = [expansion ? EXPANSION : LOCAL, dimension, words, at("input"), size];
  const places = expansion
    ? [at("rows"), at("coefficients"), at("row"), at(region), sign, 0, 0, 0]
    : [at("prototypes"), 0, at("distances"), 0, 0, at("w"), at("u"), at("nextU")];
  const image = new ArrayBuffer(HEADER + 4 * (words + dimension));
  new Float64Array(image, 0, 2).set([gamma, constant]);
  new Int32Array(image, 16).set([...both, ...places]);
  new Uint32Array(image, HEADER).set(range.f32.bits.subarray(0, words));
  new Float32Array(image, HEADER + 4 * words).set(stream.x);
  return new Uint8Array(image);
}
