import { existsSync, statSync } from "node:fs";
import { type NamedColumns, shownNames } from "../../host/streams/columns.ts";
import { descriptionPath } from "../../host/streams/description.ts";
import { commandText } from "../../host/terminal/command-line.ts";
import { printNote } from "../../host/terminal/print.ts";
import { type FileFound, lookAt } from "../../tools/import/import-file.ts";

/** Of a larger file it isn't said: to look at it takes longer than to read it. */
const BYTES_MAX = 1 << 24;

/** How `import` would read a file otherwise than by its columns' names, as in "take -999 as missing"; empty where it wouldn't. */
function otherwise(
  { description, columns = [] }: FileFound,
  { features, label }: Pick<NamedColumns, "features" | "label">,
): string[] {
  const kept = columns.filter(({ role }) => role === "feature").map(({ name }) => name);
  const found = columns.find(({ role }) => role === "label");
  const isTold = found && found.guess !== "first" && found.guess !== "last" && found.name !== label;
  const out = features.filter((name) => !kept.includes(name) && name !== found?.name);
  const { missingWords = [] } = description;
  return [
    ...(out.length > 0 ? [`leave out ${shownNames(out)}`] : []),
    ...(isTold ? [`take ${found.name} as the label`] : []),
    ...(missingWords.length > 0 ? [`take ${missingWords.join(", ")} as missing`] : []),
  ];
}

/** What the user says of a file's columns. */
interface ColumnFlags {
  readonly format?: string;
  readonly columns?: readonly (string | number)[];
  readonly label?: string | number;
  readonly header?: boolean;
}

/**
 * Notes where a file without a description, whose columns no flag chooses, holds what `import` would find: a row's number, a clock, a missing word.
 *
 * @param read the columns as they were read; undefined for a file without columns.
 */
export async function noteImport(
  file: string,
  { format, columns, label, header }: ColumnFlags,
  read: NamedColumns | undefined,
): Promise<void> {
  const isChosen = [format, columns, label, header].some((flag) => flag !== undefined);
  if (!read || isChosen || existsSync(descriptionPath(file)) || statSync(file).size > BYTES_MAX) return;
  const found = await lookAt(file, { badRows: "refuse" }).catch(() => undefined);
  const others = found ? otherwise(found, read) : [];
  if (others.length === 0) return;
  const command = commandText("import", [], file);
  printNote(`${file} is read by its columns' names alone; ${command} would ${others.join(", ")}`);
}
