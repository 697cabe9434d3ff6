/** A part of a text from a start to an end, and what stands there instead. */
export type Edit = readonly [start: number, end: number, by: string];

/**
 * Applies each [start, end, by] of `edits`, in order, to a text. In one pass, since a new text for each of
 * thousands of edits took minutes.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let place = 0;
  for (const [start, end, by] of edits) {
    pieces.push(text.slice(place, start), by);
    place = end;
  }
  return pieces.join("") + text.slice(place);
}

export const byPlace = (one: Edit, other: Edit) => one[0] - other[0] || one[1] - other[1];

/** A part of the text, with those of the edits that lie in it. */
export function partWith(text: string, from: number, to: number, edits: readonly Edit[]): string {
  const shifted = edits
    .filter(([start, end]) => start >= from && end <= to)
    .map(([start, end, by]): Edit => [start - from, end - from, by]);
  return applyEdits(text.slice(from, to), shifted.sort(byPlace));
}
