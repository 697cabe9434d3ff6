function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  if (character === "\n") return "\\n";
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/**
 * Text from outside as it may stand in one line of a terminal: every character but 0x20 to 0x7e is written as an escape, so that
 * none moves the cursor, sets a title or begins a line of its own.
 *
 *     printable("a\x1b[2Jé\n") // "a\\x1b[2J\\xe9\\n"
 */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, escapeOf);
}

/** Text of several lines, each made `printable`; what tables are drawn with stays. */
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
