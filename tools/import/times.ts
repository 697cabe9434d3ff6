import { parseNumber } from "../../host/streams/numbers.ts";
import {
  DATE_ORDERS,
  type DateOrder,
  guessUnit,
  hasShortYear,
  isSlashed,
  namesZone,
  parseDate,
  type TimeUnit,
  toMilliseconds,
} from "../../host/streams/time-text.ts";
import { StepCounts } from "./step-counts.ts";

/** When a file's rows were sampled. */
export interface TimesFound {
  readonly column: string;
  /** The column of the time of the day, where it has one of its own. */
  readonly clock?: string;
  /** Of numbers; dates have none. */
  readonly unit?: TimeUnit;
  /** Of dates such as 3/1/2026. */
  readonly dateOrder?: DateOrder;
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
}

const STEADY_SHARE = 0.9;
const GAP = 1.5;

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

  found(): Pick<TimesFound, "first" | "last" | "periodSeconds" | "isSteady" | "gaps" | "disorder"> {
    const { steps, first, last } = this;
    const period = steps.median();
    const steady = steps.count((step) => Math.abs(step - period) <= 0.1 * period);
    return {
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      periodSeconds: steps.total === 0 ? null : period / 1000,
      isSteady: steady >= STEADY_SHARE * steps.total,
      gaps: steps.count((step) => step > GAP * period),
      disorder: this.disorder,
    };
  }

  private get disorder(): number {
    return this.steps.count((step) => step < 0);
  }

  /** True if the times rise, and the step over midnight is that within a day. */
  get isEven(): boolean {
    const { steps, dateSteps } = this;
    const most = GAP * steps.median();
    const even = dateSteps.count((step) => step <= most);
    return this.disorder === 0 && dateSteps.total > 0 && even >= STEADY_SHARE * dateSteps.total;
  }
}

/** Judges whether a column is a time, row by row. */
export class Times {
  private kind: TimeUnit | "date" | "slashed" | undefined;
  private isTime = true;
  private hasZone = true;
  private readonly sampling = new Sampling();
  /** Of dates such as 3/1/2026: what each order makes of them, as long as it fits. */
  private readonly orders = new Map<DateOrder, Sampling>();
  /** Such a date that each order takes for another day, or that may begin with its year. */
  private ambiguous = "";
  private hasShortYears = false;

  /** @param given the order of dates such as 3/1/2026, where it is known. */
  constructor(private readonly given?: DateOrder) {
    for (const order of DATE_ORDERS)
      if (given === undefined || order === given) this.orders.set(order, new Sampling());
  }

  take(field: string): void {
    const text = field.trim();
    if (!this.isTime || text === "") return;
    const number = parseNumber(text);
    const date = Number.isNaN(number) ? parseDate(text) : Number.NaN;
    const kind = isSlashed(text) ? "slashed" : Number.isNaN(date) ? guessUnit(number) : "date";
    this.kind ??= kind;
    this.isTime = kind !== undefined && kind === this.kind;
    if (kind === undefined || !this.isTime) return;
    if (kind === "slashed" || (kind === "date" && !namesZone(text))) this.hasZone = false;
    if (kind === "slashed") this.takeSlashed(text);
    else this.sampling.take(kind === "date" ? date : toMilliseconds(number, kind));
  }

  private takeSlashed(text: string): void {
    const [date] = text.split(/[ T,]/);
    for (const [order, sampling] of this.orders) {
      const time = parseDate(text, order);
      if (Number.isNaN(time)) this.orders.delete(order);
      else sampling.take(time, date);
    }
    const [dayFirst, monthFirst] = DATE_ORDERS.map((order) => parseDate(text, order));
    const isShort = hasShortYear(text);
    if (isShort) this.hasShortYears = true;
    if (this.ambiguous === "" && (isShort || dayFirst !== monthFirst)) this.ambiguous = text;
    if (this.orders.size === 0) this.isTime = false;
  }

  get isSlashed(): boolean {
    return this.isTime && this.kind === "slashed";
  }

  /** A date that may be of two days, where nothing says which. */
  get doubt(): string | undefined {
    return this.isSlashed && this.order === undefined ? this.ambiguous : undefined;
  }

  /** The order that the dates show; undefined where two fit. */
  private get order(): DateOrder | undefined {
    const fitting = [...this.orders];
    const even = fitting.filter(([, { isEven }]) => isEven);
    const isOnly = fitting.length === 1 && !this.hasShortYears;
    const isDecided = this.given !== undefined || isOnly || this.ambiguous === "";
    return isDecided ? fitting[0][0] : even.length === 1 ? even[0][0] : undefined;
  }

  /** Undefined if it is no time. */
  found(column: string): TimesFound | undefined {
    const { kind, hasZone } = this;
    if (!this.isTime || kind === undefined) return undefined;
    if (kind !== "slashed")
      return { column, ...(kind !== "date" && { unit: kind }), hasZone, ...this.sampling.found() };
    const dateOrder = this.order;
    const sampling = dateOrder && this.orders.get(dateOrder);
    return sampling && { column, dateOrder, hasZone, ...sampling.found() };
  }
}
