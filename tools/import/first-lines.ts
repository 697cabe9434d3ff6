import { LINE_LENGTH_MAX, TextSource } from "../../host/streams/text.ts";

/** Lines that show how a file is written. */
const SAMPLE_LINES = 1000;

/** The first lines of a file; of one without line ends, its beginning. Throws a StreamError for one that can't be read. */
export async function firstLines(file: string): Promise<string[]> {
  const text = new TextSource(file);
  const lines: string[] = [];
  try {
    const first = await text.firstLine();
    if (first.length >= LINE_LENGTH_MAX) return [first]; // JSON on one line, or refused where it is read
    for await (const some of text.lines()) {
      lines.push(...some.slice(0, SAMPLE_LINES - lines.length));
      if (lines.length >= SAMPLE_LINES) break;
    }
  } finally {
    await text.close();
  }
  return lines.map((line) => line.replace(/\r$/, ""));
}
