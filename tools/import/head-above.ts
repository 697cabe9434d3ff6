import { isMissing } from "../../host/streams/missing.ts";
import { beginsNumber } from "../../host/streams/numbers.ts";
import { isKnownUnit } from "../../host/streams/quantity.ts";
import { isLoggers } from "./missing-words.ts";

type Fields = readonly string[];

/** Rows of numbers in a row that show where a table's samples begin. */
const BODY_MIN = 3;
/** The fewest numbers of a column, by its cells. */
const NUMBERS_SHARE = 0.9;

/** Where a table's samples begin, and which of its columns have numbers. */
interface Body {
  readonly start: number;
  readonly numeric: readonly number[];
}

/** True for a cell that may mean a missing reading. */
const isNone = (cell: string) => isMissing(cell) || isLoggers(cell.trim());

/**
 * The first of several rows that have numbers, or nothing, in the columns in which the lower half of all rows has numbers.
 *
 * @param isNumber whether a cell is a number, as the file writes them.
 * @param width of most rows.
 */
export function findBody(
  rows: readonly Fields[],
  width: number,
  isNumber: (cell: string) => boolean,
): Body | undefined {
  const lower = rows.slice(rows.length >> 1).filter(({ length }) => length === width);
  const isNumeric = (at: number) => {
    const cells = lower.map((fields) => fields[at]).filter((cell) => !isNone(cell));
    return cells.length > 0 && cells.filter(isNumber).length >= NUMBERS_SHARE * cells.length;
  };
  const numeric = Array.from({ length: width }, (_, at) => at).filter(isNumeric);
  const isOfNumbers = (fields: Fields) =>
    fields.length === width &&
    numeric.every((at) => isNumber(fields[at]) || isNone(fields[at])) &&
    numeric.some((at) => isNumber(fields[at]));
  const are = rows.map(isOfNumbers);
  const start = are.findIndex((_, at) => are.slice(at, at + BODY_MIN).filter(Boolean).length === BODY_MIN);
  if (numeric.length === 0 || start < 0) return undefined;
  return { start: areCounts(rows[start], rows[start + 1], numeric) ? start + 1 : start, numeric };
}

/** True for a line that says how many samples each column has, behind a word that no sample has. */
function areCounts(fields: Fields, sample: Fields, numeric: readonly number[]): boolean {
  const counts = new Set(numeric.map((at) => fields[at].trim()));
  const isWord = (at: number) => fields[at].trim() !== "" && sample[at]?.trim() === "";
  return (
    numeric.length > 1 &&
    counts.size === 1 &&
    /^\d+$/.test([...counts][0]) &&
    fields.some((_, at) => isWord(at))
  );
}

/** Lines above a lone column of numbers that name it in their last one. */
const LONE_MIN = 2;
/** The fewest names of columns that have numbers, where not all have one. */
const NAMES_MIN = 3;

/**
 * The names of a table's columns in the lines above its samples, however many fields those have: the nearest line, with those above it if it names
 * several columns alike; or, where it has units, the one above that. Undefined if they don't name most columns of numbers.
 */
export function namesAbove(
  rows: readonly Fields[],
  { start: first, numeric }: Body,
  isWord: (cell: string) => boolean,
): string[] | undefined {
  const width = rows[first].length;
  // Below many lines of facts a lone column may have its name.
  const isLone = numeric.length === 1 && first > LONE_MIN;
  const cut = (at: number) => Array.from({ length: width }, (_, i) => rows[at]?.[i]?.trim() ?? "");
  const areNames = (cells: Fields) => {
    const named = numeric.filter((at) => isWord(cells[at])).length;
    return (
      (named > 1 || isLone) &&
      (named === numeric.length || (named >= NAMES_MIN && 2 * named > numeric.length))
    );
  };
  // Below names and units may stand types.
  const areUnits = (cells: Fields) =>
    2 * numeric.filter((at) => isKnownUnit(cells[at])).length > numeric.length;
  const haveTypes = areUnits(cut(first - 2)) && !areUnits(cut(first - 1)) && areNames(cut(first - 3));
  // The name of an index stands below those of the columns.
  const index = cut(first - 1);
  const hasIndex = index.some(isWord) && numeric.every((at) => index[at] === "") && areNames(cut(first - 2));
  const start = haveTypes || hasIndex ? first - 1 : first;
  const nearest = cut(start - 1);
  if (!areNames(nearest)) return undefined;
  const upper = cut(start - 2);
  const over = numeric.map((at) => upper[at]).filter((cell) => cell !== "");
  const under = numeric.map((at) => nearest[at]).filter((cell) => cell !== "");
  const mayBeUnits = 2 * under.filter(isKnownUnit).length >= under.length || !areDistinct(under);
  const isNamed = numeric.every((at) => upper[at] !== "" || nearest[at] === "");
  const haveUnits = mayBeUnits && isNamed && areDistinct(over);
  // A name of several columns stands over the first of them.
  const heads = rows
    .slice(0, start)
    .flatMap(({ length }, at) => (length === width ? [at < start - 1 ? spread(cut(at)) : cut(at)] : []));
  const nameAt = (at: number) => {
    const unit = haveUnits && upper[at] !== "" && isWord(nearest[at]) ? ` [${nearest[at]}]` : "";
    if (haveUnits) return `${upper[at] || nearest[at]}${unit}`;
    return areDistinct(under) ? nearest[at] : [...new Set(heads.map((cells) => cells[at]))].join(" ").trim();
  };
  return nearest.map((_, at) => nameAt(at) || (hasIndex && index[at]) || `column ${at + 1}`);
}

/**
 * The names of a head whose nearest line names nothing, such as types or counts below the names: of the lines above another one that is no row, the first
 * with most distinct words. Also the place of the first row. Undefined where no line has a word for each column of numbers.
 */
export function namesFarAbove(
  rows: readonly Fields[],
  { start, numeric }: Body,
  isWord: (cell: string) => boolean,
): { readonly names: string[]; readonly end: number } | undefined {
  const { length: width, 0: first } = rows[start];
  const mayBeRow = (fields: Fields) =>
    fields.length === width &&
    !areCounts(fields, rows[start], numeric) &&
    (beginsNumber(first) ? beginsNumber(fields[0]) || isNone(fields[0]) : fields.some(beginsNumber));
  const end = rows.slice(0, start).map(mayBeRow).lastIndexOf(false) + 1;
  const areAll = (fields: Fields, isSuch: (cell: string) => boolean) =>
    fields.length === width && numeric.every((at) => isSuch(fields[at].trim()));
  // A program's messages stand between rows.
  const isSample = (fields: Fields) =>
    areAll(fields, beginsNumber) && !areCounts(fields, rows[start], numeric);
  if (rows.slice(0, end).some(isSample)) return undefined;
  const heads = rows.slice(0, Math.max(end - 1, 0)).filter((fields) => areAll(fields, isWord));
  const words = heads.map((fields) => new Set(fields.map((cell) => cell.trim())).size);
  const names = heads[words.indexOf(Math.max(...words))];
  return names && { names: names.map((name, at) => name.trim() || `column ${at + 1}`), end };
}

/** A line's cells, each blank one with the text before it. */
function spread(cells: Fields): string[] {
  let before = "";
  return cells.map((cell) => {
    before = cell || before;
    return before;
  });
}

const areDistinct = (cells: Fields) => new Set(cells).size === cells.length;
