/** Two words for what is on or off, the first of them 1, in any case; those of spreadsheets in their languages, too. */
const PAIRS = [
  ["true", "false"],
  ["yes", "no"],
  ["on", "off"],
  ["open", "closed"],
  ["wahr", "falsch"],
  ["ja", "nein"],
  ["an", "aus"],
  ["ein", "aus"],
  ["offen", "zu"],
  ["vrai", "faux"],
  ["oui", "non"],
] as const;

const NUMBERS = new Map<string, string>(
  PAIRS.flatMap(
    ([on, off]) =>
      [
        [on, "1"],
        [off, "0"],
      ] as const,
  ),
);

/** Such words, for messages. */
export const TRUTHS = "true or false, yes or no, on or off, open or closed";

/** "1" or "0" for such a word; undefined for any other. */
export function parseTruth(word: string): string | undefined {
  return NUMBERS.get(word.trim().toLowerCase());
}

/** True if all words are of one pair. */
export function areTruths(words: Iterable<string>): boolean {
  const said = new Set([...words].map((word) => word.trim().toLowerCase()));
  return said.size > 0 && PAIRS.some(([on, off]) => [...said].every((word) => word === on || word === off));
}
