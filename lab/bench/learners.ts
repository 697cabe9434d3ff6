import { ARITHMETICS } from "../../host/arithmetic.ts";
import { table } from "../../host/terminal/table.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { benchmark, type Cost } from "./benchmark.ts";

/** What stands where nothing was measured. */
const NONE = "n/a";

/** A learner of one size: its cost on the fastest path and on each, and the speed-up of WebAssembly. */
interface SizeCost extends Cost {
  readonly dimension: number;
  readonly budget: number;
  readonly paths: readonly Cost[];
  readonly timesFaster?: { readonly predict: number; readonly learn: number };
}

interface LearnerCosts {
  readonly name: string;
  readonly sizes: readonly SizeCost[];
}

function findCost({ paths }: SizeCost, name: Cost["arithmetic"]): Cost | undefined {
  return paths.find(({ arithmetic }) => arithmetic === name);
}

/** The library's cost relative to the commands', both on the fastest arithmetic: 1 if equal. */
function libraryTimes(sized: SizeCost): string {
  const own = findCost(sized, "library");
  return own ? ((own.predictNs + own.learnNs) / (sized.predictNs + sized.learnNs)).toFixed(2) : NONE;
}

/** The learners to time: with their defaults, and with vectors of 16 bits in the inputs' range. */
interface Variant {
  readonly name: string;
  readonly family: Family;
  readonly options: UserOptions;
}

/** The learner, and if it stores vectors in 16 bits, that way, too. */
export function listVariants(family: Family): Variant[] {
  const { name } = family;
  const plain = { name, family, options: {} };
  if (!family.options.storage) return [plain];
  return [plain, { name: `${name}/q15`, family, options: { storage: "q15", ranges: [[-4, 4]] } }];
}

/** The cost of a learner of that size on each path. */
export function benchmarkSize({ family, options }: Variant, dimension: number, budget: number): SizeCost {
  // TypeScript last: a call that has met two kinds of primitives stays slower.
  const paths = (["webassembly", "library", "typescript"] as const).flatMap(
    (name) => benchmark(family, dimension, budget, name, options) ?? [],
  );
  const sized = { dimension, budget, ...paths[0], paths };
  const [wasm, typescript] = ARITHMETICS.map((name) => findCost(sized, name));
  if (!wasm || !typescript) return sized;
  const timesFaster = {
    predict: typescript.predictNs / wasm.predictNs,
    learn: typescript.learnNs / wasm.learnNs,
  };
  return { ...sized, timesFaster };
}

export function learnersText(results: readonly LearnerCosts[]): string {
  const whole = (value: number | undefined) => (value === undefined ? NONE : Math.round(value));
  const times = (value: number | undefined) => (value === undefined ? NONE : value.toFixed(1));
  const rows = results.flatMap(({ name, sizes }) =>
    sizes.map((sized) => {
      const [wasm, typescript] = ARITHMETICS.map((path) => findCost(sized, path));
      return [
        ...[name, sized.dimension, sized.budget, sized.stored],
        ...[whole(wasm?.predictNs), whole(typescript?.predictNs), times(sized.timesFaster?.predict)],
        ...[whole(wasm?.learnNs), whole(typescript?.learnNs), times(sized.timesFaster?.learn)],
        libraryTimes(sized),
      ];
    }),
  );
  return table(rows, {
    head: [
      ...["learner", "d", "budget", "stored", "predict ns, WebAssembly", "TypeScript", "times"],
      ...["learn ns, WebAssembly", "TypeScript", "times", "library / command"],
    ],
    aligns: ["left", "right"],
  });
}
