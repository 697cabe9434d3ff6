import { FieldRecords, fieldIn } from "../../host/streams/forms/field-lines.ts";
import { beginsNumber } from "../../host/streams/numbers.ts";

/** Records that show that each field has a line of its own, and the part of them that has a name of the usual ones. */
const [RECORDS_MIN, USUAL_SHARE] = [5, 0.5];
/** A second name on a line, and no time of the day. */
const SECOND = /[A-Za-z]\s?[=:|]/;

/** True for lines that have a name and a value each, of records of two fields or more, as a database's shell prints them one below the other. */
export function areFieldLines(lines: readonly string[]): boolean {
  const texts = lines.filter((line) => line.trim() !== "");
  const fields = texts.filter((line) => fieldIn(line));
  const isLone = ([, value]: readonly [string, string]) => !SECOND.test(value);
  if (2 * fields.length <= texts.length || !fields.every((line) => isLone(fieldIn(line) ?? ["", ""])))
    return false;
  // A table of two columns has a name in its first one, too.
  if (fields.length === texts.length && fields.some((line) => /^[^=:]*\|/.test(line))) return false;
  const records = new FieldRecords();
  const found = lines.flatMap((line, at) => records.take(line, at) ?? []);
  const counts = new Map<string, number>();
  for (const { fields: each } of found)
    for (const name of each.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const usual = [...counts].filter(([, count]) => count >= USUAL_SHARE * found.length);
  const haveNumbers = usual.some(([name]) =>
    found.every(({ fields: each }) => beginsNumber(each.get(name) ?? "0")),
  );
  return found.length >= RECORDS_MIN && usual.length > 1 && haveNumbers;
}
