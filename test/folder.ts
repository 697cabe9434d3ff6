import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of a test's own, gone when the process ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file into the folder, an object as JSON; returns its path. */
export type WriteFile = (name: string, content: unknown) => string;

export function writerTo(folder: string): WriteFile {
  return (name, content) => {
    const path = join(folder, name);
    const isData = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(path, isData ? content : JSON.stringify(content));
    return path;
  };
}
