// Mutated and hostile frames against a node: no crash, no write out of range, state unchanged, the next good
// frame understood. Before that, where there is a `cc`: random calls of frame.c leave the bytes that
// TypeScript leaves, under a sanitizer of memory. npm run fuzz:wire -- [--frames N] [--seed N]
import { Random } from "../host/random.ts";
import { readNumbers } from "../targets/emulator/command-line.mjs";
import { hasCompiler } from "./fuzz-driver.ts";
import { CompiledFrames } from "./fuzz-frame-bytes.ts";
import { WireFuzz } from "./fuzz-wire-frames.ts";

const BLOCK = 100_000;
const { frames, seed } = readNumbers("fuzz:wire", "--frames N, --seed N", {
  frames: [10_000_000, 1],
  seed: [Date.now() >>> 0, 0],
});

function compareWithC(calls: number): void {
  const random = new Random(seed, "frame.c");
  const compiled = new CompiledFrames();
  try {
    compiled.compare(calls, () => random.uint32());
    console.log(`${calls} calls of frame.c, seed ${seed}: the bytes of TypeScript`);
  } finally {
    compiled.close();
  }
}

const fuzz = new WireFuzz(seed);
try {
  if (hasCompiler()) compareWithC(Math.min(frames, BLOCK));
  for (let sent = 0; sent < frames; sent += BLOCK) fuzz.run(Math.min(BLOCK, frames - sent));
  console.log(`${frames} mutated frames and as many hostile ones, seed ${seed}: all well`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
