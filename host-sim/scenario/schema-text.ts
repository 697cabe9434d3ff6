import { SCENARIO_SCHEMA } from "./scenario-schema.ts";

/** Keys of a task whose keys are those of the scenario's part of that name. */
const SHARED_KEYS = ["tasks[].labels", "tasks[].node"];

/** The schema as lines for `motelearn simulate --help scenario`: key, values, default, meaning. */
// biome-ignore lint/suspicious/noExplicitAny: walks any part of the schema.
export function describeSchema(schema: any = SCENARIO_SCHEMA, place = ""): string[] {
  const lines: string[] = [];
  for (const [name, part] of Object.entries<Record<string, unknown>>(schema.properties)) {
    const key = `${place}${name}`;
    const inner = (part.items ?? part) as { properties?: object };
    const first =
      part.default === undefined || inner.properties ? "" : `, default ${JSON.stringify(part.default)}`;
    lines.push(`  ${key}: ${takes(part)}${first}. ${part.description ?? ""}`);
    if (inner.properties && !SHARED_KEYS.includes(key))
      lines.push(...describeSchema(inner, `${key}${part.items ? "[]" : ""}.`));
  }
  return lines;
}

function takes(part: Record<string, unknown>): string {
  if (part.const) return JSON.stringify(part.const);
  if (part.enum) return (part.enum as string[]).join(" | ");
  const low = part.minimum === undefined ? "" : ` ${part.minimum}..${part.maximum}`;
  return `${[part.type].flat().join(" or ")}${low}`;
}
