import { BEYOND, isBeyond, isFloat32, parseNumber, WITHIN_NEEDED } from "./numbers.ts";
import { Pages } from "./pages.ts";
import { excerpt, numeral, StreamError } from "./stream-error.ts";

/** A label in the file: a word, a number, or nothing. */
export type RawLabel = string | number | undefined;

/** Labels in row order: numbers, or indices of `labelNames`, by way of `order` where there is one. */
export interface Labels {
  readonly values: Pages<Float64Array<ArrayBuffer>>;
  readonly labelNames?: string[];
  readonly order?: readonly number[];
}

const KNOWN_SHOWN_MAX = 8;

/**
 * Collects the label column. The first label decides: all are numbers, which are kept, or words, which become
 * indices into `labelNames`.
 */
export class LabelColumn {
  private readonly values: Pages<Float64Array<ArrayBuffer>>;
  private readonly value = [Number.NaN];
  private readonly words = new Map<string, number>();
  private readonly numbers: ReadonlySet<number> | undefined;
  private kind: "number" | "word" | undefined;

  /**
   * @param file named in errors.
   * @param known the only labels allowed; words keep their position here as their index. Default: any.
   * @param unlabelled whether a row may go without a label, which becomes NaN.
   * @param overflows whether they may go to a temporary file.
   */
  constructor(
    private readonly file: string,
    private readonly known: readonly (string | number)[] | undefined,
    private readonly unlabelled: boolean,
    overflows: boolean,
  ) {
    this.values = new Pages((length) => new Float64Array(length), overflows);
    if (!known || known.length === 0) return;
    this.kind = typeof known[0] === "number" ? "number" : "word";
    if (this.kind === "number") this.numbers = new Set(known as readonly number[]);
    else for (const word of known) this.words.set(String(word), this.words.size);
  }

  /**
   * Takes the next row's label; throws a StreamError if it is missing, unknown or of the other kind.
   *
   * @param late whether it may come later, by `set`.
   */
  add(line: number, raw: RawLabel, late: boolean): void {
    const value = this.valueOf(line, raw);
    if (value === undefined && !this.unlabelled && !late)
      throw new StreamError(this.file, line, "no label", "every row needs one");
    this.value[0] = value ?? Number.NaN;
    this.values.add(this.value);
  }

  /** Sets a row's label; returns false if there is none. Throws a StreamError as `add` does. */
  set(row: number, line: number, raw: RawLabel): boolean {
    const value = this.valueOf(line, raw);
    if (value !== undefined) this.values.set(row, value);
    return value !== undefined;
  }

  /** Whether this number can be used as a label without its text. */
  takes(number: number): boolean {
    return this.kind === "number" && isFloat32(number) && (!this.numbers || this.numbers.has(number));
  }

  /** The labels in row order, and the words they index, if they are words. */
  finish(): Labels {
    const { values } = this;
    if (this.kind !== "word") return { values };
    const seen = [...this.words.keys()];
    if (this.known) return { values, labelNames: seen };
    const labelNames = [...seen].sort();
    const position = new Map(labelNames.map((word, index) => [word, index]));
    return { values, labelNames, order: seen.map((word) => position.get(word) as number) };
  }

  private valueOf(line: number, raw: RawLabel): number | undefined {
    const text = typeof raw === "string" ? raw.trim() : raw;
    if (text === undefined || text === "") return undefined;
    const number = typeof text === "number" ? text : parseNumber(text);
    if (!isFloat32(number) && isBeyond(String(text)))
      throw new StreamError(this.file, line, `label: ${numeral(String(text))} ${BEYOND}`, WITHIN_NEEDED);
    this.kind ??= Number.isNaN(number) ? "word" : "number";
    return this.kind === "number" ? this.asNumber(line, number, text) : this.asWord(line, text);
  }

  private asNumber(line: number, number: number, text: string | number): number {
    if (Number.isNaN(number)) {
      const what = `label ${excerpt(String(text))} isn't a number, as the labels before it are`;
      throw new StreamError(this.file, line, what, "all labels numbers, or all words, is right");
    }
    if (this.numbers && !this.numbers.has(number)) throw this.unknown(line, String(text));
    return number;
  }

  private asWord(line: number, text: string | number): number {
    const word = String(text);
    const index = this.words.get(word);
    if (index !== undefined) return index;
    if (this.known) throw this.unknown(line, word);
    this.words.set(word, this.words.size);
    return this.words.size - 1;
  }

  private unknown(line: number, text: string): StreamError {
    const known = this.known as readonly (string | number)[];
    const shown = known.slice(0, KNOWN_SHOWN_MAX).join(", ");
    const more = known.length > KNOWN_SHOWN_MAX ? ` and ${known.length - KNOWN_SHOWN_MAX} more` : "";
    return new StreamError(this.file, line, `unknown label ${excerpt(text)}`, `known are ${shown}${more}`);
  }
}
