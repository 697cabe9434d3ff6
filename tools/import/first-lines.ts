import { TextSource } from "../../host/streams/text.ts";

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
