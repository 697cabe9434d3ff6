import { CsvRecords } from "../../host/streams/csv-records.ts";
import { TextSource } from "../../host/streams/text.ts";
import type { Dialect } from "./dialect.ts";

/** Lines that show how a file is written. */
const SAMPLE_LINES = 1000;

/** The first lines of a file. Throws a StreamError for one that can't be read. */
export async function firstLines(file: string): Promise<string[]> {
  const text = new TextSource(file);
  const lines: string[] = [];
  try {
    for await (const some of text.lines()) {
      lines.push(...some.slice(0, SAMPLE_LINES - lines.length));
      if (lines.length >= SAMPLE_LINES) break;
    }
  } finally {
    await text.close();
  }
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** All records of a CSV file, with the header where it has one. */
export async function* recordsOf(file: string, dialect: Dialect): AsyncGenerator<readonly string[]> {
  const { separator, skipLines, comment } = dialect;
  const records = new CsvRecords(file, separator, skipLines, comment);
  const text = new TextSource(file);
  let rest = "";
  try {
    for await (const piece of text.pieces("row")) {
      rest += piece.text.slice(piece.from, piece.to);
      rest = yield* whole(false);
      records.checkLength(rest);
    }
    yield* whole(true);
  } finally {
    await text.close();
  }

  /** The records that end in the text; returns what is left of it. */
  function* whole(isLast: boolean): Generator<readonly string[], string> {
    let at = 0;
    while (at < rest.length) {
      const record = records.read(rest, at, isLast);
      if (!record) break;
      if (record.fields.length > 0) yield record.fields;
      at = record.end;
    }
    return rest.slice(at);
  }
}
