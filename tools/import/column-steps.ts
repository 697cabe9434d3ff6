import { CLOCK_NAME, COUNTER_NAME, FIRST_UNNAMED, UNNAMED_CLOCK } from "./clock-names.ts";
import type { Column } from "./column.ts";

/** Rows that show whether a column counts. */
const COUNTED_MIN = 20;
/** A column that rises so many times is a clock or a counter, whatever its name. */
const RISING_MIN = 500;
/** One of whole numbers may begin anew: each time after so many rises, in the mean. */
const RISING_ANEW = 200;
/** The least shares of steps onward, and of exactly one, in a column that counts rows: some rows are lost or out of turn. */
const [ONWARD_SHARE, COUNTED_SHARE] = [0.95, 0.5];
/** So few rows show it, under the name of a counter, if they are counted from 0 or 1 on without a gap. */
const NUMBERED_MIN = 10;
/** The largest step of a counter, by its smallest. */
const STEADY = 1.01;
/** The least share of a counter's rises that are as large as the rise before: some rows are lost. */
const EVEN_SHARE = 0.8;
/** The longest stay of a rounded clock at a number, by the mean; and so many stays that a sorted feature hardly has them so even. */
const EVEN_STAY = 2;
const EVEN_STAYS_MIN = 50;
/** The most steps back of a counter, by those onward, and of a column whose name is a clock's. */
const [RESTARTS, CLOCK_RESTARTS] = [0.05, 0.5];
/** Where numbers of rows and of series begin. */
const FIRST_NUMBERS: readonly number[] = [0, 1];

type Counted = Pick<Column, "name" | "numbers" | "hasFractions">;

/** The steps from each of a column's fields to the next. */
export class ColumnSteps {
  /** Runs of rows with one value. */
  stays = 0;
  least = Number.POSITIVE_INFINITY;
  most = Number.NEGATIVE_INFINITY;
  back = 0;
  private onward = 0;
  private level = 0;
  private byOne = 0;
  /** Steps onward as large as the one before, and steps back to the number at which the numbers began before. */
  private alike = 0;
  private backAlike = 0;
  private start = Number.NaN;
  private last = Number.NaN;
  private lastOnward = Number.NaN;
  private lastText: string | undefined;
  private stay = 0;
  private longestStay = 0;

  /** @param number that the text is; NaN for a word. */
  take(text: string, number: number): void {
    if (text !== this.lastText) this.stays++;
    this.stay = text === this.lastText ? this.stay + 1 : 1;
    this.longestStay = Math.max(this.longestStay, this.stay);
    this.lastText = text;
    if (!Number.isNaN(number)) this.takeNumber(number);
  }

  private takeNumber(number: number): void {
    const step = number - this.last;
    this.last = number;
    if (Number.isNaN(this.start)) this.start = number;
    if (Number.isNaN(step)) return;
    this.least = Math.min(this.least, step);
    this.most = Math.max(this.most, step);
    if (step === 1) this.byOne++;
    if (step > 0) {
      this.onward++;
      if (Math.abs(step - this.lastOnward) <= (STEADY - 1) * step) this.alike++;
      this.lastOnward = step;
    }
    if (step < 0) {
      this.back++;
      if (number === this.start) this.backAlike++;
      this.start = number;
    }
    if (step === 0) this.level++;
  }

  /** True if the numbers rise: nearly always by the same step or by one, for very long, or under the name of a time or a counter. */
  areCounting(column: Counted): boolean {
    const { name, numbers, hasFractions } = column;
    const isCalledSo = COUNTER_NAME.test(name);
    if (numbers < COUNTED_MIN) return isCalledSo && numbers >= NUMBERED_MIN && this.areRowNumbers;
    const countsRows =
      !hasFractions && this.onward >= ONWARD_SHARE * this.total && this.byOne >= COUNTED_SHARE * this.total;
    const isRising = this.least > 0 && (this.isSteady || (this.isEven && !hasFractions) || isCalledSo);
    const standsLess = this.onward > this.level;
    // A clock that its digits round stands as long at each number.
    const standsEvenly = this.isEven && this.onward >= EVEN_STAYS_MIN && this.staysEvenly(numbers);
    const mayStand = isCalledSo && this.back === 0 && (standsLess || standsEvenly);
    const restarts = CLOCK_NAME.test(name) ? CLOCK_RESTARTS : RESTARTS;
    // Once it may in any case, unless it mostly stands, as a reading does that seldom changes.
    const often = this.back - (standsLess ? 1 : 0);
    const mayRestart = this.most > 0 && often <= restarts * this.onward;
    // Without a name a feature by which the file is sorted stands longer than it rises; row numbers don't.
    const isUnnamed = UNNAMED_CLOCK.test(name) && this.isEven && standsLess;
    const isClock = (isCalledSo && name !== FIRST_UNNAMED) || CLOCK_NAME.test(name) || isUnnamed;
    return isRising || countsRows || this.riseLong(column) || mayStand || (mayRestart && isClock);
  }

  /** True if each number is one more than the one before, from 0 or 1 on. */
  private get areRowNumbers(): boolean {
    return this.least === 1 && this.most === 1 && FIRST_NUMBERS.includes(this.start);
  }

  /** True if each number is larger than the one before by the same step, under the name of a counter. */
  areNumbering({ name, numbers }: Counted): boolean {
    return numbers >= COUNTED_MIN && this.least > 0 && this.isSteady && COUNTER_NAME.test(name);
  }

  /** True if the numbers rise by the same step, stand as long at each, and again and again fall back to 0 or 1. */
  get beginAnew(): boolean {
    const rows = this.total + 1;
    const fallsAlike = this.back > 0 && this.back - this.backAlike <= 1 && FIRST_NUMBERS.includes(this.start);
    return rows >= COUNTED_MIN && this.alike + 1 >= this.onward && fallsAlike && this.staysEvenly(rows);
  }

  private get total(): number {
    return this.onward + this.back + this.level;
  }

  private get isSteady(): boolean {
    return this.most <= STEADY * this.least;
  }

  private get isEven(): boolean {
    return this.alike + 1 >= EVEN_SHARE * this.onward;
  }

  private staysEvenly(numbers: number): boolean {
    return this.longestStay * this.stays <= EVEN_STAY * numbers;
  }

  /** True if they rise from row to row, for many rows; whole ones may begin anew, hardly ever. */
  private riseLong({ hasFractions }: Counted): boolean {
    const isLong = this.onward >= RISING_MIN && this.back * RISING_ANEW <= this.onward;
    return isLong && this.level === 0 && !(hasFractions && this.back > 0);
  }
}
