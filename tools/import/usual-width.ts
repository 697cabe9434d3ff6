/** The fewest rows of one width, by all, of columns between blanks: others are bad rows. */
export const WHOLE_SHARE = 0.9;

/** The width that most rows have, of two fields or more, and how many have it. */
export function usualWidth(widths: readonly number[]): { readonly width: number; readonly rows: number } {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [[width, rows] = [1, 0]] = [...counts].sort(([, a], [, b]) => b - a);
  return { width, rows };
}
