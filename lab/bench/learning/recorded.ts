import { UserError } from "../../../host/errors.ts";
import type { TableOptions } from "../../../host/streams/index.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import type { PapersData } from "../../experiments/lib/data.ts";

const OCCUPANCY = {
  columns: ["Temperature", "Humidity", "Light", "CO2", "HumidityRatio"],
  label: "Occupancy",
};
const ELEC2 = {
  columns: ["period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer"],
  label: "class",
};
const VOWELS = [1, 5, 9, 15, 21];
const inFirstHalf = (letter: number) => letter <= 13;

/** A set in the data folder: its files, and how they become one table. */
export interface RecordedSet {
  readonly name: string;
  readonly doc: string;
  readonly timed: boolean;
  readonly long?: boolean;
  readonly files: readonly string[];
  read(data: PapersData): Promise<DataSet>;
}

export function table(file: string, options: TableOptions = {}): RecordedSet["read"] {
  return (data) => data.table(file, options);
}

/** The same rows with two classes: the rows with a chosen label, and the others. */
function halveClasses(read: RecordedSet["read"], chosen: (label: number) => boolean): RecordedSet["read"] {
  return async (folder) => {
    const data = await read(folder);
    return { ...data, labels: data.labels.map((label) => (chosen(label) ? 1 : -1)) };
  };
}

const SEA = ["sea/data.csv", "sea/class.csv"] as const;

/** SEA's labels are in a file of their own, one a line. */
async function readSea(folder: PapersData): Promise<DataSet> {
  const unlabelled = { label: false, header: false } as const;
  const [data, labels] = await Promise.all(SEA.map((file) => folder.table(file, unlabelled)));
  if (labels.count === data.count) return { ...data, labels: Float64Array.from(labels.rows) };
  throw new UserError(`${labels.source}: ${labels.count} labels; ${data.source} has ${data.count} rows`);
}

const LETTER_FILE = "letter/train.libsvm";
const LETTER = { timed: false, files: [LETTER_FILE] };
const ISOLET_FILE = "isolet1/isolet1.libsvm";
const ISOLET = { timed: false, files: [ISOLET_FILE] };

/** The sets of the papers, and of their time. */
export const RECORDED: readonly RecordedSet[] = [
  {
    name: "elec2",
    doc: "New South Wales electricity prices: up or down",
    timed: true,
    files: ["elec2/elec.csv"],
    read: table("elec2/elec.csv", ELEC2),
  },
  {
    name: "occupancy",
    doc: "a room's sensors: occupied or not",
    timed: true,
    files: ["occupancy/datatraining.txt"],
    read: table("occupancy/datatraining.txt", OCCUPANCY),
  },
  {
    name: "sea",
    doc: "SEA concepts, as recorded",
    timed: true,
    files: SEA,
    read: readSea,
  },
  {
    name: "svmguide1",
    doc: "astroparticles (LIBSVM)",
    timed: false,
    files: ["svmguide1/train.libsvm"],
    read: table("svmguide1/train.libsvm"),
  },
  {
    ...LETTER,
    name: "letter-halves",
    doc: "A to M against N to Z",
    read: halveClasses(table(LETTER_FILE), inFirstHalf),
  },
  {
    ...LETTER,
    name: "letter-vowels",
    doc: "vowels against consonants",
    read: halveClasses(table(LETTER_FILE), (letter) => VOWELS.includes(letter)),
  },
  {
    ...ISOLET,
    name: "isolet-halves",
    doc: "spoken A to M against N to Z",
    read: halveClasses(table(ISOLET_FILE), inFirstHalf),
  },
  { ...LETTER, name: "letter", doc: "26 letters", long: true, read: table(LETTER_FILE) },
  { ...ISOLET, name: "isolet", doc: "26 spoken letters", long: true, read: table(ISOLET_FILE) },
];
