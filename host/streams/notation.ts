import { parseNumber, withPlainMinus } from "./numbers.ts";

/** What may separate thousands; a blank stands for a narrow or a fixed one, too. */
export const THOUSANDS = [",", ".", " ", "'"] as const;
type Thousands = (typeof THOUSANDS)[number];

const MARKS: Readonly<Record<Thousands, string>> = {
  ",": ",",
  ".": "\\.",
  " ": "[ \\u00a0\\u2009\\u202f]",
  "'": "['’]",
};

/** How a file writes numbers and missing readings. */
export interface Notation {
  /** The decimal mark. Default: a point. */
  decimal?: "." | ",";
  /** What separates the thousands of a number: "1,234.5". Default: nothing does. */
  thousands?: Thousands;
  /** Words, in any case, or numbers for a missing reading, besides those that always are. */
  missingWords?: readonly string[];
  /** Names of classes, which are labels even where they are such words. */
  classes?: readonly string[];
}

/** Translates fields into the usual notation: a decimal point, and nothing where a reading is missing. */
export class Notations {
  /** True if no field needs a translation. */
  readonly isUsual: boolean;
  private readonly words: ReadonlySet<string>;
  /** Those of the words that are numbers, however a field writes them. */
  private readonly numbers: ReadonlySet<number>;
  private readonly hasComma: boolean;
  /** A number of several groups of digits, and what is between them. */
  private readonly groups: { readonly number: RegExp; readonly mark: RegExp } | undefined;

  constructor({ decimal, thousands, missingWords = [], classes = [] }: Notation) {
    this.hasComma = decimal === ",";
    const mark = thousands && MARKS[thousands];
    const fraction = `(?:${this.hasComma ? "," : "\\."}\\d*)?`;
    if (mark)
      this.groups = {
        number: new RegExp(`^[-+]?[1-9]\\d{0,2}(?:${mark}\\d{3})+${fraction}-?$`),
        mark: new RegExp(mark, "g"),
      };
    const words = missingWords.filter((word) => !classes.includes(word));
    this.words = new Set(words.map((word) => word.trim().toLowerCase()));
    this.numbers = new Set(words.map(parseNumber).filter((number) => !Number.isNaN(number)));
    this.isUsual = !this.hasComma && !this.groups && this.words.size === 0;
  }

  usual(field: string): string {
    if (this.isUsual) return field;
    if (this.words.has(field.trim().toLowerCase())) return "";
    const plain = withPlainMinus(field);
    const joined = this.groups?.number.test(plain.trim()) ? plain.replace(this.groups.mark, "") : plain;
    const translated = this.hasComma ? withPoint(joined) : joined;
    return this.numbers.has(parseNumber(translated)) ? "" : translated;
  }
}

/** A number's comma and point change places, so that a point among its digits makes it none. What is no number either way stays as it is. */
function withPoint(field: string): string {
  if (!/^[\s\d.,eE+-]+$/.test(field)) return field;
  const changed = field.replace(/[.,]/g, (mark) => (mark === "," ? "." : ","));
  return Number.isNaN(parseNumber(changed)) && Number.isNaN(parseNumber(field)) ? field : changed;
}
