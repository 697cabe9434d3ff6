import { chmodSync } from "node:fs";
import { temporaryFolder } from "../cli/program.ts";

const put = temporaryFolder();
/** The key of the line to a node of tests, and that node. */
export const KEY = "000102030405060708090a0b0c0d0e0f";
export const NODE = { sid: 7, channels: 2, learner: "olk-c", options: { budget: 8 } };

/** A file with that text, and with those rights. */
export function keyFile(name: string, text: string, mode = 0o600): string {
  const file = put(name, text);
  chmodSync(file, mode);
  return file;
}

/** 20 samples with labels. */
export function stream(): string {
  const lines = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify({ x: [i % 3, i % 5], label: i % 2 ? 1 : -1 }),
  );
  return put("stream.ndjson", `${lines.join("\n")}\n`);
}
