import { gaussianGamma } from "../../../src/kernel/kernel.ts";
import { KernelExpansion } from "../../../src/learn/expansion.ts";
import { type Family, withBudget } from "../../../src/learn/family.ts";
import { Fogd } from "../../../src/learn/fogd.ts";
import type { Learner } from "../../../src/learn/learner.ts";
import { ILol, Lol } from "../../../src/learn/lol.ts";
import { Oskm } from "../../../src/learn/oskm.ts";
import { FAMILIES, familyNamed } from "../../../src/learn/registry.ts";
import { Stream } from "../programs/stream.ts";

/** What a learner's goals depend on. */
export type Kind = "kernel" | "features" | "lol" | "oskm" | "linear";

export const NAMES = FAMILIES.map(({ name }) => name);

/** What is wrong with a learner's name, or undefined. */
export function nameFault(name: string): string | undefined {
  return NAMES.includes(name) ? undefined : `no learner ${name}; takes ${NAMES.join(", ")}`;
}

/** A learner and the stream that it has seen. */
interface Begun {
  readonly family: Family;
  readonly learner: Learner;
  readonly stream: Stream;
}

function begin(name: string, dimension: number, budget: number): Begun {
  const family = familyNamed(name) as Family;
  const learner = family.create(withBudget(family, { dimension }, budget));
  return { family, learner, stream: new Stream(dimension) };
}

function step({ learner, stream }: Begun): void {
  const y = stream.next(learner.task);
  learner.learn(stream.x, y);
}

function kindOf(learner: Learner): Kind {
  if (learner instanceof KernelExpansion) return "kernel";
  if (learner instanceof Lol || learner instanceof ILol) return "lol";
  if (learner instanceof Fogd) return "features";
  return learner instanceof Oskm ? "oskm" : "linear";
}

/** Steps until there is no room left; `most` if that isn't reached. */
export function stepsToFill(name: string, dimension: number, budget: number, most: number): number {
  const begun = begin(name, dimension, budget);
  let steps = 0;
  for (; steps < most && begun.learner.size < begun.learner.capacity; steps++) step(begun);
  return steps;
}

/** A learner after so many steps. */
export interface State {
  readonly kind: Kind;
  /** Vectors stored. */
  readonly stored: number;
  readonly hash: string;
  /** What it predicts for the last sample. */
  readonly prediction: number;
  /** What predict.c takes; undefined where it has no such learner. */
  readonly image?: Uint8Array;
}

export function stateAfter(name: string, dimension: number, budget: number, steps: number): State {
  const begun = begin(name, dimension, budget);
  for (let i = 0; i < steps; i++) step(begun);
  const { learner, stream } = begun;
  const image = imageOf(begun);
  const hash = learner.stateHash();
  return {
    kind: kindOf(learner),
    stored: learner.size,
    hash,
    prediction: learner.predict(stream.x),
    ...(image && { image }),
  };
}

/** What is added to the expansion: a constant, and a word of the state with a sign. */
const TERMS: { readonly [name: string]: { constant: number; sign: number; region: string } } = {
  "norma-c": { constant: 0, sign: 1, region: "bias" },
  "norma-n": { constant: 0, sign: -1, region: "rho" },
  "olk-n": { constant: -1, sign: -1, region: "rho" },
};
const NO_TERM = { constant: 0, sign: 0, region: "rows" };

const EXPANSION = 0;
const LOCAL = 1;
/** Bytes before the memory. */
const HEADER = 72;

/** Kernel learners whose prediction is more than an expansion and a term: predict.c doesn't know them. */
const UNKNOWN = ["bsgd", "nogd"];

/** The image of predict.c: its header, the learner's memory, the sample. Expansions are Gaussian. */
function imageOf({ family, learner, stream }: Begun): Uint8Array | undefined {
  const { layout, range, dimension, size } = learner;
  const kind = kindOf(learner);
  if ((kind !== "kernel" && kind !== "lol") || UNKNOWN.includes(family.name)) return undefined;
  const at = (region: string) => layout.at(region, range);
  const words = layout.bytes / 4;
  const { constant, sign, region } = TERMS[family.name] ?? NO_TERM;
  const expansion = kind === "kernel";
  const gamma = expansion ? gaussianGamma(family.options.kernel.default as { p?: number }) : 0;
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
