import { type JsonError, parseJson } from "../json.ts";
import type { RawLabel } from "./labels.ts";
import { isMissing, missingTaken } from "./missing.ts";
import { BEYOND, isFloat32, WITHIN_NEEDED } from "./numbers.ts";
import { BYTE_NEEDED, isByte, type SampleProvenance } from "./provenance.ts";
import { excerpt, StreamError, UnskippableError } from "./stream-error.ts";
import type { TableBuilder } from "./table.ts";
import type { TextSource } from "./text.ts";

const PROVENANCE = { time: "number", ticks: "number", faults: undefined, node: "string" } as const;
const ORIGIN = ["source", "confidence"] as const;

/**
 * Reads NDJSON: an object a line with `x` (array of numbers), `label` (number or word; null or absent for
 * none), the label's `source` and `confidence`, and ECMA-419's `time`, `ticks`, `faults` and the `node`, each
 * optional. Other names are left alone.
 *
 * A log has other lines too, without `x` and with a `type`. One of type `label` brings the `label` of a
 * sample before it, the last with the same `node`, `sid` and `seq`; the others are left alone.
 */
export async function readNdjson(text: TextSource, table: TableBuilder): Promise<void> {
  const waiting = new Map<string, number>();
  let line = 0;
  for await (const lines of text.lines()) {
    for (const row of lines) {
      line++;
      if (row.trim() === "") continue;
      try {
        takeObject(text.file, line, parseObject(text.file, line, row), table, waiting);
      } catch (error) {
        table.badRows.take(error);
      }
    }
  }
}

function takeObject(
  file: string,
  line: number,
  read: Record<string, unknown>,
  table: TableBuilder,
  waiting: Map<string, number>,
): void {
  const isSample = read.x !== undefined || typeof read.type !== "string";
  if (isSample) addSample(file, line, read, table, waiting);
  else labelLate(file, line, read, table, waiting);
}

function addSample(
  file: string,
  line: number,
  sample: Record<string, unknown>,
  table: TableBuilder,
  waiting: Map<string, number>,
): void {
  const x = parseFeatures(file, line, sample.x, table);
  const label = parseLabel(file, line, sample.label);
  const key = label === undefined ? sampleKey(sample) : undefined;
  const row = table.count;
  const isRow = table.add(line, x, label, parseProvenance(file, line, sample));
  if (key === undefined) return;
  if (isRow) waiting.set(key, row);
  else waiting.delete(key);
}

function labelLate(
  file: string,
  line: number,
  read: Record<string, unknown>,
  table: TableBuilder,
  waiting: ReadonlyMap<string, number>,
): void {
  if (read.type !== "label") return;
  const row = waiting.get(sampleKey(read) ?? "");
  if (row !== undefined)
    table.label(row, line, parseLabel(file, line, read.label), parseOrigin(file, line, read));
}

/** A key that identifies a sample in its file; undefined if it has no number. */
function sampleKey({ node, sid, seq }: Record<string, unknown>): string | undefined {
  return seq === undefined ? undefined : JSON.stringify([node, sid, seq]);
}

/** The JSON object in a text; throws a StreamError. */
export function parseObject(
  file: string,
  line: number,
  text: string,
  right = "one JSON object a line is needed",
): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new StreamError(file, line, `${(error as JsonError).kind}: ${excerpt(text.trim())}`, right);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new StreamError(file, line, `not an object: ${excerpt(text.trim())}`, right);
}

/** A sample's readings; NaN where one is missing, if the table takes that. */
function parseFeatures(file: string, line: number, x: unknown, table: TableBuilder): number[] {
  if (!Array.isArray(x)) {
    const what = x === undefined ? "no x" : "x isn't an array";
    const named = x === undefined ? "; motelearn import describes a file of named fields" : "";
    throw new StreamError(file, line, what, `"x": [numbers] is needed${named}`);
  }
  x.forEach((value, j) => {
    if (typeof value === "number" && isFloat32(value)) return;
    const lacks = value === null || (typeof value === "string" && isMissing(value));
    if (!lacks || !table.takesMissing)
      throw badReading(file, line, j, value, lacks ? table.optionNames.missing : undefined);
    x[j] = Number.NaN;
  });
  return x;
}

function badReading(
  file: string,
  line: number,
  j: number,
  value: unknown,
  option: string | undefined,
): StreamError {
  if (typeof value === "number") {
    // JSON.parse makes numbers beyond a double's range infinite.
    const shown = Number.isFinite(value) ? String(value) : `${value < 0 ? "-" : ""}1.8e308 or more`;
    return new StreamError(file, line, `x[${j}]: ${shown} ${BEYOND}`, WITHIN_NEEDED);
  }
  const right = `finite float32 numbers are needed${option ? `, or ${missingTaken(option)}` : ""}`;
  const what = `x[${j}] is ${excerpt(String(value))}, not a number`;
  return new (option ? UnskippableError : StreamError)(file, line, what, right);
}

function parseLabel(file: string, line: number, label: unknown): RawLabel {
  if (label === undefined || label === null) return undefined;
  if (typeof label === "string" || Number.isFinite(label)) return label as string | number;
  throw new StreamError(
    file,
    line,
    `label is ${excerpt(JSON.stringify(label))}`,
    "a number or a word is needed",
  );
}

function parseProvenance(
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
  Object.assign(provenance, parseOrigin(file, line, sample));
  return Object.keys(provenance).length > 0 ? provenance : undefined;
}

/** The label's source and confidence. */
function parseOrigin(file: string, line: number, read: Record<string, unknown>): SampleProvenance {
  const origin: SampleProvenance = {};
  for (const name of ORIGIN) {
    const value = read[name];
    if (value === undefined || value === null) continue;
    if (!isByte(value))
      throw new StreamError(file, line, `${name} is ${excerpt(String(value))}`, BYTE_NEEDED);
    origin[name] = value;
  }
  return origin;
}
