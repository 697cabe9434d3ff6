import { UserError } from "../../host/errors.ts";
import { type Family, takesBudget } from "../../src/learn/family.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { type FeaturesOption, featureDimension } from "../../src/signal/features.ts";
import type { Hello } from "../session/hello.ts";

/** The known options of a node besides its hello. */
interface KnownOptions {
  readonly family: Family;
  readonly options: { readonly [name: string]: unknown };
  readonly features: Omit<FeaturesOption, "standardise">;
  /** What the node says of itself; undefined: nothing that this program can use. */
  readonly described?: NodeOptions;
  /** Undefined: whichever fits. */
  readonly standardise?: boolean;
  /** Its budget in vectors, from its statistics. */
  readonly capacity: number;
  /** Words that it saves. */
  readonly words: number;
}

/** The options of such a node. Throws a UserError where they don't give a node of that many words. */
export function nodeOptions(hello: Hello, known: KnownOptions): NodeOptions {
  const { family, options, words, capacity, described } = known;
  const { channels, pending, labelWindow, sid } = hello;
  const dimension = featureDimension(channels, known.features);
  if (dimension !== hello.dimension)
    throw new UserError(
      `the node makes ${hello.dimension} features of ${channels} readings, these options ${dimension}; give --window, --wavelet, --bands, --lines, --burst as it was flashed with`,
    );
  const budget = takesBudget(family, options) && options.budget === undefined ? { budget: capacity } : {};
  const candidates = (known.standardise === undefined ? [false, true] : [known.standardise]).map(
    (standardise): NodeOptions => ({
      ...described,
      sid,
      channels,
      pending,
      labelWindow,
      features: { ...known.features, standardise },
      learner: family,
      options: { ...budget, ...options },
    }),
  );
  const sizes = candidates.map(countWords);
  const found = candidates[sizes.indexOf(words)];
  if (found) return found;
  throw new UserError(
    `the node saves ${words} words, one of ${family.name} with these options ${sizes.join(" or ")}; give --budget, --options as it was flashed with`,
  );
}

function countWords(options: NodeOptions): number {
  const { state, counters } = nodeLayout(options);
  return state + counters;
}
