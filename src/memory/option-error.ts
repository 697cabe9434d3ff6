/**
 * Invalid input from a user: an option, a kernel, a memory, a block of flash. Programs recognise a user's
 * error by this class. The message is one line: owner, option, the value it got and the values it takes.
 *
 *     bsgd: option lambda: got 0; takes a number > 0
 */
export class OptionError extends RangeError {
  /**
   * @param owner whose option: a learner's name (`olk-c`), `node`, `station`, ...
   * @param option its name as the user gave it.
   * @param got the received value; undefined: none.
   * @param takes the valid values, in words.
   * @param message replaces the usual message.
   */
  constructor(
    readonly owner: string,
    readonly option: string,
    readonly got: unknown,
    readonly takes: string,
    message = `${owner}: option ${option}: got ${quoteValue(got)}; takes ${takes}`,
  ) {
    super(message);
    // On XS, where built-ins are frozen, an assignment would throw.
    Object.defineProperty(this, "name", { value: "OptionError" });
  }
}

/** The message cuts a longer value to this many characters. */
const MOST_SHOWN = 120;

function quoteValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value); // a circle, or a big integer within
  }
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}
