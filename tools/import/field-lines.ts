import { FieldRecords, fieldIn } from "../../host/streams/forms/field-lines.ts";
import { beginsNumber } from "../../host/streams/numbers.ts";

/** Records that show that each field has a line of its own, and the part of them that has a usual name. */
const [RECORDS_MIN, USUAL_SHARE] = [5, 0.5];
/** A second name on a line, and no time of the day. */
const SECOND = /[A-Za-z]\s?[=:|]/;
const PIPED = /^[^=:]*\|/;

/** True for lines that have a name and a value each, of records of two fields or more, as a database's shell prints them one below the other. */
export function areFieldLines(lines: readonly string[]): boolean {
  const texts = lines.filter((line) => line.trim() !== "");
  const fields = texts.map(fieldIn).filter((field) => field !== undefined);
  if (2 * fields.length <= texts.length || fields.some(([, value]) => SECOND.test(value))) return false;
  // A table of two columns has a name in its first one, too.
  if (fields.length === texts.length && texts.some((line) => PIPED.test(line))) return false;
  const records = new FieldRecords();
  const found = lines.flatMap((line, at) => records.take(line, at)?.fields ?? []);
  const having = (name: string, isSuch: (value: string) => boolean) =>
    found.filter((each) => isSuch(each.get(name) ?? "")).length;
  const isUsual = (count: number) => count >= USUAL_SHARE * found.length;
  const names = [...new Set(fields.map(([name]) => name))].filter((name) =>
    isUsual(having(name, (value) => value !== "")),
  );
  return (
    found.length >= RECORDS_MIN &&
    names.length > 1 &&
    names.some((name) => isUsual(having(name, beginsNumber)))
  );
}
