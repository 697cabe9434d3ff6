import { LINE_LENGTH_MAX, TextSource } from "../../host/streams/text.ts";

/** Lines that show how a file is written: fewer of long ones, with so many characters in all. */
const LINES_MAX = 1000;
const LINES_MIN = 8;
const CHARACTERS = 1 << 22;

/** The first lines of a file; of one without line ends, its beginning. Throws a StreamError for one that can't be read. */
export async function firstLines(file: string): Promise<string[]> {
  const text = new TextSource(file);
  const lines: string[] = [];
  try {
    const first = await text.firstLine();
    if (first.length >= LINE_LENGTH_MAX) return [first]; // JSON on one line, or refused where it is read
    let characters = 0;
    for await (const some of text.lines()) {
      lines.push(...some);
      for (const { length } of some) characters += length;
      if (lines.length >= (characters < CHARACTERS ? LINES_MAX : LINES_MIN)) break;
    }
  } finally {
    await text.close();
  }
  return lines.slice(0, LINES_MAX).map((line) => line.replace(/\r{1,2}$/, ""));
}
