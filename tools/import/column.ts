import { CLASSES_MAX } from "../../host/streams/class-names.ts";
import { isMissing } from "../../host/streams/missing.ts";
import type { Notations } from "../../host/streams/notation.ts";
import { isBeyond, parseNumber } from "../../host/streams/numbers.ts";
import { isKnownUnit, parseQuantity } from "../../host/streams/quantity.ts";
import { type ClockUnit, isClock, isElapsed } from "../../host/streams/time-text.ts";
import { areTruths } from "../../host/streams/truth.ts";
import { CLOCK_NAME, COUNTER_NAME, clockUnitIn, FIRST_UNNAMED, UNNAMED_CLOCK } from "./clock-names.ts";
import { isLoggers } from "./missing-words.ts";

/** The most bad fields of a column, by its numbers. */
const BAD_SHARE = 0.1;
/** Rows that show whether a column counts. */
const COUNTED_MIN = 20;
/** Numbers that rise from row to row, so many times for each step back, are a clock's or a counter's, whatever their name. */
const RISING_MIN = 500;
/** Rows that show what the texts of a column are. */
const MANY = 20;
/** Rows among which a lone one is a slip. */
const VERY_MANY = 100;
/** Rows of other classes than the largest, of a column that may be the label. */
const OTHERS_MIN = 2;
/** Rows of a long run, in the mean. */
const LONG_STAY = 5;
/** Values of a scale that names classes, such as 1 to 10. */
const SCALE_MAX = 10;
/** The largest step of a counter, by its smallest. */
const STEADY = 1.01;
/** Steps onward of a counter that are as large as the one before, where some rows were lost. */
const EVEN_SHARE = 0.8;
/** The longest stay of a rounded clock at a number, by the mean; and so many stays that a sorted feature hardly has them so even. */
const EVEN_STAY = 2;
const EVEN_STAYS_MIN = 50;
/** The most steps back of a counter, by those onward, and of a column whose name is a clock's. */
const [RESTARTS, CLOCK_RESTARTS] = [0.05, 0.5];
/** Units of a column that are counted. */
const UNITS_MAX = 64;
/** So many of the fields with a unit have the same, where another is a fault. */
const COMMON_SHARE = 0.9;
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
  private last = Number.NaN;
  private lastText: string | undefined;
  /** Runs of rows with one value. */
  private stays = 0;
  private stay = 0;
  private longestStay = 0;
  private lastOnward = Number.NaN;
  /** Steps onward as large as the one before. */
  private stepsAlike = 0;
  private leastStep = Number.POSITIVE_INFINITY;
  private mostStep = Number.NEGATIVE_INFINITY;
  private stepsOnward = 0;
  private stepsBack = 0;
  private stepsLevel = 0;
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
    if (!isSuspected || number > 0) this.takeOrder(text, number);
    if (isSuspected) {
      const key = Number.isNaN(number) ? text.toLowerCase() : String(number);
      this.suspected.set(key, (this.suspected.get(key) ?? 0) + 1);
    } else {
      this.takeValue(text, number, 1);
      if (Number.isNaN(number)) this.takeQuantity(field, notation);
    }
  }

  private takeOrder(text: string, number: number): void {
    this.takeStep(number);
    if (text !== this.lastText) this.stays++;
    this.stay = text === this.lastText ? this.stay + 1 : 1;
    this.longestStay = Math.max(this.longestStay, this.stay);
    this.lastText = text;
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

  private takeStep(number: number): void {
    if (Number.isNaN(number)) return;
    const step = number - this.last;
    this.last = number;
    if (Number.isNaN(step)) return;
    this.leastStep = Math.min(this.leastStep, step);
    this.mostStep = Math.max(this.mostStep, step);
    if (step > 0) {
      this.stepsOnward++;
      if (Math.abs(step - this.lastOnward) <= (STEADY - 1) * step) this.stepsAlike++;
      this.lastOnward = step;
    }
    if (step < 0) this.stepsBack++;
    if (step === 0) this.stepsLevel++;
  }

  /** Takes these of the loggers' words as missing readings, and the others as values. */
  settle(missingWords: readonly string[]): void {
    for (const [word, rows] of this.suspected) {
      if (missingWords.includes(word)) this.missing += rows;
      else this.takeValue(word, parseNumber(word), rows);
    }
    const isWord = (text: string) => Number.isNaN(parseNumber(text));
    const words = this.hasOtherWords ? [...this.values] : [[this.word, this.words] as const];
    for (const [word, rows] of words) {
      if (!isWord(word) || !missingWords.includes(word.toLowerCase())) continue;
      this.missing += rows;
      this.words -= rows;
      this.values.delete(word);
    }
    if (!this.values.has(this.word))
      this.word = this.words > 0 ? ([...this.values.keys()].find(isWord) ?? this.word) : "";
  }

  /** The word that stands for a missing reading wherever one stands among its many numbers; "" for none. */
  get loneWord(): string {
    const { words, numbers, isContinuous, hasOtherWords } = this;
    const isLone = !hasOtherWords && words > 1 && numbers >= MANY && isContinuous;
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
      this.words += rows;
      this.word ||= text;
      this.hasOtherWords ||= text.toLowerCase() !== this.word.toLowerCase();
      if (isClock(text) || isElapsed(text)) this.clocks += rows;
    } else {
      this.numbers += rows;
      if (number < 0) this.takeNegative(number, rows);
      this.min = Math.min(this.min, number);
      this.max = Math.max(this.max, number);
    }
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

  /** True if nearly each row has a text of its own, as notes do. */
  get isNotes(): boolean {
    const { size } = this.values;
    return this.words > this.numbers && (size > CLASSES_MAX || (this.words >= MANY && this.words < 2 * size));
  }

  /** True if it has states that stay: words, or a few whole numbers in long runs. */
  get hasStates(): boolean {
    const { size } = this.values;
    const stays = this.numbers >= LONG_STAY * this.stays && this.numbers >= MANY;
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

  /** True if its numbers, but for a few bad rows, rise from row to row: nearly always by the same step, for very long, or under the name of a time or a counter. */
  get isCounting(): boolean {
    const { leastStep, mostStep, name } = this;
    if (this.numbers < COUNTED_MIN || !this.isNumeric(true)) return false;
    const isCalledSo = COUNTER_NAME.test(name);
    const isEven = this.stepsAlike + 1 >= EVEN_SHARE * this.stepsOnward;
    const isSteady = mostStep <= STEADY * leastStep || (isEven && !this.hasFractions);
    const isRising = leastStep > 0 && (isSteady || isCalledSo);
    const standsLess = this.stepsOnward > this.stepsLevel;
    // A clock that its digits round stands as long at each number.
    const isLong = isEven && this.stepsOnward >= EVEN_STAYS_MIN;
    const standsEvenly = isLong && this.longestStay * this.stays <= EVEN_STAY * this.numbers;
    const mayStand = isCalledSo && this.stepsBack === 0 && (standsLess || standsEvenly);
    const restarts = CLOCK_NAME.test(name) ? CLOCK_RESTARTS : RESTARTS;
    const mayRestart = mostStep > 0 && this.stepsBack <= restarts * this.stepsOnward;
    // Without a name a feature by which the file is sorted stands longer than it rises; row numbers don't.
    const isUnnamed = UNNAMED_CLOCK.test(name) && isEven && standsLess;
    const isClock = (isCalledSo && name !== FIRST_UNNAMED) || CLOCK_NAME.test(name) || isUnnamed;
    return isRising || this.isRisingLong || mayStand || (mayRestart && isClock);
  }

  /** True for numbers that rise by the same step from each row to the next, under the name of a counter: they say where a row stands, and no more. */
  get isNumbering(): boolean {
    const isSteady = this.leastStep > 0 && this.mostStep <= STEADY * this.leastStep;
    return this.numbers >= COUNTED_MIN && isSteady && COUNTER_NAME.test(this.name);
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
    return this.leastStep === 1 && this.mostStep === 1;
  }

  /** True for numbers that rise from row to row, for many rows; whole ones may begin anew, hardly ever. */
  private get isRisingLong(): boolean {
    const { stepsOnward, stepsBack, stepsLevel, hasFractions } = this;
    const isLong = stepsOnward >= RISING_MIN && stepsBack * RISING_MIN <= stepsOnward;
    return isLong && stepsLevel === 0 && !(hasFractions && stepsBack > 0);
  }

  /** The unit of a clock with which its name ends. */
  get clockUnit(): ClockUnit | undefined {
    return clockUnitIn(this.name);
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
    const { words, values, hasClassNumbers, hasStates, stepsBack } = this;
    return words === 0 && values.size > SCALE_MAX && !hasClassNumbers && (!hasStates || stepsBack === 0);
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
const isFraction = (text: string) => parseNumber(text) % 1 !== 0;
