/** A point with two figures to minimise; a null isn't on the front. */
interface CostedPoint {
  readonly cost: number | null;
  readonly loss: number | null;
}

/**
 * The Pareto front, by rising cost: the places that no other dominates: none is better in error or cost and as
 * good in the other. Among equal points, the first.
 */
export function paretoFront(all: readonly CostedPoint[]): number[] {
  const known = [...all.keys()].filter((i) => all[i].cost !== null && all[i].loss !== null);
  const by = (i: number, name: keyof CostedPoint) => all[i][name] as number;
  const ordered = known.sort(
    (i, j) => by(i, "cost") - by(j, "cost") || by(i, "loss") - by(j, "loss") || i - j,
  );
  let least = Infinity;
  return ordered.filter((i) => {
    const better = by(i, "loss") < least;
    if (better) least = by(i, "loss");
    return better;
  });
}
