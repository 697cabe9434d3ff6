import { LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";

/**
 * What happens at a full budget. oldest: the oldest vector leaves. smallest: the one with the least |coefficient| leaves. refuse: the new
 * vector is declined. merge: the vector with the least |coefficient|, which may be the new one, merges with its nearest of the same sign.
 */
export type Evict = "oldest" | "smallest" | "refuse" | "merge";

/** The rules, as option `evict` takes them. `Primitives.stepExpansion` and `classStep` apply them by their numbers in `LEAVING`. */
export const EVICTIONS: readonly Evict[] = frozen(["oldest", "smallest", "refuse", "merge"]);

/** The number of a rule in `LEAVING`. Where vectors can't merge, the oldest leaves: only Gaussians merge. */
export function leavingBy(evict: Evict, merges: boolean): number {
  const options = LEAVING[evict];
  return options === LEAVING.merge && !merges ? LEAVING.oldest : options;
}

/** The rule of BSGD's option `maintenance`, whose vectors tie unless they merged: a removal takes the oldest. */
export function chooseEviction(maintenance: unknown): Evict {
  return maintenance === "merge" ? "merge" : "oldest";
}
