import { withMarkedPart } from "../host/files/marked-part.ts";
import { familyNamed } from "../src/learn/registry.ts";
import { hashWords } from "../src/memory/hash.ts";
import type { NodeOptions } from "../src/node/node-options.ts";
import { nodeSchema, schemaValue } from "../src/node/schema.ts";
import { combinedHash, SELF_TEST_ITEMS } from "../src/selftest/self-test.ts";
import {
  FIELD_BYTES,
  fixedBytes,
  ID_MAX,
  idSeed,
  isRest,
  MESSAGES,
  type MessageDefinition,
  type MessageName,
  restMax,
  seedsById,
  tableHash,
} from "../src/wire/messages.ts";
import { specFrames } from "./spec-frames.ts";
import { specKeys } from "./spec-keys.ts";

/** The generated parts of docs/spec/wire.md. */
const PARTS = { frames: specFrames, keys: specKeys, messages: specTables, hashes: specHashes };

const WAYS = { up: "node to peer", down: "peer to node", both: "both ways" };
const hex = (word: number) => `\`${word.toString(16).padStart(8, "0")}\``;

function sameIn(lasting: number, bytes: number): string {
  return `${lasting < bytes ? `the first ${lasting} ` : ""}the same in every version`;
}

function section(name: MessageName): string {
  const definition: MessageDefinition = MESSAGES[name];
  const { id, way, doc, fields, lasting } = definition;
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
    `seed ${hex(idSeed(name, definition))}`,
    ...(lasting === undefined ? [] : [sameIn(lasting, fixedBytes(definition))]),
  ];
  return [
    `### ${id} ${name}\n`,
    `${doc}\n`,
    `${facts.join("; ")}.\n`,
    "| at | field | type | bytes | what |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Every message of the table. */
function specTables(): string {
  const names = Object.keys(MESSAGES) as MessageName[];
  return [`The table's hash: ${hex(tableHash())}.`, ...names.map(section)].join("\n\n");
}

/** The node whose schema is the example. */
const EXAMPLE: NodeOptions = {
  sid: 1,
  channels: 2,
  pending: 4,
  labelWindow: 2,
  learner: familyNamed("perceptron") as NodeOptions["learner"],
  options: {},
};
const WORDS = [0x00000001, 0x80000000, 0x3f800000, 0xffffffff];
const TESTS = [1, 0x80000000, 0xffffffff];

/** The table's hash after each id. */
function tableHashes(): number[] {
  return Array.from(seedsById(), (_, id) => tableHash(id));
}

/** The hashes' examples, and the list of the self-test. */
function specHashes(): string {
  const [none, first] = tableHashes();
  const words = WORDS.map((word) => hex(word)).join(", ");
  const items = SELF_TEST_ITEMS.map((name, i) => `${i + 1} \`${name}\``).join(", ");
  return [
    `The table of messages: ${hex(none)} after id 0, ${hex(first)} after id 1, ${hex(tableHash())} after id ${ID_MAX}, the last.`,
    `The words ${words}: \`${hashWords(Uint32Array.from(WORDS), 0, WORDS.length)}\`.`,
    `The value below: \`${nodeSchema(EXAMPLE)}\`. It belongs to a node of ${EXAMPLE.channels} channels.`,
    `\`\`\`json\n${valueText(schemaValue(EXAMPLE))}\n\`\`\``,
    `A self-test of the hashes ${TESTS.map(hex).join(", ")}: ${hex(combinedHash(Uint32Array.from(TESTS)))}.`,
    `The ${SELF_TEST_ITEMS.length} items of the self-test: ${items}.`,
  ].join("\n\n");
}

/** JSON, a region a line. */
function valueText([name, options, regions]: readonly unknown[]): string {
  const lines = (regions as readonly object[]).map((region) => `  ${JSON.stringify(region)}`);
  return `[${JSON.stringify(name)},\n ${JSON.stringify(options)},\n [\n${lines.join(",\n")}\n ]]`;
}

/** The page with its generated parts written anew. Throws an Error where it has none. */
export function withTables(spec: string): string {
  const write = (page: string, [name, make]: [string, () => string]) =>
    withMarkedPart(page, `<!-- npm run build:spec writes ${name} from here -->`, make());
  return Object.entries(PARTS).reduce(write, spec);
}
