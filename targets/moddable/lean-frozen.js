// In place of src/memory/frozen.js in a board's firmware.
import { isChecked } from "./carried.js";
import { leanTable, UNREAD } from "./lean-tables.js";

/** The properties of options that only checks read. */
const CHECKED = ["accepts", "takes", "formerly", "formerValues"];
const LEFT_OUT = isChecked ? [...UNREAD, ...CHECKED] : UNREAD;

export function frozen(table) {
  return leanTable(table, LEFT_OUT);
}
