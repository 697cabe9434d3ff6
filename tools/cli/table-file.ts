import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { UserError } from "./exit.ts";
import { writeText } from "./write-text.ts";

/** Approximate bytes of one write. */
const CHUNK = 1 << 20;

/** A CSV field (RFC 4180); an undefined value is empty. */
function csvField(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A file that appears under its name only when complete. Throws a UserError that names the flag. */
export function writeWhole(path: string, flag: string, write: (part: string) => void): void {
  const part = `${path}.part`;
  try {
    write(part);
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new UserError(`${flag}: ${path} can't be written (${code})`);
  }
}

/** Writes lines in batches. */
export function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    let waiting = "";
    for (const line of lines) {
      waiting += `${line}\n`;
      if (waiting.length < CHUNK) continue;
      writeText(file, waiting);
      waiting = "";
    }
    if (waiting !== "") writeText(file, waiting);
  } finally {
    closeSync(file);
  }
}

/** The lines of a table as CSV. */
export function* csvLines(columns: readonly string[], rows: Iterable<readonly unknown[]>): Generator<string> {
  yield columns.map(csvField).join();
  for (const row of rows) yield row.map(csvField).join();
}
