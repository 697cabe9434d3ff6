import { markdownTable } from "../../host/files/marked-part.ts";
import { groupBy } from "../../host/group-by.ts";
import type { Family } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

/** An option that so many learners have, with the same meaning, range and default, is listed once for all. */
const SEVERAL = 4;

export const SHARED_OPTIONS = `## Options of several learners

A card lists its learner's own options in a table, and names these.
`;

/** A row's cells: an option's name, meaning, range and default. */
type Row = readonly string[];

const optionRows = ({ options }: Family): Row[] =>
  Object.entries(options).map(([name, { doc, takes, default: usual }]) => {
    const shown = usual === undefined ? "required" : `\`${JSON.stringify(usual)}\``;
    return [`\`${name}\``, doc, takes, shown];
  });

const rowKey = (row: Row) => row.join(" | ");
const LEARNERS_WITH = groupBy(FAMILIES.flatMap(optionRows), rowKey);
const isShared = (row: Row) => (LEARNERS_WITH.get(rowKey(row))?.length ?? 0) >= SEVERAL;

const optionTable = (rows: readonly Row[]) => markdownTable(["option", "meaning", "takes", "default"], rows);

/** The table of the options that several learners have. */
export function sharedOptions(): string {
  const rows = [...LEARNERS_WITH.values()].map(([row]) => row).filter(isShared);
  return optionTable(rows.sort((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1)));
}

/** The lines of a card on its learner's options: a table of its own ones, and the names of the others. */
export function ownOptions(family: Family): readonly string[] {
  const all = optionRows(family);
  const own = all.filter((row) => !isShared(row));
  const others = all.filter(isShared).map(([name]) => name);
  return [
    ...(own.length > 0 ? [optionTable(own), ""] : []),
    `Options of several learners: ${others.join(", ")}.`,
    "",
  ];
}
