import { spawnSync } from "node:child_process";
import { DifferentStateError, UserError } from "../../host/errors.ts";

/**
 * Multiply-adds that round once: of Xtensa, RISC-V and ARM. Not Xtensa's `maddn.s`, a step of a division, nor
 * ARM's `vmla`, which rounds its product.
 */
const FUSED = /\t(m(?:add|sub)\.s|fn?m(?:add|sub)\.[sd]|vfn?m[as](?:[a-z]{2})?\.f(?:32|64))\b/g;

/** The fused instructions in objdump's listing, each once. */
export function fusedIn(listing: string): string[] {
  return [...new Set([...listing.matchAll(FUSED)].map(([, name]) => name))].sort();
}

/**
 * Checks an object of f32.c, which is compiled without contraction on every chip. Throws a
 * DifferentStateError if it contains a fused instruction, a UserError if the toolchain's `objdump` can't list
 * it.
 */
export function refuseFused(objdump: string, object: string): void {
  const { status, stdout, stderr, error } = spawnSync(objdump, ["-d", object], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error)
    throw new UserError(`${objdump}: can't be run (${(error as NodeJS.ErrnoException).code}); not flashed`);
  if (status !== 0 || !stdout.includes("<f32_"))
    throw new UserError(
      `${object}: ${stderr.trim().split("\n")[0] || "none of f32.c's functions in it"}; not flashed`,
    );
  const fused = fusedIn(stdout);
  if (fused.length === 0) return;
  throw new DifferentStateError(
    `${object}: holds ${fused.join(", ")}: the board would compute other bits; compile f32.c without -ffp-contract=fast; not flashed`,
  );
}
