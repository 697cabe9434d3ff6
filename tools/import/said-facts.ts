import { acquisitionFacts } from "../../host/streams/forms/edge-impulse.ts";
import { findColumns, type JsonColumns, readJsonText } from "../../host/streams/forms/json-columns.ts";
import { TextSource } from "../../host/streams/text.ts";
import { parseRate } from "./said-rate.ts";
import type { FoundTable } from "./table.ts";

/** What a file says of its columns beside their cells. */
interface Facts {
  /** Rows a second. */
  readonly rate?: number;
  /** Units of the columns, by their names. */
  readonly units: ReadonlyMap<string, string>;
  /** Where JSON's columns stand, and the others that it has. */
  readonly lists?: Pick<JsonColumns, "path" | "others">;
}

/** The facts of a file of that format. */
export async function factsIn(file: string, { format, dialect }: FoundTable): Promise<Facts> {
  if (format === "edge-impulse") return acquisitionFacts(file);
  if (format === "json-columns") return jsonFacts(await readJsonText(new TextSource(file)));
  return { rate: dialect.rate, units: new Map() };
}

function jsonFacts(value: unknown): Facts {
  const { lists, path = [], others = [] } = findColumns(value) ?? {};
  const around: Readonly<Record<string, unknown>>[] = [value as Record<string, unknown>];
  for (const name of path) around.push(around[around.length - 1][name] as Record<string, unknown>);
  const said = around.flatMap((object) => Object.entries(object));
  const [rate] = said.flatMap(([name, each]) => parseRate(name, String(each)) ?? []);
  const units = said.flatMap(([, each]) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? textsIn(each) : [],
  );
  return {
    ...(rate !== undefined && { rate }),
    units: new Map(units.filter(([name]) => lists?.has(name))),
    lists: { path, others },
  };
}

const textsIn = (object: object) =>
  Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === "string");
