import { existsSync } from "node:fs";
import { readBounded } from "../bounded-file.ts";
import { UserError } from "../errors.ts";
import { isJsonObject, parseFiniteJson } from "../json.ts";
import { suggestion } from "../suggestions.ts";
import { BAD_ROWS, type BadRowsHow } from "./bad-rows.ts";
import type { Sampling } from "./bursts.ts";
import { type CsvOptions, SEPARATORS } from "./csv.ts";
import { QUOTES } from "./csv-records.ts";
import { FORMATS, type Format } from "./formats.ts";
import type { LabelFile } from "./forms/label-file.ts";
import { TABLE_FORMATS, type TableFormat } from "./forms/options.ts";
import { isPattern, PATTERN_NEEDED } from "./forms/pattern-rows.ts";
import { MISSING, type Missing } from "./missing.ts";
import { THOUSANDS } from "./notation.ts";
import { areTimeParts, TIME_COLUMNS_NEEDED } from "./time-columns.ts";
import { CLOCK_UNITS, DATE_ORDERS, parseTime, TIME_UNITS } from "./time-text.ts";
import { ZONE_FORM } from "./zones.ts";

export const DESCRIPTION_SCHEMA = "motelearn.data/1";

/** Options for reading a file that its description can hold. */
export interface DescribedOptions
  extends Omit<CsvOptions, "part" | "provenance" | "like" | "optionNames">,
    Sampling {
  format?: Format | TableFormat;
  badRows?: BadRowsHow;
  missing?: Missing;
}

/** The contents of FILE.data.json: how FILE is read. Each key but the schema may be absent. */
export interface Description extends Omit<DescribedOptions, "columns"> {
  readonly schema: typeof DESCRIPTION_SCHEMA;
  readonly features?: readonly (string | number)[];
}

/** Where the description of a file, or of a folder, lies. */
export function descriptionPath(file: string): string {
  return `${file.replace(/\/+$/, "")}.data.json`;
}

/** A key's right values, in a test and in words. */
type Rule = readonly [isRight: (value: unknown) => boolean, takes: string];

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isBoolean = (value: unknown) => typeof value === "boolean";
const isPositive = (value: unknown) => typeof value === "number" && value > 0;
/** The most numbers of a list in a cell. */
const LIST_MAX = 65536;
const isCount = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LIST_MAX;
const isColumn = (value: unknown) => isText(value) || (Number.isInteger(value) && (value as number) >= 1);
const isList = (isRight: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isRight);
const oneOfRule = (values: readonly string[]): Rule => [
  (value) => values.includes(value as string),
  `one of ${values.map((value) => JSON.stringify(value)).join(" ")}`,
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
/** Two times, the first before the second. */
const isWindow = (value: unknown) =>
  isList(isText)(value) &&
  (value as string[]).length === 2 &&
  parseTime((value as string[])[0]) <= parseTime((value as string[])[1]);

const LABELS_NEEDED =
  '{"file": its path, "label": a column}, with the column of the "time", or of a first "time" and the "last", where it has times';
const COLUMN = "a column's name, or its number from 1";
const TRUTH: Rule = [isBoolean, "true or false"];

/** How lines are written, of a data file and of one of labels. */
const LINES: { readonly [Key in "skipLines" | "separator" | "quote" | "comment"]: Rule } = {
  skipLines: [
    (value) => Number.isInteger(value) && (value as number) >= 0,
    "a whole number of lines, 0 or more",
  ],
  separator: oneOfRule(SEPARATORS),
  quote: oneOfRule(QUOTES),
  comment: [isText, "the text that begins a comment's line"],
};
const TIMES: { readonly [Key in "time" | "timeUnit" | "dateOrder" | "zone"]: Rule } = {
  time: [
    (value) =>
      isColumn(value) || (isObject(value) && areTimeParts(value) && Object.values(value).every(isColumn)),
    TIME_COLUMNS_NEEDED,
  ],
  timeUnit: oneOfRule(TIME_UNITS),
  dateOrder: oneOfRule(DATE_ORDERS),
  zone: [(value) => typeof value === "string" && ZONE_FORM.test(value), '"Z", or an offset such as "+02:00"'],
};
const LABEL_RULES: { readonly [Key in keyof Required<LabelFile>]: Rule } = {
  file: [isText, "a path from the folder of the data file"],
  ...LINES,
  header: TRUTH,
  ...TIMES,
  timeUnit: oneOfRule([...new Set([...TIME_UNITS, ...CLOCK_UNITS])]),
  label: [isColumn, COLUMN],
  last: [isColumn, COLUMN],
  lasts: [isColumn, COLUMN],
  lastsUnit: oneOfRule(CLOCK_UNITS),
  holds: TRUTH,
  otherwise: [isText, "a class"],
  since: [isText, "a time of the rows"],
  rowTime: [isColumn, COLUMN],
  rowUnit: oneOfRule(CLOCK_UNITS),
};
const isLabelFile = (value: unknown) =>
  isObject(value) &&
  isText(value.file) &&
  Object.entries(value).every(
    ([key, each]) => Object.hasOwn(LABEL_RULES, key) && LABEL_RULES[key as keyof LabelFile][0](each),
  );

const RULES: { readonly [Key in keyof Required<Description>]: Rule } = {
  schema: oneOfRule([DESCRIPTION_SCHEMA]),
  format: oneOfRule([...FORMATS, ...TABLE_FORMATS]),
  ...LINES,
  decimal: oneOfRule([".", ","]),
  thousands: oneOfRule(THOUSANDS),
  header: TRUTH,
  names: [isList(isText), "a list of the columns' names"],
  rowNames: TRUTH,
  lists: [
    (value) => isObject(value) && !Array.isArray(value) && Object.values(value).every(isCount),
    `how many numbers each cell of a column has, at most ${LIST_MAX}, such as {"data": 128}`,
  ],
  long: [
    (value) => isObject(value) && isText(value.time) && isList(isText)(value.series) && isText(value.value),
    'columns, such as {"time": "last_changed", "series": ["entity_id"], "value": "state"}',
  ],
  pattern: [(value) => typeof value === "string" && isPattern(value), PATTERN_NEEDED],
  rows: [
    (value) => isObject(value) && ((value.every as number) > 0 || isText(value.at)),
    '{"every": seconds} or {"at": a column\'s name}',
  ],
  inOrder: TRUTH,
  windows: [isList(isWindow), "a list of [first, last], times in ISO 8601"],
  labels: [isLabelFile, LABELS_NEEDED],
  badRows: oneOfRule(BAD_ROWS),
  missing: oneOfRule(MISSING),
  missingWords: [isList((value) => typeof value === "string"), 'texts, such as ["-200", "unknown"]'],
  ...TIMES,
  rate: [isPositive, "rows a second, a number > 0"],
  period: [isPositive, "milliseconds between two samples, a number > 0"],
  burst: [
    (value) => Number.isInteger(value) && (value as number) >= 1,
    "readings of each sensor in a sample, a whole number, 1 or more",
  ],
  units: [
    (value) => isObject(value) && !Array.isArray(value) && Object.values(value).every(isText),
    'the unit in each cell of a column, such as {"temp": "°C"}',
  ],
  booleans: [isList(isColumn), "a list of columns' names, or their numbers from 1"],
  features: [isList(isColumn), "a list of columns' names, or their numbers from 1"],
  label: [(value) => value === false || isColumn(value), `${COLUMN}; false for none`],
  classes: [
    (value) =>
      isList(isText)(value) &&
      (value as string[]).length > 1 &&
      new Set(value as string[]).size === (value as string[]).length,
    "two or more distinct names",
  ],
};

/** The options in the description beside a file; none without one. Throws a UserError of one line for a wrong one. */
export function describedOptions(file: string): DescribedOptions {
  const path = descriptionPath(file);
  return existsSync(path) ? toOptions(readDescription(path)) : {};
}

/** A description as options for reading. */
export function toOptions({ schema: _, features, ...options }: Description): DescribedOptions {
  return features ? { ...options, columns: features } : options;
}

function readDescription(path: string): Description {
  const value = readJson(path);
  const fault = findFault(value);
  if (fault === undefined) return value as Description;
  throw new UserError(`${path}: ${fault}`);
}

function readJson(path: string): unknown {
  try {
    return parseFiniteJson(readBounded(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === undefined ? message : `can't be read (${code})`;
    throw new UserError(`${path}: ${why}; correct it, or write it anew by motelearn import --force`);
  }
}

function findFault(value: unknown): string | undefined {
  if (!isJsonObject(value)) return "takes one JSON object";
  const entries = Object.entries({ schema: undefined, ...value });
  for (const [key, each] of entries) {
    if (!Object.hasOwn(RULES, key)) return `no key ${key}${suggestion(key, Object.keys(RULES))}`;
    const [isRight, takes] = RULES[key as keyof Description];
    if (!isRight(each)) return `${key}: got ${quoteValue(each)}; takes ${takes}`;
  }
  return undefined;
}

const SHOWN_MAX = 60;

function quoteValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text;
}
