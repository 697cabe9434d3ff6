// Runs a node for long over a bad line, with power cuts, restarts and wraps of its clock, beside a twin that
// gets the same samples and labels directly, and compares their states repeatedly. npm run soak -- [--samples
// N] [--seed S]
import { readNumbers } from "../../targets/emulator/command-line.mjs";
import { NodeLifetime } from "./life.ts";

const CHECKS = 100;
const { samples, seed } = readNumbers("soak", "--samples N, --seed N", {
  samples: [10_000_000, CHECKS, 1e9],
  seed: [1, 0],
});

function live(): void {
  const life = new NodeLifetime(seed, samples);
  const heap: number[] = [];
  for (let part = 0; part < CHECKS; part++) {
    life.run(Math.ceil(samples / CHECKS));
    life.check();
    globalThis.gc?.();
    heap.push(process.memoryUsage().heapUsed);
  }
  const { counts, power, wire, labels } = life;
  const { up, down } = wire;
  console.log(
    `${counts.samples} samples, ${labels.issued} labels, seed ${seed}: ${counts.checks} states equal the twin's`,
  );
  console.log(
    `power cuts: ${power.tally.cuts}, ${power.tally.duringSave} of them within a save; ${JSON.stringify(power.tally)}`,
  );
  console.log(
    `${(life.days).toFixed(1)} days; the clock wraps soon after each of ${power.tally.cuts + 1} starts`,
  );
  console.log(
    `frames: ${up.tally.frames + down.tally.frames}, lost ${up.tally.lost + down.tally.lost}, damaged ${up.tally.damaged + down.tally.damaged}`,
  );
  console.log(`heap, kB: ${heap[9] >> 10} after a tenth, ${heap[CHECKS - 1] >> 10} at the end`);
}

try {
  live();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
