import { columnsText } from "../../host/streams/columns.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import type { ColumnFound, FileFound } from "./import-file.ts";
import type { TimesFound } from "./times.ts";

/** What was found in a file, in lines. */
export function textOf(found: FileFound): string {
  const { file, rows, dimension, description, columns, time } = found;
  const { format } = description;
  const lines: [string, string][] = [
    ...(columns ? [...dialectLines(found), ...columnLines(columns)] : []),
    ...(time ? timeLines(time) : []),
    ...labelLines(found),
  ];
  const title = `${file}: ${format}, ${counted(rows, "row")} of ${counted(dimension, "feature")}`;
  return `${title}\n${nameValueLines(lines)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function dialectLines({ description }: FileFound): [string, string][] {
  const { separator, decimal = ".", comment, header, names, rowNames, skipLines, missingWords } = description;
  return [
    ["separator", separator === "\t" ? "tab" : String(separator)],
    ["decimal mark", decimal],
    ...(names ? [["names", "of its attributes"] as [string, string]] : []),
    ["header", header ? (rowNames ? "yes, without a column for the rows' names" : "yes") : "no"],
    ...(skipLines ? [["lines before it", String(skipLines)] as [string, string]] : []),
    ...(comment ? [["comments", `lines that begin with ${comment}`] as [string, string]] : []),
    ...(missingWords ? [["missing words", missingWords.join(", ")] as [string, string]] : []),
  ];
}

function columnLines(columns: readonly ColumnFound[]): [string, string][] {
  const named = (role: string) => columns.filter((column) => column.role === role).map(({ name }) => name);
  const leftOut = [...named("time"), ...named("left out")];
  const [label = null] = named("label");
  const isDoubtful = columns.filter(({ name }) => name === label).length > 1;
  const units = columns.flatMap(({ name, unit }) => (unit ? [`${name}: ${unit}`] : []));
  const missing = columns
    .filter(({ role, missing }) => role === "feature" && missing > 0)
    .map(({ name, missing }) => `${name} ${missing}`);
  return [
    ["columns", columnsText({ features: named("feature"), label, leftOut })],
    ...(isDoubtful ? [["to be checked", `several columns are called ${label}`] as [string, string]] : []),
    ...(units.length > 0 ? [["units", units.join(", ")] as [string, string]] : []),
    ["missing readings", missing.join(", ") || "none"],
  ];
}

function timeLines({ column, unit, hasZone, first, last, ...steps }: TimesFound): [string, string][] {
  const { periodSeconds, gaps, disorder } = steps;
  const kind = unit ?? (hasZone ? "dates" : "dates without a zone: taken in this machine's");
  const rate = periodSeconds === null ? "" : `, a row each ${periodSeconds} s`;
  const order = disorder === 0 ? "in order" : `${counted(disorder, "step")} back`;
  return [
    ["time", `${column} (${kind})`],
    ["sampled", `${first} to ${last}${rate}; ${counted(gaps, "gap")}, ${order}`],
  ];
}

function labelLines({ description, classes, rows, unlabelled }: FileFound): [string, string][] {
  if (description.label === false || unlabelled === rows) return [["labels", "none"]];
  const share = `${((100 * unlabelled) / rows).toFixed(1)} % of the rows`;
  const listed = (classes ?? []).map(({ name, rows }) => `${name} ${rows}`);
  return [
    ["labels", classes ? `classes ${listed.join(", ")}` : "numbers to be estimated"],
    ["without a label", unlabelled === 0 ? "none" : `${counted(unlabelled, "row")}, ${share}`],
  ];
}
