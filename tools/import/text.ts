import { countText } from "../../host/count-text.ts";
import { groupBy } from "../../host/group-by.ts";
import { badRowsText } from "../../host/streams/bad-rows.ts";
import { columnsText } from "../../host/streams/columns.ts";
import { BLANKS } from "../../host/streams/csv-records.ts";
import type { Description } from "../../host/streams/description.ts";
import { FILE_CLASS } from "../../host/streams/forms/class-files.ts";
import { chooseForm } from "../../host/streams/forms/form-rows.ts";
import { areSpans } from "../../host/streams/forms/label-file.ts";
import { plainNumber } from "../../host/streams/numbers.ts";
import { shownName } from "../../host/streams/stream-error.ts";
import type { DateOrder } from "../../host/streams/time-text.ts";
import { parseTruth } from "../../host/streams/truth.ts";
import { fileWord, shellWord } from "../../host/terminal/command-line.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import type { ColumnFound } from "./column-found.ts";
import { doubts, holdDoubt } from "./doubts.ts";
import type { FileFound } from "./import-file.ts";
import { step } from "./jq-rows.ts";
import { CLASSES_LISTED, listedText } from "./listed-text.ts";
import type { SourcesFound } from "./sources.ts";
import type { TimesFound } from "./times.ts";

export function foundText(found: FileFound): string {
  const { file, rows, dimension, description, columns, time, badRows } = found;
  const { format } = description;
  const lines: [string, string][] = [
    ...(columns ? [...dialectLines(found), ...columnLines(found)] : []),
    ...rateLines(found),
    ...(time ? timeLines(time, rows, found.sources) : []),
    ...sourceLines(found),
    ...labelLines(found),
    ...firstLines(found),
    ...windowsLines(found),
    ...(badRows ? [["bad rows", badRowsText(badRows)] as [string, string]] : []),
  ];
  const title = `${file}: ${format}, ${countText(rows, "row")} of ${countText(dimension, "feature")}`;
  return `${title}\n${nameValueLines(lines)}`;
}

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { "\t": "tab", [BLANKS]: "blanks" };

/** Where JSON's columns stand. */
function listLines(lists: FileFound["lists"]): [string, string][] {
  if (!lists) return [];
  const left = lists.others.length > 0 ? `; left out those of ${listedText(lists.others, ", ")}` : "";
  return [
    [
      "rows",
      `by the lists ${lists.path.length > 0 ? `of ${lists.path.join(".")}` : "in it"}, a column each${left}`,
    ],
  ];
}

function dialectLines({ description, lists }: FileFound): [string, string][] {
  const {
    separator,
    decimal = ".",
    thousands,
    comment,
    quote,
    header,
    names,
    rowNames,
    skipLines,
    missingWords,
  } = description;
  const isMade = chooseForm(String(description.format), description) !== undefined;
  return [
    ...listLines(lists),
    ...(isMade ? madeLines(description) : []),
    ...(separator ? [["separator", SEPARATOR_NAMES[separator] ?? separator] as [string, string]] : []),
    ...(separator ? [["decimal mark", decimal] as [string, string]] : []),
    ...(thousands
      ? [["thousands", `separated by ${thousands === " " ? "blanks" : thousands}`] as [string, string]]
      : []),
    ...(isMade ? [] : [headerLine({ header, rowNames, names })]),
    ...(skipLines ? [["lines before it", String(skipLines)] as [string, string]] : []),
    ...(quote ? [["quotes", quote] as [string, string]] : []),
    ...(comment ? [["comments", `lines that begin with ${comment}`] as [string, string]] : []),
    ...(missingWords ? [["missing words", missingWords.join(", ")] as [string, string]] : []),
  ];
}

function headerLine({
  header,
  rowNames,
  names,
}: Pick<Description, "header" | "rowNames" | "names">): [string, string] {
  if (names) return ["header", "no; the description names the columns"];
  return ["header", header ? (rowNames ? "yes, without a column for the rows' names" : "yes") : "no"];
}

function windowsLines({ isWindows, file }: FileFound): [string, string][] {
  const how = `iconv -f ENCODING -t UTF-8 ${fileWord(file)} > NEW makes UTF-8 of another encoding`;
  return isWindows ? [["to be checked", `the text isn't UTF-8, and is read as Windows-1252; ${how}`]] : [];
}

/** Features of the first row that are listed. */
const FIRST_LISTED = 8;

/** The first row as it is read: at a glance a wrong reading shows. */
function firstLines({ first, columns = [], description, time }: FileFound): [string, string][] {
  if (!first) return [];
  const names = columns.flatMap(({ role, name }) => (role === "feature" ? [shownName(name)] : []));
  const readings = first.features.map((value, at) => `${names[at] ?? `x${at + 1}`} ${value ?? "missing"}`);
  const label =
    description.label === false
      ? []
      : [`label ${first.label === undefined ? "none" : shownName(String(first.label))}`];
  const parts = [...(time ? [time.first] : []), listedText(readings, ", ", FIRST_LISTED), ...label];
  return [["first row", parts.join("; ")]];
}

/** How a file becomes a table. */
function madeLines({ format, header, long, rows, windows, labels }: Description): [string, string][] {
  const shown = (column: string) => (format === "csv" && header === false ? `column ${column}` : column);
  return [
    ...(format === "class-files"
      ? [
          ["files", "one after the other, by name; of each class its name or its folder's"] as [
            string,
            string,
          ],
        ]
      : []),
    ...(long
      ? [["series", `${long.series.map(shown).join(" ")}, read in ${shown(long.value)}`] as [string, string]]
      : []),
    ...(long || rows || format === "influx-line" ? [["rows", ruleText(rows)] as [string, string]] : []),
    ...(windows ? [["windows", `${windows.length}, whose rows have label 1`] as [string, string]] : []),
    ...(labels ? [["own labels", ownLabelsText(labels)] as [string, string]] : []),
  ];
}

/** Of which rows the labels in a file of their own are. */
function ownLabelsText(labels: NonNullable<Description["labels"]>): string {
  const { file, time, holds, otherwise } = labels;
  if (time === undefined) return `${file}, one for each row in turn`;
  if (!areSpans(labels))
    return `${file}, ${holds ? "each of the rows until the next label" : "each of the row at its time"}${clockText(labels)}`;
  return `${file}, each of the rows in a span of time${clockText(labels)}; others ${otherwise ? `are ${otherwise}` : "have none"}`;
}

/** From which time the labels count. */
function clockText({ since, rowTime, rowUnit, timeUnit = "s" }: NonNullable<Description["labels"]>): string {
  if (since === undefined) return "";
  return `, in ${timeUnit} from ${since}${rowTime === undefined ? "" : ` ${rowUnit} of ${rowTime}`} on`;
}

function ruleText(rows: Description["rows"]): string {
  if (!rows) return "the readings of each time";
  return `the last known readings ${"every" in rows ? `each ${rows.every} s` : `at each of ${rows.at}`}`;
}

/** How many rows of each feature lack it, and what becomes of them where that is described. */
function missingText(
  missing: readonly string[],
  { description: { missing: how }, skipped = 0 }: FileFound,
): string {
  if (missing.length === 0) return "none";
  const first = skipped > 0 ? `, after ${countText(skipped, "skipped row")}` : "";
  const becomes = {
    skip: "; rows that lack one are left out",
    hold: `; no row has all: each repeats its last one${first}`,
  };
  return `${listedText(missing, ", ")}${becomes[how as keyof typeof becomes] ?? ""}`;
}

function rateLines({ description: { rate, period }, time, saidRate }: FileFound): [string, string][] {
  const other: [string, string][] =
    saidRate === undefined
      ? []
      : [["to be checked", `its head says ${saidRate} rows a second, its times say others, which are taken`]];
  if (period !== undefined && !time)
    return [["sampled", `a row each ${plainNumber(period / 1000)} s`], ...other];
  if (rate === undefined) return other;
  return [
    ...other,
    ["rate", `${rate} rows a second; --period MS makes one sample of the rows of so many milliseconds`],
  ];
}

function columnLines(found: FileFound): [string, string][] {
  const { columns = [], description } = found;
  const columnNames = (role: string) =>
    columns.filter((column) => column.role === role).map(({ name }) => name);
  const leftOut = columns.flatMap(({ role, name }) => (role === "feature" || role === "label" ? [] : name));
  const [label = null] = columnNames("label");
  const units = columns.flatMap(({ name, unit }) => (unit ? [`${name}: ${unit}`] : []));
  const missing = columns
    .filter(({ role, missing }) => role === "feature" && missing > 0)
    .map(({ name, missing }) => `${name} ${missing}`);
  return [
    ["columns", columnsText({ features: columnNames("feature"), label, leftOut })],
    ...doubts(found),
    ...holdDoubt(description),
    ...(units.length > 0 ? [["units", listedText(units, ", ")] as [string, string]] : []),
    ...formLines(columns, description),
    ["missing readings", missingText(missing, found)],
  ];
}

/** Which cells are read as numbers that hold more, or words. */
function formLines(
  columns: readonly ColumnFound[],
  { units = {}, lists = {} }: Description,
): [string, string][] {
  const inLists = Object.entries(lists).map(
    ([name, count]) => `${shownName(name)}: lists of ${count} numbers, a column each`,
  );
  const inUnits = Object.entries(units).map(([name, unit]) => `${name}: numbers in ${unit}`);
  const switches = columns.flatMap(({ name, truths = [] }) =>
    truths.length > 0 ? `${name}: ${truths.map(([word, number]) => `${word} is ${number}`).join(", ")}` : [],
  );
  const forms = [...inLists, ...inUnits, ...switches];
  return forms.length > 0 ? [["cells", listedText(forms)]] : [];
}

const FALLING =
  "the last row is the first in time: a node would learn backwards; --every SECONDS takes the rows in the order of their times";

/** So many steps back, by the rows, are more than restarts. */
const MIXED_SHARE = 0.1;
/** So many have no step of their own. */
const SHUFFLED_SHARE = 1 / 3;
const UNORDERED =
  "the rows aren't in the order of their times, as a node would see them; --every SECONDS takes them so";

const FIRST_PARTS: Readonly<Record<DateOrder, string>> = { DMY: "day", MDY: "month", YMD: "year" };

/** The command that takes the rows of one device; undefined for a file that has no row on lines of its own. */
function takeOne({ column, place, example }: SourcesFound, { description }: FileFound): string | undefined {
  const { format, separator = ",", skipLines = 0, header } = description;
  if (format === "ndjson-fields" || format === "json-fields") {
    const value = column.split(".").map((name) => `${step(name)}?`);
    return `jq -c ${shellWord(`.. | objects | select(${value.join("")} | tostring == ${JSON.stringify(example)})`)}`;
  }
  if (format !== "csv") return undefined;
  const lines = skipLines + (header ? 1 : 0);
  const head = lines > 0 ? `NR <= ${lines} || ` : "";
  const shown = separator === BLANKS ? "" : `-F ${shellWord(separator)} `;
  return `awk ${shown}${shellWord(`${head}$${place + 1} ~ /^"?${example.replace(/[^\w ]/g, ".")}"?$/`)}`;
}

/** How many devices the file has, and how to take one. */
function sourceLines(found: FileFound): [string, string][] {
  const { sources, file } = found;
  if (!sources) return [];
  const { count, column } = sources;
  const command = takeOne(sources, found);
  const how = command ? `${command} ${fileWord(file)} > NEW takes those of one` : "a file of each is needed";
  return [
    [
      "to be checked",
      `the rows are of ${count} sources, which ${column} tells apart; a node reads one: ${how}`,
    ],
  ];
}

function timeLines(
  { column, parts, unit, dateOrder, zone, hasZone, first, last, ...steps }: TimesFound,
  rows: number,
  sources: SourcesFound | undefined,
): [string, string][] {
  const { periodSeconds, gaps, disorder, isFalling, standsStill } = steps;
  const dates = `dates${dateOrder ? ` with the ${FIRST_PARTS[dateOrder]} first` : ""}`;
  const words: Readonly<Record<string, string>> = {
    days: "days since 1899-12-30, as spreadsheets count them,",
    digits: "dates in digits",
  };
  const numbers = unit && (words[unit] ?? unit);
  const written = numbers ?? dates;
  const zoned = zone
    ? `, in ${zone === "Z" ? "UTC" : zone} by the column's name`
    : " without a zone: taken in this machine's";
  const kind = hasZone ? written : `${written}${zoned}`;
  const isShuffled = !isFalling && disorder > SHUFFLED_SHARE * rows;
  const rate =
    !periodSeconds || standsStill || isShuffled
      ? ""
      : `, a row ${sources ? `of each ${sources.column} ` : ""}each ${periodSeconds} s`;
  const order = isFalling ? "falling" : disorder === 0 ? "in order" : `${countText(disorder, "step")} back`;
  return [
    ["time", `${parts ? Object.values(parts).join(" ") : column} (${kind})`],
    ["sampled", `${first} to ${last}${rate}; ${isShuffled ? "" : `${countText(gaps, "gap")}, `}${order}`],
    ...(isFalling ? [["to be checked", FALLING] as [string, string]] : []),
    ...(!isFalling && disorder > MIXED_SHARE * rows
      ? [["to be checked", UNORDERED] as [string, string]]
      : []),
  ];
}

const MIXED: [string, string] = [
  "to be checked",
  "each class stays to the end of its files: --shuffle SEED mixes the samples of all",
];

function oneClassText({ format }: Description): string {
  if (format === "edge-impulse") return "a file has one label: import the folder of all files";
  return "all labels are of one class: a classifier needs two";
}

function eitherText(classes: FileFound["classes"]): string {
  return classes
    ? "the labels are whole numbers, taken for classes; choose --task regression estimates them"
    : "the labels are whole numbers, to be estimated; --classes, or the description's classes, names them as classes";
}

/** Says that no row has a label of their file. */
function unmetText({ labels }: Description): [string, string][] {
  const right = "its times, or --since: the row's time from which they count, are wrong";
  return labels ? [["to be checked", `no row has a label of ${labels.file}: ${right}`]] : [];
}

/** Names classes that may be one: their names differ in case alone, or mean the same truth, as "yes" and "1" do. */
function alikeTexts(names: readonly string[]): [string, string][] {
  const plain = (name: string) => names.find((other) => other === parseTruth(name)) ?? name.toLowerCase();
  const alike = [...groupBy(names, plain).values()].filter(({ length }) => length > 1);
  const shown = listedText(alike.map((group) => group.map(shownName).join(" and ")));
  return alike.length > 0
    ? [["to be checked", `${shown} may be one class: one spelling of each is needed`]]
    : [];
}

function labelLines({ description, classes, rows, unlabelled, mayBeEither }: FileFound): [string, string][] {
  if (description.label === false)
    return [["labels", "none; --label chooses their column, --labels takes them from a file of their own"]];
  if (unlabelled === rows) return [["labels", "none"], ...unmetText(description)];
  const share = `${((100 * unlabelled) / rows).toFixed(1)} % of the rows`;
  const listed = (classes ?? []).map(({ name, rows }) => `${shownName(name)} ${rows}`);
  return [
    ["labels", classes ? `classes ${listedText(listed, ", ", CLASSES_LISTED)}` : "numbers to be estimated"],
    ...(listed.length > 1 && description.label === FILE_CLASS ? [MIXED] : []),
    ...(mayBeEither ? [["to be checked", eitherText(classes)] as [string, string]] : []),
    ...(listed.length === 1 ? [["to be checked", oneClassText(description)] as [string, string]] : []),
    ...alikeTexts((classes ?? []).map(({ name }) => name)),
    ["without a label", unlabelled === 0 ? "none" : `${countText(unlabelled, "row")}, ${share}`],
  ];
}
