import { isMissing } from "../../host/streams/missing.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { fileWord, shellWord } from "../../host/terminal/command-line.ts";
import type { Dialect } from "./dialect.ts";
import { usualWidth } from "./usual-width.ts";

type Fields = readonly string[];

/** Steps of a whole number by one that show whether the next column's digits are carried; so many of these back, as a number of a part never goes; and so many of them, if they are. */
const [CARRIED_MIN, BACK_MIN, CARRIED_SHARE] = [10, 3, 0.9];
/** Digits behind a comma, at most. */
const DIGITS_MAX = 6;
/** Rows that show anything. */
const ROWS_MIN = 20;
const TEN = 10;

/** A column of digits alone behind one of whole numbers. */
interface Pair {
  readonly whole: readonly string[];
  readonly digits: readonly string[];
  /** The place of the digits. */
  readonly at: number;
}

/** True if the digits fall where the whole number rises by one, and rise where it falls, as 20,9 is followed by 21,0. */
function areCarried({ whole, digits }: Pair): boolean {
  let [steps, back, carried] = [0, 0, 0];
  for (let i = 1; i < whole.length; i++) {
    const step = Math.abs(Number(whole[i])) - Math.abs(Number(whole[i - 1]));
    if (Math.abs(step) !== 1) continue;
    steps++;
    if (step < 0) back++;
    if ((Number(`0.${digits[i]}`) - Number(`0.${digits[i - 1]}`)) * step < 0) carried++;
  }
  return steps >= CARRIED_MIN && back >= BACK_MIN && carried >= CARRIED_SHARE * steps;
}

/** True if there are as many digits in each cell. */
const areEven = ({ digits: [first, ...others] }: Pair) =>
  others.every(({ length }) => length === first.length);

/** True if any digits stand there first, as behind a comma. */
const areAny = ({ digits }: Pair) => new Set(digits.map(([first]) => first)).size === TEN;

/** True for digits of any kind with zeros before them. */
const areFilled = (pair: Pair) =>
  areEven(pair) &&
  areAny(pair) &&
  pair.digits[0].length > 1 &&
  pair.digits.some((cell) => cell.startsWith("0"));

/** True for minutes, seconds, hours with minutes. */
const areClock = (cells: readonly string[]) =>
  cells.some(({ length }) => length > 1) &&
  cells.every((cell) => Number(cell) < 2400 && Number(cell) % 100 < 60);

/** The columns of digits behind whole numbers, from the left, none of them twice. */
function pairsIn(rows: readonly Fields[], width: number): Pair[] {
  const columns = Array.from({ length: width }, (_, at) => rows.map((fields) => fields[at].trim()));
  const areAll = (at: number, form: RegExp) => columns[at].every((cell) => form.test(cell));
  const digits = new RegExp(`^\\d{1,${DIGITS_MAX}}$`);
  const pairs: Pair[] = [];
  for (let at = 1; at < width; at++) {
    const pair: Pair = { whole: columns[at - 1], digits: columns[at], at };
    const mayBe = areAll(at - 1, /^[-+]?\d{1,7}$/) && areAll(at, digits) && !areClock(columns[at]);
    if (!mayBe || new Set(columns[at]).size < 2 || !(areEven(pair) || areCarried(pair))) continue;
    pairs.push(pair);
    at++;
  }
  return pairs;
}

/** The awk program that joins each pair with a point, below the lines that stand above the rows. */
function joinPairs(pairs: readonly Pair[], width: number, above: number): string {
  const places = pairs.map(({ at }) => at);
  const fields = Array.from({ length: width }, (_, at) => at)
    .filter((at) => !places.includes(at))
    .map((at) => (places.includes(at + 1) ? `$${at + 1} "." $${at + 2}` : `$${at + 1}`));
  return `${above > 0 ? `NR <= ${above} { print; next } ` : ""}{ print ${fields.join(", ")} }`;
}

/** True if the file shows that these are numbers with decimal commas. */
function areDecimals(pairs: readonly Pair[], width: number, named: number): boolean {
  if (pairs.length === 0 || named >= width) return false;
  const arePaired = named === 0 && pairs.length > 1 && 2 * pairs.length === width && pairs.every(areAny);
  return (
    arePaired || named + pairs.length === width || pairs.some((pair) => areCarried(pair) || areFilled(pair))
  );
}

/**
 * Throws an UnskippableError for rows between whose commas numbers have decimal commas, too, without quotes: two columns each. The digits of a slow
 * reading show it, as they are carried; those with zeros before them; or names, where there is one for two columns.
 *
 * @param rows of a file's first lines, the header's first.
 */
export function refuseSplitDecimals(
  file: string,
  rows: readonly Fields[],
  { separator, header, skipLines = 0, names = [] }: Dialect,
): void {
  const { width } = usualWidth(rows.map(({ length }) => length));
  const whole = rows.slice(1).filter((fields) => fields.length === width && !fields.some(isMissing));
  const hasPoint = whole.flat().some((cell) => /^[-+]?\d*\.\d+$/.test(cell.trim()));
  if (separator !== "," || whole.length < ROWS_MIN || hasPoint) return;
  const pairs = pairsIn(whole, width);
  const named = header ? rows[0].length : names.filter((name) => !/^column \d+$/.test(name)).length;
  if (!areDecimals(pairs, width, named)) return;
  const program = joinPairs(pairs, width, skipLines + (header ? 1 : 0));
  const areRagged = rows.slice(1).some(({ length }) => length !== width);
  const right = areRagged
    ? "semicolons between the columns, or points in the numbers, are needed"
    : `awk -F , -v OFS=, ${shellWord(program)} ${fileWord(file)} > NEW writes them with points`;
  const shown = `${pairs[0].whole[0]},${pairs[0].digits[0]}`;
  throw new UnskippableError(file, 1, `commas between columns and within numbers, as in ${shown}`, right);
}
