import type { BadRows } from "../bad-rows.ts";
import { parseObject } from "../ndjson.ts";
import type { TextSource } from "../text.ts";
import { listedObjects } from "./json-list.ts";
import { type NamedRow, type NamedRows, withBits } from "./named-row.ts";

/** Rows of NDJSON: an object a line, each of its values by its name; of one within another by both: `payload.temp`, `acc.0`. */
export async function* jsonRows(text: TextSource, badRows: BadRows): NamedRows {
  let line = 0;
  for await (const lines of text.lines()) {
    const rows: NamedRow[] = [];
    for (const row of lines) {
      line++;
      if (row.trim() === "") continue;
      try {
        rows.push({ line, fields: new Map(namedValues(parseObject(text.file, line, row), "")) });
      } catch (error) {
        badRows.take(error);
      }
    }
    yield rows;
  }
}

/** The same of a JSON text's list, over several lines or on one. */
export async function* jsonListRows(text: TextSource, badRows: BadRows): NamedRows {
  try {
    for await (const objects of listedObjects(text))
      yield objects.flatMap(({ line, text: row }) => {
        try {
          return [
            {
              line,
              fields: new Map(
                namedValues(parseObject(text.file, line, row, "an object of JSON is needed"), ""),
              ),
            },
          ];
        } catch (error) {
          badRows.take(error);
          return [];
        }
      });
  } catch (error) {
    badRows.take(error);
  }
}

/** The values that are no objects, each with its name. null is a missing one. */
function* namedValues(object: object, prefix: string): Generator<[name: string, text: string]> {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === "object" && value !== null) yield* namedValues(value, `${prefix}${name}.`);
    else yield [`${prefix}${name}`, value === null ? "" : withBits(String(value))];
  }
}
