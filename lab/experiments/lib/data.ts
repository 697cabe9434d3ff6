import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../../host/errors.ts";
import { isFolder } from "../../../host/files/make-folder.ts";
import { fileHash } from "../../../host/identity.ts";
import { type DataSet, readTable, StreamError, type TableOptions } from "../../../host/streams/index.ts";

const LIBSVM = "from the LIBSVM data page";

/** Where the data sets are to be had and in which form they are to be, by their folder. */
export const ORIGINS: { readonly [folder: string]: string } = {
  sunspot: "yearly Wolf numbers 1700-2011, version 1 (SILSO), as CSV with a column ssn_v1",
  svmguide1: `${LIBSVM}, unscaled`,
  "cbcl-face": "MIT CBCL Face Data 2, as LIBSVM text",
  ijcnn1: LIBSVM,
  kddcup2008: "KDD Cup 2008, whose test labels aren't public: 3/4 and 1/4 of its training set",
  webspam: `${LIBSVM}, unigrams, split 200000 and 150000`,
  url: "URL Reputation (UCI), its 3.2 million features reduced to 100 by your own Gaussian random projection; days 0-99 and 100-120, in order, as LIBSVM text",
  usps: LIBSVM,
  letter: `${LIBSVM}, scaled to -1..1`,
  mnist: LIBSVM,
  "multi-pie-pose": "CMU Multi-PIE (licensed), 100 features, 15 poses",
  "multi-pie-identity": "CMU Multi-PIE (licensed), 100 features, 249 people",
  isolet1: "UCI ISOLET, the first 1560 samples, as LIBSVM text with labels 1..26",
  isolet5:
    "UCI ISOLET, its part isolet5 of 1559 samples, likewise; without it half of the paper's samples are run",
  mstar:
    "your own features of the MSTAR chips, a chip a line, as LIBSVM text with label +1 for BMP2 and -1 for BTR-70 (the paper has 128: wavelet bands LH, HL and HH of 64 x 64 pixels); without it the samples are generated",
  frames:
    "your own clip, grey, as binary PGM files of one size, in the order of their names, for OLK's Examples 4 and 5; without it the clip is generated",
  occupancy: "UCI Occupancy Detection, as CSV with a header",
  elec2: "New South Wales electricity prices in order of time, as CSV with a header",
  "mackey-glass":
    "ten segments of 557 values with noise, on which the other packages were run: not published",
};

/** A stream of labelled samples in the data folder, in order of time. */
export interface RecordedStream {
  readonly file: string;
  readonly options: TableOptions;
}

export const OCCUPANCY: RecordedStream = {
  file: "occupancy/datatraining.txt",
  options: { columns: ["Temperature", "Humidity", "Light", "CO2", "HumidityRatio"], label: "Occupancy" },
};
export const ELEC2: RecordedStream = {
  file: "elec2/elec.csv",
  options: {
    columns: ["period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"],
    label: "class",
  },
};

/** Throws a UserError where `--data` names no folder. */
export function checkDataFolder(folder: string | undefined): void {
  if (folder !== undefined && !isFolder(folder))
    throw new UserError(`--data ${folder}: no such folder; give one that holds what --help lists`);
}

/** The folder of data that was given, if any: files are named relative to it. What was read is kept. */
export class PapersData {
  private readonly tables = new Map<string, Promise<DataSet>>();
  private readonly hashes = new Map<string, string>();

  constructor(readonly folder?: string) {}

  /** What to do about files that are missing: which, where each is to be had, and where to put them. */
  lacking(files: readonly string[]): string {
    const origins = [...new Set(files.map((file) => file.split("/")[0]))].flatMap(
      (folder) => ORIGINS[folder] ?? [],
    );
    const from = origins.length > 0 ? ` (${origins.join("; ")})` : "";
    const place = this.folder === undefined ? "a folder, and name it with --data" : this.folder;
    return `put ${files.join(", ")}${from} into ${place}`;
  }

  has(file: string): boolean {
    return this.folder !== undefined && existsSync(this.path(file));
  }

  /** The hash of a file's contents, or of a folder's files with their names. Throws a StreamError where one can't be read. */
  hash(name: string): string {
    const known = this.hashes.get(name) ?? this.hashRead(name);
    this.hashes.set(name, known);
    return known;
  }

  private hashRead(name: string): string {
    const path = this.path(name);
    try {
      if (!statSync(path).isDirectory()) return fileHash(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new StreamError(path, undefined, `can't be read (${code})`, "give a file that can");
    }
    const files = readdirSync(path).sort();
    return files.map((file) => `${file} ${this.hash(join(name, file))}`).join("\n");
  }

  path(file: string): string {
    return join(this.folder ?? "", file);
  }

  /** A table, read once a thread and shared: not to be changed. Rejects with a StreamError. */
  table(file: string, options: TableOptions = {}): Promise<DataSet> {
    const key = JSON.stringify([file, options]);
    let table = this.tables.get(key);
    if (!table) {
      table = readTable(this.path(file), { optionNames: {}, ...options });
      this.tables.set(key, table);
    }
    return table;
  }
}
