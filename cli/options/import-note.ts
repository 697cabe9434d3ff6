import { existsSync, statSync } from "node:fs";
import { type ColumnRoles, namedColumns, shownNames } from "../../host/streams/columns.ts";
import { descriptionPath } from "../../host/streams/description.ts";

import { commandText } from "../../host/terminal/command-line.ts";
import { printNote } from "../../host/terminal/print.ts";
import type { DataFlags } from "../../lab/evaluation/data-options.ts";
import { type FileFound, lookAt } from "../../tools/import/import-file.ts";

/** Of a larger file it isn't said: to look at it takes longer than to read it. */
const BYTES_MAX = 1 << 24;

/** How `import` would read a file otherwise than by its columns' names, as in "take -999 as missing"; empty where it wouldn't. */
function otherwise({ description, columns = [] }: FileFound, roles: ColumnRoles): string[] {
  const { features, label } = namedColumns(roles);
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

/** Notes where a file without a description, whose columns no flag chooses, holds what `import` would find: a row's number, a clock, a missing word. */
export async function noteImport(
  { train, format, columns, label, header }: DataFlags,
  { roles }: { readonly roles?: ColumnRoles },
): Promise<void> {
  const isChosen = [format, columns, label, header].some((flag) => flag !== undefined);
  if (!roles || isChosen || existsSync(descriptionPath(train)) || statSync(train).size > BYTES_MAX) return;
  const found = await lookAt(train, { badRows: "refuse" }).catch(() => undefined);
  const others = found ? otherwise(found, roles) : [];
  if (others.length === 0) return;
  const command = commandText("import", [], train);
  printNote(`${train} is read by its columns' names alone; ${command} would ${others.join(", ")}`);
}
