/** What lies below and above these parts of the readings is unusual. */
const [LOW, HIGH] = [0.05, 0.95];

/** Between which values each reading usually lies, of samples with the same number of readings; empty without samples. */
export function usualRanges(samples: readonly ArrayLike<number>[]): [low: number, high: number][] {
  return Array.from(samples[0] ?? [], (_, k) => {
    const values = samples
      .map((x) => x[k])
      .filter(Number.isFinite)
      .sort((a, b) => a - b);
    const at = (part: number) => values[Math.round(part * (values.length - 1))] ?? Number.NaN;
    return [at(LOW), at(HIGH)] as [number, number];
  });
}
