import { BLANKS } from "../../host/streams/csv-records.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { detectDialect, rowsIn } from "./dialect.ts";

/** A date and a time of the day, or seconds or milliseconds since 1970, as loggers write them before a line. */
const STAMP =
  "\\d{4}-\\d\\d-\\d\\d[T _]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[-+]\\d\\d:?\\d\\d)?|1\\d{9}(?:\\.\\d+)?(?=\\s)|1\\d{12}(?=\\s)";
const STAMPED = new RegExp(`^\\[?(?:${STAMP})`);
/** A time of the day alone, as Arduino's and PlatformIO's monitors write it before a line. */
const MONITOR = "^\\d\\d:\\d\\d:\\d\\d\\.\\d{3} -?> ";
const MONITORED = new RegExp(MONITOR);
/** What a system's log writes before a line: the day without its year, the time of it, the machine, and the program. */
const LOGGED = "^[A-Z][a-z]{2} [ \\d]\\d (?<clock>\\d\\d:\\d\\d:\\d\\d) \\S+ [^:=]{1,60}: ";
const FROM_LOG = new RegExp(LOGGED);
/** A value behind its name: "temp:21.5", "state = run". */
const PAIR = /(?<![\w.:/-])([A-Za-z_][\w.]*)\s*[:=]\s*([^\s,;|:=]+)(?![:=])/g;
const NUMBER = /^[-+]?\.?\d/;

/**
 * A pattern for lines that a program prints: values behind their names, or fields behind a serial monitor's time of the day; undefined for
 * others.
 */
export function printedPattern(lines: readonly string[]): string | undefined {
  const texts = lines.filter((line) => line.trim() !== "");
  const monitored = texts.filter((line) => MONITORED.test(line));
  return namesPattern(texts) ?? (isMost(monitored, texts) ? fieldsPattern(monitored) : undefined);
}

const isMost = (some: readonly string[], all: readonly string[]) => 2 * some.length > all.length;

/** The names of the values in a line; none if it has numbers without a name, too, beside the time before them. */
function namesIn(line: string): string[] {
  const text = line.replace(MONITORED, "").replace(STAMPED, "").replace(FROM_LOG, "");
  const pairs = [...text.matchAll(PAIR)];
  const names = pairs.map(([, name]) => name);
  const others = text.replace(PAIR, " ").split(/[\s,;|]+/);
  const isBare = others.every((other) => Number.isNaN(parseNumber(other)));
  const isNamed = pairs.some(([, , value]) => NUMBER.test(value)) && new Set(names).size === names.length;
  return isBare && isNamed ? names : [];
}

/** The least share of lines with the same names in a log of readings. The other lines are messages. */
const NAMED_SHARE = 0.25;

/** True for a line of several bare numbers, a row of a table between which a program logs what it does. */
function isSample(line: string): boolean {
  const fields = line.trim().split(/\s*[\s,;|]\s*/);
  return fields.length > 2 && fields.every((field) => !Number.isNaN(parseNumber(field)));
}

/** A pattern for lines of named values. */
function namesPattern(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const names = namesIn(text).join("\n");
    if (names !== "") counts.set(names, (counts.get(names) ?? 0) + 1);
  }
  const values = ([names, count]: readonly [string, number]) => count * names.split("\n").length;
  const [[names, count] = ["", 0]] = [...counts].sort((a, b) => values(b) - values(a));
  if (count <= NAMED_SHARE * texts.length || texts.filter(isSample).length >= count) return undefined;
  const isStamped = isMost(
    texts.filter((text) => STAMPED.test(text)),
    texts,
  );
  const groups = names.split("\n").map((name, at) => {
    return `.*?(?<![\\w.])${name.replaceAll(".", "\\.")}\\s*[:=]\\s*${group(name, at)}[^\\s,;|]+)`;
  });
  const isLogged = isMost(
    texts.filter((text) => FROM_LOG.test(text)),
    texts,
  );
  if (isLogged) return `${LOGGED}${groups.join("")}`;
  return `^${isStamped ? `\\[?(?<time>${STAMP})` : ""}${groups.join("")}`;
}

/** A pattern for fields behind a monitor's time. */
function fieldsPattern(texts: readonly string[]): string {
  const rest = texts.map((text) => text.replace(MONITORED, ""));
  const dialect = detectDialect(rest);
  const { separator } = dialect;
  const isBlank = separator === BLANKS;
  const [first] = rowsIn(rest, dialect);
  const names = first.map((name, at) => (dialect.header ? name.trim() : `column${at + 1}`));
  const one = isBlank ? "\\S+" : `[^${separator}]*`;
  return `${MONITOR}${names.map((name, at) => `${group(name, at)}${one})`).join(isBlank ? "\\s+" : `\\${separator}`)}\\s*$`;
}

/** The beginning of a group, called as a column is, as far as a group may be. */
function group(name: string, at: number): string {
  const plain = name.replace(/\W+/g, "_");
  return `(?<${/^[A-Za-z_]/.test(plain) ? plain : `column${at + 1}`}>`;
}

/** Words of a line, between blanks and separators. */
const splitWords = (text: string) => text.split(/[\s,;|]+/).filter((word) => word !== "");

/** Words with numbers that differ from line to line, in the parts of the lines that a pattern doesn't find: those of the first line. */
export function unreadNumbers(pattern: string, lines: readonly string[]): string[] {
  const form = new RegExp(pattern, "d");
  const rests = lines.flatMap((line) => {
    const spans = Object.values(form.exec(line)?.indices?.groups ?? {}).filter(Boolean);
    if (spans.length === 0) return [];
    const parts = [...line];
    for (const [from, to] of spans) parts.fill(" ", from, to);
    return [splitWords(parts.join(""))];
  });
  const [first = []] = rests;
  const alike = rests.filter(({ length }) => length === first.length);
  const differs = (at: number) => alike.some((words) => words[at] !== first[at]);
  return first.filter((word, at) => /\d/.test(word) && differs(at));
}
