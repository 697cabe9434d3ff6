import { closeSync, openSync } from "node:fs";
import { extname } from "node:path";
import { fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { csvField } from "../../host/csv-field.ts";
import { UserError } from "../../host/errors.ts";
import { batches } from "../../host/files/batches.ts";
import { writeWhole } from "../../host/files/table-file.ts";
import { writeText } from "../../host/files/write-text.ts";
import { printableJson } from "../../host/printable.ts";
import type { ExportedSample } from "../store/exported-samples.ts";
import type { FleetStore } from "../store/fleet-store.ts";

/** Samples written at once. */
const CHUNK = 10_000;

/** A file that takes chunks of samples. */
interface Sink {
  write(samples: readonly ExportedSample[]): void;
  end(): void;
}

/** A log's lines for a sample, its prediction and its label. */
function logLines({
  node,
  sid,
  seq,
  time,
  x,
  decision,
  label,
  source,
  confidence,
  number,
  status,
}: ExportedSample) {
  const of = { time, node, sid, seq };
  return [
    { ...of, x: Array.from(x) },
    { type: "prediction", ...of, decision: decision ?? null },
    ...(label === undefined ? [] : [{ type: "label", ...of, label, source, confidence, number, status }]),
  ];
}

/** The lines of a log, a recorded stream, which `evaluate`, `simulate` and `labels` read. */
function ndjson(path: string): Sink {
  const file = openSync(path, "w");
  const text = (sample: ExportedSample) =>
    logLines(sample)
      .map((line) => `${printableJson(line)}\n`)
      .join("");
  return {
    write: (samples) => writeText(file, samples.map(text).join("")),
    end: () => closeSync(file),
  };
}

const BEFORE = ["node", "sid", "seq", "time", "decision", "by"] as const;

function readingNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `x${i + 1}`);
}

/** A table: each sample's known values, its readings x1.., the label last. */
function csv(path: string, channels: number): Sink {
  const file = openSync(path, "w");
  writeText(file, `${[...BEFORE, ...readingNames(channels), "label"].join()}\n`);
  return {
    write: (samples) => {
      const lines = samples.map((s) =>
        [...BEFORE.map((name) => s[name]), ...s.x, s.label].map(csvField).join(),
      );
      writeText(file, `${lines.join("\n")}\n`);
    },
    end: () => closeSync(file),
  };
}

/** The same table as Parquet, in groups of 10,000 samples. */
function parquet(path: string, channels: number): Sink {
  const columns = (samples: readonly ExportedSample[]) => [
    { name: "node", data: samples.map(({ node }) => node), type: "STRING" as const },
    { name: "sid", data: samples.map(({ sid }) => BigInt(sid)), type: "INT64" as const },
    { name: "seq", data: samples.map(({ seq }) => BigInt(seq)), type: "INT64" as const },
    { name: "time", data: samples.map(({ time }) => new Date(time)), type: "TIMESTAMP" as const },
    {
      name: "decision",
      data: samples.map(({ decision }) => decision),
      type: "DOUBLE" as const,
      nullable: true,
    },
    { name: "by", data: samples.map(({ by }) => by), type: "STRING" as const, nullable: true },
    ...readingNames(channels).map((name, i) => ({
      name,
      data: samples.map(({ x }) => x[i]),
      type: "FLOAT" as const,
    })),
    { name: "label", data: samples.map(({ label }) => label), type: "DOUBLE" as const, nullable: true },
  ];
  const writer = fileWriter(path);
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: columns([]) }) });
  return {
    write: (samples) => void file.write({ columnData: columns(samples) }),
    end: () => void file.finish(),
  };
}

const SINKS: { readonly [extension: string]: (path: string, channels: number) => Sink } = {
  ".ndjson": ndjson,
  ".csv": csv,
  ".parquet": parquet,
};

/**
 * Writes the samples of a node, or of all, with predictions and labels, to a file in the format of its name:
 * .ndjson, .csv or .parquet. The file appears under its name once complete. Returns how many samples. Throws
 * a UserError for another name, where there is no sample, or where a table would need rows of different
 * lengths.
 */
export function exportSamples(store: FleetStore, path: string, node?: string): number {
  const make = SINKS[extname(path)];
  if (!make) throw new UserError(`--export ${path}: takes a file .ndjson, .csv or .parquet`);
  let count = 0;
  writeWhole(path, "--export", (part) => {
    let sink: Sink | undefined;
    let channels = 0;
    for (const samples of batches(store.samples(node), CHUNK)) {
      channels ||= samples[0].x.length;
      const other = samples.find(({ x }) => x.length !== channels);
      if (other && make !== ndjson)
        throw new UserError(
          `--export ${path}: ${other.node} has ${other.x.length} readings, another ${channels}; give --node, or a file .ndjson`,
        );
      sink ??= make(part, channels);
      sink.write(samples);
      count += samples.length;
    }
    if (!sink)
      throw new UserError(
        `--export ${path}: the database has no sample${node === undefined ? "" : ` of ${node}`}`,
      );
    sink.end();
  });
  return count;
}
