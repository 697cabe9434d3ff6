import { isJsonObject, parseJson } from "../../host/json.ts";
import { CsvRecords } from "../../host/streams/csv-records.ts";
import type { TextSource } from "../../host/streams/text.ts";
import { shorten } from "../../host/terminal/arguments.ts";
import { FIGURES, type FigureName, type ResultRow, RowCollector, refuse } from "./results.ts";

type Row = Readonly<Record<string, unknown>>;

const NEEDED = ["task", "learner", "seed", "node"] as const;
/** Columns before `task` in a table that aren't swept keys. */
const NO_KEYS = ["point", "scenario", "seed"];

/** The columns before `task`: the keys that a sweep varied. */
function sweptKeys(columns: readonly string[]): string[] {
  return columns.slice(0, columns.indexOf("task")).filter((name) => !NO_KEYS.includes(name));
}

function parseFigure(file: string, line: number, name: FigureName, value: unknown): number | null {
  if (value === undefined || value === null || value === "") return null;
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  return refuse(file, line, `column ${name} takes a number; got ${shorten(String(value))}`);
}

/** Makes rows of a table's lines, in the columns that `sweep` and `simulate --csv` write. */
class TableRows {
  private readonly collector = new RowCollector();

  constructor(private readonly file: string) {}

  get rows(): readonly ResultRow[] {
    return this.collector.rows;
  }

  add(line: number, row: Row): void {
    const missing = NEEDED.find((name) => row[name] === undefined || row[name] === null || row[name] === "");
    if (missing) refuse(this.file, line, `no ${missing}`);
    if (row.without) return; // a part of --decompose, not of the scenario itself
    const seed = Number(row.seed);
    if (!Number.isSafeInteger(seed)) refuse(this.file, line, "seed must be a whole number");
    const figures = FIGURES.map((name) => [name, parseFigure(this.file, line, name, row[name])]);
    const keys = sweptKeys(Object.keys(row));
    const point = keys.map((key) => `${key}=${row[key]}`).join(" ");
    const [task, learner, node] = [row.task, row.learner, row.node].map(String);
    const [stateHash, nodeHash] = [row.stateHash ?? "", row.nodeHash ?? ""].map(String);
    this.collector.add({
      ...{ task, learner, seed, point, node, stateHash, nodeHash },
      figures: Object.fromEntries(figures) as ResultRow["figures"],
    });
  }
}

/** The rows of a table in CSV, whose first line names the columns. */
export async function csvRows(text: TextSource): Promise<readonly ResultRow[]> {
  const { file } = text;
  const rows = new TableRows(file);
  const records = new CsvRecords(file);
  let columns: readonly string[] | undefined;
  const add = (fields: readonly string[], line: number) => {
    if (!columns) {
      const missing = NEEDED.find((name) => !fields.includes(name));
      if (missing) refuse(file, line, `no column ${missing}`);
      columns = fields;
    } else if (fields.length === columns.length) {
      rows.add(line, Object.fromEntries(columns.map((name, i) => [name, fields[i]])));
    } else if (fields.length > 0)
      refuse(file, line, `${fields.length} fields where the first line has ${columns.length}`);
  };
  let rest = "";
  const take = (part: string, isLast: boolean) => {
    const all = rest + part;
    let at = 0;
    while (at < all.length) {
      const record = records.read(all, at, isLast);
      if (!record) break;
      add(record.fields, record.line);
      at = record.end;
    }
    rest = all.slice(at);
    records.checkLength(rest);
  };
  for await (const piece of text.pieces("row")) take(piece.text.slice(piece.from, piece.to), false);
  take("", true);
  return rows.rows;
}

export async function ndjsonRows(text: TextSource): Promise<readonly ResultRow[]> {
  const rows = new TableRows(text.file);
  let line = 0;
  for await (const lines of text.lines())
    for (const each of lines) {
      line++;
      if (each.trim() === "") continue;
      rows.add(line, parseObject(text.file, line, each));
    }
  return rows.rows;
}

function parseObject(file: string, line: number, text: string): Row {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    refuse(file, line, (error as Error).message);
  }
  return refuse(file, line, `no object, but ${shorten(text)}`);
}
