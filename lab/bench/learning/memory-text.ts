import { countText } from "../../../host/count-text.ts";
import { printable } from "../../../host/printable.ts";
import { average } from "../../../host/statistics.ts";
import { table } from "../../../host/terminal/table.ts";
import { flipsText, type Order } from "./conditions.ts";
import type { MemoryResult, MemoryRow } from "./memory.ts";
import { bytesText, errorText, estimateText, untilText } from "./wording.ts";

/** A table by memory: what it says above, and its columns. */
interface MemoryTable {
  readonly memory: number;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function orderCells({ orders }: MemoryRow, order: Order): string[] {
  const found = orders.find((each) => each.order === order);
  if (!found) return ["", ""];
  return [`${estimateText(found.error)} (${found.sets})`, found.behind ? signedEstimate(found.behind) : ""];
}

/** "+1.20 ± 0.31", points behind the reference. */
function signedEstimate({ mean, standardError }: NonNullable<MemoryRow["orders"][number]["behind"]>): string {
  const text = estimateText({ mean, standardError }).replace(/^-(?=0\.00 )/, "");
  return mean > 0 ? `+${text}` : text;
}

/** Sorted by the mean error over both orders. */
function meanError({ orders }: MemoryRow): number {
  return average(orders.map(({ error }) => error.mean));
}

/** One table for each memory, least error first. */
export function memoryTables(result: MemoryResult): MemoryTable[] {
  const { reference, table: all } = result;
  const orders = [...new Set(all.flatMap((row) => row.orders.map(({ order }) => order)))];
  const [first] = all;
  const head = [
    ...["method", "bytes"],
    ...orders.flatMap((order) => [`${order}: error, % (sets)`, `beside ${reference}`]),
    ...(first?.delays ?? []).map(({ delay }) => `delay ${delay}`),
    ...(first?.flips ?? []).map(({ flips }) => `${flipsText(flips)} flipped`),
  ];
  return [...new Set(all.map(({ memory }) => memory))].map((memory) => ({
    memory,
    head,
    rows: all
      .filter((row) => row.memory === memory)
      .sort((a, b) => meanError(a) - meanError(b))
      .map((row) => [
        ...[row.entrant, bytesText(row.bytes)],
        ...orders.flatMap((order) => orderCells(row, order)),
        ...[...row.delays, ...row.flips].map(({ error }) => errorText(error)),
      ]),
  }));
}

/** The settings, in a sentence. */
export function memorySetup({ sets, seeds, rows, loss, prefix, until, runs }: MemoryResult): string {
  const progress = runs.done < runs.planned ? `; ${runs.done} of ${runs.planned} runs are done` : "";
  return `${sets.length} sets of at most ${rows} rows, ${countText(seeds, "seed")}, ${100 * loss} % of the labels lost, the first ${prefix} samples not scored${untilText(until)}${progress}`;
}

export function memoryText(result: MemoryResult): string {
  const left = result.leftOut.map(({ of, why }) => `left out: ${of}: ${why}`);
  const tables = memoryTables(result).map(({ memory, head, rows }) => {
    const cells = rows.map((row) => row.map((cell) => cell.replaceAll("±", "+-")));
    return `at most ${memory} bytes\n${table(cells, { head, aligns: ["left", "right"] })}`;
  });
  return [[memorySetup(result), ...left].map(printable).join("\n"), ...tables].join("\n\n");
}
