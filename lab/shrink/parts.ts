type Enough<T> = (rest: readonly T[]) => Promise<boolean>;

/**
 * Removes parts of a list while the rest is enough: halves, then quarters, down to single ones, from the end,
 * until no single one can be spared (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input", 2002, without the search for a part that is enough alone).
 */
export async function spare<T>(list: readonly T[], enough: Enough<T>): Promise<readonly T[]> {
  let left = list;
  for (let size = Math.ceil(left.length / 2); size >= 1; ) {
    const before = left.length;
    for (let end = left.length; end > 0; end -= size) {
      const rest = [...left.slice(0, Math.max(0, end - size)), ...left.slice(end)];
      if (await enough(rest)) left = rest;
    }
    if (size > 1) size = Math.ceil(size / 2);
    else if (left.length === before) break;
  }
  return left;
}

/** Lowers a whole number while that is enough: 0, 1, else by bisection between one that isn't enough and one that is. */
export async function lowerWhole(from: number, enough: (value: number) => Promise<boolean>): Promise<number> {
  if (from <= 0) return from;
  if (await enough(0)) return 0;
  let [low, high] = [0, from];
  while (high - low > 1) {
    const middle = low === 0 && high === from ? 1 : Math.floor((low + high) / 2);
    if (await enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The first of some rounder values of a number that is enough: 0, 1, then with one digit, two, three. */
export async function rounder(from: number, enough: (value: number) => Promise<boolean>): Promise<number> {
  const values = [0, 1, ...[1, 2, 3].map((digits) => Number(from.toPrecision(digits)))];
  for (const value of new Set(values)) {
    if (value === from) return from;
    if (await enough(value)) return value;
  }
  return from;
}
