import { fileWord } from "../terminal/command-line.ts";
import { UnskippableError } from "./stream-error.ts";

/** A file that is no text: how it begins, a byte a character; what it is; what makes text of it; where the beginning stands, if not at 0. */
type Kind = readonly [start: string, what: string, right: (file: string) => string, at?: number];

const SAVE = () => "save it as CSV in UTF-8";
const ZIP = "PK\x03\x04";
const KINDS: readonly Kind[] = [
  [ZIP, "a zip file", (file) => `save a spreadsheet as CSV in UTF-8; unzip ${file} unpacks others`],
  ["\xd0\xcf\x11\xe0", "an old spreadsheet", SAVE],
  ["PAR1", "a Parquet file", pandas("parquet")],
  ["ARROW1", "an Arrow file", pandas("feather")],
  ["\x89HDF", "an HDF5 file", pandas("hdf")],
  ["\x80\x04", "a pickled object", () => "a CSV file is needed: loading an object runs code that it names"],
  ["MATLAB 5.0", "a MATLAB file", () => "writetable or writematrix makes CSV of its table"],
  ["\x93NUMPY", "a numpy array", () => "numpy.savetxt(NEW, array, delimiter=',') makes CSV of it"],
  [
    "SQLite format 3",
    "a database",
    (file) => `sqlite3 -csv -header ${file} 'SELECT * FROM TABLE' > NEW makes CSV of a table`,
  ],
  ["WAVE", "a sound file", () => "a table of readings is needed, with a column a channel", 8],
  ["ustar", "a tar archive", (file) => `tar -xf ${file} unpacks it`, 257],
  ["7z\xbc\xaf", "a 7z archive", (file) => `7z x ${file} unpacks it`],
  ["\x28\xb5\x2f\xfd", "packed by zstd", (file) => `zstd -d ${file} unpacks it`],
  ["BZh91AY&SY", "packed by bzip2", (file) => `bzip2 -dk ${file} unpacks it`],
  ["\xfd7zXZ", "packed by xz", (file) => `xz -dk ${file} unpacks it`],
];

function pandas(kind: string): Kind[2] {
  const program = `import sys, pandas; pandas.read_${kind}(sys.argv[1]).to_csv(sys.argv[2], index=False)`;
  return (file) => `python3 -c '${program}' ${file} NEW makes CSV of it`;
}

/** Throws an UnskippableError with the remedy for a file that begins like another program's, no text. */
export function refuseKind(file: string, bytes: Buffer): void {
  const head = bytes.toString("latin1");
  // A column of a text may be called PAR1.
  const isBinary = (start: string) => head.includes("\0") || !/^[ -~]*$/.test(start);
  const kind = KINDS.find(([start, , , at = 0]) => head.startsWith(start, at) && isBinary(start));
  if (!kind) return;
  const [start, what, right] = kind;
  const isSheet = start === ZIP && /\[Content_Types\]|xl\//.test(head);
  const remedy = isSheet ? SAVE() : right(fileWord(file));
  throw new UnskippableError(file, undefined, isSheet ? "a spreadsheet" : what, remedy);
}

/** How a text begins that isn't the file but stands for it. */
const PAGES: readonly (readonly [start: RegExp, what: string, right: string])[] = [
  [/^\s*<(!doctype html|html)\b/i, "a page in HTML", "the file that the page is about is needed"],
  [/^\s*<\?xml\b/i, "a file in XML", "its readings as a table, such as CSV, are needed"],
  [/^version https:\/\/git-lfs\./, "a pointer of Git LFS", "git lfs pull fetches the file itself"],
];

/** Throws an UnskippableError with the remedy for a text that stands for a file. */
export function refusePage(file: string, text: string): void {
  const page = PAGES.find(([start]) => start.test(text));
  if (page) throw new UnskippableError(file, undefined, page[1], page[2]);
}
