import type { LiveRow } from "./api.ts";

/** Readings whose extremes are kept. */
const EXTREMES_MAX = 8;
const BUCKETS_MIN = 50;

/**
 * Divides the rows into so many stretches of equal time. Each keeps the rows with its smallest and largest decision and readings: a peak is seen however
 * long the span. About `points` rows.
 */
export function downsample(rows: readonly LiveRow[], points: number): readonly LiveRow[] {
  if (rows.length <= points) return rows;
  const values = Math.min(rows[0][5]?.length ?? 0, EXTREMES_MAX) + 1;
  const buckets = Math.max(BUCKETS_MIN, Math.floor(points / (2 * values)));
  const first = rows[0][0];
  const width = Math.max(1, (rows[rows.length - 1][0] - first + 1) / buckets);
  const kept: LiveRow[] = [];
  for (let i = 0; i < rows.length; ) {
    const end = first + (Math.floor((rows[i][0] - first) / width) + 1) * width;
    let next = i + 1;
    while (next < rows.length && rows[next][0] < end) next++;
    kept.push(...extremes(rows, i, next, values));
    i = next;
  }
  return kept;
}

function channelValue(row: LiveRow, k: number): number | null {
  return k === 0 ? row[3] : (row[5]?.[k - 1] ?? null);
}

function extremes(rows: readonly LiveRow[], from: number, to: number, values: number): LiveRow[] {
  const chosen = new Set<number>();
  for (let k = 0; k < values; k++) {
    let least: number | undefined;
    let most: number | undefined;
    for (let i = from; i < to; i++) {
      const value = channelValue(rows[i], k);
      if (value === null) continue;
      if (least === undefined || value < (channelValue(rows[least], k) as number)) least = i;
      if (most === undefined || value > (channelValue(rows[most], k) as number)) most = i;
    }
    if (least !== undefined) chosen.add(least);
    if (most !== undefined) chosen.add(most);
  }
  if (chosen.size === 0) chosen.add(from);
  return [...chosen].sort((a, b) => a - b).map((i) => rows[i]);
}
