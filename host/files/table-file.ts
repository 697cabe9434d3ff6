import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { csvField } from "../csv-field.ts";
import { UserError } from "../errors.ts";
import { writeFault } from "./write-fault.ts";
import { writeText } from "./write-text.ts";

/** Approximate bytes of one write. */
const CHUNK = 1 << 20;

/** Where an existing file lies, links followed; another's path as it is. */
export function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** @param flag "": the file has no flag of its own. */
const namedBy = (flag: string, path: string) => (flag === "" ? path : `${flag} ${path}`);

/**
 * Has a file written beside the one that it becomes. Throws a UserError that names the flag, and leaves nothing, where that can't be;
 * a device or a pipe isn't replaced by a file.
 */
function writePart(path: string, flag: string, write: (part: string, place: string) => void): void {
  const place = realPlace(path);
  const part = `${place}.part`;
  const stat = existsSync(path) ? statSync(path) : undefined;
  const kind = stat?.isDirectory() ? "a folder" : "a device or a pipe";
  if (stat && !stat.isFile()) throw new UserError(`${namedBy(flag, path)}: is ${kind}; give a file`);
  try {
    if (stat) accessSync(path, constants.W_OK);
    write(part, place);
  } catch (error) {
    if (existsSync(part)) rmSync(part);
    throw new UserError(`${namedBy(flag, path)}: ${writeFault(path, error)}`);
  }
}

/** Throws a UserError where `writeWhole` couldn't write; call it before a run, which may be long. */
export function checkFile(path: string, flag: string): void {
  writePart(path, flag, (part) => {
    writeLines(part, [""]);
    rmSync(part);
  });
}

/** A file that appears under its name only when complete; else as `writePart`. */
export function writeWhole(path: string, flag: string, write: (part: string) => void): void {
  writePart(path, flag, (part, place) => {
    write(part);
    renameSync(part, place);
  });
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

export function* csvLines(columns: readonly string[], rows: Iterable<readonly unknown[]>): Generator<string> {
  yield columns.map(csvField).join();
  for (const row of rows) yield row.map(csvField).join();
}
