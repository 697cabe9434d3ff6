import { isMissing } from "./missing.ts";
import { BEYOND, isBeyond, isCode, isFloat32, parseLabel, WITHIN_NEEDED } from "./numbers.ts";
import { Pages } from "./pages.ts";
import { excerpt, numeral, StreamError, UnskippableError } from "./stream-error.ts";

/** A label in the file: a word, a number, or nothing; words for a missing reading are nothing, too. */
export type RawLabel = string | number | undefined;

/** Labels in row order: numbers, or indices of `labelNames`, by way of `order` where there is one. */
export interface Labels {
  readonly values: Pages<Float64Array<ArrayBuffer>>;
  readonly labelNames?: string[];
  readonly order?: readonly number[];
}

/** The labels that a file may have. */
interface LabelShape {
  /** The only labels allowed; words keep their position here as their index. Default: any. */
  readonly knownLabels?: readonly (string | number)[];
  /** Names of the classes, which are labels even where they are words for a missing reading. */
  readonly classes?: readonly string[];
  /** True if all rows may go without a label. */
  readonly unlabelled?: boolean;
}

const KNOWN_SHOWN_MAX = 8;

/**
 * Collects the label column. The first label decides: all are numbers, which are kept, or words, which become
 * indices into `labelNames`.
 */
export class LabelCollector {
  private readonly values: Pages<Float64Array<ArrayBuffer>>;
  private readonly value = [Number.NaN];
  private readonly words = new Map<string, number>();
  private readonly numbers: ReadonlySet<number> | undefined;
  private readonly known: LabelShape["knownLabels"];
  private kind: "number" | "word" | undefined;
  private isNone = true;

  /**
   * @param file named in errors.
   * @param overflows whether they may go to a temporary file.
   */
  constructor(
    private readonly file: string,
    private readonly shape: LabelShape,
    overflows: boolean,
  ) {
    const { knownLabels: known, classes = [] } = shape;
    this.known = known;
    this.values = new Pages((length) => new Float64Array(length), overflows);
    const words = classes.filter((name) => Number.isNaN(parseLabel(name))).length;
    if ((words > 0 && words < classes.length) || classes.some(isCode)) this.kind = "word";
    if (!known || known.length === 0) return;
    this.kind = typeof known[0] === "number" ? "number" : "word";
    if (this.kind === "number") this.numbers = new Set(known as readonly number[]);
    else for (const word of known) this.words.set(String(word), this.words.size);
  }

  /** Takes the next row's label, NaN for none; throws a StreamError if it is unknown or of the other kind. */
  add(line: number, raw: RawLabel): void {
    this.value[0] = this.parseValue(line, raw) ?? Number.NaN;
    this.values.add(this.value);
  }

  /** Sets a row's label, if there is one. Throws a StreamError as `add` does. */
  set(row: number, line: number, raw: RawLabel): void {
    const value = this.parseValue(line, raw);
    if (value !== undefined) this.values.set(row, value);
  }

  /** True if this number can be used as a label without its text. */
  takes(number: number): boolean {
    return this.kind === "number" && isFloat32(number) && (!this.numbers || this.numbers.has(number));
  }

  /** The labels in row order, and the words they index, if they are words. Throws a StreamError if there is none. */
  finish(): Labels {
    const { values } = this;
    if (this.isNone && !this.shape.unlabelled)
      throw new StreamError(this.file, undefined, "no row has a label", "one or more needs one");
    if (this.kind !== "word") return { values };
    const seen = [...this.words.keys()];
    if (this.known) return { values, labelNames: seen };
    const labelNames = [...seen].sort();
    const position = new Map(labelNames.map((word, index) => [word, index]));
    return { values, labelNames, order: seen.map((word) => position.get(word) as number) };
  }

  private parseValue(line: number, raw: RawLabel): number | undefined {
    const text = typeof raw === "string" ? raw.trim() : raw;
    if (text === undefined || this.isNoLabel(text)) return undefined;
    const number = typeof text === "number" ? text : parseLabel(text);
    if (!isFloat32(number) && isBeyond(String(text)))
      throw new StreamError(this.file, line, `label: ${numeral(String(text))} ${BEYOND}`, WITHIN_NEEDED);
    this.kind ??= Number.isNaN(number) ? "word" : "number";
    this.isNone = false;
    return this.kind === "number" ? this.asNumber(line, number, text) : this.asWord(line, text);
  }

  private isNoLabel(text: string | number): boolean {
    return typeof text === "string" && isMissing(text) && !this.shape.classes?.includes(text);
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

  private unknown(line: number, text: string): UnskippableError {
    const known = this.known as readonly (string | number)[];
    const shown = known.slice(0, KNOWN_SHOWN_MAX).join(", ");
    const more = known.length > KNOWN_SHOWN_MAX ? ` and ${known.length - KNOWN_SHOWN_MAX} more` : "";
    const what = `unknown label ${excerpt(text)}`;
    return new UnskippableError(this.file, line, what, `known are ${shown}${more}`);
  }
}
