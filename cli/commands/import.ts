import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Command, Option } from "commander";
import { UserError } from "../../host/errors.ts";
import { writeLines, writeWhole } from "../../host/files/table-file.ts";
import { FILE_CLASS, nameClass } from "../../host/streams/forms/class-files.ts";
import { TABLE_FORMATS, type TableFormat } from "../../host/streams/forms/options.ts";
import { isPattern, PATTERN_NEEDED } from "../../host/streams/forms/pattern-rows.ts";
import { FORMATS, type Format } from "../../host/streams/index.ts";
import { StreamError, UnskippableError } from "../../host/streams/stream-error.ts";
import { DATE_ORDERS, type DateOrder } from "../../host/streams/time-text.ts";
import { positiveNumber } from "../../host/terminal/arguments.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { type FileFound, lookAt } from "../../tools/import/import-file.ts";
import { findOwnLabels } from "../../tools/import/own-labels.ts";
import { foundText } from "../../tools/import/text.ts";

interface ImportFlags {
  readonly format?: Format | TableFormat;
  readonly pattern?: string;
  readonly label?: string;
  readonly every?: number;
  readonly labels?: string;
  readonly since?: string;
  readonly skipBadRows?: boolean;
  readonly dateOrder?: DateOrder;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes a description; returns false where one is kept. */
function write({ path, description }: FileFound, force: boolean): boolean {
  if (!force && existsSync(path)) return false;
  writeWhole(path, "", (part) => writeLines(part, [JSON.stringify(description, null, 2)]));
  return true;
}

/** Looks at a file as the flags say. A row that is refused could be skipped. */
async function lookWith(
  file: string,
  { format, pattern, label, every, labels, since, skipBadRows, dateOrder }: ImportFlags,
): Promise<FileFound> {
  try {
    const own =
      labels === undefined ? { label } : await findOwnLabels(labels, file, { label, dateOrder, since });
    return await lookAt(file, {
      ...{ format, pattern, dateOrder, badRows: skipBadRows ? "skip" : "refuse", ...own },
      ...(every !== undefined && { rows: { every } }),
    });
  } catch (error) {
    const isOfRow = error instanceof StreamError && !(error instanceof UnskippableError);
    if (!isOfRow || skipBadRows || error.line === undefined) throw error;
    throw new UserError(`${error.inOneLine}; or skip such rows by --skip-bad-rows`);
  }
}

async function run(files: readonly string[], flags: ImportFlags): Promise<void> {
  const { force = false, json, labels, since } = flags;
  if (since !== undefined && labels === undefined)
    throw new UserError("--since is the rows' time from which labels count: --labels FILE is needed, too");
  const found: FileFound[] = [];
  for (const file of files) found.push(await lookWith(file, flags));
  const done = found.map((each) => ({ ...each, written: write(each, force) }));
  if (json) printJson({ schema: "motelearn.import/1", files: done });
  else
    printText(
      [
        ...done.map((each) => [foundText(each), pathLine(each), ...nextLines(each)].join("\n")),
        ...joinedText(found),
      ].join("\n\n"),
    );
}

function pathLine({ path, written }: { path: string; written: boolean }): string {
  return written ? `written: ${path}` : `kept: ${path} is there already; --force writes it anew`;
}

/** The command that joins files without a label, whose names or folders say several classes. */
function joinedText(found: readonly FileFound[]): string[] {
  const isPlain = ({ description, columns = [] }: FileFound) =>
    description.format === "csv" && columns.every(({ role, guess }) => role !== "label" || guess === "last");
  const folders = [...new Set(found.map(({ file }) => dirname(file)))];
  const parents = new Set(folders.map((folder) => dirname(folder)));
  const names =
    folders.length > 1 ? folders.map((folder) => basename(folder)) : found.map(({ file }) => nameClass(file));
  const classes = [...new Set(names)];
  if (!found.every(isPlain) || classes.length < 2 || (folders.length > 1 && parents.size > 1)) return [];
  const folder = folders.length > 1 ? dirname(folders[0]) : folders[0];
  return [
    `if these are classes: ${classes.join(", ")}, join the files of each: ${commandText("import", [], folder)}`,
  ];
}

/** The command to go on with, where the file has labels. */
function nextLines(found: FileFound): string[] {
  const { file, rows, unlabelled, description } = found;
  const period = description.rate === undefined ? undefined : periodFor(description.rate);
  const flags: [string, string | undefined][] = [
    ["--train", file],
    ["--period", period?.toString()],
    ["--shuffle", description.label === FILE_CLASS ? "1" : undefined],
    ["--missing", missingFor(found)],
  ];
  return unlabelled < rows ? [`next: ${commandText("choose", flags)}`] : [];
}

/** So many rows may be left out for what they lack. */
const SKIPPED_SHARE = 0.1;

/** What to do with rows that lack a reading, to begin with; undefined where none does, or the description says it. */
function missingFor({ rows, columns = [], description }: FileFound): string | undefined {
  const most = Math.max(0, ...columns.map(({ role, missing }) => (role === "feature" ? missing : 0)));
  if (most === 0 || description.missing !== undefined) return undefined;
  return most <= SKIPPED_SHARE * rows ? "skip" : "hold";
}

/** Milliseconds between two decisions of a node, to begin with. */
const PERIODS = [100, 200, 500, 1000, 2000] as const;
/** Rows of a signal from which spectra can be made. */
const SPECTRUM_ROWS = 256;

/** The first of the periods that has enough rows for spectra, else the longest one; each has a whole number of rows. */
function periodFor(rate: number): number | undefined {
  const whole = PERIODS.filter((period) => Number.isInteger((period * rate) / 1000));
  return whole.find((period) => period * rate >= 1000 * SPECTRUM_ROWS) ?? whole[whole.length - 1];
}

function patternArgument(text: string): string {
  if (isPattern(text)) return text;
  throw new UserError(`--pattern: got ${text}; takes ${PATTERN_NEEDED}`);
}

export function addImport(program: Command): void {
  program
    .command("import")
    .description(
      "look at data files, and write FILE.data.json beside each: how every command reads it, to be edited where it is wrong",
    )
    .argument(
      "<file...>",
      "CSV, ARFF, NDJSON, a JSON list, LIBSVM, InfluxDB's line protocol or annotated CSV, Home Assistant's history, gzipped or not; a file or a folder of Edge Impulse's; a folder of tables by class",
    )
    .addOption(
      new Option("--format <format>", "format of the files (default: by content, else by name)").choices([
        ...FORMATS,
        ...TABLE_FORMATS,
      ]),
    )
    .option(
      "--pattern <regex>",
      "of lines that are no table: where their fields are, and their names, such as '^\\[(?<time>[^\\]]+)\\] temp=(?<temp>\\S+)'",
      patternArgument,
    )
    .option("--label <column>", "column of the labels (default: as the files show)")
    .option(
      "--every <seconds>",
      "a row each so many seconds, of the last known readings (default: as the files have them)",
      positiveNumber,
    )
    .option(
      "--labels <file>",
      "labels in a file of their own: a table of one for each row, of times or of spans of time; or NAB's JSON",
    )
    .option(
      "--since <time>",
      "with --labels whose times count from 0: the row's time at that 0, or start, the first row's (default: 0 of the rows' clock, else the first row's time)",
    )
    .addOption(
      new Option(
        "--date-order <order>",
        "of dates such as 3/1/2026: the day first, or the month (default: as the dates show)",
      ).choices(DATE_ORDERS),
    )
    .option("--skip-bad-rows", "have every command skip rows that can't be read, and count them")
    .option("--force", "write a description anew that is there already")
    .option("--json", "print motelearn.import/1")
    .action(run);
}
