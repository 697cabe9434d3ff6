import { mkdtempSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "./exit.ts";
import { makeFolder } from "./make-folder.ts";

/** The folder that --report names: made before a run, which may be long, and written into after it. */
export class ReportFolder {
  /** Makes it where there is none. Throws a UserError if no file can be written there. */
  constructor(private readonly folder: string) {
    this.attempt(() => {
      makeFolder(folder);
      rmdirSync(mkdtempSync(join(folder, ".report-")));
    });
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
      const { code } = error as NodeJS.ErrnoException;
      throw new UserError(`--report ${this.folder}: can't be written (${code}); give a folder`);
    }
  }
}
