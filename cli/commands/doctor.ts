import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { printJson, printText } from "../../host/terminal/print.ts";
import { table } from "../../host/terminal/table.ts";
import {
  type Check,
  checkCompilers,
  checkEspressifQemu,
  checkIdf,
  checkNode,
  checkPorts,
  checkSdk,
  checkTypeScript,
  checkWebAssembly,
} from "../../tools/toolchain/check.ts";
import { QEMU_TARGETS } from "../../tools/toolchain/espressif-qemu.ts";

/** One line a check: what was found, or how to get it. */
function checksText(checks: readonly Check[]): string {
  return table(
    checks.map(({ name, ok, found, cure, purpose }) => {
      const about = ok ? found : found === undefined ? cure : `${found}; ${cure}`;
      return [ok ? "ok" : "missing", name, `${about} (for ${purpose})`];
    }),
  );
}

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("print what this machine has and lacks, and how to get it; exit code 0 if simulate can run")
    .option("--json", "print motelearn.doctor/1")
    .action(async ({ json }: { json?: boolean }) => {
      const needed = [checkNode()];
      const emulators = QEMU_TARGETS.map((target) => checkEspressifQemu(target));
      const flashing = [checkSdk(), checkIdf(), checkTypeScript(), ...emulators];
      const optional = [checkWebAssembly(), ...checkCompilers(), ...flashing, ...(await checkPorts())];
      const checks = [...needed, ...optional];
      const ok = needed.every((check) => check.ok);
      if (json) printJson({ schema: "motelearn.doctor/1", ok, checks });
      else printText(checksText(checks));
      if (!ok) throw new UserError(`Node ${process.versions.node}: ${needed[0].cure}`);
    });
}
