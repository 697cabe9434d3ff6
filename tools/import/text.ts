import { countText } from "../../host/count-text.ts";
import { badRowsText } from "../../host/streams/bad-rows.ts";
import { columnsText } from "../../host/streams/columns.ts";
import { BLANKS } from "../../host/streams/csv-records.ts";
import type { Description } from "../../host/streams/description.ts";
import { FILE_CLASS } from "../../host/streams/forms/class-files.ts";
import { chooseForm } from "../../host/streams/forms/form-rows.ts";
import { excerpt, shownName } from "../../host/streams/stream-error.ts";
import type { DateOrder } from "../../host/streams/time-text.ts";
import { shellWord } from "../../host/terminal/command-line.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import type { ColumnFound, FileFound } from "./import-file.ts";
import type { TimesFound } from "./times.ts";

export function foundText(found: FileFound): string {
  const { file, rows, dimension, description, columns, time, badRows } = found;
  const { format } = description;
  const lines: [string, string][] = [
    ...(columns ? [...dialectLines(found), ...columnLines(found)] : []),
    ...rateLines(description),
    ...(time ? timeLines(time, rows) : []),
    ...labelLines(found),
    ...(badRows ? [["bad rows", badRowsText(badRows)] as [string, string]] : []),
  ];
  const title = `${file}: ${format}, ${countText(rows, "row")} of ${countText(dimension, "feature")}`;
  return `${title}\n${nameValueLines(lines)}`;
}

const SEPARATOR_NAMES: Readonly<Record<string, string>> = { "\t": "tab", [BLANKS]: "blanks" };

function dialectLines({ description }: FileFound): [string, string][] {
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

/** How a file becomes a table. */
function madeLines({ format, long, rows, windows, labels }: Description): [string, string][] {
  return [
    ...(format === "class-files"
      ? [
          ["files", "one after the other, by name; of each class its name or its folder's"] as [
            string,
            string,
          ],
        ]
      : []),
    ...(long ? [["series", `${long.series.join(" ")}, read in ${long.value}`] as [string, string]] : []),
    ...(long || rows || format === "influx-line" ? [["rows", ruleText(rows)] as [string, string]] : []),
    ...(windows ? [["windows", `${windows.length}, whose rows have label 1`] as [string, string]] : []),
    ...(labels ? [["own labels", ownLabelsText(labels)] as [string, string]] : []),
  ];
}

/** Of which rows the labels in a file of their own are. */
function ownLabelsText(labels: NonNullable<Description["labels"]>): string {
  const { file, time, last, holds, otherwise } = labels;
  if (time === undefined) return `${file}, one for each row in turn`;
  if (last === undefined)
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

function rateLines({ rate }: Description): [string, string][] {
  if (rate === undefined) return [];
  return [
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

/** What the user must know better: why columns are left out, and which is the label. */
function doubts({ columns = [], file, rows }: FileFound): [string, string][] {
  const label = columns.find(({ role }) => role === "label");
  const isTwice = columns.filter(({ name }) => name === label?.name).length > 1;
  const texts = columns.flatMap(({ name, text, couldBeLabel }) =>
    text === undefined || couldBeLabel ? [] : `${name}, as ${excerpt(text)}`,
  );
  const others = columns.filter(({ couldBeLabel }) => couldBeLabel).map(({ name }) => name);
  const found = [
    ...(isTwice ? [`several columns are called ${label?.name}`] : []),
    ...guessText(label, others, isLastUsed(label, columns)),
    ...columns.flatMap(({ name, badTimes }) => (badTimes ? [spoiltTimeText(file, name, badTimes)] : [])),
    ...spoiltTexts(columns),
    ...farTexts(columns),
    ...lateTexts(columns),
    ...tiedTexts(columns, rows),
    ...(texts.length > 0 ? [`texts are left out: ${listedText(texts)}; --label makes one the label`] : []),
  ];
  return found.map((text) => ["to be checked", text]);
}

function holdDoubt({ labels }: Description): [string, string][] {
  const { holds, since, rowTime } = labels ?? {};
  const once = 'if each is of the row at its time alone, "holds": false in the description says so';
  const doubts = [
    ...(holds ? [`each label holds until the next, the last one to the end; ${once}`] : []),
    ...(since !== undefined && (rowTime === undefined || since !== "0")
      ? [`the labels' zero is the time ${since} of the rows; --since TIME takes another`]
      : []),
  ];
  return doubts.map((text) => ["to be checked", text]);
}

/** Why counters, parts and second labels are left out, and which features are like the label. */
function tiedTexts(columns: readonly ColumnFound[], rows: number): string[] {
  const chosen = (isChosen: (column: ColumnFound) => boolean) =>
    columns.filter(isChosen).map(({ name }) => name);
  const about = (names: readonly string[], one: string, several: string) =>
    names.length === 0 ? [] : [`${listedText(names, ", ")} ${names.length === 1 ? one : several}`];
  return [
    ...about(
      chosen(({ role }) => role === "counter"),
      "is left out, as it rises from row to row like a counter or a clock",
      "are left out, as they rise from row to row like a counter or a clock",
    ),
    ...about(
      chosen(({ role }) => role === "part"),
      "is left out, as it numbers the parts of the recording",
      "are left out, as they number the parts of the recording",
    ),
    ...about(
      chosen(({ role }) => role === "id"),
      "is left out, as it names something, like an id; add it to the description's features if it is a reading",
      "are left out, as they name something, like ids; add those that are readings to the description's features",
    ),
    ...about(
      chosen(({ role }) => role === "date part"),
      "is left out, as a part of the date",
      "are left out, as parts of the date",
    ),
    ...rareTexts(columns, rows),
    ...about(
      chosen(({ rises }) => rises === true),
      "rises from row to row like a counter or a clock, but no other column is a reading",
      "rise from row to row like a counter or a clock, but no other column is a reading",
    ),
    ...about(
      chosen(({ role }) => role === "second label"),
      "is left out, as it goes with the label like a second one; add it to the description's features if it is a reading",
      "are left out, as they go with the label like a second one; add those that are readings to the description's features",
    ),
    ...about(
      chosen(({ isAlike }) => isAlike === true),
      "tells the label by itself: is it a reading? If it isn't, take it out of the description's features",
      "tell the label, each by itself: take those that are no readings out of the description's features",
    ),
  ];
}

/** Why columns that few rows have are left out. */
function rareTexts(columns: readonly ColumnFound[], rows: number): string[] {
  const rare = columns.flatMap(({ name, readings }) =>
    readings === undefined ? [] : `${name} is left out, as ${readings} of ${rows} rows have it`,
  );
  if (rare.length === 0) return [];
  return [
    `${listedText(rare)}; in the description, its name among the features and "missing": "hold" take it in`,
  ];
}

/** The label that no name says, and which other columns could be it. */
function guessText(label: ColumnFound | undefined, others: readonly string[], isLast: boolean): string[] {
  const guess = label?.guess;
  const why =
    guess === "last" && !isLast ? "as the last column of several values" : GUESSES[guess ?? "states"];
  const taken = label ? `${label.name} is the label, ${why}` : "no column is called label";
  if (others.length === 0)
    return guess && guess !== "name"
      ? [`${taken}; --label chooses another, "label": false in the description none`]
      : [];
  const listed = listedText(others, " or ");
  return [`${taken}; ${listed} could be it, too: --label ${shellWord(others[0])} chooses it`];
}

/** True if no feature stands behind the label. */
function isLastUsed(label: ColumnFound | undefined, columns: readonly ColumnFound[]): boolean {
  return columns.filter(({ role }) => role === "feature" || role === "label").at(-1) === label;
}

const GUESSES: Readonly<Record<NonNullable<ColumnFound["guess"]>, string>> = {
  name: "by its name",
  states: "by its states, though no name says so",
  first: "as the first column",
  part: "by a part of its name",
  last: "as the last column",
};

/** Numbers that stand far from the others of their column. */
function farTexts(columns: readonly ColumnFound[]): string[] {
  const far = columns.flatMap(({ role, name, far }) =>
    far && (role === "feature" || role === "label")
      ? [`${name} has ${far[0]} in ${countText(far[1], "row")}`]
      : [],
  );
  if (far.length === 0) return [];
  return [
    `${listedText(far)}, unlike its other readings; "missingWords" in the description takes it for a missing one, in all columns`,
  ];
}

/** Features before whose first reading there are no rows. */
function lateTexts(columns: readonly ColumnFound[]): string[] {
  const texts = columns.flatMap(({ name, late }) =>
    late === undefined ? [] : `${name} begins after ${(100 * late).toFixed(0)} % of the readings`,
  );
  if (texts.length === 0) return [];
  return [
    `${listedText(texts)}, and the rows with it; they begin earlier without it among the description's features`,
  ];
}

/** Why columns with a few words are left out. */
function spoiltTexts(columns: readonly ColumnFound[]): string[] {
  const spoilt = columns.flatMap(({ name, words }) =>
    words ? [`${name} is left out for ${countText(words[0], "word")} such as ${excerpt(words[1])}`] : [],
  );
  return spoilt.length > 0 ? [`${listedText(spoilt)}; --skip-bad-rows skips such rows`] : [];
}

function spoiltTimeText(file: string, name: string, bad: NonNullable<ColumnFound["badTimes"]>): string {
  const { cells, line, text } = bad;
  const why = `for ${countText(cells, "cell")} that ${cells === 1 ? "is" : "are"} no time, the first ${excerpt(text)} at ${file}:${line}`;
  return `${name} is left out ${why}; --skip-bad-rows skips such rows`;
}

/** Texts and classes that are listed one by one. */
const LISTED_MAX = 6;
const CLASSES_LISTED = 12;

/** The first of several texts, and how many more there are. */
function listedText(texts: readonly string[], between = "; ", most = LISTED_MAX): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

const FALLING =
  "the last row is the first in time: a node would learn backwards; --every SECONDS takes the rows in the order of their times";

/** So many steps back, by the rows, are more than restarts. */
const MIXED_SHARE = 0.1;
const UNORDERED =
  "the rows aren't in the order of their times, as a node would see them; --every SECONDS takes them so";

const FIRST_PARTS: Readonly<Record<DateOrder, string>> = { DMY: "day", MDY: "month", YMD: "year" };

function timeLines(
  { column, parts, unit, dateOrder, hasZone, first, last, ...steps }: TimesFound,
  rows: number,
): [string, string][] {
  const { periodSeconds, gaps, disorder, isFalling } = steps;
  const dates = `dates${dateOrder ? ` with the ${FIRST_PARTS[dateOrder]} first` : ""}`;
  const words: Readonly<Record<string, string>> = {
    days: "days since 1899-12-30, as spreadsheets count them,",
    digits: "dates in digits",
  };
  const numbers = unit && (words[unit] ?? unit);
  const written = numbers ?? dates;
  const kind = hasZone ? written : `${written} without a zone: taken in this machine's`;
  const rate = !periodSeconds ? "" : `, a row each ${periodSeconds} s`;
  const order = isFalling ? "falling" : disorder === 0 ? "in order" : `${countText(disorder, "step")} back`;
  return [
    ["time", `${parts ? Object.values(parts).join(" ") : column} (${kind})`],
    ["sampled", `${first} to ${last}${rate}; ${countText(gaps, "gap")}, ${order}`],
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

function labelLines({ description, classes, rows, unlabelled }: FileFound): [string, string][] {
  if (description.label === false)
    return [["labels", "none; --label chooses their column, --labels takes them from a file of their own"]];
  if (unlabelled === rows) return [["labels", "none"]];
  const share = `${((100 * unlabelled) / rows).toFixed(1)} % of the rows`;
  const listed = (classes ?? []).map(({ name, rows }) => `${shownName(name)} ${rows}`);
  return [
    ["labels", classes ? `classes ${listedText(listed, ", ", CLASSES_LISTED)}` : "numbers to be estimated"],
    ...(listed.length > 1 && description.label === FILE_CLASS ? [MIXED] : []),
    ...(listed.length === 1 ? [["to be checked", oneClassText(description)] as [string, string]] : []),
    ["without a label", unlabelled === 0 ? "none" : `${countText(unlabelled, "row")}, ${share}`],
  ];
}
