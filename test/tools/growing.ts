import { readFileSync, statSync } from "node:fs";
import type { Running } from "../cli/program.ts";
import { become } from "./awaited.ts";
import { hasEnded } from "./contained.ts";

/** A file's size; 0 where there is none. */
export function countBytes(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A file's complete lines; 0 where there is none. */
export function countLines(file: string): number {
  return countBytes(file) === 0 ? 0 : readFileSync(file, "utf8").split("\n").length - 1;
}

/** The values of a file of JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: each type of line has a form of its own, which the tests state.
export function readJsonLines(file: string): any[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Resolves when the file has so many bytes, or the program that writes it has ended. */
export async function grows(file: string, bytes: number, running: Running): Promise<void> {
  await become(
    `${bytes} bytes in ${file}`,
    () => countBytes(file) >= bytes || hasEnded(running),
    () => `${countBytes(file)} bytes, ${running.printed()}`,
    5,
  );
}

/** Resolves when the file has so many lines. Throws an Error if the program ended before. */
export async function hasLines(file: string, count: number, running: Running): Promise<void> {
  await become(
    `${count} lines in ${file}`,
    () => countLines(file) >= count || hasEnded(running),
    () => `${countLines(file)} lines, ${running.printed()}`,
    5,
  );
  if (countLines(file) < count) throw new Error(`it ended; ${file} has ${countLines(file)} lines`);
}
