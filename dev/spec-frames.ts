import { Encoder } from "../src/wire/encoder.ts";
import { type MessageName, messageNames } from "../src/wire/messages.ts";

export const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Numbers of a start look like nothing in decimal digits. */
const HEX_FIELDS = ["boot", "peer", "start"];

export const ROWS = "| message | way | fields, others 0 | frame |\n|---|---|---|---|";

/** A row of examples: the fields of a message that aren't 0, and its frame. */
export function frameRow(name: MessageName, way: "up" | "down", fields: object, frame: Uint8Array): string {
  const text = Object.entries(fields).map(
    ([field, value]) => `${field} ${HEX_FIELDS.includes(field) ? `0x${value.toString(16)}` : value}`,
  );
  return `| ${name} | ${way} | ${text.join(", ")} | \`${hex(frame)}\` |`;
}

/** Frames of a line without a key. */
export function specFrames(): string {
  const encoder = new Encoder(messageNames("down"));
  const examples = {
    request: { what: 1 },
    leave: { start: 0x44444c44 },
    label: { start: 0x44444c44, number: 1, sid: 7, seq: 12, y: -1, source: 3, confidence: 200 },
  };
  const rows = Object.entries(examples).map(([text, fields]) => {
    const name = text as keyof typeof examples;
    Object.assign(encoder.message(name), fields);
    return frameRow(name, "down", fields, encoder.frame.slice(0, encoder.encode(name)));
  });
  return `${ROWS}\n${rows.join("\n")}`;
}
