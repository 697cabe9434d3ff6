import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "../../host/errors.ts";
import { makeFolder } from "../../host/files/make-folder.ts";
import { writeNew } from "../../host/files/new-file.ts";
import { writeLines, writeWhole } from "../../host/files/table-file.ts";
import { writeFault } from "../../host/files/write-fault.ts";

/** The folder of --report: made before a run, which may be long, and filled after it. */
export class ReportFolder {
  /** Makes the folder if it doesn't exist. Throws a UserError if no file can be written there. */
  constructor(private readonly folder: string) {
    if (folder === "") throw new UserError("--report: takes a folder's name; got an empty one");
    attempt(folder, () => {
      makeFolder(folder);
      const probe = this.path(`.report-${process.pid}`);
      try {
        writeFileSync(probe, "\n");
      } finally {
        rmSync(probe, { force: true });
      }
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a report; returns its path relative to the working directory. Throws a UserError on failure. */
  write(name: string, html: string): string {
    return this.put(name, (part) => writeFileSync(part, html));
  }

  /** Writes a text of many lines, which are made as they are written; else as `write`. */
  writeLines(name: string, lines: Iterable<string>): string {
    return this.put(name, (part) => writeLines(part, lines));
  }

  private put(name: string, write: (part: string) => void): string {
    const file = this.path(name);
    writeWhole(file, "--report", write);
    return relative(process.cwd(), file) || file;
  }

  /**
   * Writes a report with a mark under the first of NAME.html, NAME-2.html, ... that is free or has the same
   * mark, so it never replaces another scenario's. Returns its path relative to the working directory. Throws
   * a UserError on failure.
   */
  writeOwn(name: string, html: string, mark: string): string {
    for (let number = 1; ; number++) {
      const file = `${name}${number > 1 ? `-${number}` : ""}.html`;
      const path = this.path(file);
      if (attempt(path, () => writeNew(path, html))) return relative(process.cwd(), path);
      if (isMarked(path, mark)) return this.write(file, html);
    }
  }

  /**
   * The first of NAME, NAME-2, ... that no file has, or whose page has the mark: so no file of another report is replaced.
   * `endings`: of the files, such as ".csv".
   */
  ownName(name: string, endings: readonly string[], mark: string): string {
    for (let number = 1; ; number++) {
      const own = `${name}${number > 1 ? `-${number}` : ""}`;
      const isFree = !endings.some((ending) => existsSync(this.path(`${own}${ending}`)));
      if (isFree || isMarked(this.path(`${own}.html`), mark)) return own;
    }
  }
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new UserError(`--report ${path}: ${writeFault(path, error)}`);
  }
}

/** True if a file has that mark; an unreadable file has none. */
function isMarked(file: string, mark: string): boolean {
  try {
    return readFileSync(file, "utf8").includes(mark);
  } catch {
    return false;
  }
}
