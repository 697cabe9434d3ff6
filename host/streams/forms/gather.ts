import { StreamError, UnskippableError } from "../stream-error.ts";
import { HeldReadings } from "./held-readings.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";
import type { RowRule } from "./options.ts";
import type { Reading, Readings } from "./readings.ts";

/** Readings that become a row together. */
const BATCH = 1 << 12;
/** Rows without a reading between two. */
const STEPS_MAX = 1 << 20;

/** Readings in the order of their times. Throws a StreamError where those of a file said to be in order aren't. */
export async function* inTimeOrder(file: string, readings: Readings, isInOrder: boolean): Readings {
  if (!isInOrder) {
    yield* (await holdReadings(file, readings)).inTimeOrder(BATCH);
  } else {
    let last = Number.NEGATIVE_INFINITY;
    for await (const some of readings) {
      for (const { line, time } of some) {
        const right = "motelearn import --force looks at their order anew";
        if (time < last) throw new UnskippableError(file, line, "a time before the last one", right);
        last = time;
      }
      yield some;
    }
  }
}

async function holdReadings(file: string, readings: Readings): Promise<HeldReadings> {
  const held = new HeldReadings(file);
  for await (const some of readings) for (const each of some) held.add(each);
  return held;
}

/** How readings become rows. */
interface GatherRules {
  readonly rule: RowRule | undefined;
  /** By a rule of last known readings: columns that have had a reading in the first row. */
  readonly needed: readonly string[];
  /** The name of the column of the time. */
  readonly time: string;
}

/** Rows of readings that are in the order of their times. */
export async function* gatherRows(file: string, readings: Readings, how: GatherRules): NamedRows {
  const rows = new Gathering(file, how);
  for await (const some of readings) {
    for (const reading of some) rows.take(reading);
    yield rows.takeFinished();
  }
  rows.end();
  yield rows.takeFinished();
}

class Gathering {
  /** The last known readings, or those of the time alone. */
  private known = new Map<string, string>();
  private readonly lacking: Set<string>;
  private rows: NamedRow[] = [];
  private line = 0;
  private time = Number.NaN;
  /** True if the readings of this time make a row. */
  private isRow = false;
  private readonly stepMs: number;
  private readonly main: string | undefined;
  private readonly timeName: string;

  constructor(
    private readonly file: string,
    { rule, needed, time }: GatherRules,
  ) {
    this.timeName = time;
    this.stepMs = rule && "every" in rule ? rule.every * 1000 : 0;
    this.main = rule && "at" in rule ? rule.at : undefined;
    this.lacking = new Set(rule ? needed : []);
  }

  take({ line, time, name, text }: Reading): void {
    if (time !== this.time) this.passTo(time, line);
    this.line = line;
    this.known.set(name, text);
    this.lacking.delete(name);
    if (this.stepMs === 0 && (this.main === undefined || name === this.main)) this.isRow = true;
  }

  takeFinished(): readonly NamedRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  /** Ends the last time. Throws a StreamError if no row can have been made. */
  end(): void {
    const { file, main } = this;
    if (main !== undefined && !this.known.has(main))
      throw new StreamError(file, undefined, `no reading of ${main}`, "rows.at takes a series that it has");
    if (this.stepMs > 0) this.stepTo(this.time + 1);
    else if (this.isRow) this.add(this.time);
  }

  private passTo(time: number, line: number): void {
    if (this.stepMs > 0) this.stepTo(time, line);
    else if (this.isRow) this.add(this.time);
    this.isRow = false;
    this.time = time;
    if (this.stepMs === 0 && this.main === undefined) this.known = new Map();
  }

  /** Adds the rows of the steps from the last time on that lie before this one. */
  private stepTo(time: number, line?: number): void {
    const { stepMs } = this;
    const first = Math.ceil(this.time / stepMs);
    const count = Math.ceil(time / stepMs) - first;
    if (count > STEPS_MAX) {
      const what = `a gap of ${count} steps of ${stepMs / 1000} s before it`;
      throw new UnskippableError(this.file, line, what, "longer steps are needed: rows.every");
    }
    for (let step = 0; step < count; step++) this.add((first + step) * stepMs);
  }

  private add(time: number): void {
    if (this.lacking.size > 0) return;
    this.rows.push({ line: this.line, fields: new Map(this.known).set(this.timeName, String(time)) });
  }
}
