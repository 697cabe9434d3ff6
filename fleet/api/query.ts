import { suggestion } from "../../host/suggestions.ts";
import { Refusal } from "../access/refusal.ts";

/** A parameter of a route's query, as JSON Schema has it. */
type Parameter =
  | {
      readonly type: "integer";
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
      /** Without it the request is refused. */
      readonly required?: true;
      readonly description: string;
    }
  | {
      readonly type: "array";
      readonly items: { readonly type: "string" };
      readonly maxItems: number;
      readonly description: string;
    };

export type Parameters = Readonly<Record<string, Parameter>>;

/** A query's values by the parameters' names. */
export type Query<P extends Parameters> = {
  readonly [name in keyof P]: P[name] extends { readonly type: "array" }
    ? readonly string[]
    : P[name] extends { readonly required: true } | { readonly default: number }
      ? number
      : number | undefined;
};

const SHOWN_MAX = 60;

/** The text of a query, as messages show it. */
function quoteExcerpt(text: string): string {
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text);
}

function takes(parameter: Parameter): string {
  return parameter.type === "array"
    ? `takes at most ${parameter.maxItems} different ones`
    : `takes an integer from ${parameter.minimum} to ${parameter.maximum}`;
}

/**
 * Reads a query by its route's parameters; the others have their defaults. Throws a Refusal that names a parameter that is unknown, is
 * missing, is there twice, or has another value.
 */
export function readQuery<P extends Parameters>(text: string, parameters: P): Query<P> {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (!Object.hasOwn(parameters, name)) throw unknown(name, Object.keys(parameters));
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  const values = Object.entries(parameters).map(([name, parameter]) => [
    name,
    valueIn(name, parameter, given.get(name) ?? []),
  ]);
  return Object.fromEntries(values);
}

function unknown(name: string, known: readonly string[]): Refusal {
  const takes =
    known.length === 0 ? "; this address takes none" : suggestion(name.slice(0, SHOWN_MAX), known);
  return new Refusal(400, `no parameter ${quoteExcerpt(name)}${takes}`);
}

function valueIn(name: string, parameter: Parameter, given: readonly string[]) {
  const refusal = (got: string) => new Refusal(400, `${name}: ${got}; ${takes(parameter)}`);
  if (parameter.type === "array") {
    if (new Set(given).size > parameter.maxItems) throw refusal(`got ${given.length}`);
    return given;
  }
  if (given.length > 1) throw refusal(`is there ${given.length} times`);
  if (given.length === 0 && parameter.required) throw refusal("is missing");
  if (given.length === 0) return parameter.default;
  const value = /^\d{1,16}$/.test(given[0]) ? Number(given[0]) : Number.NaN;
  if (!(value >= parameter.minimum && value <= parameter.maximum))
    throw refusal(`got ${quoteExcerpt(given[0])}`);
  return value;
}
