import { isJsonObject, type JsonError, parseJson } from "../json.ts";
import type { BadRows } from "./bad-rows.ts";
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
  const rows = new NdjsonRows(text, table);
  for await (const lines of text.lines()) for (const row of lines) rows.take(row);
}

/** What a line's object has by its names. */
type Values = Record<string, unknown>;

class NdjsonRows {
  private line = 0;
  private readonly file: string;
  /** Rows without a label, by what identifies their samples. */
  private readonly waiting = new Map<string, number>();

  constructor(
    private readonly text: TextSource,
    private readonly table: TableBuilder,
  ) {
    this.file = text.file;
  }

  take(row: string): void {
    this.line++;
    if (row.trim() === "") return;
    const read = readObject(this.text, this.line, row, this.table.badRows);
    if (!read) return;
    try {
      const isSample = read.x !== undefined || typeof read.type !== "string";
      if (isSample) this.addSample(read);
      else if (read.type === "label") this.labelLate(read);
    } catch (error) {
      this.table.badRows.take(error);
    }
  }

  private addSample(sample: Values): void {
    const { line, table, waiting } = this;
    const x = this.features(sample.x);
    const label = this.label(sample.label);
    const key = label === undefined ? sampleKey(sample) : undefined;
    const row = table.count;
    const isRow = table.add(line, x, label, this.provenance(sample));
    if (key === undefined) return;
    if (isRow) waiting.set(key, row);
    else waiting.delete(key);
  }

  private labelLate(read: Values): void {
    const row = this.waiting.get(sampleKey(read) ?? "");
    if (row !== undefined) this.table.label(row, this.line, this.label(read.label), this.origin(read));
  }

  /** A sample's readings; NaN where one is missing, if the table takes that. */
  private features(x: unknown): number[] {
    if (!Array.isArray(x)) {
      const named = "; motelearn import describes a file of named fields";
      const [what, how] = x === undefined ? ["no x", named] : ["x isn't an array", ""];
      throw this.fault(what, `"x": [numbers] is needed${how}`);
    }
    const { optionNames, takesMissing } = this.table;
    x.forEach((value, j) => {
      if (typeof value === "number" && isFloat32(value)) return;
      const lacks = value === null || (typeof value === "string" && isMissing(value));
      if (!lacks || !takesMissing) throw this.badReading(j, value, lacks ? optionNames.missing : undefined);
      x[j] = Number.NaN;
    });
    return x;
  }

  private badReading(j: number, value: unknown, option: string | undefined): StreamError {
    if (typeof value === "number") {
      // JSON.parse makes numbers beyond a double's range infinite.
      const shown = Number.isFinite(value) ? String(value) : `${value < 0 ? "-" : ""}1.8e308 or more`;
      return this.fault(`x[${j}]: ${shown} ${BEYOND}`, WITHIN_NEEDED);
    }
    const what = `x[${j}] is ${excerpt(String(value))}, not a number`;
    const right = "finite float32 numbers are needed";
    if (!option) return this.fault(what, right);
    return new UnskippableError(this.file, this.line, what, `${right}, or ${missingTaken(option)}`);
  }

  private label(label: unknown): RawLabel {
    if (label === undefined || label === null) return undefined;
    if (typeof label === "string" || Number.isFinite(label)) return label as string | number;
    throw this.fault(`label is ${excerpt(JSON.stringify(label))}`, "a number or a word is needed");
  }

  private provenance(sample: Values): SampleProvenance | undefined {
    const provenance: Values = {};
    for (const [name, type] of Object.entries(PROVENANCE)) {
      let value = sample[name];
      if (value === undefined || value === null) continue;
      if (name === "node" && typeof value === "number") value = String(value);
      if (type !== undefined && typeof value !== type)
        throw this.fault(`${name} is ${excerpt(JSON.stringify(value))}`, `a ${type} is needed`);
      provenance[name] = value;
    }
    Object.assign(provenance, this.origin(sample));
    return Object.keys(provenance).length > 0 ? provenance : undefined;
  }

  /** The label's source and confidence. */
  private origin(read: Values): SampleProvenance {
    const origin: SampleProvenance = {};
    for (const name of ORIGIN) {
      const value = read[name];
      if (value === undefined || value === null) continue;
      if (!isByte(value)) throw this.fault(`${name} is ${excerpt(String(value))}`, BYTE_NEEDED);
      origin[name] = value;
    }
    return origin;
  }

  private fault(what: string, right: string): StreamError {
    return new StreamError(this.file, this.line, what, right);
  }
}

/** A key that identifies a sample in its file; undefined if it has no number. */
function sampleKey({ node, sid, seq }: Values): string | undefined {
  return seq === undefined ? undefined : JSON.stringify([node, sid, seq]);
}

/** The JSON object in a part of a text; undefined for a bad one, or the last line cut off, which are counted. */
export function readObject(
  { file, isLineOpen }: TextSource,
  line: number,
  part: string,
  badRows: BadRows,
  right?: string,
): Values | undefined {
  try {
    return parseObject(file, line, part, right);
  } catch (error) {
    if (isLineOpen && line > 1) badRows.leaveCut(line);
    else badRows.take(error);
    return undefined;
  }
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
  if (isJsonObject(value)) return value;
  throw new StreamError(file, line, `not an object: ${excerpt(text.trim())}`, right);
}
