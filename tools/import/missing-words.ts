import { parseNumber } from "../../host/streams/numbers.ts";
import type { Column } from "./column.ts";

/** Words for a missing reading that some loggers write, and readers don't take as such unless told. */
const LOGGERS_WORDS: readonly string[] = [
  ...["unavailable", "unknown", "-nan", "nan(ind)", "<undefined>", "---", "--", "-"],
  ...["∞", "-∞", "inf", "-inf", "+inf", "infinity", "-infinity", "+infinity"],
];
/** Those of them that may be a class as well, so that no column may have one beside words of classes. */
const CLASSES_TOO: readonly string[] = ["-", "inf"];
/** Numbers for a missing reading, if no other reading of their columns comes near: -200, and nines as in -999, -7999.0, 99.00. */
const LOGGERS_NUMBER = /^(-200(\.0+)?|-\d?9{3,}(\.[09]+)?|-?9{2,}(\.[09]+)?)$/;

/** A number that an instrument writes when it is overloaded, as 9.9E+37, or a program for none, as 1.0E+31. */
const OVERLOAD = /^[-+]?\d(\.\d+e\+?|e\+)(3\d|[1-3]\d\d)$/i;

/** The largest reading beside such a number, by it: of minutes beside 99. */
const FAR = 0.6;

/** True for a text that may mean a missing reading, though readers don't take it as such unless told. */
export function isLoggers(text: string): boolean {
  return LOGGERS_NUMBER.test(text) || OVERLOAD.test(text) || LOGGERS_WORDS.includes(text.toLowerCase());
}

/** True if each reading of a column is nearer to zero than a number by far, or it has no other. */
const isFar = (number: number, { min, max, numbers }: Column) =>
  numbers === 0 || (number < 0 ? min > FAR * number : max < FAR * number);

/** A number that is far from the others of its column, and a reading in another; or the only one below zero. */
export interface FarNumber {
  readonly column: string;
  readonly number: string;
  readonly rows: number;
}

/** The numbers that may mean a missing reading in one column, but not in all, or that alone are below zero. */
export function farNumbers(columns: readonly Column[], missingWords: readonly string[]): FarNumber[] {
  return columns.flatMap((column) => {
    const may = [...column.suspected].filter(([number, rows]) => {
      const isMissing = missingWords.includes(number) || column.numbers === 0 || rows < 2;
      return !isMissing && isFar(parseNumber(number), column);
    });
    const { loneNegative } = column;
    const far = loneNegative ? [...may, loneNegative] : may;
    return far.map(([number, rows]) => ({ column: column.name, number, rows }));
  });
}

/** Columns in which a word is the only one beside numbers, if it means a missing reading in all, and beside other words, too. */
const SHARED_MIN = 3;

/** Words that are so. */
function sharedWords(columns: readonly Column[]): string[] {
  const counts = new Map<string, number>();
  for (const { word, words, numbers, hasOtherWords } of columns)
    if (words > 0 && numbers > 0 && !hasOtherWords)
      counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1);
  return [...counts].flatMap(([word, count]) => (count >= SHARED_MIN ? word : []));
}

/**
 * The words and numbers that mean a missing reading in these columns: those of loggers, and a word that alone stands among numbers. A number
 * does if each other reading of its columns is nearer to zero by far; one above zero, if two rows have it or it is an overload.
 */
export function missingWordsIn(columns: readonly Column[]): string[] {
  const found = new Set(columns.flatMap(({ suspected }) => [...suspected.keys()]));
  const known = [...found].filter((word) => {
    const number = parseNumber(word);
    const having = columns.filter(({ suspected }) => suspected.has(word));
    if (CLASSES_TOO.includes(word)) return having.every(({ hasClasses }) => !hasClasses);
    if (Number.isNaN(number)) return true;
    const rows = having.reduce((sum, { suspected }) => sum + (suspected.get(word) ?? 0), 0);
    return (number < 0 || rows > 1 || OVERLOAD.test(word)) && having.every((column) => isFar(number, column));
  });
  const lone = new Set(columns.map(({ loneWord }) => loneWord).filter((word) => word !== ""));
  const isClass = (word: string) =>
    columns.some(
      ({ hasOtherWords, values }) =>
        hasOtherWords && [...values.keys()].some((value) => value.toLowerCase() === word),
    );
  return [...new Set([...known, ...sharedWords(columns), ...[...lone].filter((word) => !isClass(word))])];
}
