import { countText } from "../../host/count-text.ts";
import type { Description } from "../../host/streams/description.ts";
import { excerpt } from "../../host/streams/stream-error.ts";
import { shellWord } from "../../host/terminal/command-line.ts";
import type { ColumnFound } from "./column-found.ts";
import type { FileFound } from "./import-file.ts";
import { listedText } from "./listed-text.ts";
import { isAsDate, type Role } from "./roles.ts";

/** What the user must know better: why columns are left out, and which is the label. */
export function doubts(found: FileFound): [string, string][] {
  const { columns = [], file, rows, mixed = [], unread = [], spareNames = [] } = found;
  const label = columns.find(({ role }) => role === "label");
  const isTwice = columns.filter(({ name }) => name === label?.name).length > 1;
  const texts = columns.flatMap(({ name, text, couldBeLabel }) =>
    text === undefined || couldBeLabel ? [] : `${name}, as ${excerpt(text)}`,
  );
  const others = columns.filter(({ couldBeLabel }) => couldBeLabel).map(({ name }) => name);
  const all = [
    ...(isTwice ? [`several columns are called ${label?.name}`] : []),
    ...guessText(label, others, isLastUsed(label, columns)),
    ...columns.flatMap(({ badTimes }) => (badTimes ? [spoiltTimeText(file, badTimes)] : [])),
    ...timelessTexts(columns),
    ...mixedTexts(mixed),
    ...unitTexts(columns),
    ...dateTexts(columns),
    ...unreadTexts(unread),
    ...spareTexts(spareNames),
    ...(rows === 1 && columns.length > WIDE
      ? ["the file has one row: each sample needs a line of its own"]
      : []),
    ...clockTexts(found),
    ...spoiltTexts(columns),
    ...farTexts(columns),
    ...columns.flatMap(takenTexts),
    ...lateTexts(columns),
    ...tiedTexts(columns, rows),
    ...(texts.length > 0 ? [`texts are left out: ${listedText(texts)}; --label makes one the label`] : []),
  ];
  return all.map((text) => ["to be checked", text]);
}

export function holdDoubt({ labels }: Description): [string, string][] {
  const { holds, since, rowTime, lasts, lastsUnit } = labels ?? {};
  const once = 'if each is of the row at its time alone, "holds": false in the description says so';
  const doubts = [
    ...(holds ? [`each label holds until the next, the last one to the end; ${once}`] : []),
    ...(lasts !== undefined && lastsUnit === undefined && since === undefined
      ? [
          `${lasts} is taken in seconds, as no unit is named; "lastsUnit" in the labels' description says another`,
        ]
      : []),
    ...(since !== undefined && (rowTime === undefined || since !== "0")
      ? [`the labels' zero is the time ${since} of the rows; --since TIME takes another`]
      : []),
  ];
  return doubts.map((text) => ["to be checked", text]);
}

/** Fields of a lone row that are more than a sample's. */
const WIDE = 256;

/** Why columns of a role are left out: of one, and of several. */
const REASONS: Readonly<Partial<Record<Role, readonly [one: string, several: string]>>> = {
  counter: [
    "as it rises from row to row like a counter or a clock",
    "as they rise from row to row like a counter or a clock",
  ],
  part: ["as it numbers the parts of the recording", "as they number the parts of the recording"],
  id: [
    "as it names something, like an id; add it to the description's features if it is a reading",
    "as they name something, like ids; add those that are readings to the description's features",
  ],
  "date part": ["as a part of the date", "as parts of the date"],
  "other time": ["as a time beside the rows'", "as times beside the rows'"],
  "time of day": ["as a time of the day without its date", "as times of the day without their date"],
  "unread time": [
    "as its name says a time, but its numbers are none that import reads",
    "as their names say a time, but their numbers are none that import reads",
  ],
  "no reading": [
    "as it is no reading by its name; add it to the description's features if it is one",
    "as they are no readings by their names; add those that are to the description's features",
  ],
  bytes: [
    "as bytes in hexadecimal, which must be decoded into a column for each reading",
    "as bytes in hexadecimal, which must be decoded into a column for each reading",
  ],
};

const NAMING =
  "has a large whole number of its own in each row: if it names the rows, take it out of the description's features";
const APART = "out of the description's features, and make a file of each series";

/** Rows that show that a feature never changes. */
const MANY = 20;

/** True of a feature that never changes, where it is there. */
const isSame = ({ role, range: [min, max] = [0, 1], truths }: ColumnFound) =>
  role === "feature" && (truths ? truths.length === 1 : min === max);

/** Why columns without texts are left out, and which features are like the label. */
function tiedTexts(columns: readonly ColumnFound[], rows: number): string[] {
  const chosen = (isChosen: (column: ColumnFound) => boolean) =>
    columns.filter(isChosen).map(({ name }) => name);
  const about = (names: readonly string[], one: string, several: string) =>
    names.length === 0 ? [] : [`${listedText(names, ", ")} ${names.length === 1 ? one : several}`];
  return [
    ...Object.entries(REASONS).flatMap(([reason, [one, several]]) =>
      about(
        chosen(({ role }) => role === reason),
        `is left out, ${one}`,
        `are left out, ${several}`,
      ),
    ),
    ...rareTexts(columns, rows),
    ...columns.flatMap(({ name, mayNameRows }) => (mayNameRows ? [`${name} ${NAMING}`] : [])),
    ...about(
      chosen(({ rises }) => rises === true),
      "rises from row to row like a counter or a clock, but no other column is a reading",
      "rise from row to row like a counter or a clock, but no other column is a reading",
    ),
    ...about(
      chosen(({ beginsAnew }) => beginsAnew === true),
      `rises by the same step and begins anew, as a number of the row or of a series does: if it is no reading, take it ${APART}`,
      `rise by the same step and begin anew, as numbers of rows or of series do: if they are no readings, take them ${APART}`,
    ),
    ...about(
      chosen((column) => rows >= MANY && isSame(column)),
      "is the same in all rows: it tells a node nothing",
      "are the same in all rows: they tell a node nothing",
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

/** What is taken for no label, or for a missing reading though it says a limit. */
function takenTexts({ role, name, taken = [] }: ColumnFound): string[] {
  const [what, right] =
    role === "label"
      ? [
          "no label",
          'without it in "missingWords", and with it in "classes" of the description, it is a class',
        ]
      : ["a missing reading", "a number in its place takes such rows in"];
  const texts = taken.map(([text, rows]) => `${excerpt(text)} in ${countText(rows, "row")}`);
  return texts.length > 0 ? [`${name} has ${listedText(texts)}, taken for ${what}: ${right}`] : [];
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

/** Rows of one time that differ in columns, where none tells devices apart. */
function mixedTexts(mixed: readonly string[]): string[] {
  if (mixed.length === 0) return [];
  const differ = `rows of one time differ in ${listedText(mixed, ", ")}`;
  return [`${differ}: they may be of several series, and a node reads one; a file of each is needed`];
}

/** Columns that say the unit of each row. */
function unitTexts(columns: readonly ColumnFound[]): string[] {
  return columns.flatMap(({ name, areUnits = [] }) =>
    areUnits.length > 0
      ? `${name} has several units, ${listedText(areUnits, ", ")}: the rows are of several series, and a node reads one; a file of each is needed`
      : [],
  );
}

/** Readings that a spreadsheet has taken for dates. */
function dateTexts(columns: readonly ColumnFound[]): string[] {
  return columns.flatMap(({ name, range, text, words }) => {
    const found = text ?? words?.[1] ?? "";
    return range && isAsDate(found)
      ? `${name} has ${excerpt(found)} among its numbers, as a spreadsheet makes of a reading that it takes for a date: take the numbers from before it`
      : [];
  });
}

/** Names behind those of the columns. */
function spareTexts(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`the rows have fewer fields than the head has names: ${listedText(names, ", ")} is of none`];
}

/** Numbers of printed lines that no name stands before. */
function unreadTexts(unread: readonly string[]): string[] {
  const shown = listedText(
    unread.map((word) => excerpt(word)),
    " and ",
    2,
  );
  return unread.length > 0 ? [`numbers of each line aren't read, as ${shown}; --pattern takes them`] : [];
}

/** Digits of the rows in a second, in the mean. */
const DIGITS = 3;

/** The rate by a clock without a unit; or why there is none, where rows have a time or a clock. */
function clockTexts({ columns = [], description, time, rows, sources, mixed }: FileFound): string[] {
  const clock = columns.find((column) => column.clock);
  const { name, clock: { step = 0, perSecond, isGuess } = {} } = clock ?? {};
  const isRated = (description.rate ?? description.period) !== undefined;
  if (isRated) {
    const isByGuess = isGuess && time === undefined;
    return isByGuess
      ? [`the rate is by ${name}, taken in seconds; "rate" in the description says another`]
      : [];
  }
  if (mixed || sources) return [];
  const none = "no rate is known";
  const still = (column: string, each: number | undefined) =>
    `${none}: ${column} stands still for several rows${each ? `, ${Number(each.toPrecision(DIGITS))} a second in the mean` : ""}; "rate" in the description says how many`;
  if (time) {
    const seconds = (Date.parse(time.last) - Date.parse(time.first)) / 1000;
    return time.standsStill ? [still(time.column, seconds > 0 ? (rows - 1) / seconds : undefined)] : [];
  }
  if (name === undefined) return [];
  const rises = `${name} rises by ${Number(step.toPrecision(DIGITS))} from row to row`;
  return [
    step > 0
      ? `${none}: ${rises}; "rate" in the description says how many rows a second`
      : still(name, perSecond),
  ];
}

/** Rows that have no time, though others have. */
function timelessTexts(columns: readonly ColumnFound[]): string[] {
  return columns.flatMap(({ role, name, missing }) =>
    role === "time" && missing > 0
      ? `${name} is missing in ${countText(missing, "row")}: take them out if they are no samples, as sums aren't`
      : [],
  );
}

/** Why columns with a few words are left out. */
function spoiltTexts(columns: readonly ColumnFound[]): string[] {
  const spoilt = columns.flatMap(({ name, words }) =>
    words ? [`${name} is left out for ${countText(words[0], "word")} such as ${excerpt(words[1])}`] : [],
  );
  return spoilt.length > 0 ? [`${listedText(spoilt)}; --skip-bad-rows skips such rows`] : [];
}

function spoiltTimeText(file: string, bad: NonNullable<ColumnFound["badTimes"]>): string {
  const { columns, cells, line, text } = bad;
  const why = `for ${countText(cells, "cell")} that ${cells === 1 ? "is" : "are"} no time, the first ${excerpt(text)} at ${file}:${line}`;
  const are = columns.length === 1 ? "is" : "are";
  return `${listedText(columns, ", ")} ${are} left out ${why}; --skip-bad-rows skips such rows`;
}
