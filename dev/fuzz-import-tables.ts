// Writes tables as loggers and spreadsheets do, and keeps what they say: for `npm run fuzz:import` and its test.
import type { Random } from "../host/random.ts";
import { writeRows } from "./fuzz-import-forms.ts";

/** How a table is written: the values of each choice, the plainest first; one that stands twice is drawn twice as often. */
const CHOICES = {
  form: ["table", "table", "table", "table", "lines of JSON", "a list a column", "a reading a row"],
  separator: [",", ";", "\t", "|", " "],
  decimal: [".", ".", ","],
  header: [true, true, true, true, false],
  units: ["none", "none", "row", "round", "square", "cells"],
  quotes: ["none", "none", "texts", "all"],
  end: ["\n", "\r\n"],
  encoding: ["utf8", "utf8", "utf8", "bom", "utf16", "windows"],
  above: ["nothing", "nothing", "nothing", "comments", "facts", "rate"],
  below: ["nothing", "nothing", "blank line", "comment", "cut line"],
  trailing: [false, false, false, true],
  index: ["none", "none", "from 0", "from 1"],
  time: [
    ...["none", "iso", "zoned", "offset", "day first", "dotted", "month first", "seconds", "milliseconds"],
    ...["two columns", "fractional", "parts", "midnight and hour", "clock"],
  ],
  label: ["words", "words", "0 1", "-1 1", "1 2 3", "number", "none"],
  labelPlace: ["last", "last", "first", "middle"],
  unlabelled: [false, false, false, true],
  labelRuns: ["short", "short", "long", "once", "random"],
  code: [false, false, false, true],
  switch: ["none", "none", "on off", "true false", "yes no"],
  device: [false, false, false, true],
  exponents: [false, false, false, true],
  missing: ["none", "none", "none", "", "NA", "NaN", "null", "-", "n/a", "unavailable", "?", "-999", "-9999"],
} as const;

type Choices = typeof CHOICES;
export type How = { -readonly [K in keyof Choices]: Choices[K][number] };
const KEYS = Object.keys(CHOICES) as (keyof How)[];

/** What a table says, and its bytes. */
export interface RandomTable {
  readonly how: How;
  readonly bytes: Buffer;
  readonly features: readonly string[];
  /** Rows by features; NaN where one is missing. */
  readonly readings: readonly (readonly number[])[];
  /** Words or numbers; undefined where a row has none. */
  readonly labels: readonly Label[];
  /** Milliseconds since 1970, of a table with a time; dates without a zone are in UTC. */
  readonly times?: readonly number[];
}

type Label = string | number | undefined;

/** A column as it is written. */
export interface Column {
  readonly name: string;
  readonly unit?: string;
  readonly cells: readonly string[];
  /** True for cells that some programs write in quotes. */
  readonly isText?: boolean;
}

const CHANNELS = [
  ["temp", "°C"],
  ["humidity", "%"],
  ["Pressure", "hPa"],
  ["co2", "ppm"],
  ["acc_x", "m/s2"],
  ["acc_y", "m/s2"],
  ["vib rms", "mm/s"],
  ["current", "A"],
  ["Voltage", "V"],
  ["flow", "l/min"],
] as const;
export const TIME_NAMES = ["time", "timestamp", "Date", "Zeit", "datetime", "Timestamp"];
export const LABEL_NAMES = {
  words: ["label", "class", "state", "status", "Activity", "target", "Condition"],
  classes: ["label", "class", "activity", "fault", "target"],
  number: ["label", "target"],
};
const INDEX_NAMES = ["", "id", "No", "index", "Nr."];
const CLASSES = {
  words: [
    ["ok", "worn"],
    ["idle", "run", "fault"],
    ["walking", "sitting", "standing", "lying"],
    ["NORMAL", "ALARM"],
    ["not worn", "half worn", "worn"],
    ["1-healthy", "2-ball", "3-outer race"],
    ["True", "False"],
    ["yes", "no"],
  ],
  "0 1": [[0, 1]],
  "-1 1": [[-1, 1]],
  "1 2 3": [[1, 2, 3]],
};
const PERIODS_S = [1, 10, 60, 600, 3600];
const COLUMNS_OF_TIME: readonly How["time"][] = ["parts", "two columns", "midnight and hour"];
const PARTS = ["year", "month", "day", "hour", "minute"];
/** Of the readings, and of the labels. */
const MISSING_SHARE = 0.06;
const UNLABELLED_SHARE = 0.2;
/** Rows that lack nothing: the first ones show what the columns are. */
const WHOLE_ROWS = 4;

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random.uniform() * values.length)];
}

/** A random way to write a table. */
export function randomHow(random: Random): How {
  return consistent(Object.fromEntries(KEYS.map((key) => [key, pick<unknown>(random, CHOICES[key])])) as How);
}

/** The same way without what no program writes, or what a person couldn't tell either. */
function consistent(how: How): How {
  const made = { ...how };
  if (made.form !== "table") {
    Object.assign(made, {
      separator: ",",
      decimal: ".",
      header: true,
      quotes: "none",
      above: "nothing",
      below: "nothing",
      trailing: false,
    });
    if (made.units === "cells" || made.units === "row") made.units = "none";
    if (COLUMNS_OF_TIME.includes(made.time)) made.time = "none";
    if (made.missing !== "none") made.missing = "null";
  }
  if (made.separator === "," && made.decimal === ",") made.decimal = ".";
  if (made.label === "none") {
    // A switch alone may be what someone found out.
    made.switch = "none";
    made.unlabelled = made.code = false;
    made.labelPlace = "last";
  }
  if (made.separator === " ") {
    made.label = made.label === "words" ? "0 1" : made.label;
    // What has a blank in it stands in quotes, and nothing in no place.
    made.quotes = made.time === "none" && made.switch === "none" && made.quotes !== "all" ? "texts" : "all";
    if (made.missing === "" || (made.decimal === "," && made.quotes === "texts")) made.missing = "none";
    if (made.above === "facts" || made.above === "rate") made.above = "nothing";
    if (made.units === "cells") made.units = "none";
    made.trailing = made.unlabelled = made.device = false;
  }
  if (!made.header) {
    if (COLUMNS_OF_TIME.includes(made.time) && made.time !== "parts") made.time = "none";
    if (made.label === "none" && (made.time === "none" || made.time === "clock")) made.time = "iso";
    if (made.units !== "cells") made.units = "none";
    // Without names, a last column of readings beside a time is a channel as well.
    if (made.label === "number") made.switch = made.time = "none";
    made.labelPlace = "last";
    made.above = "nothing";
    made.code = false;
  }
  if (made.label !== "words") made.code = false;
  if (made.form === "a reading a row") {
    if (made.time === "none" || made.time === "clock" || made.label === "none") {
      made.time = "zoned";
      if (made.label === "none") made.label = "words";
    }
    made.index = "none";
    made.device = made.code = made.unlabelled = false;
  }
  return made;
}

/** The choices that aren't the plainest ones. */
export function listChoices(how: How): (keyof How)[] {
  return KEYS.filter((key) => how[key] !== CHOICES[key][0]);
}

/** Ways with fewer such choices. */
export function plainer(how: How): How[] {
  const choices = listChoices(how);
  return choices
    .map((key) => consistent({ ...how, [key]: CHOICES[key][0] }))
    .filter((each) => listChoices(each).length < choices.length);
}

/** A random table, written so. */
export function writeTable(random: Random, how: How): RandomTable {
  const count = 60 + Math.floor(random.uniform() * 200);
  const channels = 1 + Math.floor(random.uniform() * 6);
  const first = Math.floor(random.uniform() * CHANNELS.length);
  const readings = Array.from({ length: channels }, (_, i) =>
    readingColumn(random, CHANNELS[(first + i) % CHANNELS.length], count, how),
  );
  const times = sampleTimes(random, count, how);
  const labels = rowLabels(random, count, how);
  const pump = how.switch === "none" ? [] : [switchColumn(random, count, how.switch)];
  const features = [...readings, ...pump];
  const columns: Column[] = [
    ...(how.index === "none" ? [] : [indexColumn(random, count, how.index === "from 0" ? 0 : 1)]),
    ...timeColumns(random, times, how),
    ...features.map(({ column }) => column),
    ...(how.device ? [{ name: "device", cells: labels.map(() => "A7x"), isText: true }] : []),
  ];
  const places = { last: columns.length, first: 0, middle: columns.length - Math.ceil(features.length / 2) };
  if (how.label !== "none") columns.splice(places[how.labelPlace], 0, labelColumn(random, labels, how));
  if (how.code) columns.push(codeColumn(labels));
  return {
    how,
    bytes: writeRows(
      columns,
      features.map(({ column }) => column),
      count,
      how,
    ),
    features: features.map(({ name }) => name),
    readings: labels.map((_, row) => features.map(({ values }) => values[row])),
    labels,
    ...(how.time !== "none" && how.time !== "clock" && { times }),
  };
}

/** A channel whose readings wander. */
function readingColumn(random: Random, [name, unit]: readonly [string, string], count: number, how: How) {
  const decimals = Math.floor(random.uniform() * 5);
  const scale = 10 ** Math.floor(random.uniform() * 2 + (decimals === 0 ? 1 : 0));
  const offset = pick(random, [0, 0, 20, -5, 500]);
  const [cells, values]: [string[], number[]] = [[], []];
  for (let row = 0, at = 0; row < count; row++) {
    at = 0.8 * at + random.uniform() - 0.5;
    const text = how.exponents ? (1e-3 * at).toExponential(3) : (offset + scale * at).toFixed(decimals);
    const isMissing = how.missing !== "none" && row >= WHOLE_ROWS && random.uniform() < MISSING_SHARE;
    const written = text.replace(".", how.decimal) + (how.units === "cells" ? ` ${unit}` : "");
    cells.push(isMissing ? how.missing : written);
    values.push(isMissing ? NaN : Math.fround(Number(text)));
  }
  const full = how.units === "round" ? `${name} (${unit})` : `${name} [${unit}]`;
  const hasUnit = how.units !== "none" && how.units !== "cells";
  const isInName = how.units === "round" || how.units === "square";
  return { name: hasUnit ? full : name, values, column: { name: isInName ? full : name, unit, cells } };
}

/** A reading of two words. */
function switchColumn(random: Random, count: number, words: string) {
  const [on, off] = words.split(" ");
  const values = Array.from({ length: count }, (_, row) =>
    row % 7 === 0 ? 1 : Number(random.uniform() < 0.4),
  );
  const cells = values.map((value) => (value ? on : off));
  return { name: "pump", values, column: { name: "pump", cells, isText: true } };
}

function indexColumn(random: Random, count: number, from: number): Column {
  return {
    name: pick(random, INDEX_NAMES),
    cells: Array.from({ length: count }, (_, row) => String(row + from)),
  };
}

/** States that last some rows, or numbers. */
function rowLabels(random: Random, count: number, { label, unlabelled, labelRuns }: How): Label[] {
  const states =
    label === "number" || label === "none" ? [] : pick<readonly (string | number)[]>(random, CLASSES[label]);
  let [state, left] = [0, 0];
  return Array.from({ length: count }, (_, row) => {
    if (left-- <= 0) {
      state = (state + 1) % states.length;
      left =
        labelRuns === "random"
          ? 0
          : labelRuns === "long"
            ? 20
            : labelRuns === "once"
              ? Math.ceil(count / states.length) - 1
              : 2 + Math.floor(random.uniform() * 8);
      if (labelRuns === "random" && random.uniform() < 0.5) state = (state + 1) % states.length;
    }
    if (label === "none") return undefined;
    const known = label === "number" ? Number((5 * random.uniform()).toFixed(3)) : states[state];
    return unlabelled && row >= WHOLE_ROWS && random.uniform() < UNLABELLED_SHARE ? undefined : known;
  });
}

function labelColumn(random: Random, labels: readonly Label[], { label, decimal }: How): Column {
  const name = pick(random, LABEL_NAMES[label === "words" || label === "number" ? label : "classes"]);
  const cells = labels.map((each = "") => String(each));
  if (label === "words") return { name, cells, isText: true };
  return { name, cells: cells.map((cell) => cell.replace(".", decimal)) };
}

/** The classes once more, as numbers. */
function codeColumn(labels: readonly Label[]): Column {
  const words = [...new Set(labels)].filter((each) => each !== undefined);
  return {
    name: "label_id",
    cells: labels.map((each) => (each === undefined ? "" : String(words.indexOf(each)))),
  };
}

/** Dates that also stand in 1970, where a clock begins that was never set. Not in a list of readings, whose times near 1970 count as a clock's. */
const UNSET: readonly How["time"][] = ["iso", "zoned", "offset", "fractional"];

/** From a day that is no month, so that its number tells which is which. */
function sampleTimes(random: Random, count: number, { time, form }: How): number[] {
  const period =
    1000 * pick(random, PERIODS_S.slice(time === "parts" ? 2 : time === "midnight and hour" ? 4 : 0));
  const [month, day] = [Math.floor(random.uniform() * 12), 13 + Math.floor(random.uniform() * 12)];
  const isUnset = UNSET.includes(time) && form !== "a reading a row" && random.uniform() < 0.2;
  const begin = isUnset ? 0 : Date.UTC(2023, month, day, 21, time === "midnight and hour" ? 0 : 40);
  return Array.from(
    { length: count },
    (_, row) => begin + row * period + (time === "fractional" && row % 2 ? 250 : 0),
  );
}

const iso = (time: number) => new Date(time).toISOString();
const clock = (time: number) => iso(time).slice(11, 19);
const isoDate = (time: number) => iso(time).slice(0, 10);
/** Day, month and year. */
const date = (time: number) => isoDate(time).split("-").reverse();

const TIMES: { readonly [K in Exclude<How["time"], "none">]: (time: number) => readonly string[] } = {
  iso: (time) => [`${isoDate(time)} ${clock(time)}`],
  zoned: (time) => [`${iso(time).slice(0, 19)}Z`],
  offset: (time) => [`${iso(time + 7_200_000).slice(0, 19)}+02:00`],
  fractional: (time) => [iso(time).slice(0, 23).replace("T", " ")],
  "day first": (time) => [`${date(time).join("/")} ${clock(time)}`],
  dotted: (time) => [`${date(time).join(".")} ${clock(time)}`],
  "month first": (time) => {
    const [day, month, year] = date(time).map(Number);
    return [`${month}/${day}/${year} ${clock(time)}`];
  },
  seconds: (time) => [String(time / 1000)],
  milliseconds: (time) => [String(time)],
  parts: (time) =>
    [...date(time).reverse(), ...clock(time).split(":").slice(0, 2)].map((part) => String(Number(part))),
  "two columns": (time) => [date(time).join("."), clock(time)],
  "midnight and hour": (time) => [`${isoDate(time)} 00:00:00`, String(Number(clock(time).slice(0, 2)))],
  // Seconds of a recording that began with the day.
  clock: (time) => [((time % 86_400_000) / 1e5).toFixed(3)],
};

function timeColumns(random: Random, times: readonly number[], { time, decimal }: How): Column[] {
  if (time === "none") return [];
  const rows = times.map((each) =>
    TIMES[time](each).map((cell) => (time === "clock" ? cell.replace(".", decimal) : cell)),
  );
  const several = { "two columns": ["Date", "Time"], "midnight and hour": ["date", "hour"], parts: PARTS };
  const names = several[time as "parts"] ?? [pick(random, TIME_NAMES)];
  const isText = !["seconds", "milliseconds", "parts", "clock"].includes(time);
  return names.map((name, at) => ({ name, cells: rows.map((cells) => cells[at]), isText }));
}
