import { parseNumber } from "../../host/streams/numbers.ts";
import type { TimeParts } from "../../host/streams/time-columns.ts";
import {
  DATE_ORDERS,
  type DateOrder,
  guessUnit,
  isOfUnit,
  isSlashed,
  namesZone,
  parseDate,
  parseElapsed,
  type TimeUnit,
  toMilliseconds,
} from "../../host/streams/time-text.ts";
import { zoneNamed } from "../../host/streams/zones.ts";
import { StepCounts } from "./step-counts.ts";

/** When a file's rows were sampled. */
export interface TimesFound {
  readonly column: string;
  /** The columns of its parts, where it has several. */
  readonly parts?: TimeParts;
  /** Of numbers; dates have none. */
  readonly unit?: TimeUnit;
  /** Of dates such as 3/1/2026. */
  readonly dateOrder?: DateOrder;
  /** Of dates without one, where a column's name says it. */
  readonly zone?: string;
  /** False for dates without a zone, which are read in the zone of the machine. */
  readonly hasZone: boolean;
  readonly first: string;
  readonly last: string;
  /** The median of the steps, in seconds. */
  readonly periodSeconds: number | null;
  /** True if at least nine of ten steps are within a tenth of the median. */
  readonly isSteady: boolean;
  /** Steps of more than one and a half periods. */
  readonly gaps: number;
  /** Steps back. */
  readonly disorder: number;
  /** True if a tenth of the rows or more have the time of the row before, as where a clock's digits round it. */
  readonly standsStill: boolean;
  /** True if nearly all steps go back. */
  readonly isFalling: boolean;
  /** The cells that are no times: how many, and the first. */
  readonly bad?: { readonly cells: number; readonly line: number; readonly text: string };
}

/** Steps this near to the median, by it, are alike; so many of all, if a time is steady. */
export const STEP_SPREAD = 0.1;
export const STEADY_SHARE = 0.9;
/** Rows with the time of the row before, by all, of a time that stands still. */
const STILL_SHARE = 0.1;
/** The most steps onward, by all, of times that fall. */
const RISING_SHARE = 0.1;
/** A larger step, by the median, is a gap. */
export const GAP = 1.5;

/** What the steps from one time to the next say. */
export type Stepping = Pick<
  TimesFound,
  "periodSeconds" | "isSteady" | "gaps" | "disorder" | "isFalling" | "standsStill"
>;

export function judgeSteps(steps: StepCounts): Stepping {
  const median = steps.median();
  const period = Math.abs(median);
  const onward = (step: number) => (median < 0 ? -step : step);
  const steady = steps.count((step) => Math.abs(onward(step) - period) <= STEP_SPREAD * period);
  return {
    periodSeconds: steps.total === 0 ? null : Math.round(1000 * period) / 1e6,
    isSteady: steady >= STEADY_SHARE * steps.total,
    gaps: steps.count((step) => onward(step) > GAP * period),
    disorder: steps.count((step) => step < 0),
    isFalling: median < 0 && steps.count((step) => step > 0) <= RISING_SHARE * steps.total,
    standsStill: steps.total > 0 && steps.count((step) => step === 0) >= STILL_SHARE * steps.total,
  };
}

/** The times of a column as one rule reads them. */
class Sampling {
  private first = Number.NaN;
  private last = Number.NaN;
  private date = "";
  private readonly steps = new StepCounts();
  /** The steps from one date to another, of dates with an order. */
  private readonly dateSteps = new StepCounts();

  take(time: number, date = ""): void {
    if (Number.isNaN(this.first)) this.first = time;
    else {
      this.steps.add(time - this.last);
      if (date !== this.date) this.dateSteps.add(time - this.last);
    }
    this.last = time;
    this.date = date;
  }

  found(): Stepping & Pick<TimesFound, "first" | "last"> {
    const { steps, first, last } = this;
    const judged = judgeSteps(steps);
    return {
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      ...judged,
      isFalling: judged.isFalling && last < first,
    };
  }

  /** True if the times rise, and the step over midnight is that within a day. */
  get isEven(): boolean {
    const { steps, dateSteps } = this;
    const most = GAP * steps.median();
    const even = dateSteps.count((step) => step <= most);
    const isOrdered = steps.count((step) => step < 0) === 0;
    return isOrdered && dateSteps.total > 0 && even >= STEADY_SHARE * dateSteps.total;
  }
}

/** A cell, and its line in the file. */
interface Cell {
  readonly line: number;
  readonly text: string;
}

/** How a rule reads the cells of a column: numbers of a unit, dates, or dates such as 3/1/2026 in an order. */
class Rule {
  readonly sampling = new Sampling();
  read = 0;

  /** @param firstBad the first cell that it can't read, if it wasn't tried on the first ones. */
  constructor(public firstBad: Cell | undefined) {}
}

/** The most cells that are no times, by those that are. */
const BAD_SHARE = 0.1;
/** So many cells that no rule reads, if they are most, show that a column is no time. */
const HOPELESS = 100;

type RuleName = TimeUnit | "date" | DateOrder;
const isOrder = (name: RuleName): name is DateOrder => (DATE_ORDERS as readonly string[]).includes(name);

/** Judges whether a column is a time, row by row. */
export class Times {
  private readonly rules = new Map<RuleName, Rule>();
  private cells = 0;
  private unread = 0;
  private firstCell: Cell | undefined;
  private hasZone = true;
  readonly zone: string | undefined;
  /** A date such as 3/1/2026 that each order takes for another day. */
  private ambiguous = "";

  /**
   * @param given the order of dates such as 3/1/2026, where it is known.
   * @param names of its column, or of those of its parts, which may say a zone.
   */
  constructor(
    private readonly given: DateOrder | undefined,
    names: readonly string[],
  ) {
    this.zone = names.map(zoneNamed).find((zone) => zone !== undefined);
  }

  /**
   * @param line of the cell in its file.
   * @param number that the cell holds, if it is written in another than the usual notation.
   */
  take(cell: string, line: number, number = parseNumber(cell)): void {
    const text = cell.trim();
    if (text === "" || this.isHopeless) return;
    const times = this.readAll(text, number);
    const date = text.split(/[ T,]/, 1)[0];
    for (const [name, time] of times) {
      const rule = this.rules.get(name) ?? new Rule(this.firstCell);
      this.rules.set(name, rule);
      rule.read++;
      rule.sampling.take(time, date);
    }
    const here: Cell = { line, text };
    for (const [name, rule] of this.rules) if (!times.some(([of]) => of === name)) rule.firstBad ??= here;
    this.firstCell ??= here;
    this.cells++;
    if (times.length === 0) this.unread++;
  }

  private get isHopeless(): boolean {
    return this.unread > HOPELESS && 2 * this.unread > this.cells;
  }

  /** What each rule that can read a cell makes of it. */
  private readAll(text: string, number: number): (readonly [RuleName, number])[] {
    if (isSlashed(text)) return this.readOrders(text);
    if (Number.isNaN(number)) {
      const time = parseDate(text, { zone: this.zone });
      if (Number.isNaN(time)) return [];
      if (!namesZone(text)) this.hasZone = false;
      return [["date", time]];
    }
    // A number behind a zero names something.
    if (/^0\d/.test(text)) return [];
    const guess = guessUnit(number) ?? (isOfUnit(number, "days") ? "days" : undefined);
    // Digits of a date are seconds of 2030 and later, too: they come first.
    const units: TimeUnit[] = [
      ...(isOfUnit(number, "digits") ? ["digits" as const] : []),
      ...(guess ? [guess] : []),
    ];
    return units.map((unit) => [unit, toMilliseconds(number, unit, this.zone)]);
  }

  private readOrders(text: string): (readonly [RuleName, number])[] {
    this.hasZone = false;
    const times = DATE_ORDERS.map(
      (order) => [order, parseDate(text, { dateOrder: order, zone: this.zone })] as const,
    );
    const found = new Set(times.map(([, time]) => time));
    found.delete(Number.NaN);
    if (this.ambiguous === "" && found.size > 1) this.ambiguous = text;
    return times.filter(
      ([order, time]) => !Number.isNaN(time) && (this.given === undefined || order === this.given),
    );
  }

  /** The rules that read most cells: one, or both orders. */
  private get best(): readonly (readonly [RuleName, Rule])[] {
    const most = Math.max(...[...this.rules.values()].map(({ read }) => read));
    const fitting = [...this.rules].filter(([, { read }]) => read === most);
    return this.cells - most <= BAD_SHARE * most ? fitting : [];
  }

  /** True if the first cell may be a time of a clock of its own, and none is a date or a number since 1970. */
  get isClock(): boolean {
    const isOther = [...this.rules.keys()].every((name) => name === "days");
    return isOther && parseElapsed(this.firstCell?.text ?? "", "s") >= 0;
  }

  /** True if a date such as 3/1/2026 was read. */
  get isSlashed(): boolean {
    return [...this.rules.keys()].some(isOrder);
  }

  /** A date that may be of two days, where nothing says which. */
  get doubt(): string | undefined {
    const [first] = this.best;
    return first && isOrder(first[0]) && this.rule === undefined ? this.ambiguous : undefined;
  }

  /** The rule of the column's times; undefined where it has none, or two orders fit. */
  private get rule(): readonly [RuleName, Rule] | undefined {
    const { best } = this;
    if (best.length === 0 || !isOrder(best[0][0])) return best[0];
    const even = best.filter(([, { sampling }]) => sampling.isEven);
    const isDecided = this.given !== undefined || best.length === 1 || this.ambiguous === "";
    return isDecided ? best[0] : even.length === 1 ? even[0] : undefined;
  }

  /** Undefined if it is no time. Days are one if they rise. */
  found(column: string): TimesFound | undefined {
    const { rule } = this;
    if (!rule) return undefined;
    const [name, { sampling, read, firstBad }] = rule;
    const sampled = sampling.found();
    if (name === "days" && sampled.disorder > 0) return undefined;
    const kind = isOrder(name) ? { dateOrder: name } : name !== "date" && { unit: name };
    const bad = firstBad && { bad: { cells: this.cells - read, ...firstBad } };
    const hasZone = this.hasZone && name !== "days" && name !== "digits";
    return {
      column,
      ...kind,
      ...(!hasZone && this.zone !== undefined && { zone: this.zone }),
      hasZone,
      ...sampled,
      ...bad,
    };
  }
}
