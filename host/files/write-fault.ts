import { existsSync } from "node:fs";
import { dirname } from "node:path";

const REASONS: { readonly [code: string]: string } = {
  EACCES: "no permission to write there; give a place of yours",
  EDQUOT: "your share of the disk is full; free some of it, or give a place on another",
  EEXIST: "not a folder; give one",
  EFBIG: "the file would be larger than the system allows",
  EISDIR: "is a folder, and a file would be written; give another place",
  ENAMETOOLONG: "the name is too long; give a shorter one",
  ENOSPC: "the disk is full; free some of it, or give a place on another",
  ENOTDIR: "not a folder, but a file, is on the way there; give another place",
  EPERM: "no permission to write there; give a place of yours",
  EROFS: "the disk is read-only; give a place on another",
};

/** Why the system writes no file at that path, and what would be right. Throws an error that isn't the system's. */
export function writeFault(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  const folder = dirname(path);
  if (code === "ENOENT" && !existsSync(folder))
    return `there is no folder ${folder}; make it, or give another`;
  return REASONS[code] ?? `can't be written (${code}); give another place`;
}
