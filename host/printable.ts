/**
 * What a terminal or a page wouldn't show as itself: controls, turns of the writing's direction, ends of lines and paragraphs, and halves
 * of surrogate pairs. Letters, marks and signs of any script are shown.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  if (character === "\n") return "\\n";
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

/**
 * Makes text from outside safe for one line of a terminal or a page: it writes each `UNPRINTABLE` character as an escape, so that none
 * moves the cursor, sets a title, begins a new line, or changes the order of others.
 *
 *     printable("a\x1b[2Jé停\n") // "a\\x1b[2Jé停\\n"
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escapeCharacter);
}

/** Text of several lines, each made `printable`. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** The value as JSON of the same meaning, printable. */
export function printableJson(value: unknown, indent?: number): string {
  // Ends of lines stand only between values.
  return JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
