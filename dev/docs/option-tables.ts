import type { Family } from "../../src/learn/family.ts";
import type { Option } from "../../src/learn/options.ts";
import { FAMILIES } from "../../src/learn/registry.ts";

/** An option that so many learners have, with the same meaning, range and default, is listed once for all. */
const SEVERAL = 4;

export const SHARED_OPTIONS = `## Options of several learners

A card lists its learner's own options in a table, and names these.
`;

const COLUMNS = "| option | meaning | takes | default |\n| --- | --- | --- | --- |";

/** A cell's text: on one line, and without a mark that ends the cell. */
const cell = (text: string) => text.replaceAll("|", "\\|");

function row(name: string, { doc, takes, default: usual }: Option<unknown>): string {
  const shown = usual === undefined ? "required" : `\`${JSON.stringify(usual)}\``;
  return `| \`${name}\` | ${cell(doc)} | ${cell(takes)} | ${cell(shown)} |`;
}

/** How many learners have each row. */
function countOptions(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { options } of FAMILIES)
    for (const [name, option] of Object.entries(options)) {
      const text = row(name, option);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  return counts;
}

const COUNTS = countOptions();
const isShared = (text: string) => (COUNTS.get(text) ?? 0) >= SEVERAL;

/** The table of the options that several learners have. */
export function sharedOptions(): string {
  return [COLUMNS, ...[...COUNTS.keys()].filter(isShared).sort()].join("\n");
}

/** The lines of a card on its learner's options: a table of its own ones, and the names of the others. */
export function ownOptions({ options }: Family): readonly string[] {
  const all = Object.entries(options).map(([name, option]) => [name, row(name, option)] as const);
  const own = all.filter(([, text]) => !isShared(text)).map(([, text]) => text);
  const others = all.filter(([, text]) => isShared(text)).map(([name]) => `\`${name}\``);
  return [
    ...(own.length > 0 ? [COLUMNS, ...own, ""] : []),
    `Options of several learners: ${others.join(", ")}.`,
    "",
  ];
}
