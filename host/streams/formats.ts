/** The formats that can be read. */
export const FORMATS = ["csv", "libsvm", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

const BY_EXTENSION: Record<string, Format> = {
  csv: "csv",
  tsv: "csv",
  libsvm: "libsvm",
  svm: "libsvm",
  svmlight: "libsvm",
  ndjson: "ndjson",
  jsonl: "ndjson",
};

/** The format that the file's name ends with; undefined for another ending. */
export function formatByExtension(file: string): Format | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(file)?.[1].toLowerCase();
  return BY_EXTENSION[extension ?? ""];
}

/** The format that a file's first line shows. */
export function formatByLine(line: string): Format {
  if (line.startsWith("{")) return "ndjson";
  return /^[-+.\deE]+(\s+(\d+|qid):\S+)+\s*(#|$)/.test(line) ? "libsvm" : "csv";
}
