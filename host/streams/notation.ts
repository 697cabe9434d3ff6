import { parseNumber } from "./numbers.ts";

/** How a file writes numbers and missing readings. */
export interface Notation {
  /** The decimal mark. Default: a point. */
  decimal?: "." | ",";
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

  constructor({ decimal, missingWords = [], classes = [] }: Notation) {
    this.hasComma = decimal === ",";
    const words = missingWords.filter((word) => !classes.includes(word));
    this.words = new Set(words.map((word) => word.trim().toLowerCase()));
    this.numbers = new Set(words.map(parseNumber).filter((number) => !Number.isNaN(number)));
    this.isUsual = !this.hasComma && this.words.size === 0;
  }

  usual(field: string): string {
    if (this.isUsual) return field;
    if (this.words.has(field.trim().toLowerCase())) return "";
    const translated = this.hasComma ? pointed(field) : field;
    return this.numbers.has(parseNumber(translated)) ? "" : translated;
  }
}

/** A number's comma and point change places, so that a point among its digits makes it none. */
function pointed(field: string): string {
  if (!/^[\s\d.,eE+-]+$/.test(field)) return field;
  return field.replace(/[.,]/g, (mark) => (mark === "," ? "." : ","));
}
