import { CLASSES_MAX } from "../../host/streams/class-names.ts";
import { isMissing } from "../../host/streams/missing.ts";
import type { Notations } from "../../host/streams/notation.ts";
import { isBeyond, isCode, parseLabel, parseNumber } from "../../host/streams/numbers.ts";
import { isKnownUnit, parseQuantity } from "../../host/streams/quantity.ts";
import { type ClockUnit, isClock, isElapsed } from "../../host/streams/time-text.ts";
import { areTruths } from "../../host/streams/truth.ts";
import { CLOCK_NAME, clockUnitIn, UNNAMED_CLOCK } from "./clock-names.ts";
import { ColumnSteps } from "./column-steps.ts";
import { isLoggers } from "./missing-words.ts";

/** The most bad fields of a column, by its numbers. */
const BAD_SHARE = 0.1;
/** Rows that show what the texts of a column are. */
const MANY = 20;
/** Rows of as many texts that are no classes. */
const FEW = 8;
/** Rows among which a lone one is a slip. */
const VERY_MANY = 100;
/** Rows of other classes than the largest, of a column that may be the label. */
const OTHERS_MIN = 2;
/** Rows of a long run, in the mean. */
const LONG_STAY = 5;
/** Values of a scale that names classes, such as 1 to 10. */
const SCALE_MAX = 10;
/** Units of a column that are counted. */
const UNITS_MAX = 64;
/** So many of the fields with a unit have the same, where another is a fault. */
const COMMON_SHARE = 0.9;
/** The least of numbers that may name rows. */
const NAMING_MIN = 10_000;
/** A word for a missing label that names a class among other words. */
const NONE = /^none$/i;

/** A column's fields, counted. */
export class Column {
  numbers = 0;
  words = 0;
  /** Fields that are blank, or say in the usual words that the reading is missing. */
  missing = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  /** Fields of each of the loggers' words and numbers. */
  readonly suspected = new Map<string, number>();
  /** Words and numbers that are taken for a missing reading though readers don't, and their rows. */
  readonly taken = new Map<string, number>();
  /** One of the words; "" without any. */
  word = "";
  /** True if there are others. */
  hasOtherWords = false;
  /** Rows of each value, of one value more than a learner may have classes at most. */
  readonly values = new Map<string, number>();
  /** The words that say "none", where each row has one. */
  private readonly nones = new Set<string>();
  /** The number below zero, and its rows; NaN if there are several. */
  private negative: number | undefined;
  private negatives = 0;
  /** How its fields follow each other. */
  private readonly steps = new ColumnSteps();
  /** Words that are times of the day. */
  private clocks = 0;
  /** Of fields with a unit: how many have each, and their numbers. */
  private readonly units = new Map<string, number>();
  private quantities: Column | undefined;
  private measured = 0;
  /** One of the words without a unit. */
  private bareWord = "";

  /** What its fields have beside their numbers. */
  unit: string | undefined;

  constructor(readonly name: string) {}

  /** @param field as the file has it. */
  take(field: string, notation: Notations): void {
    const text = notation.usual(field).trim();
    const number = isBeyond(text) ? Number.NaN : parseNumber(text); // the id 2E000048 is no number
    if (isMissing(text)) {
      this.missing++;
      if (NONE.test(text)) this.nones.add(text);
      return;
    }
    const isSuspected = isLoggers(text);
    // A counter has 99 and 999, too.
    if (!isSuspected || number > 0) this.steps.take(text, number);
    if (isSuspected) {
      const key = Number.isNaN(number) ? text.toLowerCase() : String(number);
      this.suspected.set(key, (this.suspected.get(key) ?? 0) + 1);
    } else {
      this.takeValue(text, number, 1);
      if (Number.isNaN(number)) this.takeQuantity(field, notation);
    }
  }

  private takeQuantity(field: string, notation: Notations): void {
    const { number, unit } = parseQuantity(field) ?? {};
    if (number === undefined || unit === undefined) {
      this.bareWord ||= field.trim();
      return;
    }
    if (this.units.has(unit) || this.units.size < UNITS_MAX)
      this.units.set(unit, (this.units.get(unit) ?? 0) + 1);
    this.measured++;
    this.quantities ??= new Column(this.name);
    this.quantities.take(number, notation);
  }

  /** The column of the numbers, where most fields have one beside a unit; else the column itself. */
  withoutUnit(): Column {
    const { quantities } = this;
    const unit = quantities && this.commonUnit(quantities);
    if (!quantities || unit === undefined) return this;
    quantities.unit = unit;
    quantities.missing += this.missing;
    for (const [word, rows] of this.suspected)
      quantities.suspected.set(word, (quantities.suspected.get(word) ?? 0) + rows);
    quantities.words += this.words - this.measured;
    quantities.word ||= this.bareWord;
    return quantities;
  }

  /** The unit of most fields, if nearly all have it, or all have such as are known; undefined for names with numbers in them. */
  private commonUnit({ isContinuous }: Column): string | undefined {
    const { units, measured, numbers, words } = this;
    if (measured <= numbers || 2 * measured <= words) return undefined;
    const [[unit, rows]] = [...units].sort(([, a], [, b]) => b - a);
    if (rows >= COMMON_SHARE * measured) return unit;
    const names = [...units.keys()];
    const areReadings = isContinuous || names.some((each) => /[%°]/.test(each));
    return areReadings && names.every(isKnownUnit) ? unit : undefined;
  }

  /** Takes whole numbers with a minus behind them for names, if they are few, as grades are. */
  takeGrades(): void {
    if (this.isContinuous) return;
    for (const [text, rows] of this.values) {
      if (!Number.isNaN(parseLabel(text)) || Number.isNaN(parseNumber(text))) continue;
      this.numbers -= rows;
      this.takeWord(text, rows);
    }
  }

  /** Takes these of the loggers' words as missing readings, and the others as values. */
  settle(missingWords: readonly string[]): void {
    for (const [word, rows] of this.suspected) {
      if (missingWords.includes(word)) this.takeMissing(word, rows);
      else this.takeValue(word, parseNumber(word), rows);
    }
    const isWord = (text: string) => Number.isNaN(parseNumber(text));
    const words = this.hasOtherWords ? [...this.values] : [[this.word, this.words] as const];
    for (const [word, rows] of words) {
      if (!isWord(word) || !missingWords.includes(word.toLowerCase())) continue;
      this.takeMissing(word, rows);
      this.words -= rows;
      this.values.delete(word);
    }
    if (!this.values.has(this.word))
      this.word = this.words > 0 ? ([...this.values.keys()].find(isWord) ?? this.word) : "";
  }

  private takeMissing(word: string, rows: number): void {
    this.missing += rows;
    this.taken.set(word, rows);
  }

  /** The word that stands for a missing reading wherever one stands among its many numbers; "" for none. */
  get loneWord(): string {
    const { words, numbers, hasOtherWords, min, values } = this;
    const areReadings = this.isContinuous || min > values.size || min < -1;
    const isLone = !hasOtherWords && words > 1 && numbers >= MANY && areReadings;
    return isLone ? this.word.toLowerCase() : "";
  }

  /** True if most of its fields are words, which occur again. */
  get hasClasses(): boolean {
    return this.words > this.numbers && !this.isNotes;
  }

  private takeValue(text: string, number: number, rows: number): void {
    if (this.values.has(text) || this.values.size <= CLASSES_MAX)
      this.values.set(text, (this.values.get(text) ?? 0) + rows);
    if (Number.isNaN(number)) {
      this.takeWord(text, rows);
    } else {
      this.numbers += rows;
      if (number < 0) this.takeNegative(number, rows);
      this.min = Math.min(this.min, number);
      this.max = Math.max(this.max, number);
    }
  }

  private takeWord(text: string, rows: number): void {
    this.words += rows;
    this.word ||= text;
    this.hasOtherWords ||= text.toLowerCase() !== this.word.toLowerCase();
    if (isClock(text) || isElapsed(text)) this.clocks += rows;
  }

  private takeNegative(number: number, rows: number): void {
    this.negatives += rows;
    this.negative = this.negative === undefined || this.negative === number ? number : Number.NaN;
  }

  /** A whole number in several rows that is the only one below zero among many readings, and how many rows have it. */
  get loneNegative(): readonly [number: string, rows: number] | undefined {
    const { negative, negatives, isContinuous, numbers } = this;
    const isLone = Number.isInteger(negative) && negatives > 1 && numbers - negatives >= 2;
    return isLone && isContinuous ? [String(negative), negatives] : undefined;
  }

  /**
   * True if it has numbers, and nothing else but missing readings.
   *
   * @param takesBad whether a few words among them are bad rows.
   */
  isNumeric(takesBad: boolean): boolean {
    return this.numbers > 0 && this.words <= (takesBad ? BAD_SHARE * this.numbers : 0);
  }

  /** True if it has a few words among its numbers, as bad rows have. */
  get isSpoilt(): boolean {
    return this.words > 0 && this.isNumeric(true);
  }

  /** True if it can name classes: words, of which some occur again. */
  get isWordy(): boolean {
    const { size } = this.classes;
    return this.words > this.numbers && size >= 2 && size <= CLASSES_MAX && this.words > size && this.varies;
  }

  /** True if it has several values; a lone other one among many rows is a slip. */
  get varies(): boolean {
    const { readings, values, nones } = this;
    const most = Math.max(...values.values());
    const isSlip = readings >= VERY_MANY && readings - most < OTHERS_MIN && nones.size === 0;
    return this.classes.size > 1 && !isSlip;
  }

  /** True if nearly each row has a text of its own, as notes do; of few rows, each. */
  get isNotes(): boolean {
    const { size } = this.values;
    const isOwn = this.words >= (this.words === size ? FEW : MANY) && this.words < 2 * size;
    return this.words > this.numbers && (size > CLASSES_MAX || isOwn);
  }

  /** True if it has states that stay: words, or a few whole numbers in long runs. */
  get hasStates(): boolean {
    const { size } = this.values;
    const stays = this.numbers >= LONG_STAY * this.steps.stays && this.numbers >= MANY;
    return (
      (this.isWordy && !this.isBoolean && !this.isTimeOfDay) ||
      (stays && size >= 2 && !this.isContinuous && this.words === 0)
    );
  }

  /** True if its words are those of a switch. */
  get isBoolean(): boolean {
    return this.words > 0 && this.numbers === 0 && areTruths(this.values.keys());
  }

  /** The values, and "none" where it stands beside words. */
  get classes(): ReadonlySet<string> {
    return new Set([...this.values.keys(), ...(this.words > 0 ? this.nones : [])]);
  }

  /** True if its numbers, but for a few bad rows, rise from row to row as a counter or a clock does. */
  get isCounting(): boolean {
    return this.isNumeric(true) && this.steps.areCounting(this);
  }

  /** True for numbers that rise by the same step from each row to the next, under the name of a counter: they say where a row stands, and no more. */
  get isNumbering(): boolean {
    return this.steps.areNumbering(this);
  }

  /** True for whole numbers that rise by the same step and begin anew, as those of rows or of series do; states stay longer. */
  get beginsAnew(): boolean {
    const areNumbers = this.isNumeric(false) && !this.hasFractions && !this.hasStates;
    return areNumbers && this.values.size > 2 && this.steps.beginAnew;
  }

  /** True if most of its texts are units, which differ. Those of a letter, such as N and W, may be something else. */
  get hasUnits(): boolean {
    const texts = [...this.values.keys()];
    const units = texts.filter(isKnownUnit);
    const areUnits = units.some((unit) => /[^a-z]|../i.test(unit)) && 2 * units.length > texts.length;
    return this.numbers === 0 && texts.length > 1 && areUnits;
  }

  /** True if each number is one more than the number of the row before. */
  get isRowNumber(): boolean {
    return this.steps.least === 1 && this.steps.most === 1;
  }

  /** The unit of a clock with which its name ends, or that its cells have. */
  get clockUnit(): ClockUnit | undefined {
    return (
      clockUnitIn(this.name) ??
      (this.unit && CLOCK_NAME.test(this.name) ? clockUnitIn(`[${this.unit}]`) : undefined)
    );
  }

  /** True for a clock that begins with the recording, by its name, or as one of the first columns where none has one. */
  get isClock(): boolean {
    const mayBe = UNNAMED_CLOCK.test(this.name) && this.hasFractions;
    return this.isCounting && (this.clockUnit !== undefined || CLOCK_NAME.test(this.name) || mayBe);
  }

  /** True if it has times of the day, and nothing else. */
  get isTimeOfDay(): boolean {
    return this.words > 0 && this.numbers === 0 && this.clocks === this.words;
  }

  /** True if it has a few whole numbers, and writes one as a name: 007. */
  get hasCodes(): boolean {
    return this.mayBeClasses && [...this.values.keys()].some(isCode);
  }

  /** True for large whole numbers in no order that differ in each row, as ids do. */
  get mayNameRows(): boolean {
    const { words, numbers, min, values } = this;
    const isEach = [...values.values()].every((rows) => rows === 1);
    return words === 0 && numbers >= MANY && min >= NAMING_MIN && isEach && !this.hasFractions;
  }

  /** True if it has the numbers 0 and 1, and no others. */
  get isFlag(): boolean {
    const numbers = new Set([...this.values.keys()].map(parseNumber));
    return this.words === 0 && numbers.size === 2 && numbers.has(0) && numbers.has(1);
  }

  /** True if it has several values that aren't readings. */
  get mayBeClasses(): boolean {
    return this.values.size >= 2 && !this.isContinuous;
  }

  /** True if it has the numbers of classes: -1 and 1, or whole numbers from 0 or 1 on without a gap. On average each comes twice or more. */
  get hasClassNumbers(): boolean {
    const { numbers, words, min, max, values } = this;
    const { size } = new Set([...values.keys()].map(parseNumber));
    const isSigned = min === -1 && max === 1 && size === 2;
    const isCounted = (min === 0 || min === 1) && max - min + 1 === size;
    return words === 0 && this.mayBeClasses && numbers >= 2 * size && (isSigned || isCounted);
  }

  /** True if it has whole numbers of more values than a scale of ten, that neither count classes nor stay; a total stays, too, and never falls. */
  get hasManyNumbers(): boolean {
    const { words, values, hasClassNumbers, hasStates, steps } = this;
    return words === 0 && values.size > SCALE_MAX && !hasClassNumbers && (!hasStates || steps.back === 0);
  }

  /** True if a number has decimals other than zeros. */
  get hasFractions(): boolean {
    return [...this.values.keys()].some(isFraction);
  }

  /** True if it has numbers that aren't classes. */
  get isContinuous(): boolean {
    const { size } = this.values;
    return this.numbers > 0 && (size > CONTINUOUS_MIN || this.hasFractions);
  }

  /** Rows that have it. */
  get readings(): number {
    return this.numbers + this.words;
  }

  get isEmpty(): boolean {
    return this.readings === 0;
  }
}

/** Whole numbers of more values are taken for readings. */
const CONTINUOUS_MIN = 32;
const isFraction = (text: string) => Math.abs(parseNumber(text) % 1) > 0;
