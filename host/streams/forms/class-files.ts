import { readdirSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { BadRows } from "../bad-rows.ts";
import { UnskippableError } from "../stream-error.ts";
import { TextSource } from "../text.ts";
import { csvRows, type TableLines } from "./csv-rows.ts";
import { type NamedRows, wholeSamples } from "./named-row.ts";

/** The name of the column of classes that the names of files or folders say. */
export const FILE_CLASS = "file class";
const TABLE = /\.(csv|tsv|txt|dat|log|lvm)(\.gz)?$/i;
const NO_TABLE = /^(\.|read.?me|license|requirements)/i;
/** What numbers a recording, at the end of its name: walking_01, idle-2024-03-01, fault (2). */
const NUMBER = /([ _.-]*\(?\d+\)?)+$/;

/** A table in a folder. `name`: its class, from the name of the file, or of the folder that has it. */
interface ClassFile {
  readonly path: string;
  readonly name: string;
}

/** The tables of a folder and its folders, by name. */
export function classFiles(folder: string): ClassFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const tables = names.filter(
    (name) => TABLE.test(name) && !NO_TABLE.test(basename(name)) && isFile(join(folder, name)),
  );
  const areFolders = tables.length > 0 && tables.every((name) => name.includes(sep));
  return tables.sort().map((name) => ({
    path: join(folder, name),
    name: areFolders ? name.slice(0, name.indexOf(sep)) : nameClass(name),
  }));
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The class in a file's name: all but what numbers it. */
export function nameClass(path: string): string {
  const stem = basename(path).replace(TABLE, "");
  return stem.replace(NUMBER, "") || stem;
}

/**
 * Rows of all tables of a folder, one file after the other. Where their names say several classes, each row has that of its file.
 *
 * @param part rows of a sample: of each file, what its last whole sample leaves is left out. Default 1.
 * @throws UnskippableError for a file with other columns than the first one's.
 */
export async function* classRows(folder: string, lines: TableLines, badRows: BadRows, part = 1): NamedRows {
  const files = classFiles(folder);
  const areClasses = new Set(files.map(({ name }) => name)).size > 1;
  let columns: string | undefined;
  let line = 0;
  for (const { path, name } of files)
    for await (const some of wholeSamples(csvRows(new TextSource(path), lines, badRows), part)) {
      if (some.length === 0) continue;
      const own = [...some[0].fields.keys()].join(", ");
      columns ??= own;
      if (own !== columns) throw otherColumns(path, own, files[0].path, columns);
      yield some.map(({ fields }) => ({
        line: ++line,
        fields: areClasses ? new Map(fields).set(FILE_CLASS, name) : fields,
      }));
    }
}

function otherColumns(path: string, own: string, first: string, columns: string): UnskippableError {
  const right = "the files of a folder need the same columns; take others out of it";
  return new UnskippableError(path, 1, `columns ${own} where ${first} has ${columns}`, right);
}
