import {
  FIELD_BYTES,
  fixedBytes,
  isRest,
  MESSAGES,
  type MessageDefinition,
  type MessageName,
  restMax,
  seedOf,
  tableHash,
} from "../../src/wire/messages.ts";

/** The lines of SPEC.md between which the tables stand. */
export const BEGIN = "<!-- messages: made by npm run build:spec -->";
export const END = "<!-- end of messages -->";

const WAYS = { up: "node to peer", down: "peer to node", both: "both ways" };
const hex = (word: number) => `\`${word.toString(16).padStart(8, "0")}\``;

function section(name: MessageName): string {
  const definition: MessageDefinition = MESSAGES[name];
  const { id, way, doc, fields, frozen } = definition;
  let at = 0;
  const rows = Object.entries(fields).map(([field, { type, doc }]) => {
    const size = isRest(type) ? `0 to ${restMax(definition)} x ${FIELD_BYTES[type]}` : FIELD_BYTES[type];
    const row = `| ${at} | ${field} | ${type} | ${size} | ${doc} |`;
    at += FIELD_BYTES[type];
    return row;
  });
  const facts = [
    WAYS[way],
    `${fixedBytes(definition)} bytes of fields`,
    `seed ${hex(seedOf(name, definition))}`,
  ];
  return [
    `### ${id} ${name}`,
    `${doc}\n`,
    `${facts.join("; ")}${frozen ? "; the same in every version" : ""}.\n`,
    "| at | field | type | bytes | what |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** What stands between the marks: every message, as the table has it. */
export function specTables(): string {
  const names = Object.keys(MESSAGES) as MessageName[];
  return [`The table's hash: ${hex(tableHash())}.`, ...names.map(section)].join("\n\n");
}

/** A text with what stands between the marks made anew. Throws an Error if it lacks them. */
export function withTables(spec: string): string {
  const begin = spec.indexOf(BEGIN);
  const end = spec.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`SPEC.md: no "${BEGIN}" before "${END}"`);
  return `${spec.slice(0, begin + BEGIN.length)}\n${specTables()}\n${spec.slice(end)}`;
}
