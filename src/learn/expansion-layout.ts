import { Dictionary } from "../dictionary/dictionary.ts";
import { EVICTIONS, type Evict } from "../dictionary/eviction.ts";
import type { StorageOptions } from "../dictionary/grid.ts";
import { findsWidth, type KernelOption } from "../kernel/kernel.ts";
import { ceil4, DECISION } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, POSITIVE, type Region } from "../memory/layout.ts";
import { errorRegions } from "./aggressiveness.ts";
import type { FlipRates } from "./label-noise.ts";
import { commonRegions } from "./learner.ts";
import { LinearPart } from "./linear-part.ts";
import { choice, whole } from "./options.ts";
import { WidthProbe } from "./width-probe.ts";

/** Option `evict`: what happens to a sample that would be stored beyond the budget. */
export const evict = choice<Evict>(
  EVICTIONS,
  "merge",
  "at the full budget: the oldest vector leaves, the one with the smallest coefficient, the new one is declined, or the one with the smallest coefficient merges with the nearest of its sign; where the kernel isn't Gaussian, merge is oldest",
);

/** Option of a learner that forgets stale vectors. */
export const staleAfter = frozen(
  whole(
    { default: 256, min: 1, max: 16777216 },
    "samples without a use, for each use it had (16 at most), after which a vector leaves a full dictionary for a new one",
  ),
);

/** Options of a kernel expansion. */
export interface ExpansionOptions extends StorageOptions {
  /** Capacity of the dictionary: vectors that the expansion holds at most. */
  readonly budget: number;
  /** Kernel of the expansion. */
  readonly kernel: KernelOption;
  /** What happens at a full dictionary; "refuse" where the family has a rule of its own. */
  readonly evict?: Evict;
  /** Only in a family with the option `sources`. */
  readonly sources?: readonly FlipRates[];
  /** A width found from the first inputs, in median distances between them: default 0.5. */
  readonly medians?: number;
  /** The most that a label may move f; 0: from the errors. Only in a family that has an aggressiveness. */
  readonly aggressiveness?: number;
  /** Classes that share the dictionary, where it isn't two that have one. */
  readonly classes?: number;
}

/** How a family's decision follows from f(x): one of `DECISION`, the region whose first word it takes, and a factor of that. */
export interface DecisionRule {
  /** One of `DECISION`. */
  readonly rule: number;
  /** Name of the region whose first word the rule takes. */
  readonly region: string;
  /** Factor of that word; default 1. */
  readonly scale?: number;
}

/** Information in the labels learned so far, in units of one right label; with the option `sources`. */
export const INFORMATION: Region = frozen({
  name: "information",
  kind: "state",
  words: 1,
  holds: [POSITIVE],
});

export const SUM: DecisionRule = frozen({ rule: DECISION.sum, region: "count" });

/** Layout of a kernel expansion: dictionary, the family's own regions, and the kernel row, which lies behind the input. */
export function expansionLayout(options: ExpansionOptions, own: readonly Region[] = []): Layout {
  const corrects = (options.sources?.length ?? 0) > 0;
  const hasLinearPart = corrects && options.kernel.type === "gaussian";
  return new Layout([
    ...Dictionary.regions(options.budget, options),
    ...own,
    ...(corrects ? [INFORMATION] : errorRegions(options.aggressiveness ?? 1)),
    ...(hasLinearPart ? LinearPart.regions(options.dimension) : []),
    ...(findsWidth(options.kernel) ? WidthProbe.regions(options.dimension) : []),
    ...commonRegions(options.dimension),
    { name: "row", kind: "scratch", words: ceil4(options.budget) },
    { name: "spare", kind: "scratch", words: options.dimension },
  ]);
}
