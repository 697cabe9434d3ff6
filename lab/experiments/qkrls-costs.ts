import { Random } from "../../host/random.ts";
import type { UserOptions } from "../../src/index.ts";
import { Elementary } from "../../src/math/elementary.ts";
import { CountedMemory } from "./lib/counted.ts";
import type { Curve, Experiment, RunMeasures } from "./lib/experiment.ts";
import { asPublished, chosenFamily } from "./lib/learner.ts";
import { claim } from "./lib/verdict.ts";

const SIZES = [20, 40, 80, 160, 320];
const DIMENSION = 7;
/** Inputs in a cube of this edge lie farther apart than any quantization size here. */
const EDGE = 20;

interface CountedMethod {
  readonly key: string;
  readonly label: string;
  readonly options: UserOptions;
  /** The exponents of Table III. */
  readonly published: { readonly kept: number; readonly grown: number };
}

/** Given, as finding a width is no part of the published methods. */
const KERNEL = { type: "gaussian", p: 1 } as const;
const METHODS: readonly CountedMethod[] = [
  { key: "qklms", label: "QKLMS", options: { epsilon: 0.4, eta: 0.5 }, published: { kept: 1, grown: 1 } },
  {
    key: "qkrls",
    label: "QKRLS",
    options: { epsilon: 0.4, regularization: 0.01 },
    published: { kept: 2, grown: 2 },
  },
  { key: "krls-ald", label: "KRLS-ALD", options: { nu: 0.04 }, published: { kept: 2, grown: 2 } },
];
const CASES = { kept: "codebook unchanged", grown: "codebook changed" } as const;

/** Products that an iteration takes at each size: where the codebook stays, and where it takes the input. */
function count({ key, options }: CountedMethod, random: Random): { kept: Curve; grown: Curve } {
  const family = chosenFamily(key);
  const budget = SIZES[SIZES.length - 1] + 1;
  const all = asPublished(family, { dimension: DIMENSION, budget, kernel: KERNEL, ...options });
  const memory = new CountedMemory(family.layout(all));
  const learner = family.create({ ...all, memory: memory.range });
  const input = () => Float32Array.from({ length: DIMENSION }, () => EDGE * random.uniform());
  const cost = (x: Float32Array) => {
    memory.size = learner.size;
    memory.products = 0;
    learner.learn(x, random.normal());
    return memory.products;
  };
  const kept: number[] = [];
  const grown: number[] = [];
  const centres: Float32Array[] = [];
  const grow = () => {
    const x = input();
    centres.push(x);
    return cost(x);
  };
  for (const [k, size] of SIZES.entries()) {
    while (learner.size < size) grow();
    kept.push(cost(centres[k])); // the one not met for longest, which costs QKRLS most
    grown.push(grow());
  }
  return { kept: { at: SIZES, value: kept }, grown: { at: SIZES, value: grown } };
}

/** The exponent b of cost = a size^b between the two largest sizes. */
function exponent({ at, value }: Curve): number {
  const elementary = new Elementary();
  const [i, j] = [at.length - 2, at.length - 1];
  return elementary.log(value[j] / value[i]) / elementary.log(at[j] / at[i]);
}

function run(seed: number): RunMeasures {
  const numbers: { [name: string]: number } = {};
  const curves: { [name: string]: Curve } = {};
  for (const method of METHODS) {
    const counted = count(method, new Random(seed, "costs"));
    for (const which of ["kept", "grown"] as const) {
      curves[`${method.key}/${which}`] = counted[which];
      numbers[`${method.key}/${which}`] = exponent(counted[which]);
    }
  }
  return { numbers, curves };
}

/** Table III. */
export const COSTS: Experiment = {
  id: "qkrls-table-3",
  paper: "QKRLS",
  title: "Table III: growth of the cost of an iteration with the network size",
  setup: `Multiplications, divisions and roots that the arithmetic did in one iteration, counted at network sizes ${SIZES.join(", ")}, seven inputs a sample; the exponent shown is that from ${SIZES.at(-2)} to ${SIZES.at(-1)}. Published: the order in L, the size, of the dearest part.`,
  runs: 1,
  once: true,
  run,
  rows: METHODS.flatMap(({ key, label, published }) =>
    (["kept", "grown"] as const).map((which) => ({
      name: `${key}/${which}`,
      label: `${label}, ${CASES[which]}: exponent of L`,
      published: published[which],
      own: key === "qkrls",
      digits: 2,
    })),
  ),
  figures: [
    {
      title: "Cost of an iteration",
      x: "network size L",
      y: "multiplications, divisions and roots",
      logX: true,
      logY: true,
      lines: METHODS.flatMap(({ key, label }) =>
        (["kept", "grown"] as const).map((which) => ({
          curve: `${key}/${which}`,
          label: `${label}, ${CASES[which]}`,
        })),
      ),
    },
  ],
  verdict: (summary) => ({
    claims: METHODS.flatMap(({ key, label, published }) =>
      (["kept", "grown"] as const).map((which) => {
        const exponent = summary.mean(`${key}/${which}`);
        const near = Math.abs(exponent - published[which]) <= 0.25;
        const text = `${label}'s exponent is ${published[which]}, ${CASES[which]} (${exponent.toFixed(2)}; to come out, within 0.25)`;
        return claim(near, text, key === "qkrls");
      }),
    ),
  }),
};
