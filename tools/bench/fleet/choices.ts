/** So many labels at most may have no answer: each doubles what is tried. */
const OPEN_MAX = 12;

/**
 * All choices of these labels that the node may have applied: those that it surely did, with any of the others. The likelier come
 * first, with few left out. Throws an Error if there are too many.
 */
export function* choices<L extends { readonly sure: boolean }>(labels: readonly L[]): Generator<L[]> {
  const open = labels.filter(({ sure }) => !sure);
  if (open.length > OPEN_MAX) throw new Error(`${open.length} answers of one node never came`);
  const sets = Array.from({ length: 2 ** open.length }, (_, bits) => bits);
  const bitsIn = (set: number) => set.toString(2).replaceAll("0", "").length;
  for (const left of sets.sort((a, b) => bitsIn(a) - bitsIn(b)))
    yield labels.filter((label) => label.sure || ((left >> open.indexOf(label)) & 1) === 0);
}
