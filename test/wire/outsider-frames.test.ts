// An outsider's implementation from docs/spec/wire.md alone: makes the frames of its examples from the fields that they name. Nothing of src/
// is used.
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { unpackPayload } from "./unpacked.ts";

const SPEC = readFileSync("docs/spec/wire.md", "utf8");
const PLAIN = SPEC.split(" writes frames from here -->")[1].split("<!-- to here -->")[0];

/** The rows of examples: name, fields by name, the frame's payload. */
function examples(text: string) {
  const rows = text.matchAll(/^\| (\S+) \| (?:up|down) \| ([^|]+) \| `([0-9a-f]+)` \|$/gm);
  return [...rows].map(([, name, fields, frame]) => ({
    name,
    fields: new Map(fields.split(", ").map((field) => field.split(" ") as [string, string])),
    payload: unpackPayload(Uint8Array.from(Buffer.from(frame, "hex"))),
  }));
}

/** The id, then the fields that have a fixed length, as the message's table has them. */
function encode(name: string, fields: Map<string, string>): { bytes: Buffer; seed: number } {
  const [, id, length, seed, table] = new RegExp(
    `^### (\\d+) ${name}\\n[\\s\\S]*?; (\\d+) bytes of fields; seed \`(\\w+)\`([\\s\\S]*?)(?=\\n###? |\\n<!--)`,
    "m",
  ).exec(SPEC) as RegExpExecArray;
  const bytes = Buffer.alloc(1 + Number(length));
  bytes[0] = Number(id);
  for (const [, at, field, type] of table.matchAll(/^\| (\d+) \| (\S+) \| (\S+) \|/gm)) {
    const value = Number(fields.get(field) ?? 0);
    const place = 1 + Number(at);
    if (value === 0) continue;
    if (type === "f32") bytes.writeFloatLE(value, place);
    else bytes.writeUIntLE(value, place, { u8: 1, u16: 2, u32: 4 }[type] as number);
  }
  return { bytes, seed: Number.parseInt(seed, 16) };
}

test("each example of docs/spec/wire.md has the fields that its row names, and no others", () => {
  const all = examples(SPEC);
  assert.ok(all.length >= 8);
  for (const { name, fields, payload } of all) {
    const { bytes } = encode(name, fields);
    assert.equal(Buffer.from(payload.subarray(0, bytes.length)), bytes, name);
  }
});

test("an example without a key ends in the CRC-32 of id and fields, begun with the seed", () => {
  const plain = examples(PLAIN);
  assert.ok(plain.length >= 3);
  for (const { name, fields, payload } of plain) {
    const { bytes, seed } = encode(name, fields);
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(bytes, seed));
    assert.equal(Buffer.from(payload), Buffer.concat([bytes, sum]), name);
  }
});

test.run();
