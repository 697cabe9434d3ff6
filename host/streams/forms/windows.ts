import { parseTime } from "../time-text.ts";
import { LABEL, type NamedRow, type NamedRows } from "./named-row.ts";
import type { FormOptions } from "./options.ts";

/** Rows with a label: 1 where their time lies in one of the windows, else 0; none where they have no time. */
export async function* labelledByWindows(
  rows: NamedRows,
  windows: NonNullable<FormOptions["windows"]>,
  timeName: string,
  { dateOrder, timeUnit }: FormOptions,
): NamedRows {
  const spans = windows.map(([first, last]) => [parseTime(first), parseTime(last)] as const);
  const windowLabel = ({ fields }: NamedRow): string => {
    const time = parseTime(fields.get(timeName) ?? "", dateOrder, timeUnit);
    if (Number.isNaN(time)) return "";
    return spans.some(([first, last]) => time >= first && time <= last) ? "1" : "0";
  };
  for await (const some of rows)
    yield some.map((row) => ({ ...row, fields: new Map(row.fields).set(LABEL, windowLabel(row)) }));
}
