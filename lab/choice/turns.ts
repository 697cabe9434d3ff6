/** The places of the items, by turns: the first of each kind, then the second of each, and so on. */
export function byTurns(kinds: readonly string[]): number[] {
  const seen = new Map<string, number>();
  const turns = kinds.map((kind) => {
    const turn = seen.get(kind) ?? 0;
    seen.set(kind, turn + 1);
    return turn;
  });
  return [...turns.keys()].sort((a, b) => turns[a] - turns[b] || a - b);
}
