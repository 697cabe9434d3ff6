import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of a test's own, gone when the process ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  if (made.length === 0) process.on("exit", () => made.forEach(remove));
  made.push(folder);
  return folder;
}

const made: string[] = [];
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

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

/** Writes files, also into folders, into a new folder; returns its path. What a command writes beside it goes, too. */
export function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(makeFolder(), "data");
  const write = writerTo(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    write(name, content);
  }
  return folder;
}
