import { parseNumber } from "../../host/streams/numbers.ts";
import { dateOf, millisecondsOf, namesZone, type TimeUnit, unitOf } from "../../host/streams/time-text.ts";

/** When a file's rows were sampled. */
export interface TimesFound {
  readonly column: string;
  /** Of numbers; dates have none. */
  readonly unit?: TimeUnit;
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

/** Judges whether a column is a time, row by row, and collects it. */
export class Times {
  private readonly times: number[] = [];
  private kind: TimeUnit | "date" | undefined;
  private isTime = true;
  private hasZone = true;

  take(field: string): void {
    const text = field.trim();
    if (!this.isTime || text === "") return;
    const number = parseNumber(text);
    const date = Number.isNaN(number) ? dateOf(text) : Number.NaN;
    const kind = Number.isNaN(date) ? unitOf(number) : "date";
    this.kind ??= kind;
    this.isTime = kind !== undefined && kind === this.kind;
    if (kind === "date" && !namesZone(text)) this.hasZone = false;
    if (kind === undefined || !this.isTime) return;
    this.times.push(kind === "date" ? date : millisecondsOf(number, kind));
  }

  /** Undefined if it is no time. */
  found(column: string): TimesFound | undefined {
    const { times, kind, hasZone } = this;
    if (!this.isTime || kind === undefined || times.some(Number.isNaN)) return undefined;
    const steps = times.slice(1).map((time, i) => time - times[i]);
    const period = [...steps].sort((a, b) => a - b)[steps.length >> 1];
    return {
      column,
      ...(kind !== "date" && { unit: kind }),
      hasZone,
      first: new Date(times[0]).toISOString(),
      last: new Date(times[times.length - 1]).toISOString(),
      periodSeconds: period === undefined ? null : period / 1000,
      isSteady: steps.filter((step) => Math.abs(step - period) <= 0.1 * period).length >= 0.9 * steps.length,
      gaps: steps.filter((step) => step > 1.5 * period).length,
      disorder: steps.filter((step) => step < 0).length,
    };
  }
}
