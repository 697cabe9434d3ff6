import { csvField } from "../../host/csv-field.ts";
import type { LiveRow } from "../api/api.ts";
import type { PlacedLabel } from "./trace.ts";

/** A node's rows as they are written to a file. */
interface ExportedNode {
  readonly node: string;
  readonly rows: readonly LiveRow[];
  readonly labels: readonly PlacedLabel[];
  readonly channels: readonly string[];
}

/**
 * The visible samples as a table, a line a sample.
 * @param markAt the mark between two times.
 */
export function writeCsv(
  nodes: readonly ExportedNode[],
  markAt: (from: number, to: number) => string,
): string {
  const names = nodes.reduce<readonly string[]>(
    (most, { channels }) => (channels.length > most.length ? channels : most),
    [],
  );
  const head = ["node", "sid", "seq", "time", "decision", "label", "by", "mark", ...names];
  const lines = nodes.flatMap(({ node, rows, labels }) => {
    const labelled = new Map(labels.map((label) => [`${label.sid} ${label.seq}`, label]));
    return rows.map(([time, sid, seq, decision, , x], i) => {
      const label = labelled.get(`${sid} ${seq}`);
      const mark = markAt(i === 0 ? time - 1 : rows[i - 1][0], time);
      const what = [node, sid, seq, new Date(time).toISOString(), decision, label?.y, label?.by, mark];
      return [...what, ...(x ?? [])].map((value) => csvField(Number.isNaN(value) ? null : value)).join();
    });
  });
  return `${[head.map(csvField).join(), ...lines].join("\n")}\n`;
}
