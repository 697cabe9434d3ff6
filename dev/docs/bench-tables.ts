import { readFileSync } from "node:fs";
import { markdownTable, withMarkedPart } from "../../host/files/marked-part.ts";
import { type Forecast, forecastGoals, forecastTable } from "../../lab/bench/forecasts.ts";
import type { MemoryResult } from "../../lab/bench/learning/memory.ts";
import { memorySetup, memoryTables } from "../../lab/bench/learning/memory-text.ts";

/** What the tables show: what `bench-learning --memory LIST --json` and `bench-learning --forecasts --json` printed. */
export const BENCH_FILE = "lab/bench/measured.json";

/** The benches' results, as far as they were kept. */
interface MeasuredBenches {
  readonly memory?: Omit<MemoryResult, "leftOut">;
  readonly forecasts?: readonly Forecast[];
}

/** A result that a command printed, by its schema. Throws for another one. */
export function keptBench(result: { readonly schema: string }): MeasuredBenches {
  if (result.schema === "motelearn.bench-memory/1") return { memory: result as MemoryResult };
  if (result.schema === "motelearn.bench-forecasts/1")
    return { forecasts: (result as unknown as { forecasts: readonly Forecast[] }).forecasts };
  throw new Error(`${result.schema}: takes motelearn.bench-memory/1 or bench-forecasts/1`);
}

/** The file's text, with six significant digits. */
export function benchText(measured: MeasuredBenches): string {
  const roundNumber = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(6)) : value;
  return `${JSON.stringify(measured, roundNumber)}\n`;
}

export function readBenches(): MeasuredBenches {
  return JSON.parse(readFileSync(BENCH_FILE, "utf8"));
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(head, rows, (column) => rows.every((row) => /^[-+]?\d|^$/.test(row[column])));
}

function memoryPart(result: MemoryResult): string {
  const tables = memoryTables(result).map(
    ({ memory, head, rows }) => `At most ${memory.toLocaleString("en")} bytes:\n\n${markdown(head, rows)}`,
  );
  const names = result.sets.map(({ name }) => name).join(", ");
  return [`${memorySetup(result)}: ${names}.`, ...tables].join("\n\n");
}

function forecastPart(forecasts: readonly Forecast[]): string {
  const { head, rows } = forecastTable(forecasts);
  return `${markdown(head, rows)}\n\n\`auto-r\`'s error is ${forecastGoals(forecasts).replace("\n", "; ")}.`;
}

function withPart(page: string, name: string, text: string): string {
  return withMarkedPart(page, `<!-- npm run build:bench writes ${name} from here -->`, text);
}

/** docs/results.md with its tables of these results written anew. Throws where the page has no place for one. */
export function withBenches(page: string, { memory, forecasts }: MeasuredBenches): string {
  const one = memory ? withPart(page, "the methods", memoryPart({ ...memory, leftOut: [] })) : page;
  return forecasts ? withPart(one, "the forecasts", forecastPart(forecasts)) : one;
}
