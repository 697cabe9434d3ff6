import type { UserOptions } from "../../../src/learn/family.ts";
import { oneVsAllFamily } from "../../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../../src/learn/registry.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";

/** A node's options in transit to the machine, with the family's name. */
export interface ServedOptions extends Omit<NodeOptions, "learner"> {
  readonly learner: string;
  readonly options: UserOptions;
}

const ONE_VS_ALL = "ova:";

/** The options with the family that has that name. Throws a RangeError if there is none. */
export function servedNodeOptions({ learner, ...options }: ServedOptions): NodeOptions {
  const whole = learner.startsWith(ONE_VS_ALL);
  const family = familyNamed(whole ? learner.slice(ONE_VS_ALL.length) : learner);
  if (!family) throw new RangeError(`no learner ${learner}`);
  return { ...options, learner: whole ? oneVsAllFamily(family) : family };
}
