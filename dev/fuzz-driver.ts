import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function hasCompiler(): boolean {
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** C sources as a program of this machine, with a sanitizer that stops it at the first wrong byte. */
export class CompiledDriver {
  private readonly folder = mkdtempSync(join(tmpdir(), "motelearn-"));
  private readonly program = join(this.folder, "driver");

  /** Throws an Error if they don't compile. */
  constructor(...sources: readonly string[]) {
    const checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    const flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", ...checks];
    const given = [...flags, ...sources, "-lm", "-o", this.program];
    execFileSync("cc", given, { stdio: ["ignore", "inherit", "pipe"] });
  }

  /** Its output for that input. Throws an Error if it stops at a fault. */
  protected run(input: Uint8Array): Buffer {
    return execFileSync(this.program, { input, maxBuffer: 2 ** 30 });
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }
}
