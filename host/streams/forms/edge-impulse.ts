import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { readBounded } from "../../bounded-file.ts";
import { parseJson } from "../../json.ts";
import type { BadRows } from "../bad-rows.ts";
import { StreamError } from "../stream-error.ts";
import { TextSource } from "../text.ts";
import { csvRows } from "./csv-rows.ts";
import { LABEL, type NamedRow, type NamedRows, wholeSamples } from "./named-row.ts";

/** Bytes of a file in JSON, which is read whole. */
const BYTES_MAX = 1 << 26;

/** The parts of a file in Edge Impulse's acquisition format that are read here. */
interface Acquisition {
  /** Milliseconds from one row to the next. */
  readonly interval_ms?: number;
  readonly sensors: readonly { readonly name: string; readonly units?: string }[];
  readonly values: readonly (readonly number[] | number)[];
}

/** Its files, of a folder those that it holds, by name; else itself. */
export function acquisitionFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.(json|csv)$/i.test(name));
  return names
    .filter((name) => !name.startsWith(".") && !name.endsWith(".data.json"))
    .sort()
    .map((name) => join(path, name));
}

/** The label in a name such as `idle.1.json`; "" in one without. */
export function labelInName(file: string): string {
  return /^([^.]+)\.[^.].*\.(?:json|csv)$/i.exec(basename(file))?.[1] ?? "";
}

/**
 * Rows of a file of Edge Impulse's, in JSON or CSV, or of all in a folder. Each file's name begins with the label of its rows.
 *
 * @param part rows of a sample: of each file, what its last whole sample leaves is left out.
 * @see https://docs.edgeimpulse.com/reference/data-ingestion/data-acquisition-format
 */
export async function* acquisitionRows(path: string, badRows: BadRows, part = 1): NamedRows {
  let rows = 0;
  for (const file of acquisitionFiles(path)) {
    const label = labelInName(file);
    for await (const some of wholeSamples(readRows(file, badRows), part))
      yield some.map(({ fields }) => ({ line: ++rows, fields: new Map([...fields, [LABEL, label]]) }));
  }
}

async function* readRows(file: string, badRows: BadRows): NamedRows {
  if (/\.csv$/i.test(file)) yield* csvRows(new TextSource(file), {}, badRows);
  else yield makeSamples(file, readAcquisition(file), badRows);
}

/** Throws a StreamError for a file that isn't one. */
export function readAcquisition(file: string): Acquisition {
  let payload: Partial<Acquisition> | undefined;
  try {
    payload = (parseJson(readBounded(file, BYTES_MAX)) as { payload?: Partial<Acquisition> } | null)?.payload;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === undefined ? "not JSON" : `can't be read (${code})`;
    throw new StreamError(file, undefined, what, "a file of Edge Impulse's acquisition format is needed");
  }
  const { interval_ms, sensors, values } = payload ?? {};
  const areNamed = Array.isArray(sensors) && sensors.every((sensor) => typeof sensor?.name === "string");
  if (areNamed && sensors.length > 0 && Array.isArray(values)) return { interval_ms, sensors, values };
  const right = "payload.sensors with names and payload.values are needed, as Edge Impulse writes them";
  throw new StreamError(file, undefined, "no acquisition", right);
}

const MS = 1000;
const DIGITS = 9;

/** Rows a second, where all of its files in JSON have as many; units of the columns. */
export function acquisitionFacts(path: string): {
  readonly rate?: number;
  readonly units: ReadonlyMap<string, string>;
} {
  const all = acquisitionFiles(path).flatMap((file) => (/\.csv$/i.test(file) ? [] : [readAcquisition(file)]));
  const [interval, ...others] = new Set(all.map(({ interval_ms }) => interval_ms));
  const isKnown = others.length === 0 && typeof interval === "number" && interval > 0;
  const units = all.flatMap(({ sensors }) =>
    sensors.flatMap(({ name, units }): [string, string][] =>
      typeof units === "string" && units ? [[name, units]] : [],
    ),
  );
  return { ...(isKnown && { rate: Number((MS / interval).toPrecision(DIGITS)) }), units: new Map(units) };
}

function makeSamples(file: string, { sensors, values }: Acquisition, badRows: BadRows): NamedRow[] {
  return values.flatMap((value, i) => {
    const readings = Array.isArray(value) ? value : [value];
    if (readings.length === sensors.length)
      return {
        line: i + 1,
        fields: new Map(sensors.map(({ name }, j) => [name, String(readings[j] ?? "")])),
      };
    const what = `${readings.length} values where there are ${sensors.length} sensors`;
    badRows.take(new StreamError(file, i + 1, what, "a value a sensor is needed"));
    return [];
  });
}
