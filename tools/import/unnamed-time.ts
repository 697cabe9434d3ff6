import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { parseDate } from "../../host/streams/time-text.ts";
import type { Column } from "./column.ts";
import { reachesOver } from "./date-parts.ts";
import { type JoinedTime, joinedText } from "./joined-time.ts";
import { StepCounts } from "./step-counts.ts";
import { GAP, STEADY_SHARE } from "./times.ts";

/** What a column's numbers reach from and to. */
type Span = Pick<Column, "min" | "max" | "hasFractions" | "numbers" | "values">;

/** The numbers that a part of a recording's time may have. */
const SPANS = {
  ...{ year: [1990, 2100], month: [1, 12], day: [1, 31], dayOfYear: [1, 366] },
  ...{ hour: [0, 24], hourMinute: [0, 2400], minute: [0, 59], second: [0, 60] },
} as const;
type Part = keyof typeof SPANS;

/** How a date stands in columns side by side, and the time of its day behind it. */
const DATES: readonly (readonly Part[])[] = [
  ["year", "month", "day"],
  ["day", "month", "year"],
  ["month", "day", "year"],
  ["year", "dayOfYear"],
];
const CLOCKS: readonly (readonly Part[])[] = [
  ["hour", "minute", "second"],
  ["hour", "minute"],
  ["hour"],
  ["hourMinute"],
  [],
];

/** The parts of a time that columns without names may be, side by side; of each date those of most parts first. */
function unnamedTimes(columns: readonly Span[]): JoinedTime[] {
  const isPart = (part: Part, { numbers, hasFractions, min, max }: Span) => {
    const [least, most] = SPANS[part];
    return numbers > 0 && min >= least && max <= most && (!hasFractions || part === "second");
  };
  const forms = DATES.flatMap((date) => CLOCKS.map((clock) => [...date, ...clock]));
  return forms.flatMap((parts) => {
    const areParts = (first: number) =>
      first + parts.length <= columns.length && parts.every((part, i) => isPart(part, columns[first + i]));
    const first = [...columns.keys()].find(areParts);
    return first === undefined ? [] : [{ parts, places: parts.map((_, i) => first + i) }];
  });
}

/** The places of columns without names that are a date's parts with hours and minutes behind them, whatever their order. */
export function unnamedParts(columns: readonly Span[]): readonly number[] {
  const areWhole = ({ places }: JoinedTime) => places.every((at) => !columns[at].hasFractions);
  const times = unnamedTimes(columns).filter(({ parts }) => parts.includes("minute"));
  return times.find(areWhole)?.places ?? [];
}

/** The times that columns may say together, row by row. */
class Tried {
  private readonly steps = new StepCounts();
  private last = Number.NaN;
  private isBad = false;

  constructor(readonly joined: JoinedTime) {}

  take(fields: readonly string[]): void {
    const time = parseDate(joinedText(this.joined, fields));
    if (Number.isNaN(time)) this.isBad = true;
    if (!Number.isNaN(this.last)) this.steps.add(time - this.last);
    this.last = time;
  }

  /** Steps of more than one and a half periods. */
  get gaps(): number {
    const most = GAP * this.steps.median();
    return this.steps.count((step) => step > most);
  }

  /** True if no row is earlier than the one before, and the finest part is no reading: it reaches over its whole, or nearly all steps are the same. */
  isTime(columns: readonly Span[]): boolean {
    const { joined, steps } = this;
    const finest = joined.parts.length - 1;
    const [, most] = SPANS[joined.parts[finest] as Part];
    const [median, still] = [steps.median(), steps.count((step) => step === 0)];
    const isSame = median > 0 && steps.count((step) => step === median) >= STEADY_SHARE * steps.total;
    const isRising = !this.isBad && still < steps.total && steps.count((step) => step < 0) === 0;
    return isRising && (isSame || reachesOver(columns[joined.places[finest]], most));
  }
}

/** The parts of the rows' time in columns without names. Undefined where nothing shows whether the day or the month comes first. */
export async function unnamedTime(
  records: AsyncIterable<CsvRecord>,
  columns: readonly Span[],
): Promise<JoinedTime | undefined> {
  const all = unnamedTimes(columns).map((joined) => new Tried(joined));
  if (all.length === 0) return undefined;
  for await (const { fields } of records) for (const tried of all) tried.take(fields);
  const times = all.filter((tried) => tried.isTime(columns));
  const [first] = times;
  const [day, month] = ["day", "month"].map((part) => times.find(({ joined }) => joined.parts[0] === part));
  if (!day || !month || (first !== day && first !== month)) return first?.joined;
  if (day.gaps === month.gaps) return undefined;
  return (day.gaps < month.gaps ? day : month).joined;
}
