import { extname, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../errors.ts";
import { checkFile, csvLines, realPlace, writeLines, writeWhole } from "./table-file.ts";

/** A row: values by their columns. */
export type CsvRow = Readonly<Record<string, unknown>>;

export interface CsvCurve {
  readonly of: CsvRow;
  readonly at: readonly number[];
  readonly value: readonly number[];
}

export function addCsvOption(command: Command): Command {
  return command.option(
    "--csv <file>",
    "write the figures as a table into this file, and the curves into NAME-curves.csv beside it, a row for each point",
  );
}

/** Where the curves of such a table lie. */
function curvesPath(path: string): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-curves${extension || ".csv"}`;
}

/**
 * Throws a UserError where tables can't be written, or would replace a file that the run reads. Call it before a run, which may be long.
 * @param tables the paths of all tables. The first is the one that the flag names.
 */
export function checkTables(flag: string, tables: readonly string[], read: readonly string[]): void {
  if (tables[0] === "") throw new UserError(`${flag}: takes a file's name; got an empty one`);
  const inputs = new Set(read.map((each) => resolve(realPlace(each))));
  for (const each of tables) {
    if (inputs.has(resolve(realPlace(each))))
      throw new UserError(`${flag} ${tables[0]}: would replace ${each}, which is read; give another file`);
    checkFile(each, flag);
  }
}

/** `checkTables` for the table of --csv and its curves. */
export function checkCsv(path: string | undefined, read: readonly string[] = []): void {
  if (path !== undefined) checkTables("--csv", [path, curvesPath(path)], read);
}

/** Writes a table whole, or throws a UserError that names the flag. */
export function writeRows(path: string, flag: string, rows: readonly CsvRow[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = rows.map((row) => columns.map((name) => row[name]));
  writeWhole(path, flag, (part) => writeLines(part, csvLines(columns, values)));
}

/** Writes a table and its curves; returns their paths. Throws a UserError. */
export function writeCsv(path: string, rows: readonly CsvRow[], curves: readonly CsvCurve[]): string[] {
  writeRows(path, "--csv", rows);
  const points = curves.flatMap(({ of, at, value }) => at.map((x, i) => ({ ...of, at: x, value: value[i] })));
  if (points.length === 0) return [path];
  writeRows(curvesPath(path), "--csv", points);
  return [path, curvesPath(path)];
}
