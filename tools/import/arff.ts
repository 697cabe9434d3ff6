import { StreamError, UnskippableError } from "../../host/streams/stream-error.ts";
import type { Dialect } from "./dialect.ts";

const ATTRIBUTE = /^\s*@attribute\s+(?:'([^']+)'|"([^"]+)"|(\S+))\s+(.*)/i;

/** True if a file that begins with these lines is Weka's ARFF. */
export function isArff(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("%"));
  return /^\s*@relation\b/i.test(first ?? "");
}

/**
 * An ARFF file as a table: its attributes name the columns of the lines below @data. Throws a StreamError for one without, or of sparse rows.
 *
 * @see https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
 */
export function arffDialect(file: string, lines: readonly string[]): Dialect {
  const data = lines.findIndex((line) => /^\s*@data\b/i.test(line));
  const attributes = lines.slice(0, data).flatMap((line) => {
    const [, single, double, bare, type] = ATTRIBUTE.exec(line) ?? [];
    const name = single ?? double ?? bare;
    return name === undefined ? [] : [{ name, nominals: nominalsIn(type) }];
  });
  if (data < 0 || attributes.length === 0) {
    const what = `no @attribute and @data in its first ${lines.length} lines`;
    throw new StreamError(file, undefined, what, "ARFF needs both");
  }
  const first = lines.findIndex((line, at) => at > data && line.trim() !== "" && !line.startsWith("%"));
  if (lines[first]?.trimStart().startsWith("{"))
    throw new UnskippableError(
      file,
      first + 1,
      "a sparse row",
      "Weka's filter SparseToNonSparse makes rows of all values",
    );
  return {
    ...{ skipLines: data + 1, separator: ",", quote: "'", comment: "%", header: false },
    names: attributes.map(({ name }) => name),
    nominals: new Map(attributes.flatMap(({ name, nominals }) => (nominals ? [[name, nominals]] : []))),
  };
}

/** The values that a nominal attribute declares; undefined for another. */
function nominalsIn(type: string): string[] | undefined {
  const listed = /^\{(.*)\}\s*$/.exec(type)?.[1];
  return listed
    ?.match(/'(?:\\.|[^'])*'|[^,]+/g)
    ?.map((value) =>
      value
        .trim()
        .replace(/^'(.*)'$/, "$1")
        .replaceAll("\\'", "'"),
    )
    .filter((value) => value !== "");
}
