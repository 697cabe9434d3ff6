import { existsSync } from "node:fs";
import { join } from "node:path";
import { type DataSet, readTable, type TableOptions } from "../../host-sim/streams/index.ts";

const LIBSVM = "from the LIBSVM data page";

/** Where the data sets are to be had, by their folder. */
export const ORIGINS: { readonly [folder: string]: string } = {
  sunspot: "yearly Wolf numbers 1700-2011, version 1 (SILSO), as CSV with a column ssn_v1",
  svmguide1: `${LIBSVM}, unscaled`,
  "cbcl-face": "MIT CBCL Face Data 2, as LIBSVM text",
  ijcnn1: LIBSVM,
  kddcup2008: "KDD Cup 2008, whose test labels aren't public: 3/4 and 1/4 of its training set",
  webspam: `${LIBSVM}, unigrams, split 200000 and 150000`,
  usps: LIBSVM,
  letter: `${LIBSVM}, scaled to -1..1`,
  mnist: LIBSVM,
  "multi-pie-pose": "CMU Multi-PIE (licensed), 100 features, 15 poses",
  "multi-pie-identity": "CMU Multi-PIE (licensed), 100 features, 249 people",
  isolet1: "UCI ISOLET, the first 1560 samples, as LIBSVM text with labels 1..26",
  occupancy: "UCI Occupancy Detection, as CSV with a header",
  elec2: "New South Wales electricity prices in order of time, as CSV with a header",
  "mackey-glass":
    "ten segments of 557 values with noise, on which the other packages were run: not published",
};

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
