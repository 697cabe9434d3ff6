import { extname } from "node:path";
import { UserError } from "../../host/errors.ts";
import { type ParquetColumn, writeParquet } from "../../host/files/parquet.ts";
import { csvLines, writeLines, writeWhole } from "../../host/files/table-file.ts";
import { printableJson } from "../../host/printable.ts";
import type { ExportedSample } from "../store/exported-samples.ts";
import type { FleetStore } from "../store/fleet-store.ts";

type Samples = Iterable<ExportedSample>;

/** The lines of a log, a recorded stream, which `evaluate`, `simulate` and `labels` read: of a sample, its prediction and its label. */
function* logLines(samples: Samples): Generator<string> {
  for (const { node, sid, seq, time, x, decision, label, ...answer } of samples) {
    const of = { time, node, sid, seq };
    yield printableJson({ ...of, x: Array.from(x) });
    yield printableJson({ type: "prediction", ...of, decision: decision ?? null });
    const { source, confidence, number, status } = answer;
    if (label !== undefined)
      yield printableJson({ type: "label", ...of, label, source, confidence, number, status });
  }
}

const BEFORE = ["node", "sid", "seq", "time", "decision", "by"] as const;

function readingNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `x${i + 1}`);
}

function* csvRows(samples: Samples): Generator<unknown[]> {
  for (const sample of samples) yield [...BEFORE.map((name) => sample[name]), ...sample.x, sample.label];
}

/** The same table as of CSV. */
function parquetColumns(channels: number): ParquetColumn<ExportedSample>[] {
  return [
    { name: "node", type: "STRING", of: ({ node }) => node },
    { name: "sid", type: "INT64", of: ({ sid }) => BigInt(sid) },
    { name: "seq", type: "INT64", of: ({ seq }) => BigInt(seq) },
    { name: "time", type: "TIMESTAMP", of: ({ time }) => new Date(time) },
    { name: "decision", type: "DOUBLE", nullable: true, of: ({ decision }) => decision },
    { name: "by", type: "STRING", nullable: true, of: ({ by }) => by },
    ...readingNames(channels).map(
      (name, i): ParquetColumn<ExportedSample> => ({ name, type: "FLOAT", of: ({ x }) => x[i] }),
    ),
    { name: "label", type: "DOUBLE", nullable: true, of: ({ label }) => label },
  ];
}

/** Formats by the end of a file's name; a table has each sample's known values, its readings x1.., the label last. */
const WRITERS: { readonly [end: string]: (path: string, samples: Samples, channels: number) => void } = {
  ".ndjson": (path, samples) => writeLines(path, logLines(samples)),
  ".csv": (path, samples, channels) =>
    writeLines(path, csvLines([...BEFORE, ...readingNames(channels), "label"], csvRows(samples))),
  ".parquet": (path, samples, channels) => writeParquet(path, parquetColumns(channels), samples),
};

/**
 * Writes the samples of a node, or of all, with predictions and labels, to a file in the format of its name:
 * .ndjson, .csv or .parquet. The file appears under its name once complete. Returns how many samples. Throws
 * a UserError for another name, where there is no sample, or where a table would need rows of different
 * lengths.
 */
export function exportSamples(store: FleetStore, path: string, node: string | undefined): number {
  const flag = `--export ${path}`;
  const end = extname(path);
  if (!WRITERS[end]) throw new UserError(`${flag}: takes a file .ndjson, .csv or .parquet`);
  const [first] = store.samples(node);
  if (!first)
    throw new UserError(`${flag}: the database has no sample${node === undefined ? "" : ` of ${node}`}`);
  const channels = first.x.length;
  let count = 0;
  function* counted(): Generator<ExportedSample> {
    for (const sample of store.samples(node)) {
      const { x } = sample;
      if (x.length !== channels && end !== ".ndjson")
        throw new UserError(
          `${flag}: ${sample.node} has ${x.length} readings, another ${channels}; give --node, or a file .ndjson`,
        );
      count++;
      yield sample;
    }
  }
  writeWhole(path, "--export", (part) => WRITERS[end](part, counted(), channels));
  return count;
}
