import { isJsonObject, parseJson } from "../../host/json.ts";
import { TextSource } from "../../host/streams/text.ts";
import { FIGURES, type FigureName, type ResultRow, type Results, RowCollector, refuse } from "./results.ts";
import { csvRows, ndjsonRows } from "./table-rows.ts";

/** Most characters of a result in JSON, which is read whole. */
const LENGTH_MAX = 1 << 28;
const SIMULATE = "motelearn.simulate/1";

type Fields = Record<string, unknown>;

/** Reads a file of results, gzipped or not; its contents say what it is. Throws a StreamError of one line. */
export async function readResults(file: string): Promise<Results> {
  const text = new TextSource(file);
  try {
    const first = await text.firstLine();
    if (first === "") refuse(file, undefined, "nothing in it");
    if (first.startsWith("PAR1")) refuse(file, undefined, "Parquet isn't read");
    const isSimulated = first.startsWith("{") && !isTableRow(first);
    const rows = isSimulated
      ? simulateRows(file, await wholeResult(text))
      : await (first.startsWith("{") ? ndjsonRows(text) : csvRows(text));
    if (rows.length === 0) refuse(file, undefined, "no results in it");
    return { file, form: isSimulated ? "simulate" : "table", rows };
  } finally {
    await text.close();
  }
}

/** True if a file's first line is a row of a table, and not the beginning of a result. */
function isTableRow(line: string): boolean {
  try {
    return (parseJson(line) as { schema?: unknown } | null)?.schema === undefined;
  } catch {
    return false;
  }
}

async function wholeResult(text: TextSource): Promise<Fields> {
  const { file } = text;
  const parts: string[] = [];
  let length = 0;
  for await (const { text: piece, from, to } of text.pieces("line")) {
    length += to - from;
    if (length > LENGTH_MAX) refuse(file, undefined, `more than ${LENGTH_MAX} characters of JSON`);
    parts.push(piece.slice(from, to));
  }
  let result: unknown;
  try {
    result = parseJson(parts.join(""));
  } catch (error) {
    refuse(file, undefined, (error as Error).message);
  }
  const { schema } = Object(result) as { schema?: unknown };
  if (schema === SIMULATE) return result as Fields;
  return refuse(file, undefined, typeof schema === "string" ? `it is ${schema}` : `no schema ${SIMULATE}`);
}

/** The rows of the output of `simulate --json`. Throws a StreamError that names the place. */
function simulateRows(file: string, { seed, nodes }: Fields): readonly ResultRow[] {
  const mustBe = (what: string): never => refuse(file, undefined, what);
  const object = (value: unknown, place: string) =>
    isJsonObject(value) ? value : mustBe(`${place} must be an object`);
  const list = (value: unknown, place: string): unknown[] =>
    Array.isArray(value) ? value : mustBe(`${place} must be an array`);
  const text = (of: Fields, key: string, place: string): string => {
    const value = of[key];
    return typeof value === "string" ? value : mustBe(`${place}.${key} must be a string`);
  };
  const rows = new RowCollector();
  if (!Number.isSafeInteger(seed)) mustBe("seed must be a whole number");
  list(nodes, "nodes").forEach((each, n) => {
    const of = object(each, `nodes[${n}]`);
    const node = text(of, "node", `nodes[${n}]`);
    list(of.learners, `nodes[${n}].learners`).forEach((learner, l) => {
      const place = `nodes[${n}].learners[${l}]`;
      const fields = object(learner, place);
      const figures = readFigures(object(fields.metrics, `${place}.metrics`));
      const [task, name, stateHash, nodeHash] = ["task", "name", "stateHash", "nodeHash"].map((key) =>
        text(fields, key, place),
      );
      rows.add({ task, learner: name, seed: seed as number, point: "", node, figures, stateHash, nodeHash });
    });
  });
  return rows.rows;
}

/** An undefined figure has its reason in place of a number. */
function readFigures(metrics: Fields): ResultRow["figures"] {
  const figures = FIGURES.map((name) => [name, typeof metrics[name] === "number" ? metrics[name] : null]);
  return Object.fromEntries(figures) as Record<FigureName, number | null>;
}
