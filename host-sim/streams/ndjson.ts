import type { RawLabel } from "./labels.ts";
import { isFloat32 } from "./numbers.ts";
import type { SampleProvenance } from "./provenance.ts";
import { excerpt, StreamError } from "./stream-error.ts";
import type { TableBuilder } from "./table.ts";
import type { TextSource } from "./text.ts";

const PROVENANCE = { time: "number", ticks: "number", faults: undefined, node: "string" } as const;

/**
 * Reads NDJSON: an object a line with `x` (array of numbers), `label` (number or word; null or absent for none),
 * and ECMA-419's `time`, `ticks`, `faults` and the `node`, each optional. Other names are left alone.
 */
export async function readNdjson(text: TextSource, table: TableBuilder): Promise<void> {
  let line = 0;
  for await (const lines of text.lines()) {
    for (const row of lines) {
      line++;
      if (row.trim() === "") continue;
      const sample = parseObject(text.file, line, row);
      const x = featuresOf(text.file, line, sample.x);
      table.add(line, x, labelOf(text.file, line, sample.label), provenanceOf(text.file, line, sample));
    }
  }
}

function parseObject(file: string, line: number, row: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    throw new StreamError(file, line, `not JSON: ${excerpt(row.trim())}`, "one JSON object a line is needed");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new StreamError(
    file,
    line,
    `not an object: ${excerpt(row.trim())}`,
    "one JSON object a line is needed",
  );
}

function featuresOf(file: string, line: number, x: unknown): number[] {
  if (!Array.isArray(x)) {
    throw new StreamError(
      file,
      line,
      x === undefined ? "no x" : "x isn't an array",
      '"x": [numbers] is needed',
    );
  }
  const bad = x.findIndex((value) => typeof value !== "number" || !isFloat32(value));
  if (bad >= 0) {
    const what = `x[${bad}] is ${excerpt(String(x[bad]))}, not a number`;
    throw new StreamError(file, line, what, "finite float32 numbers are needed");
  }
  return x;
}

function labelOf(file: string, line: number, label: unknown): RawLabel {
  if (label === undefined || label === null) return undefined;
  if (typeof label === "string" || Number.isFinite(label)) return label as string | number;
  throw new StreamError(
    file,
    line,
    `label is ${excerpt(JSON.stringify(label))}`,
    "a number or a word is needed",
  );
}

function provenanceOf(
  file: string,
  line: number,
  sample: Record<string, unknown>,
): SampleProvenance | undefined {
  const provenance: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(PROVENANCE)) {
    let value = sample[name];
    if (value === undefined || value === null) continue;
    if (name === "node" && typeof value === "number") value = String(value);
    if (type !== undefined && typeof value !== type) {
      throw new StreamError(
        file,
        line,
        `${name} is ${excerpt(JSON.stringify(value))}`,
        `a ${type} is needed`,
      );
    }
    provenance[name] = value;
  }
  return Object.keys(provenance).length > 0 ? provenance : undefined;
}
