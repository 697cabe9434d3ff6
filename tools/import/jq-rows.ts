import { guessUnit, parseTime } from "../../host/streams/time-text.ts";

/** Makes an object of a list of values, whose names stand in another list. */
const named = (names: string, values: string) =>
  `.${names} as $names | .${values}[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add`;
/** The text of a name, or of a series' labels. */
const seriesText = (name: string) => `(.${name} | if type == "object" then map(.) | join(" ") else . end)`;
/** Makes readings of a series' pairs of a time and a value. Datadog has several series of one metric, each of a scope. */
const reading = (name: string, pairs: string, time: number, hasScope: boolean) => {
  const called = hasScope ? `"\\(.${name}) \\(.scope)"` : seriesText(name);
  return `${called} as $name | .${pairs}[] | {time: .[${time}], series: $name, value: .[${1 - time}]}`;
};
/** What a series is called by. */
const NAMES = ["metric", "target", "name"];

/** How jq makes rows of a JSON value that isn't a list of them. */
interface RowsFilter {
  readonly filter: string;
  /** True if the rows are objects in a list as they stand. */
  readonly areObjects: boolean;
  /** How many there are, about. */
  readonly rows?: number;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isScalar = (value: unknown) => !isObject(value);
/** The value of that name within another, as jq takes it. */
export const step = (name: string) => `.${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}`;
const joined = (path: string, filter: string) => (path === "" ? filter : `${path} | ${filter}`);

/** Brackets around rows by their ids, at most. */
const KEYED_DEPTH = 3;
const KEYED_MIN = 3;

/** The rows that an object has by their ids or times, as Firebase exports them: objects with the same names, which are fewer; undefined for none. */
function keyedFilter(value: object, path: string): RowsFilter | undefined {
  if (Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([, each]) => isObject(each) && !Array.isArray(each));
  const [first] = entries;
  const names = Object.keys(first?.[1] ?? {});
  const isRow = ([, row]: [string, object]) => names.some((name) => Object.hasOwn(row, name));
  const areRows = entries.length >= KEYED_MIN && names.length < entries.length && entries.every(isRow);
  if (areRows && Object.values(first[1]).some(isScalar)) {
    const isTime = !Number.isNaN(parseTime(first[0]));
    const rows = isTime ? "to_entries[] | {time: .key} + .value" : ".[] | objects";
    return { filter: joined(path, rows), areObjects: false };
  }
  if (path.split(".").length > KEYED_DEPTH) return undefined;
  for (const [name, each] of entries) {
    const found = keyedFilter(each, path + step(name));
    if (found) return found;
  }
  return undefined;
}

/** The rows of a whole file's value, by their ids or as they lie within it; undefined for none. */
export function fileFilter(value: object): RowsFilter | undefined {
  return keyedFilter(value, "") ?? rowsFilter(value);
}

/** The rows of a list of lists: of pairs of a time and a value, or of others. A list within one is a part of it. */
function listsFilter(path: string, [row, ...others]: readonly (readonly unknown[])[]): RowsFilter {
  const rows = 1 + others.length;
  const values = row.flat(Number.POSITIVE_INFINITY);
  const time = timeAt(values);
  const columns = values.map((_, at) => (at === time ? `time: .[${at}]` : `value${at}: .[${at}]`));
  const flat = values.length > row.length ? "flatten | " : "";
  return { filter: `${path}[] | ${flat}{${columns.join(", ")}}`, areObjects: false, rows };
}

/** True for several lists without objects. */
const areListRows = (rows: readonly unknown[]): boolean =>
  rows.length > 1 &&
  rows.every((row) => Array.isArray(row) && row.flat(Number.POSITIVE_INFINITY).every(isScalar));

/** The place of a number that is a time since 1970, or -1. */
const timeAt = (row: readonly unknown[]) =>
  row.findIndex((number) => typeof number === "number" && guessUnit(number) !== undefined);

/** The rows within a value: objects in a list, lists whose names stand once, or series of pairs; undefined for none. */
export function rowsFilter(value: object, path = ""): RowsFilter | undefined {
  if (Array.isArray(value)) {
    if (areListRows(value)) return listsFilter(path || ".", value as unknown[][]);
    const parts = value.filter(isObject);
    const found = parts.slice(0, PARTS_MAX).map((part) => rowsFilter(part, `${path}[]`));
    const within = mostRows(found);
    const areRows = value.length > 1 && parts.length === value.length;
    if (areRows && within?.areObjects !== false && !((within?.rows ?? 0) > value.length))
      return { filter: `${path}[]`, areObjects: true, rows: value.length };
    const alike = found.filter((each) => each?.filter === within?.filter);
    const rows = alike.reduce((sum, each) => sum + (each?.rows ?? 0), 0);
    // A part without the list isn't an error of jq's.
    const optional = within && alike.length < found.length ? `${within.filter}?` : within?.filter;
    return within && withSeries({ ...within, filter: optional ?? "", rows }, `${path}[]`, parts[0]);
  }
  return (
    namedSeries(value, path) ??
    mostRows(
      Object.entries(value).map(([name, each]) =>
        isObject(each) ? (listsIn(value, name, path) ?? rowsFilter(each, path + step(name))) : undefined,
      ),
    )
  );
}

/**
 * The rows of objects that each have lists of as many values, one of them of times, as time series databases export them: a series each; undefined for
 * others, and for lists that are shorter than there are objects, which may be a sample's.
 */
export function listedSeries(objects: readonly object[]): RowsFilter | undefined {
  const lists = Object.entries(objects[0] ?? {}).filter(
    ([, each]) => Array.isArray(each) && each.length > objects.length && each.every(isScalar),
  );
  const areTimes = ([, each]: [string, unknown[]]) =>
    each.every((value) => !Number.isNaN(parseTime(String(value))));
  const times = lists.find(areTimes);
  const values = lists.filter((each) => each !== times && each[1].length === times?.[1].length);
  if (!times || values.length === 0) return undefined;
  const called = NAMES.find((name) => Object.hasOwn(objects[0], name));
  const series = called ? `${seriesText(called)} as $series | ` : "";
  const columns = values.map(([name], at) => `${JSON.stringify(name)}: .[${at + 1}]`);
  const row = ["time: .[0]", ...(called ? ["series: $series"] : []), ...columns].join(", ");
  const names = [times, ...values].map(([name]) => step(name)).join(", ");
  return { filter: `${series}[${names}] | transpose[] | {${row}}`, areObjects: false };
}

/** The readings of series that an object has by their names, as ThingsBoard answers: a list of times and values each; undefined for others. */
function namedSeries(value: object, path: string): RowsFilter | undefined {
  const lists = Object.values(value).filter(
    (each): each is object[] => Array.isArray(each) && each.length > 0,
  );
  const names = lists.map((list) => (list.every(isObject) ? Object.keys(list[0]).sort().join() : ""));
  const arePairs = lists.length > 1 && new Set(names).size === 1 && names[0].split(",").length === 2;
  if (!arePairs) return undefined;
  const filter = "to_entries[] | .key as $series | .value[]? | {series: $series} + .";
  return { filter: joined(path, filter), areObjects: false, rows: lists.flat().length };
}

/** Parts of a list that show where its rows are. */
const PARTS_MAX = 64;

/** The first that has most rows. */
function mostRows(found: readonly (RowsFilter | undefined)[]): RowsFilter | undefined {
  const rows = found.reduce((most, each) => Math.max(most, each?.rows ?? 0), 0);
  return found.find((each) => each !== undefined && (each.rows ?? 0) === rows);
}

/** The rows in the parts of a list, with the name of their part where it has one. */
function withSeries(rows: RowsFilter, parts: string, part: object): RowsFilter {
  const name = NAMES.find((each) => isScalar((part as Record<string, unknown>)[each] ?? {}));
  if (!rows.areObjects || name === undefined) return rows;
  const filter = `${parts} | .${name} as $series | ${rows.filter.slice(parts.length)} | {series: $series} + .`;
  return { ...rows, filter, areObjects: false };
}

/** The rows of an object's list of lists. */
function listsIn(parent: object, name: string, path: string): RowsFilter | undefined {
  const lists = (parent as Record<string, unknown>)[name];
  const areLists = Array.isArray(lists) && lists.length > 1 && lists.every(Array.isArray);
  if (!areLists || !/^\w+$/.test(name)) return undefined;
  const names = Object.entries(parent).find(
    ([, each]) =>
      Array.isArray(each) &&
      each.length === lists[0].length &&
      each.every((text) => typeof text === "string"),
  );
  const rows = { areObjects: false, rows: lists.length };
  if (names) return { filter: joined(path, named(names[0], name)), ...rows };
  const time = timeAt(lists[0]);
  const called = NAMES.find((each) => Object.hasOwn(parent, each));
  if (time < 0 || lists[0].length !== 2 || called === undefined) return undefined;
  return { filter: joined(path, reading(called, name, time, Object.hasOwn(parent, "scope"))), ...rows };
}
