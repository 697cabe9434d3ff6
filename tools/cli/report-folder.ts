import { mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "./exit.ts";
import { makeFolder } from "./make-folder.ts";

const REASONS: { readonly [code: string]: string } = {
  ENOSPC: "the disk is full; free some of it, or give a folder on another",
  EEXIST: "not a folder; give one",
  ENOTDIR: "not a folder; give one",
  EACCES: "no permission to write there; give a folder of yours",
  EROFS: "the disk is read-only; give a folder on another",
};

/** The folder that --report names: made before a run, which may be long, and written into after it. */
export class ReportFolder {
  /** Makes it where there is none. Throws a UserError if no file can be written there. */
  constructor(private readonly folder: string) {
    this.attempt(() => {
      makeFolder(folder);
      rmdirSync(mkdtempSync(join(folder, ".report-")));
    });
  }

  /** The path of a file in it. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a report; returns its path as seen from here. Throws a UserError if that can't be done. */
  write(name: string, html: string): string {
    const file = join(this.folder, name);
    this.attempt(() => writeFileSync(file, html));
    return relative(process.cwd(), file) || file;
  }

  private attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      const why = REASONS[code] ?? `can't be written (${code}); give a folder`;
      throw new UserError(`--report ${this.folder}: ${why}`);
    }
  }
}
