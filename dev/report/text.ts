import { table } from "../../host/terminal/table.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { type Change, type Comparison, TOLERANCE } from "./compare.ts";
import type { Figures } from "./figures.ts";

/** Most lines of a list; the file has all. */
const SHOWN = 40;

function percent(by: number): string {
  return `${by > 0 ? "+" : ""}${(100 * by).toFixed(1)} %`;
}

/** A figure, and its change if there is one. */
function cell(name: string, before: Figures, now: Figures): string {
  const value = now[name];
  if (value === undefined) return "";
  const by = before[name] === undefined ? 0 : value / before[name] - 1;
  const change = Math.abs(by) < 0.0005 ? "" : ` (${percent(by)})`;
  return `${value.toLocaleString("en-US")}${change}`;
}

function learnersTable(before: Figures, now: Figures): string {
  const columns = (name: string) => [
    `instructions/rv32imac/${name}/predict`,
    `instructions/rv32imac/${name}/learn`,
    `instructions/rv32imac/${name}/longest`,
    `ram/esp32c3/${name}`,
  ];
  const rows = FAMILIES.map(({ name }) => [name, ...columns(name).map((of) => cell(of, before, now))]);
  const head = ["learner, 8 x 64", "predict", "learn", "longest learn", "RAM of a node, B"];
  return table(rows, { head, aligns: ["left", "right"] });
}

function modulesTable(before: Figures, now: Figures): string {
  const names = Object.keys(now).filter((name) => /^(code|firmware)\//.test(name));
  const rows = names.map((name) => [name, cell(name, before, now)]);
  return table(rows, { head: ["module", "bytecode, B"], aligns: ["left", "right"] });
}

function changesText(title: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return [];
  // What fails comes first, so that it is never among those that aren't shown.
  const unnamedFirst = [...changes].sort((a, b) => Number(a.named) - Number(b.named));
  const lines = unnamedFirst.slice(0, SHOWN).map(({ name, before, now, by, named }) => {
    const known = named ? ", named in CHANGELOG.md" : "";
    return `  ${name}: ${before} -> ${now}, ${percent(by)}${known}`;
  });
  const rest = changes.length > SHOWN ? [`  and ${changes.length - SHOWN} more`] : [];
  return [`${title} by more than ${100 * TOLERANCE} %:`, ...lines, ...rest, ""];
}

/** The report for people: tables, then changes. `against`: the base of the comparison, in words. */
export function reportText(against: string, before: Figures, now: Figures, found: Comparison): string {
  const list = (title: string, names: readonly string[]) =>
    names.length > 0
      ? [`${title}: ${names.length} (${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""})`]
      : [];
  return [
    "Instructions on an emulated rv32imac (targets/emulator/counts.json), RAM on an ESP32-C3 (motelearn plan)",
    learnersTable(before, now),
    "",
    modulesTable(before, now),
    "",
    `${found.compared} figures compared with ${against}`,
    ...list("New figures", found.added),
    ...list("Figures that are gone", found.gone),
    ...changesText("Smaller", found.better),
    ...changesText("Larger", found.worse),
  ].join("\n");
}
