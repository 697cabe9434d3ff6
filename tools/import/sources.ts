import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { Notations } from "../../host/streams/notation.ts";
import { timeText } from "../../host/streams/time-columns.ts";
import { parseTime } from "../../host/streams/time-text.ts";
import type { Column } from "./column.ts";
import { arePartsOfSecond } from "./date-parts.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { timeReference } from "./joined-time.ts";
import { hasVerdict, isSourceName, LABEL_NAMES } from "./roles.ts";
import { StepCounts } from "./step-counts.ts";
import type { Survey, TimeColumn } from "./survey.ts";
import { judgeSteps, type Stepping } from "./times.ts";

/** Several devices whose rows a file has in turn or one after the other, and the column that tells them apart. */
export interface SourcesFound {
  readonly column: string;
  /** From 0. */
  readonly place: number;
  /** How many there are, and one of them. */
  readonly count: number;
  readonly example: string;
  /** How the times of each one's rows step. */
  readonly stepping: Stepping;
}

/** The most devices that are told apart. */
const SOURCES_MAX = 256;
/** The fewest rows of each, in the mean. */
const ROWS_MIN = 3;
/** Steps that don't go onward, by all, of rows that come in turn. */
const STANDING_SHARE = 0.05;
/** Rows of another device than the one before, by all, of a column whose name says a device. */
const TURNS_SHARE = 0.5;
/** Steps of the devices' own that don't go onward, by those of all rows. */
const OWN_SHARE = 0.02;

/** Steps that stand still, by all, of rows that may be of several series; and turns within these, by them. */
const [STILL_SHARE, MIXED_SHARE] = [0.5, 0.1];

/** Steps among the rows of one time, by all, that go the same way in a column of series' numbers. */
const ORDERED_SHARE = 0.98;

/** Rows that show whether values come in turn; and so many of all rows and turns do so. */
const [CYCLE_MIN, CYCLE_SHARE] = [20, 0.95];

/** Steps that stand still, or go against the others. */
function countStanding(steps: StepCounts): number {
  const [onward, back] = [steps.count((step) => step > 0), steps.count((step) => step < 0)];
  return steps.total - Math.max(onward, back);
}

/** The steps of each device that a column tells apart. */
class Candidate {
  private readonly last = new Map<string, number>();
  private readonly steps = new StepCounts();
  private before = "";
  private turns = 0;
  /** Turns between rows of one time, and those back to a time that the rows have had. */
  private standingTurns = 0;
  private turnsBack = 0;
  /** Steps to a larger number, and to a smaller one, between rows of one time. */
  private standingUp = 0;
  private standingDown = 0;
  /** Turns from each value to each other. */
  private readonly next = new Map<string, Map<string, number>>();

  /** @param isName whether its values may name something. */
  constructor(
    readonly place: number,
    private readonly isName: boolean,
  ) {}

  /** @param before the time of the row before, and `first` of the first; NaN for none. */
  take(
    value: string,
    time: number,
    { before, first }: { readonly before: number; readonly first: number },
  ): void {
    const last = this.last.get(value);
    if (last !== undefined) this.steps.add(time - last);
    if (value !== this.before) this.turn(value);
    if (value !== this.before && time === before) this.standingTurns++;
    if (value !== this.before && time < before && time >= first) this.turnsBack++;
    if (time === before && Number(value) > Number(this.before)) this.standingUp++;
    if (time === before && Number(value) < Number(this.before)) this.standingDown++;
    this.last.set(value, time);
    this.before = value;
  }

  private turn(value: string): void {
    const next = this.next.get(this.before) ?? new Map<string, number>();
    this.next.set(this.before, next.set(value, (next.get(value) ?? 0) + 1));
    this.turns++;
  }

  /** True if its values come in the same order again and again, as of channels that are read in turn: the rows of each are steady, all rows aren't. */
  private isCycle(all: StepCounts): boolean {
    const { turns, next, steps } = this;
    const { total } = all;
    const usual = [...next.values()].reduce((sum, counts) => sum + Math.max(...counts.values()), 0);
    const isOrdered = turns >= CYCLE_SHARE * total && usual >= CYCLE_SHARE * turns;
    return total >= CYCLE_MIN && isOrdered && judgeSteps(steps).isSteady && !judgeSteps(all).isSteady;
  }

  /** True if rows of one time differ in it: in what may name something, or in numbers that go the same way among the rows of each time. */
  isMixed(standing: number): boolean {
    const ordered = Math.max(this.standingUp, this.standingDown);
    const areInOrder = standing >= CYCLE_MIN && ordered >= ORDERED_SHARE * standing;
    return areInOrder || (this.isName && this.standingTurns >= MIXED_SHARE * standing);
  }

  /** @param all the steps from each row to the next. */
  found({ name }: Column, all: StepCounts): SourcesFound | undefined {
    const { last, steps, place } = this;
    const standing = countStanding(all);
    const own = countStanding(steps);
    const isTold = standing >= STANDING_SHARE * all.total && own <= OWN_SHARE * standing;
    const isAfter = standing > 0 && standing < last.size && own === 0;
    const isNamed = isSourceName(name);
    // Blocks of rows, each of the same span of time.
    const isAtOnce = isAfter && this.turns === last.size && this.turnsBack === last.size - 1;
    const isInTurn = isNamed && this.turns >= TURNS_SHARE * all.total && own <= OWN_SHARE * all.total;
    const isNamedSo = isTold || isInTurn || isAtOnce || (isAfter && isNamed);
    if (last.size < 2 || !(this.isCycle(all) || (this.isName && isNamedSo))) return undefined;
    const [example] = last.keys();
    return { column: name, place, count: last.size, example, stepping: judgeSteps(steps) };
  }
}

/** Columns that may tell devices apart: texts that come again, and whole numbers, under the name of a device or in turn; none that may be the label by its name. */
function candidatesIn(
  { columns, rows, times }: Survey,
  dialect: Dialect,
  label: number | undefined,
): Candidate[] {
  const isTime = (at: number) => times.some(({ places }) => places.includes(at));
  const isName = ({ name, words, isContinuous }: Column) =>
    words > 0 || (hasNames(dialect) && isSourceName(name) && !isContinuous);
  const isCandidate = (column: Column, at: number) => {
    const { name, values, isContinuous, isTimeOfDay } = column;
    const { size } = values;
    const isFew = size >= 2 && size <= SOURCES_MAX && ROWS_MIN * size <= rows;
    const mayName = isName(column) || !(isContinuous || arePartsOfSecond(column));
    const isLabel =
      at === label || LABEL_NAMES.includes(name.toLowerCase()) || hasVerdict(columns[at], dialect);
    return !isLabel && !isTime(at) && !isTimeOfDay && isFew && mayName;
  };
  return columns.flatMap((column, at) =>
    isCandidate(column, at) ? [new Candidate(at, isName(column))] : [],
  );
}

/** What the rows' times say of several devices or series in one file. */
interface SeveralFound {
  /** The devices that a column tells apart. */
  readonly sources?: SourcesFound;
  /** Where no column does, and most rows have the time of the one before: those in which such rows differ. */
  readonly mixed?: readonly string[];
}

/** The devices or the series of a file, by the rows' times; neither for the rows of one. */
export async function findSources(
  records: AsyncIterable<CsvRecord>,
  survey: Survey,
  dialect: Dialect,
  label: number | undefined,
): Promise<SeveralFound> {
  const { time, columns } = survey;
  const candidates = time ? candidatesIn(survey, dialect, label) : [];
  if (!time || candidates.length === 0) return {};
  const read = timeReader(time, new Notations(dialect));
  const all = new StepCounts();
  let [first, before] = [Number.NaN, Number.NaN];
  for await (const { fields } of records) {
    const at = read(fields);
    if (Number.isNaN(at)) continue;
    if (Number.isNaN(first)) first = at;
    else all.add(at - before);
    for (const candidate of candidates)
      candidate.take(fields[candidate.place]?.trim() ?? "", at, { before, first });
    before = at;
  }
  const found = candidates.flatMap((candidate) => candidate.found(columns[candidate.place], all) ?? []);
  const sources = found.find(({ column }) => isSourceName(column)) ?? found[0];
  if (sources) return { sources };
  const still = all.count((step) => step === 0);
  const mixed = candidates.filter((candidate) => candidate.isMixed(still));
  return still >= STILL_SHARE * all.total && mixed.length > 0
    ? { mixed: mixed.map(({ place }) => columns[place].name) }
    : {};
}

/** Milliseconds of a row's time; NaN for none, as of the header. */
function timeReader({ places, parts, found }: TimeColumn, notation: Notations) {
  const { dateOrder, unit: timeUnit, zone } = found;
  const time = timeReference({ places, parts }, (at) => at + 1);
  return (fields: readonly string[]) => {
    const text = timeText(time, (at) => fields[places[at]] ?? "");
    return parseTime(parts ? text : notation.usual(text), { dateOrder, timeUnit, zone });
  };
}
