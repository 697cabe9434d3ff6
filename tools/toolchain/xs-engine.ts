import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UserError } from "../../host/errors.ts";
import { PACKAGE } from "../../host/package-folder.ts";
import { printNote } from "../../host/terminal/print.ts";
import { memoryBytes, type Target } from "../../targets/boards.ts";
import type { Machine } from "../../targets/emulator/node-on-xs.ts";

function checkCompiler(): void {
  if (process.platform !== "linux") throw new UserError("--engine xs: runs on Linux only");
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
  } catch {
    throw new UserError(
      "--engine xs: no C compiler cc on this machine; install one (Debian, Ubuntu: apt-get install gcc libc6-dev)",
    );
  }
}

/**
 * The machine of a target, built first where it isn't yet: from sources fetched at the pinned version, with
 * `cc`.
 */
export async function machineFor(target: Target): Promise<Machine> {
  checkCompiler();
  const engine = pathToFileURL(join(PACKAGE, "targets/emulator/engine.mjs")).href;
  if (!existsSync(join(PACKAGE, "dist/emulator/linux/linux")))
    printNote("fetching XS and compiling it, once; takes a minute");
  const { buildLinux } = (await import(engine)) as {
    buildLinux(say: (line: string) => void): Promise<string>;
  };
  try {
    const program = await buildLinux(printNote);
    const script = join(PACKAGE, "dist/node-for-xs.js");
    return { program, script, blockBytes: memoryBytes(target) };
  } catch (error) {
    throw new UserError(`--engine xs: the engine can't be built: ${(error as Error).message}`);
  }
}

/** What tables and reports call it. */
export function engineName(target: Target): string {
  return `XS, ${target}: ${memoryBytes(target).toLocaleString("en")} bytes a node`;
}
