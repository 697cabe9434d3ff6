import type { ErrorObject } from "ajv";
import { suggestion } from "./suggestions.ts";

const SHOWN_MAX = 60;

/**
 * One line about JSON that fails its schema: where, what, and what would be right. `whole` names the JSON.
 */
export function schemaFault(error: ErrorObject, whole: string): string {
  const place = error.instancePath === "" ? whole : error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "additionalProperties") {
    const unknown = String(error.params.additionalProperty);
    const known = Object.keys(error.parentSchema?.properties ?? {});
    return `${place}: no key ${unknown}${suggestion(unknown, known)}`;
  }
  if (error.keyword === "required") return `${place}: key ${error.params.missingProperty} is missing`;
  // JSON has no infinity: 1e999 would be shown as null.
  const got = typeof error.data === "number" ? String(error.data) : JSON.stringify(error.data);
  if (error.keyword === "enum")
    return `${place}: got ${got}; takes one of ${error.params.allowedValues.join(", ")}`;
  if (error.keyword === "const")
    return `${place}: got ${got}; takes ${JSON.stringify(error.params.allowedValue)}`;
  if (error.keyword === "minItems") return `${place}: got ${got}; takes at least ${error.params.limit}`;
  const shown = got.length > SHOWN_MAX ? `${got.slice(0, SHOWN_MAX)}...` : got;
  return `${place}: got ${shown}; ${error.message}`;
}
