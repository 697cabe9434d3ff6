import { FIGURES, type FigureName, type ResultRow, RowCollector, refuse } from "./results.ts";

type Fields = Record<string, unknown>;

/** Reads fields of JSON; messages name their places. */
class Reader {
  constructor(private readonly file: string) {}

  object(value: unknown, place: string): Fields {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
    return refuse(this.file, undefined, `${place} must be an object`);
  }

  list(value: unknown, place: string): unknown[] {
    return Array.isArray(value) ? value : refuse(this.file, undefined, `${place} must be an array`);
  }

  text(value: unknown, place: string): string {
    return typeof value === "string" ? value : refuse(this.file, undefined, `${place} must be a string`);
  }

  seed(value: unknown): number {
    return Number.isSafeInteger(value)
      ? (value as number)
      : refuse(this.file, undefined, "seed must be a whole number");
  }
}

/** The rows of the output of `simulate --json`. Throws a StreamError that names the place. */
export function simulateRows(file: string, result: Fields): ResultRow[] {
  const reader = new Reader(file);
  const rows = new RowCollector();
  const seed = reader.seed(result.seed);
  reader.list(result.nodes, "nodes").forEach((each, n) => {
    const { node, learners } = reader.object(each, `nodes[${n}]`);
    const name = reader.text(node, `nodes[${n}].node`);
    reader.list(learners, `nodes[${n}].learners`).forEach((learner, l) => {
      const place = `nodes[${n}].learners[${l}]`;
      const fields = reader.object(learner, place);
      const metrics = reader.object(fields.metrics, `${place}.metrics`);
      const text = (key: string) => reader.text(fields[key], `${place}.${key}`);
      rows.add({
        ...{ task: text("task"), learner: text("name"), seed, point: "", node: name },
        figures: readFigures(metrics),
        ...{ stateHash: text("stateHash"), nodeHash: text("nodeHash") },
      });
    });
  });
  return rows.rows;
}

/** An undefined figure has its reason in place of a number. */
function readFigures(metrics: Fields): ResultRow["figures"] {
  const figures = FIGURES.map((name) => [name, typeof metrics[name] === "number" ? metrics[name] : null]);
  return Object.fromEntries(figures) as Record<FigureName, number | null>;
}
