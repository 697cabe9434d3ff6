import { distance } from "fastest-levenshtein";

const SUGGESTIONS = 3;

/** All names, those most like `wrong` first; equally like ones in their order. */
export function byNearness(wrong: string, names: readonly string[]): string[] {
  const typed = wrong.toLowerCase();
  return names
    .map((name) => ({ name, edits: edits(typed, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
}

/** The names most like `wrong`, nearest first; none that differs in more than half of its letters. */
export function nearestNames(wrong: string, names: readonly string[]): string[] {
  const typed = wrong.toLowerCase();
  const near = names.filter(
    (name) => edits(typed, name.toLowerCase()) <= Math.max(name.length, wrong.length) / 2,
  );
  return byNearness(wrong, near).slice(0, SUGGESTIONS);
}

/**
 * `; did you mean x or y? There are ...`, or `; there are ...`: the end of a message about a name that isn't
 * known.
 */
export function suggestion(wrong: string, names: readonly string[]): string {
  const near = nearestNames(wrong, names);
  const there = near.length > 0 ? `did you mean ${near.join(" or ")}? There` : "there";
  return `; ${there} ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

/** Levenshtein's distance; a name that begins with the typed text is one edit away. */
function edits(typed: string, name: string): number {
  const apart = distance(typed, name);
  return typed.length > 1 && name.startsWith(typed) ? Math.min(apart, 1) : apart;
}
