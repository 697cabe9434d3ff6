// The driver of `npm run fuzz:math` on an emulated chip: node targets/emulator/fuzz-math.mjs CHIP
// [--contracted] SEED FIRST CALLS BLOCK prints what tools/dev/fuzz-math.c prints there. --contracted: with an
// f32.c that lets the compiler fuse multiply-adds.
import { buildProgram, contractedF32, runProgram } from "./device.mjs";

const [chip, ...rest] = process.argv.slice(2);
const contracted = rest[0] === "--contracted";
const program = await buildProgram(chip, "tools/dev/fuzz-math.c", contracted ? contractedF32() : undefined);
const { code, text } = await runProgram(program, contracted ? rest.slice(1) : rest);
process.stdout.write(text);
process.exitCode = code;
