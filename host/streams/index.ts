import { existsSync } from "node:fs";
import { inBursts, readBurst, type SampleTable, type Sampling, storedInBursts } from "./bursts.ts";
import { type CsvOptions, readCsv, readForm } from "./csv.ts";
import { describedOptions, descriptionPath } from "./description.ts";
import { type Format, formatByExtension, formatByLine } from "./formats.ts";
import { chooseForm } from "./forms/form-rows.ts";
import type { TableFormat } from "./forms/options.ts";
import { readLibsvm } from "./libsvm.ts";
import { readNdjson } from "./ndjson.ts";
import { type OptionNames, PROGRAM_OPTIONS } from "./option-names.ts";
import { StreamError, UnskippableError } from "./stream-error.ts";
import { type DataSet, TableBuilder, type TableShape } from "./table.ts";
import { TextSource } from "./text.ts";

export { BAD_ROWS, type BadRowsReport, badRowsText } from "./bad-rows.ts";
export type { SampleTable } from "./bursts.ts";
export { ClassNames, distinctLabels } from "./class-names.ts";
export { type ColumnRoles, columnsText, type NamedColumns, namedColumns } from "./columns.ts";
export { FORMATS, type Format, formatByExtension } from "./formats.ts";
export { MISSING, type Missing, type MissingReport, type MissingTally } from "./missing.ts";
export type { OptionNames } from "./option-names.ts";
export type { Provenance } from "./provenance.ts";
export { byNode, labelledRows } from "./replay.ts";
export { StoredTable } from "./stored.ts";
export { StreamError } from "./stream-error.ts";
export type { DataSet } from "./table.ts";

/** How a data file is read. The CSV options beside `label: false` are refused for other formats. */
export interface TableOptions extends TableShape, CsvOptions, Sampling {
  /**
   * Default: by extension (.csv .tsv .libsvm .svm .svmlight .ndjson .jsonl, each also .gz), else by the first
   * line.
   */
  format?: Format | TableFormat;
  /** False to read the file as if it had no description. Default true. */
  described?: boolean;
}

const CSV_ONLY = [
  ...["header", "columns", "label", "separator", "decimal", "thousands"],
  ...["comment", "quote", "skipLines", "names", "rowNames", "missingWords", "time", "timeUnit"],
  ...[
    "units",
    "booleans",
    "dateOrder",
    "zone",
    "long",
    "pattern",
    "rows",
    "inOrder",
    "windows",
    "labels",
    "lists",
  ],
] as readonly (keyof CsvOptions)[];

/**
 * Reads a data file, gzipped or not, into memory.
 *
 * What its description says holds where the options don't say otherwise, see `Description`.
 * Numeric labels are kept; words become indices into `labelNames`. To read a test file with the training
 * file's classes, pass `knownLabels: train.labelNames ?? distinctLabels(train.labels)`.
 *
 * @param file its path.
 * @throws StreamError with one line `file:line: what; what would be right`, and `rowsRead`.
 */
export async function readTable(file: string, options: TableOptions = {}): Promise<DataSet> {
  const { data, burst, period } = await build(file, options, false, (table) => table.finish());
  data.periodMs = period;
  return burst ? inBursts(data, burst) : data;
}

/**
 * Reads a data file as `readTable` does, without provenance, for reading row by row. Beyond some megabytes
 * the rows lie in a temporary file.
 */
export async function readStored(file: string, options: TableOptions = {}): Promise<SampleTable> {
  const { data, burst } = await build(file, options, true, (table) => table.finishStored());
  return burst ? storedInBursts(data, burst) : data;
}

type Finish<T> = (table: TableBuilder) => T;

/** What `finish` makes of a file's rows, as options and description say; and how these become samples. */
async function build<T>(file: string, options: TableOptions, overflows: boolean, finish: Finish<T>) {
  const described = withDescription(file, options);
  const burst = readBurst(file, described);
  const { period } = described;
  const dimension = described.dimension && burst ? described.dimension / burst.burst : described.dimension;
  const text = new TextSource(file);
  try {
    const read = { ...described, dimension, part: burst?.rows };
    return { data: await readFrom(text, read, overflows, finish), burst, period };
  } finally {
    await text.close();
  }
}

/** The options that were given, and those of the file's description. */
function withDescription(file: string, options: TableOptions): TableOptions {
  if (options.described === false) return options;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const described = describedOptions(file);
  const { label } = options;
  const isOther = label !== undefined && label !== described?.label;
  const said = { ...(isOther ? withoutLabel(described, label) : described) };
  // Of a file whose rows a second alone are known, each row is a sample.
  if ((options.period ?? said.period) === undefined) delete said.rate;
  return { ...said, ...Object.fromEntries(given) };
}

/** A description for another label: it is no feature, and the described classes aren't its. */
function withoutLabel(
  { classes: _, columns, ...described }: TableOptions = {},
  label: TableOptions["label"],
): TableOptions {
  return { ...described, ...(columns && { columns: columns.filter((column) => column !== label) }) };
}

const IMPORTED = "; or let motelearn import find out how the file is written";

/** True if a user's file has no header and no description, and its first row is wrong: a line above the table may be the reason. */
function isUnknown(error: StreamError, { roles, rowsRead }: TableBuilder, options: TableOptions): boolean {
  const { optionNames, described, dimension } = options;
  const isUsers = optionNames !== undefined && described !== false && dimension === undefined;
  const isFirst = rowsRead === 0 && error.line !== undefined && roles?.header === false;
  return (
    isUsers && isFirst && !(error instanceof UnskippableError) && !existsSync(descriptionPath(error.file))
  );
}

async function readFrom<T>(
  text: TextSource,
  options: TableOptions,
  overflows: boolean,
  finish: Finish<T>,
): Promise<T> {
  const { file } = text;
  const format = options.format ?? formatByExtension(file) ?? formatByLine(await text.firstLine());
  const form = chooseForm(format, options);
  const csvOnly = CSV_ONLY.find((name) => options[name] !== undefined && options[name] !== false);
  if (format !== "csv" && !form && csvOnly) {
    const { optionNames = PROGRAM_OPTIONS } = options;
    const name = optionNames[csvOnly as keyof OptionNames] ?? csvOnly;
    throw new StreamError(file, undefined, `${name} was given for ${format}`, "it is for csv only");
  }
  const shape = { ...options, unlabelled: options.unlabelled || options.label === false };
  const table = new TableBuilder(file, shape, format === "libsvm", overflows);
  try {
    if (form) await readForm(text, table, form, options);
    else if (format === "csv") await readCsv(text, table, options);
    else if (format === "libsvm") await readLibsvm(text, table);
    else await readNdjson(text, table);
    return finish(table);
  } catch (error) {
    if (error instanceof StreamError) {
      error.rowsRead = table.rowsRead;
      if (isUnknown(error, table, options)) error.message += IMPORTED;
    }
    throw error;
  }
}
