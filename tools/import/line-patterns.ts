import { matchLine } from "../../host/streams/forms/pattern-rows.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { areFieldLines } from "./field-lines.ts";
import { readingColumns, recur } from "./long-columns.ts";
import { printedPattern } from "./printed-lines.ts";
import type { Shape } from "./shape.ts";

/** A date and a time of the day, or seconds or milliseconds since 1970. */
const TIME = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S*?|\\d{10}(?:\\.\\d+)?|\\d{13}";
/** Lines of mosquitto_sub -F '%I %t %p', also with commas, semicolons or tabs. */
const MESSAGE = `^(?<time>${TIME})([ \\t,;])(?<topic>[^\\s,;]*/[^\\s,;]*)\\2(?<payload>.*)$`;
/** Characters of a line that a program prints. */
const LENGTH_MAX = 1 << 12;
/** Lines of Zigbee2MQTT's log. */
const LOGGED = `^.{0,80}?(?<time>${TIME})\\b[^']* topic '(?<topic>[^']+)', payload '(?<payload>.*)'$`;
/** Those of mosquitto_sub -v. */
const TIMELESS = '^(?<topic>[^\\s,;"|\\d][^\\s,;"|]*/[^\\s,;"|]*) (?<payload>\\S.*)$';

/** The shape of lines in which a pattern finds the fields. */
export function patternShape(pattern: string, lines: readonly string[]): Shape {
  const long = readingColumns(matchedTable(pattern, lines));
  return { format: "line-pattern", pattern, ...(long && { long }) };
}

/** The shape of lines that are no table: a broker's messages, or what a program prints; undefined for others. Throws an UnskippableError for messages without a time. */
export function lineShape(file: string, lines: readonly string[]): Shape | undefined {
  const texts = lines.filter((line) => line.trim() !== "");
  if (texts.some(({ length }) => length > LENGTH_MAX)) return undefined;
  if (areFieldLines(lines)) return { format: "field-lines" };
  const isMost = (pattern: string) => 2 * (matchedTable(pattern, texts).length - 1) > texts.length;
  const [, ...timeless] = matchedTable(TIMELESS, texts);
  if (isMost(TIMELESS) && recur(timeless.map(([topic]) => topic)))
    throw timelessMessages(file, ": mosquitto_sub -F '%I %t %p'");
  // A table of messages begins with its header.
  const isTable = !new RegExp(MESSAGE).test(texts[0] ?? "");
  const shapes = [...(isTable ? [] : [MESSAGE]), LOGGED]
    .filter(isMost)
    .map((pattern) => patternShape(pattern, texts));
  const messages = shapes.find(({ long }) => long);
  const printed = printedPattern(texts);
  return messages ?? (printed === undefined ? undefined : patternShape(printed, texts));
}

/** What is wrong with messages whose times aren't known. */
export function timelessMessages(file: string, how: string): UnskippableError {
  const right = `a time in each message is needed${how}`;
  return new UnskippableError(file, 1, "a topic and its payload without a time", right);
}

/** The lines that a pattern matches as a table: the names of its groups, and what it finds. */
function matchedTable(pattern: string, lines: readonly string[]): string[][] {
  const form = new RegExp(pattern);
  const rows = lines.flatMap((line) => matchLine(form, line) ?? []);
  return [[...(rows[0]?.keys() ?? [])], ...rows.map((row) => [...row.values()])];
}
