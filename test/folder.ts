import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of a test's own, gone when the process ends. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
