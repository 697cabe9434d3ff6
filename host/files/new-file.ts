import { closeSync, openSync, rmSync } from "node:fs";
import { writeText } from "./write-text.ts";

/**
 * Writes a file unless there is one of that name; returns whether it did. Throws the system's error, and leaves nothing where the disk
 * has no room: a file of no bytes would be taken for one that is to be kept.
 */
export function writeNew(path: string, text: string, mode = 0o666): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeText(file, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}
