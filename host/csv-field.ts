import { printable } from "./printable.ts";

/** Control characters, and those that reverse what is shown after them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** How a formula begins in a spreadsheet. */
const FORMULA = /^[=+\-@＝＋－＠]/;

/**
 * A field of CSV (RFC 4180); null and undefined are empty. Texts come from nodes, files and users: a
 * control character is written as an escape, and a text that a spreadsheet would take for a formula begins
 * with an apostrophe. Numbers stay, also those that come as text.
 *
 *     csvField("=1+1") // "'=1+1"
 */
export function csvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = String(value).replace(CONTROLS, printable);
  const safe = FORMULA.test(text) && !NUMBER.test(text) && typeof value === "string" ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
