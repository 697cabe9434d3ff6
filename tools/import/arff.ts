import { StreamError } from "../../host/streams/stream-error.ts";
import type { Dialect } from "./dialect.ts";

const ATTRIBUTE = /^\s*@attribute\s+(?:'([^']+)'|"([^"]+)"|(\S+))/i;

/** True if a file that begins with these lines is Weka's ARFF. */
export function isArff(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("%"));
  return /^\s*@relation\b/i.test(first ?? "");
}

/** An ARFF file as a table: its attributes name the columns of the lines below @data. Throws a StreamError for one without. */
export function arffDialect(file: string, lines: readonly string[]): Dialect {
  const data = lines.findIndex((line) => /^\s*@data\b/i.test(line));
  const names = lines.slice(0, data).flatMap((line) => {
    const [, single, double, bare] = ATTRIBUTE.exec(line) ?? [];
    return single ?? double ?? bare ?? [];
  });
  if (data < 0 || names.length === 0) {
    const what = `no @attribute and @data in its first ${lines.length} lines`;
    throw new StreamError(file, undefined, what, "ARFF needs both");
  }
  return { skipLines: data + 1, separator: ",", comment: "%", header: false, names };
}
