import type { BadRows } from "../bad-rows.ts";
import { readObject } from "../ndjson.ts";
import type { TextSource } from "../text.ts";
import { type ListedObject, listedObjects } from "./json-list.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";

/** Rows of NDJSON: an object a line, each of its values by its name; of one within another by both: `payload.temp`, `acc.0`. */
export async function* jsonRows(text: TextSource, badRows: BadRows): NamedRows {
  let line = 0;
  for await (const lines of text.lines()) {
    const texts = lines.map((row) => ({ line: ++line, text: row })).filter((row) => row.text.trim() !== "");
    yield makeRows(text, texts, badRows);
  }
}

/** The same of a JSON text's list, over several lines or on one. */
export async function* jsonListRows(text: TextSource, badRows: BadRows): NamedRows {
  try {
    for await (const objects of listedObjects(text))
      yield makeRows(text, objects, badRows, "an object of JSON is needed");
  } catch (error) {
    badRows.take(error);
  }
}

/** The rows of objects that are written out, without the bad ones. */
function makeRows(
  source: TextSource,
  objects: readonly Pick<ListedObject, "line" | "text">[],
  badRows: BadRows,
  right?: string,
): NamedRow[] {
  return objects.flatMap(({ line, text }) => {
    const object = readObject(source, line, text, badRows, right);
    return object ? { line, fields: new Map(namedValues(object)) } : [];
  });
}

/** The values that are no objects, each with its name. null is a missing one, true is 1; a value whose name is blank, such as a row's number, is none. */
export function* namedValues(object: object, prefix = ""): Generator<[name: string, text: string]> {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === "object" && value !== null) yield* namedValues(value, `${prefix}${name}.`);
    else if (`${prefix}${name}`.trim() !== "") yield [`${prefix}${name}`, cellText(value)];
  }
}

function cellText(value: string | number | boolean | null): string {
  return value === null ? "" : String(typeof value === "boolean" ? Number(value) : value);
}
