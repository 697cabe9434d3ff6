import { isNearBest, type Trivial } from "../evaluation/trivial.ts";
import type { Choice, Cost } from "./result.ts";

/** A choice worth taking, and why. */
export interface Advice {
  /** `bytes`, `instructions`: within noise of the best, with by far the least of these. */
  readonly why: "best" | Cost;
  /** Its place among the choices. */
  readonly choice: number;
  /** Factors by which it takes less than the best choice; null where unknown. */
  readonly times: { readonly [cost in Cost]: number | null };
}

/** Factor of saving from which a choice is mentioned. */
const WORTH = 1.5;

function timesLess(choice: Choice, best: Choice): Advice["times"] {
  const of = (cost: Cost) => {
    const [own, other] = [choice[cost], best[cost]];
    return own === null || other === null ? null : other / own;
  };
  return { bytes: of("bytes"), instructions: of("instructions") };
}

/** True if it is as good as the best within noise, and not much worse in itself. */
function isAsGood({ behindBest, loss }: Choice, [best]: readonly Choice[], trivial: Trivial): boolean {
  if (!behindBest?.withinNoise || !loss || !best.loss) return false;
  return isNearBest(loss.mean, best.loss.mean, [trivial.majority, trivial.last]);
}

/** The place of the cheapest choice within noise of the best; among equals the better one. */
function leastCost(choices: readonly Choice[], trivial: Trivial, cost: Cost): number | undefined {
  const known = [...choices.keys()].filter(
    (i) => isAsGood(choices[i], choices, trivial) && choices[i][cost] !== null,
  );
  return known.sort((i, j) => (choices[i][cost] as number) - (choices[j][cost] as number) || i - j)[0];
}

/** The best choice, then choices as good within noise that take many times fewer bytes or instructions. */
export function advise(choices: readonly Choice[], trivial: Trivial): Advice[] {
  const [best] = choices;
  if (!best?.loss) return [];
  const advised: Advice[] = [{ why: "best", choice: 0, times: timesLess(best, best) }];
  for (const why of ["instructions", "bytes"] as const) {
    const choice = leastCost(choices, trivial, why);
    if (choice === undefined) continue;
    const least = choices[choice][why] as number;
    const isNear = (other: Choice) => other[why] !== null && (other[why] as number) < WORTH * least;
    if (advised.some((each) => isNear(choices[each.choice]))) continue;
    advised.push({ why, choice, times: timesLess(choices[choice], best) });
  }
  return advised;
}
