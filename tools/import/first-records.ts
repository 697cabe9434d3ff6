import { COMMENT } from "./comment-names.ts";

/** The place of a header that a program has written several times; the given one if the line there doesn't come again. */
export function lastHeader(lines: readonly string[], from: number): number {
  const line = lines[from]?.trim() ?? "";
  const end = lines.findIndex((other, at) => at > from && other.trim() !== line);
  return line === "" || /\d/.test(line) || end < 0 ? from : end - 1;
}

/** The records from that line on, a line or several each, with the place of the first. */
export function recordsIn(
  lines: readonly string[],
  from: number,
): { readonly at: number; readonly text: string }[] {
  const records: { at: number; text: string }[] = [];
  for (const [at, line] of lines.entries()) {
    const last = records[records.length - 1];
    if (last && endsInQuotes(last.text)) last.text += `\n${line}`;
    else if (at >= from && isRow(line)) records.push({ at, text: line });
  }
  return records;
}

/** True if a quote that begins a field isn't closed. */
function endsInQuotes(text: string): boolean {
  const single = text.replaceAll('""', "");
  return single.split('"').length % 2 === 0 && /(^|[,;|\t])"[^"]*$/.test(single);
}

export const isRow = (line: string) => line.trim() !== "" && !line.startsWith(COMMENT) && !isRule(line);

/** True for a line that a table's program draws below its head: "|----|----|". */
export const isRule = (line: string) => /^[\s|+:=-]*$/.test(line) && /---/.test(line) && /[|+]/.test(line);
