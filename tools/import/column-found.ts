import { parseTruth } from "../../host/streams/truth.ts";
import type { OwnClock } from "./clock-steps.ts";
import type { Column } from "./column.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { unitIn } from "./name-unit.ts";
import { hasVerdict, isVerdict, LABEL_NAMES, type Role } from "./roles.ts";
import type { Survey, TimeColumn } from "./survey.ts";
import type { FoundTable } from "./table.ts";
import type { TimesFound } from "./times.ts";

export interface ColumnFound {
  readonly name: string;
  readonly role: Role;
  /** The unit in its header, as in "temp [C]", in its cells, or as Edge Impulse gives it. */
  readonly unit?: string;
  /** What is 1 and what is 0 of a feature of two words. */
  readonly truths?: readonly (readonly [word: string, number: string])[];
  /** Rows in which it is missing. */
  readonly missing: number;
  /** Rows that have it, where they are few. */
  readonly readings?: number;
  /** Of its numbers; absent where it has none. */
  readonly range?: readonly [min: number, max: number];
  /** Of a column that is left out, though most of its fields are numbers: how many are words, and one of them. */
  readonly words?: readonly [count: number, example: string];
  /** Of a column that is left out, as it has texts: one of them. */
  readonly text?: string;
  /** Of a column that is left out, though nearly all its cells are times: the others. */
  readonly badTimes?: NonNullable<TimesFound["bad"]> & { readonly columns: readonly string[] };
  /** A number that may mean a missing reading in this column, and is a reading in another; and how many rows have it. */
  readonly far?: readonly [number: string, rows: number];
  /** Of a feature that has its first reading after a part of all readings, before which there are no rows: how large the part is. */
  readonly late?: number;
  /** Of a column of texts that are units: some of them. */
  readonly areUnits?: readonly string[];
  /** True of a feature that rises as a counter does, where no other column is a reading. */
  readonly rises?: true;
  /** Of a label, or of a feature's limits such as <0.5: what is taken for a missing one, and its rows. */
  readonly taken?: readonly (readonly [text: string, rows: number])[];
  /** True of the first column, if it is a feature whose numbers may name the rows. */
  readonly mayNameRows?: true;
  /** True of a feature of whole numbers that rise by the same step and begin anew. */
  readonly beginsAnew?: true;
  /** Of a clock of the recording's own: from one row to the next, 0 if it stands still for most; the rows in each second, in the mean, where its unit is known; and whether that is a guess. */
  readonly clock?: { readonly step: number; readonly perSecond?: number; readonly isGuess?: true };
  /** True of a feature that tells the label by itself. */
  readonly isAlike?: true;
  /** True of a column with states that stay, where no name says which the label is. */
  readonly couldBeLabel?: true;
  /** Of a label that isn't called so: by its name or a part of it, by its states, or by its place. */
  readonly guess?: "name" | "part" | "states" | "first" | "last";
}

/** What was decided about a table's columns. */
interface Chosen {
  readonly roles: readonly Role[];
  /** By the columns' names, where the file says them beside its cells. */
  readonly units: ReadonlyMap<string, string>;
  /** Places of columns that could be the label, too. */
  readonly others: readonly number[];
  readonly isLabelGiven: boolean;
}

/** What each column holds, and what is to be said of it. */
export function columnsFound(
  survey: Survey,
  table: Pick<FoundTable, "dialect" | "late">,
  { roles, units, others, isLabelGiven }: Chosen,
): ColumnFound[] {
  const { dialect } = table;
  const { spoiltTime } = survey;
  const isTime = (at: number) =>
    survey.columns[at].isTimeOfDay || survey.times.some(({ places }) => places.includes(at));
  const labelAt = roles.indexOf("label");
  return survey.columns.map((column, at) => ({
    ...columnFound(column, roles[at], units),
    ...farFound(survey, column),
    ...takenFound(column, roles[at]),
    ...(isTime(at) && { words: undefined, text: undefined }),
    ...(roles[at] === "feature" && lateFound(table, column)),
    ...(roles[at] === "feature" && column.isCounting && { rises: true as const }),
    ...(roles[at] === "feature" && at === 0 && column.mayNameRows && { mayNameRows: true as const }),
    ...(roles[at] === "feature" && column.beginsAnew && { beginsAnew: true as const }),
    ...(at === spoiltTime?.places[0] && badTimesFound(survey, spoiltTime)),
    ...(at === survey.clock?.place && clockFound(column, survey.clock)),
    ...(others.includes(at) && { couldBeLabel: true as const }),
    ...(at === labelAt && !isLabelGiven && guessedLabel(column, at, dialect)),
  }));
}

function columnFound(column: Column, role: Role, units: ReadonlyMap<string, string>): ColumnFound {
  const { name, missing, numbers, words, word, min, max } = column;
  const unit = column.unit ?? units.get(name) ?? unitIn(name);
  const isOut = role === "left out" && words > 0;
  const isSpoilt = isOut && column.isNumeric(true);
  return {
    ...{ name, role, ...(unit && { unit }), missing },
    ...(role === "rare" && { readings: column.readings }),
    ...(numbers > 0 && { range: [min, max] }),
    ...(role === "feature" && column.isBoolean && { truths: truthsIn(column) }),
    ...(isSpoilt && { words: [words, word] }),
    ...(isOut && !isSpoilt && { text: word }),
    ...(column.hasUnits && { areUnits: [...column.values.keys()] }),
  };
}

function clockFound(
  { clockUnit, isTimeOfDay }: Column,
  { step, mean, unitSeconds }: OwnClock,
): Pick<ColumnFound, "clock"> {
  const perSecond = unitSeconds && mean > 0 ? 1 / (mean * unitSeconds) : undefined;
  const isGuess = perSecond !== undefined && !clockUnit && !isTimeOfDay;
  return { clock: { step, ...(perSecond && { perSecond }), ...(isGuess && { isGuess }) } };
}

/** A limit of what an instrument can tell. */
const LIMIT = /^[<>≤≥]/;

function takenFound({ taken }: Column, role: Role): Pick<ColumnFound, "taken"> {
  const found = [...taken].filter(([text]) => role === "label" || (role === "feature" && LIMIT.test(text)));
  return found.length > 0 ? { taken: found } : {};
}

function farFound({ farNumbers }: Survey, { name }: Column): Pick<ColumnFound, "far"> {
  const found = farNumbers.find(({ column }) => column === name);
  return found ? { far: [found.number, found.rows] } : {};
}

/** The cells of a time that are none, and its columns. */
function badTimesFound(
  { columns }: Survey,
  { places, found: { bad } }: TimeColumn,
): Pick<ColumnFound, "badTimes"> {
  return bad ? { badTimes: { ...bad, columns: places.map((place) => columns[place].name) } } : {};
}

function lateFound({ late }: Pick<FoundTable, "late">, { name }: Column): Pick<ColumnFound, "late"> {
  const found = late.find((series) => series.name === name);
  return found ? { late: found.share } : {};
}

/** Why a column is taken for the label, where it isn't called so. */
function guessedLabel(column: Column, at: number, dialect: Dialect): Pick<ColumnFound, "guess"> {
  if (hasNames(dialect) && LABEL_NAMES.includes(column.name.toLowerCase())) return {};
  if (hasVerdict(column, dialect)) return { guess: isVerdict(column.name) ? "name" : "part" };
  if (column.words > 0) return { guess: "states" };
  return { guess: at === 0 && !hasNames(dialect) ? "first" : "last" };
}

/** The words of a column of two, the one that is 1 first. */
function truthsIn({ values }: Column): [string, string][] {
  const truths = [...values.keys()].map((word): [string, string] => [word, parseTruth(word) as string]);
  return truths.sort(([, a], [, b]) => Number(b) - Number(a));
}
