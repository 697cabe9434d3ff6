// docs/api.md: the gateway's interface over HTTP for people.

import { ROUTE_LIST } from "../../fleet/api/routes.ts";
import { markdownTable } from "../../host/files/marked-part.ts";
import type { AnswerSchemas, Schema } from "./answer-schemas.ts";
import { REFUSALS } from "./openapi.ts";

type Properties = { readonly [name: string]: Schema };

const HEAD = `# The gateway over HTTP

Each address of a gateway, as \`npm run build:api\` writes this page and [openapi.json](openapi.json) from \`fleet/api/routes.ts\`. [Keep a
fleet](gateway.md#labels-from-other-programs) has examples, and [Who may do what](users.md) the roles, tokens and limits.

An answer is JSON; a field without a mark is always there, one with "?" may be absent. A refusal is \`{"error": "..."}\`: one line about what is wrong and
what would be right. An address takes only its own parameters, each once. \`{node}\` is a node's name, URL-encoded. Refusals that any address
may give; the others stand with their address:
`;

/** A text within a cell of a table. */
const cell = (text: string) => text.replaceAll("<", "&lt;");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => row.map(cell));
  return `${markdownTable(head, cells)}\n\n`;
}

/** A schema in a few words. */
function typeText(schema: Schema): string {
  const {
    $ref,
    type,
    items,
    prefixItems,
    anyOf,
    enum: values,
    const: value,
    minimum,
    maximum,
    additionalProperties,
    properties,
  } = schema;
  if ($ref) return String($ref).replace(/.*\/(.*)/, (_, name) => `[${name}](#${name.toLowerCase()})`);
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return (values as unknown[]).map((each) => `\`${JSON.stringify(each)}\``).join(", ");
  if (anyOf) return (anyOf as Schema[]).map(typeText).join(" or ");
  if (prefixItems)
    return `[${(prefixItems as Schema[]).map((item) => `${item.title ?? ""} ${typeText(item)}`.trim()).join(", ")}]`;
  if (type === "array") return `array of ${typeText(items as Schema)}`;
  if (type === "object" && typeof additionalProperties === "object")
    return `object of ${typeText(additionalProperties as Schema)}`;
  if (properties) return `\`{ ${Object.keys(properties).join(", ")} }\``;
  if (type === "integer" && minimum !== undefined) return `integer from ${minimum} to ${maximum}`;
  return Array.isArray(type) ? type.join(" or ") : String(type);
}

const meaningText = ({ description = "", default: first }: Schema) =>
  `${description}${first === undefined || first === "" ? "" : `; default: ${first}`}`;

/** The fields of an object, those of objects in it with its name before theirs. */
function fields({ properties = {}, required = [] }: Schema, before = ""): string[][] {
  return Object.entries(properties as Properties).flatMap(([name, schema]) => {
    const mark = (required as string[]).includes(name) ? "" : "?";
    const list = schema.type === "array" ? (schema.items as Schema) : undefined;
    const inner = [schema, list].find((each) => each?.properties);
    if (!inner) return [[`\`${before}${name}\`${mark}`, typeText(schema), meaningText(schema)]];
    return [
      [`\`${before}${name}\`${mark}`, list ? "array of objects" : "object", meaningText(schema)],
      ...fields(inner, `${before}${name}${list ? "[]" : ""}.`),
    ];
  });
}

function answerText(schema: Schema): string {
  if (schema.$ref) return `The answer is a ${typeText(schema)}.\n\n`;
  const forms = (schema.anyOf as Schema[] | undefined) ?? [schema];
  return forms
    .map(
      (form, i) =>
        `${i === 0 ? "The answer" : "Or"}:\n\n${table(["field", "type", "meaning"], fields(form))}`,
    )
    .join("");
}

function routeText({ name, route }: (typeof ROUTE_LIST)[number], answer: Schema): string {
  const { does, role, counts, query = {}, body, type, errors = {} } = route;
  const required = Object.keys(query).filter((name) => "required" in query[name]);
  const options = [...fields({ properties: query, required }), ...(body ? fields({ ...body.schema }) : [])];
  const limit = counts ? ` It counts for the limit of ${counts} a minute.` : "";
  return [
    `### ${name}\n\n${does} ${role ? `Needs role ${role}.` : "Everybody may ask."}${limit}\n\n`,
    table([body ? "key of the body" : "parameter", "type", "meaning"], options),
    type ? `The answer is \`${type}\`.\n\n` : answerText(answer),
    table(["refused with", "because"], Object.entries(errors)),
  ].join("");
}

export function apiPage({ answers, named }: AnswerSchemas): string {
  const general = Object.entries(REFUSALS).map(([status, [, why]]) => [status, why]);
  const rows = ROUTE_LIST.map(({ name, route }) => [`\`${name}\``, route.role ?? "everybody", route.does]);
  const types = Object.entries(named).map(([name, { description = "", ...schema }]) =>
    [`### ${name}\n\n${description}\n\n`, table(["field", "type", "meaning"], fields(schema))].join(""),
  );
  const parts = [
    HEAD,
    table(["refused with", "because"], general),
    table(["request", "role", "does"], rows),
    `## The addresses\n\n${ROUTE_LIST.map((listed) => routeText(listed, answers[listed.name])).join("")}`,
    `## The types\n\n${types.join("")}`,
  ];
  return parts.map((part) => `${part.replace(/\n{3,}/g, "\n\n").trim()}\n`).join("\n");
}
