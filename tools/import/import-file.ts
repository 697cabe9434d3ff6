import { CLASSES_MAX, distinctLabels } from "../../host/streams/class-names.ts";
import {
  DESCRIPTION_SCHEMA,
  type Description,
  descriptionPath,
  optionsOf,
} from "../../host/streams/description.ts";
import { type Format, formatByExtension, formatByLine } from "../../host/streams/formats.ts";
import { type DataSet, readTable } from "../../host/streams/index.ts";
import { isContinuous, labelledCount } from "../../host/streams/targets.ts";
import { arffDialect, isArff } from "./arff.ts";
import { type Dialect, dialectOf, hasNames } from "./dialect.ts";
import { type Role, rolesOf } from "./roles.ts";
import { firstLines } from "./rows.ts";
import { type Survey, surveyOf } from "./survey.ts";
import type { TimesFound } from "./times.ts";

/** A column of a CSV file. */
export interface ColumnFound {
  readonly name: string;
  readonly role: Role;
  /** The unit in its header, as in "temp [C]". */
  readonly unit?: string;
  /** Rows in which it is missing. */
  readonly missing: number;
  /** Of its numbers; absent where it has none. */
  readonly range?: readonly [min: number, max: number];
}

/** A class, and how many rows have it. */
interface ClassFound {
  readonly name: string;
  readonly rows: number;
}

/** What a data file holds, and how it is read. */
export interface FileFound {
  readonly file: string;
  /** Where its description lies. */
  readonly path: string;
  readonly description: Description;
  readonly rows: number;
  /** Features a row. */
  readonly dimension: number;
  readonly columns?: readonly ColumnFound[];
  readonly time?: TimesFound;
  /** Rows of each class; absent where the labels are numbers to be estimated, or there are none. */
  readonly classes?: readonly ClassFound[];
  /** Rows without a label. */
  readonly unlabelled: number;
}

/** Looks at a file, and reads it as its description says. Throws a StreamError for one that can't be read. */
export async function lookAt(file: string, given: Format | undefined): Promise<FileFound> {
  const lines = await firstLines(file);
  const format = given ?? formatByExtension(file) ?? formatByLine(lines.find((line) => line.trim()) ?? "");
  const table = format === "csv" ? await describedTable(file, lines) : { description: bare(format) };
  const { description } = table;
  const options = { ...optionsOf(description), optionNames: {}, described: false };
  const data = await readTable(file, { ...options, missing: "nan", unlabelled: true });
  const { count: rows, dimension } = data;
  const labels = labelCounts(data);
  const unlabelled = rows - labelledCount(data);
  return { file, path: descriptionPath(file), rows, dimension, ...table, ...labels, unlabelled };
}

const bare = (format: Format): Description => ({ schema: DESCRIPTION_SCHEMA, format });

async function describedTable(
  file: string,
  lines: readonly string[],
): Promise<Pick<FileFound, "description" | "columns" | "time">> {
  const dialect = isArff(lines) ? arffDialect(file, lines) : dialectOf(lines);
  const survey = await surveyOf(file, dialect);
  const roles = rolesOf(survey, dialect);
  const columns = survey.columns.map(({ name, missing, numbers, min, max }, at) => {
    const unit = unitIn(name);
    const range = [min, max] as const;
    return { name, role: roles[at], ...(unit && { unit }), missing, ...(numbers > 0 && { range }) };
  });
  const time = survey.time && { time: survey.time.found };
  return { description: descriptionOf(dialect, survey, roles), columns, ...time };
}

function descriptionOf(dialect: Dialect, survey: Survey, roles: readonly Role[]): Description {
  const { columns, missingWords, time } = survey;
  const reference = referenceIn(survey, dialect);
  const features = roles.flatMap((role, at) => (role === "feature" ? [reference(at)] : []));
  const label = roles.indexOf("label");
  const classes = distinctLabels(columns[label]?.values.keys() ?? []);
  const areNamed = columns[label]?.words > 0 && classes.length >= 2 && classes.length <= CLASSES_MAX;
  return {
    ...bare("csv"),
    ...dialect,
    ...(missingWords.length > 0 && { missingWords }),
    ...(time && { time: reference(time.at) }),
    ...(time?.found.unit && { timeUnit: time.found.unit }),
    ...(features.length > 0 && { features }),
    label: label < 0 ? false : reference(label),
    ...(areNamed && { classes }),
  };
}

/** How a description names a column: by its name, or by its number where the name may mean another. */
function referenceIn({ columns }: Survey, dialect: Dialect): (at: number) => string | number {
  const names = columns.map(({ name }) => name);
  return (at) => {
    const name = names[at];
    const isOnce = names.indexOf(name) === names.lastIndexOf(name);
    return hasNames(dialect) && isOnce && !/^(column )?\d+(-\d+)?$/.test(name) ? name : at + 1;
  };
}

/** The unit in brackets behind a name, or in parentheses behind a blank. */
function unitIn(name: string): string | undefined {
  const [, unit, inParentheses] = /(?:\[([^\]]+)\]|\s\(([^)]+)\))$/.exec(name) ?? [];
  return unit ?? inParentheses;
}

function labelCounts(data: DataSet): Pick<FileFound, "classes"> {
  if (labelledCount(data) === 0 || isContinuous(data)) return {};
  const { labels, labelNames } = data;
  const counts = new Map<number, number>(distinctLabels(labels).map((label) => [label, 0]));
  for (const label of labels) if (!Number.isNaN(label)) counts.set(label, (counts.get(label) as number) + 1);
  return {
    classes: [...counts].map(([label, rows]) => ({ name: labelNames?.[label] ?? String(label), rows })),
  };
}
