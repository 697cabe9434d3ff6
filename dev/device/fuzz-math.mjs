// The driver of `npm run fuzz:math` on an emulated chip: node dev/device/fuzz-math.mjs CHIP
// [--contracted] SEED FIRST CALLS BLOCK prints what dev/fuzz-math.c prints there. --contracted: with an
// f32.c that lets the compiler fuse multiply-adds.
import { buildProgram, contractedF32, runProgram } from "../../targets/emulator/device.mjs";

const [chip, ...rest] = process.argv.slice(2);
const contracted = rest[0] === "--contracted";
const program = await buildProgram(chip, "dev/fuzz-math.c", contracted ? contractedF32() : undefined);
const { code, text } = await runProgram(program, contracted ? rest.slice(1) : rest);
process.stdout.write(text);
process.exitCode = code;
