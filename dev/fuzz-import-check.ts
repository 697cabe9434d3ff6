import { rmSync, writeFileSync } from "node:fs";
import { Random } from "../host/random.ts";
import { namedColumns, readTable } from "../host/streams/index.ts";
import type { DataSet } from "../host/streams/table.ts";
import { type FileFound, lookAt } from "../tools/import/import-file.ts";
import {
  type How,
  listChoices,
  plainer,
  type RandomTable,
  randomHow,
  writeTable,
} from "./fuzz-import-tables.ts";

/** A table that is read otherwise than it was written. */
interface Misreading {
  readonly seed: number;
  /** The plainest way of writing that still shows a fault, such as `separator ";", header false`. */
  readonly how: string;
  readonly fault: string;
}

/** Writes the random table of a seed into a file, and reads it as `import` describes it; undefined if it says what was written. */
export async function findMisreading(seed: number, file: string): Promise<Misreading | undefined> {
  const check = (how: How) => findFault(writeTable(new Random(seed, "table"), how), file);
  let how: How | undefined = randomHow(new Random(seed, "how"));
  let found: Misreading | undefined;
  while (how) {
    const fault = await check(how);
    if (!fault) return found;
    const shown = how;
    found = {
      seed,
      fault,
      how: listChoices(how)
        .map((key) => `${key} ${JSON.stringify(shown[key])}`)
        .join(", "),
    };
    how = await firstOf(plainer(how), async (each) => (await check(each)) !== undefined);
  }
  return found;
}

async function firstOf<T>(values: readonly T[], is: (value: T) => Promise<boolean>): Promise<T | undefined> {
  for (const value of values) if (await is(value)) return value;
  return undefined;
}

async function findFault(table: RandomTable, file: string): Promise<string | undefined> {
  writeFileSync(file, table.bytes);
  try {
    const found = await lookAt(file, { badRows: "refuse" });
    writeFileSync(found.path, JSON.stringify(found.description));
    const data = await readTable(file, { missing: "nan", unlabelled: true });
    rmSync(found.path);
    const other = otherColumns(table, data) ?? otherCells(table, data) ?? otherTimes(table, found);
    return other ?? otherRate(table, found);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

function otherColumns({ features, readings, how }: RandomTable, data: DataSet): string | undefined {
  const names = data.roles ? namedColumns(data.roles).features : [];
  const isSame = how.header ? String(names) === String(features) : names.length === features.length;
  if (!isSame) return `features ${names.join(", ")}; written ${features.join(", ")}`;
  return data.count === readings.length ? undefined : `${data.count} rows; written ${readings.length}`;
}

function otherCells({ features, readings, labels }: RandomTable, data: DataSet): string | undefined {
  for (const [row, values] of readings.entries()) {
    const other = values.findIndex(
      (value, at) =>
        data.rows[row * data.dimension + at] !== value &&
        !bothNaN(data.rows[row * data.dimension + at], value),
    );
    if (other >= 0)
      return `row ${row + 1}: ${features[other]} ${data.rows[row * data.dimension + other]}; written ${values[other]}`;
    const number = data.labels[row];
    const label = Number.isNaN(number) ? undefined : (data.labelNames?.[number] ?? number);
    if (label !== labels[row]) return `row ${row + 1}: label ${label}; written ${labels[row]}`;
  }
  return undefined;
}

const bothNaN = (one: number, other: number) => Number.isNaN(one) && Number.isNaN(other);

function otherTimes({ times }: RandomTable, { time }: FileFound): string | undefined {
  const text = (first?: string, last?: string) =>
    first === undefined ? "no times" : `times ${first} to ${last}`;
  const is = text(time?.first, time?.last);
  const was = text(
    ...(times ?? [])
      .filter((_, at, all) => at === 0 || at === all.length - 1)
      .map((each) => new Date(each).toISOString()),
  );
  return is === was ? undefined : `${is}; written ${was}`;
}

/** Rows a second that the head says, where no times do. */
const SAID_RATE = 50;

function otherRate({ how }: RandomTable, { description }: FileFound): string | undefined {
  const isSaid = how.above === "rate" && how.time === "none";
  return !isSaid || description.rate === SAID_RATE
    ? undefined
    : `rate ${description.rate}; written ${SAID_RATE}`;
}
