import type { Provenance } from "./provenance.ts";
import type { DataSet } from "./table.ts";

/**
 * Each node's rows as a data set of its own, in the order of the file; nodes in the order of their first row.
 * A file that doesn't name nodes is one node, "".
 */
export function byNode(data: DataSet): Map<string, DataSet> {
  const nodeRows = new Map<string, number[]>();
  for (let row = 0; row < data.count; row++) {
    const node = data.provenance?.node?.[row] ?? "";
    const rows = nodeRows.get(node);
    if (rows) rows.push(row);
    else nodeRows.set(node, [row]);
  }
  return new Map(Array.from(nodeRows, ([node, rows]) => [node, selectRows(data, rows)]));
}

export function labelledRows(data: DataSet): DataSet {
  if (!data.labels.some(Number.isNaN)) return data;
  const labelled = [...data.labels.keys()].filter((row) => !Number.isNaN(data.labels[row]));
  return selectRows(data, labelled);
}

export function selectRows(data: DataSet, chosen: readonly number[]): DataSet {
  const { dimension } = data;
  const rows = new Float32Array(chosen.length * dimension);
  chosen.forEach((row, i) => {
    rows.set(data.rows.subarray(row * dimension, (row + 1) * dimension), i * dimension);
  });
  const labels = Float64Array.from(chosen, (row) => data.labels[row]);
  const provenance = data.provenance && selectedProvenance(data.provenance, chosen);
  const lacking = data.lacking && Uint32Array.from(chosen, (row) => data.lacking?.[row] ?? 0);
  const parts = { ...(provenance && { provenance }), ...(lacking && { lacking }) };
  return { ...data, rows, labels, count: chosen.length, ...parts };
}

function selectedProvenance(all: Provenance, chosen: readonly number[]): Provenance {
  const { time, ticks, faults, node, source, confidence } = all;
  return {
    ...(time && { time: Float64Array.from(chosen, (row) => time[row]) }),
    ...(ticks && { ticks: Float64Array.from(chosen, (row) => ticks[row]) }),
    ...(faults && { faults: chosen.map((row) => faults[row]) }),
    ...(node && { node: chosen.map((row) => node[row]) }),
    ...(source && { source: Uint8Array.from(chosen, (row) => source[row]) }),
    ...(confidence && { confidence: Uint8Array.from(chosen, (row) => confidence[row]) }),
  };
}
