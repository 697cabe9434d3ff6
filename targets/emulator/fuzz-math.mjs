// The driver of `npm run fuzz:math` on RV32: node targets/emulator/fuzz-math.mjs ISA SEED FIRST CALLS BLOCK prints what
// tools/dev/fuzz-math.c prints there. Exit code 1 if packages are missing.
import { buildProgram, lackOf, runProgram } from "./device.mjs";

const [isa, ...given] = process.argv.slice(2);
const lack = lackOf("fuzz:math --device");
if (lack) {
  console.error(lack);
  process.exitCode = 1;
} else {
  const { code, text } = await runProgram(await buildProgram(isa, "tools/dev/fuzz-math.c"), given);
  process.stdout.write(text);
  process.exitCode = code;
}
