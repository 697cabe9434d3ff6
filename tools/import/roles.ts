import { PROVENANCE_NAMES } from "../../host/streams/provenance.ts";
import type { Column } from "./column.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import type { Survey } from "./survey.ts";

/** What a column is. */
export type Role = "feature" | "label" | "time" | "left out";

const LABEL_NAMES = ["label", "class", "target"];
/** Columns of a ThingSpeak export that are no readings. */
const THINGSPEAK_ASIDE = ["entry_id", "latitude", "longitude", "elevation", "status"];

/** The role of each column: readers' rules, and texts and empty columns left out. */
export function rolesOf({ columns, time }: Survey, dialect: Dialect): Role[] {
  const isThingSpeak = columns[0]?.name === "created_at" && columns[1]?.name === "entry_id";
  const aside = columns.map(
    (column, at) =>
      isAside(column, at, dialect) ||
      at === time?.at ||
      column.isEmpty ||
      (isThingSpeak && THINGSPEAK_ASIDE.includes(column.name)),
  );
  const label = labelAt(columns, aside, dialect);
  const roles = columns.map((column, at): Role => {
    if (at === time?.at) return "time";
    if (at === label) return "label";
    const isOut = aside[at] || !column.isNumeric || column.name === columns[label]?.name;
    return isOut ? "left out" : "feature";
  });
  // A lone column of numbers is a feature without a label.
  const isLone = !roles.includes("feature") && columns[label]?.isNumeric;
  return isLone ? roles.map((role) => (role === "label" ? "feature" : role)) : roles;
}

function isAside({ name, numbers, min, values }: Column, at: number, dialect: Dialect): boolean {
  const header = hasNames(dialect);
  if (at === 0 && dialect.rowNames) return true;
  const isUnnamed = header && (name === "column 1" || name === "Unnamed: 0");
  const isIndex = at === 0 && isUnnamed && numbers > 0 && min >= 0 && [...values.keys()].every(isWhole);
  return isIndex || (header && (PROVENANCE_NAMES as readonly string[]).includes(name));
}

const isWhole = (text: string) => /^\d+$/.test(text);

function labelAt(columns: readonly Column[], aside: readonly boolean[], dialect: Dialect): number {
  const isNamed = (wanted: string) =>
    columns.findIndex(({ name }) => hasNames(dialect) && name.toLowerCase() === wanted);
  const named = LABEL_NAMES.map(isNamed).find((at) => at >= 0);
  return named ?? aside.lastIndexOf(false);
}
