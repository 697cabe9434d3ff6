import { UserError } from "../../../host/errors.ts";
import type { TableOptions } from "../../../host/streams/index.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { ELEC2, OCCUPANCY, type PapersData } from "../../experiments/lib/data.ts";

const VOWELS = [1, 5, 9, 15, 21];
const inFirstHalf = (letter: number | string) => Number(letter) <= 13;

/** A set in the data folder: one file or several, which become one table. */
export interface RecordedSet {
  readonly name: string;
  readonly doc: string;
  /** True if its rows are in time order; else only a shuffled order makes sense. */
  readonly timed: boolean;
  readonly long?: boolean;
  readonly files: readonly string[];
  readonly options?: TableOptions;
  /**
   * True for class +1 of two: of a label, a number or the word in the file, at that row of the data; by the row alone where the file has no
   * label. Default: the file's classes.
   */
  positive?(label: number | string, row: number, data: DataSet): boolean;
  /** Reads the files. Default: one below the other. */
  join?(parts: readonly DataSet[]): DataSet;
}

/** The rows of the files, one below the other. */
function joinRows(parts: readonly DataSet[]): DataSet {
  const [first] = parts;
  if (parts.length === 1) return first;
  return {
    ...first,
    rows: Float32Array.from(parts.flatMap(({ rows }) => [...rows])),
    labels: Float64Array.from(parts.flatMap(({ labels }) => [...labels])),
    count: parts.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Reads a set; of one with `positive` labels are -1 and +1, but for a row that lacks its label. */
export async function readRecorded(set: RecordedSet, folder: PapersData): Promise<DataSet> {
  const { files, options = {}, join = joinRows } = set;
  const joined = join(await Promise.all(files.map((file) => folder.table(file, options))));
  if (!set.positive) return joined;
  const { labelNames, ...data } = joined;
  const labels = data.labels.map((label, row) => {
    if (Number.isNaN(label) && options.label !== false) return label;
    return set.positive?.(labelNames?.[label] ?? label, row, data) ? 1 : -1;
  });
  return { ...data, labels };
}

/** SEA's labels are in a file of their own, one a line. */
function joinSea([data, labels]: readonly DataSet[]): DataSet {
  if (labels.count === data.count) return { ...data, labels: Float64Array.from(labels.rows) };
  throw new UserError(`${labels.source}: ${labels.count} labels; ${data.source} has ${data.count} rows`);
}

const LETTER = { timed: false, files: ["letter/train.libsvm"] };
const ISOLET = { timed: false, files: ["isolet1/isolet1.libsvm"] };

/** The sets of the papers, and of their time. */
export const RECORDED: readonly RecordedSet[] = [
  {
    name: "elec2",
    doc: "New South Wales electricity prices: up or down",
    timed: true,
    files: [ELEC2.file],
    options: ELEC2.options,
  },
  {
    name: "occupancy",
    doc: "a room's sensors: occupied or not",
    timed: true,
    files: [OCCUPANCY.file],
    options: OCCUPANCY.options,
  },
  {
    name: "sea",
    doc: "SEA concepts, as recorded",
    timed: true,
    files: ["sea/data.csv", "sea/class.csv"],
    options: { label: false, header: false },
    join: joinSea,
  },
  {
    name: "svmguide1",
    doc: "astroparticles (LIBSVM)",
    timed: false,
    files: ["svmguide1/train.libsvm"],
  },
  {
    ...LETTER,
    name: "letter-halves",
    doc: "A to M against N to Z",
    positive: inFirstHalf,
  },
  {
    ...LETTER,
    name: "letter-vowels",
    doc: "vowels against consonants",
    positive: (letter) => VOWELS.includes(Number(letter)),
  },
  {
    ...ISOLET,
    name: "isolet-halves",
    doc: "spoken A to M against N to Z",
    positive: inFirstHalf,
  },
  { ...LETTER, name: "letter", doc: "26 letters", long: true },
  { ...ISOLET, name: "isolet", doc: "26 spoken letters", long: true },
];
