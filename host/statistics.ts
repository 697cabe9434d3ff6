export function total(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

export function average(values: ArrayLike<number>): number {
  return total(values) / values.length;
}

/** The middle of the sorted values, the upper one of two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
