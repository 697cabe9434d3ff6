import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DataSet, readTable, type TableOptions } from "../streams/index.ts";

/** The folder of data that was given, if any: files are named relative to it. What was read is kept. */
export class PapersData {
  private readonly tables = new Map<string, Promise<DataSet>>();

  constructor(readonly folder?: string) {}

  /** Where a file is missed: the folder, or how to give one. */
  get place(): string {
    return this.folder ?? "a folder that --data names";
  }

  /** Whether there is such a file. */
  has(file: string): boolean {
    return this.folder !== undefined && existsSync(this.path(file));
  }

  /** Its path. */
  path(file: string): string {
    return join(this.folder ?? "", file);
  }

  /** A table, read once a thread and shared: not to be changed. Rejects with a StreamError. */
  table(file: string, options: TableOptions = {}): Promise<DataSet> {
    const key = JSON.stringify([file, options]);
    let table = this.tables.get(key);
    if (!table) {
      table = readTable(this.path(file), options);
      this.tables.set(key, table);
    }
    return table;
  }
}
