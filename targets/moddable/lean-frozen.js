// In place of src/memory/frozen.js in a board's firmware.
import { isChecked } from "./carried.js";
import { leanTable, UNREAD } from "./lean-tables.js";

/** The properties of options that only checks read. */
const CHECKED = ["accepts", "takes"];
const LEFT_OUT = isChecked ? [...UNREAD, ...CHECKED] : UNREAD;

/** Tables of options, which planned.js empties or freezes. */
export const TABLES = [];

function isOfOptions(table) {
  const all = Object.values(table);
  return (
    !Array.isArray(table) &&
    all.length > 0 &&
    all.every((one) => one?.kind !== undefined && Object.hasOwn(one, "default"))
  );
}

/* @__NO_SIDE_EFFECTS__ */ // a bundle leaves out a table that nothing uses
export function frozen(table) {
  if (!isOfOptions(table)) return leanTable(table, LEFT_OUT, TABLES);
  TABLES.push(table);
  return table;
}
