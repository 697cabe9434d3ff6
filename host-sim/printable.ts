function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  if (character === "\n") return "\\n";
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/**
 * Makes text from outside safe for one line of a terminal: it writes every character but 0x20 to 0x7e as an
 * escape, so that none moves the cursor, sets a title or begins a new line.
 *
 *     printable("a\x1b[2Jé\n") // "a\\x1b[2J\\xe9\\n"
 */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, escapeOf);
}

/** Text of several lines, each made `printable`; characters that draw tables stay. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\x20-\x7e±─…]/gu, escapeOf);
}

/** The value as JSON of the same meaning that is all ASCII. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\n\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
