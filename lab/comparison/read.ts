import { parseJson } from "../../host/json.ts";
import { TextSource } from "../../host/streams/text.ts";
import { type Results, refuse } from "./results.ts";
import { simulateRows } from "./simulate-result.ts";
import { csvRows, ndjsonRows } from "./table-rows.ts";

/** Most characters of a result in JSON, which is read whole. */
const LENGTH_MAX = 1 << 28;
const SIMULATE = "motelearn.simulate/1";

/** Reads a file of results, gzipped or not; its contents say what it is. Throws a StreamError of one line. */
export async function readResults(file: string): Promise<Results> {
  const text = new TextSource(file);
  try {
    const first = await text.firstLine();
    if (first === "") refuse(file, undefined, "nothing in it");
    if (first.startsWith("PAR1")) refuse(file, undefined, "Parquet isn't read");
    const isSimulated = first.startsWith("{") && !isTableRow(first);
    const rows = isSimulated
      ? simulateRows(file, await wholeResult(text))
      : await (first.startsWith("{") ? ndjsonRows(text) : csvRows(text));
    if (rows.length === 0) refuse(file, undefined, "no results in it");
    return { file, form: isSimulated ? "simulate" : "table", rows };
  } finally {
    await text.close();
  }
}

/** True if a file's first line is a row of a table, and not the beginning of a result. */
function isTableRow(line: string): boolean {
  try {
    return (parseJson(line) as { schema?: unknown } | null)?.schema === undefined;
  } catch {
    return false;
  }
}

async function wholeResult(text: TextSource): Promise<Record<string, unknown>> {
  const { file } = text;
  const parts: string[] = [];
  let length = 0;
  for await (const { text: piece, from, to } of text.pieces("line")) {
    length += to - from;
    if (length > LENGTH_MAX) refuse(file, undefined, `more than ${LENGTH_MAX} characters of JSON`);
    parts.push(piece.slice(from, to));
  }
  let result: unknown;
  try {
    result = parseJson(parts.join(""));
  } catch (error) {
    refuse(file, undefined, (error as Error).message);
  }
  const { schema } = Object(result) as { schema?: unknown };
  if (schema === SIMULATE) return result as Record<string, unknown>;
  return refuse(file, undefined, typeof schema === "string" ? `it is ${schema}` : `no schema ${SIMULATE}`);
}
